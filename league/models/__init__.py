"""The league's data: people, seasons, evenings, money, and what workers count from them."""

from .access import ApiToken, AuditEntry, Invitation, PlayerMerge
from .answers import KeptAnswer
from .closing import Closing, Payment, Receipt, ReceiptName, ReceiptOpening
from .counts import (
    Balance,
    EveningScore,
    Heartbeat,
    SeasonChances,
    SeasonCount,
    Standing,
    TeamShare,
    TeamStanding,
    UncountedPosting,
)
from .facts import DecisionCount, EveningFacts, Feat, Rating, SeasonFacts, UncountedEvening
from .files import ClubLogo, LargeFile, LargeFilePart
from .formula import SeasonAdjustment, SeasonFormula, Team, TeamStay
from .imports import Import, ImportColumns, ImportedEvening, ImportedTotal, ImportKind, Upload
from .looks import PlayerLook
from .money import Account, Posting, ResultRow, Submission, Transfer
from .people import Club, FormerName, Membership, Player, Role, User
from .plan import PlannedEvening
from .screens import PubScreenLink
from .season import Evening, HouseRules, Season
from .tournaments import (
    DeskMember,
    Draw,
    Entrant,
    Round,
    SeasonAward,
    Sheet,
    Substitution,
    TableCard,
    Tournament,
    TournamentVersion,
)
from .treasury import BillingDetails, KittyEntry, SentBill
from .versions import ClubVersion, Version
from .webhooks import Delivery, Webhook

__all__ = [
    "Account",
    "ApiToken",
    "AuditEntry",
    "Balance",
    "BillingDetails",
    "Closing",
    "Club",
    "ClubLogo",
    "ClubVersion",
    "DecisionCount",
    "Delivery",
    "DeskMember",
    "Draw",
    "Entrant",
    "Evening",
    "EveningFacts",
    "EveningScore",
    "Feat",
    "FormerName",
    "Heartbeat",
    "HouseRules",
    "Import",
    "ImportColumns",
    "ImportKind",
    "ImportedEvening",
    "ImportedTotal",
    "Invitation",
    "KeptAnswer",
    "KittyEntry",
    "LargeFile",
    "LargeFilePart",
    "Membership",
    "Payment",
    "PlannedEvening",
    "Player",
    "PlayerLook",
    "PlayerMerge",
    "Posting",
    "PubScreenLink",
    "Rating",
    "Receipt",
    "ReceiptName",
    "ReceiptOpening",
    "ResultRow",
    "Role",
    "Round",
    "Season",
    "SeasonAdjustment",
    "SeasonAward",
    "SeasonChances",
    "SeasonCount",
    "SeasonFacts",
    "SeasonFormula",
    "SentBill",
    "Sheet",
    "Standing",
    "Submission",
    "Substitution",
    "TableCard",
    "Team",
    "TeamShare",
    "TeamStanding",
    "TeamStay",
    "Tournament",
    "TournamentVersion",
    "Transfer",
    "UncountedEvening",
    "UncountedPosting",
    "Upload",
    "User",
    "Version",
    "Webhook",
]
