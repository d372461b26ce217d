"""The league's data: people, seasons, evenings, money, and what workers count from them."""

from .access import ApiToken, AuditEntry, Invitation, PlayerMerge
from .answers import KeptAnswer
from .asked import ClubRequest
from .attendance import Attendance, AttendanceLink, Reserve
from .closing import Closing, Payment, PaymentDay, Receipt, ReceiptName, ReceiptOpening
from .counts import (
    Balance,
    CountFailure,
    EveningScore,
    Heartbeat,
    SeasonChances,
    SeasonCount,
    Standing,
    TeamShare,
    TeamStanding,
    UncountedPosting,
)
from .cups import Cup, CupClub, CupConsent, CupEvening, CupInvitation, CupPerson, CupPlayer, CupTournament
from .facts import DecisionCount, EveningFacts, Feat, Rating, SeasonFacts, UncountedEvening
from .files import ClubLogo, LargeFile, LargeFilePart
from .formula import SeasonAdjustment, SeasonFormula, Team, TeamStay
from .imports import Import, ImportColumns, ImportedEvening, ImportedTotal, ImportKind, Upload
from .looks import PlayerLook
from .luck import LuckOfAllClubs, LuckOfEvening, LuckOfPlayer, LuckToCount
from .messages import EveningToTell, MessageChoice, PlayerMessage, PushDelivery, PushDevice, PushKey
from .money import Account, Posting, ResultRow, Submission, Transfer
from .people import Club, FormerName, Membership, Player, Role, User
from .plan import PlannedEvening
from .screens import PubScreenLink
from .season import Evening, HouseRules, Season, SeasonReopening
from .tournaments import (
    DeskMember,
    Draw,
    Entrant,
    OwnEntry,
    Round,
    SeasonAward,
    Sheet,
    Substitution,
    TableCard,
    Tournament,
    TournamentVersion,
)
from .treasury import BankEntry, BillingDetails, FeeReminders, KittyEntry, MemberFee, MemberFeeShare, SentBill
from .versions import ClubVersion, Version
from .webhooks import Delivery, Webhook

__all__ = [
    "Account",
    "ApiToken",
    "Attendance",
    "AttendanceLink",
    "AuditEntry",
    "Balance",
    "BankEntry",
    "BillingDetails",
    "Closing",
    "Club",
    "ClubLogo",
    "ClubRequest",
    "ClubVersion",
    "CountFailure",
    "Cup",
    "CupClub",
    "CupConsent",
    "CupEvening",
    "CupInvitation",
    "CupPerson",
    "CupPlayer",
    "CupTournament",
    "DecisionCount",
    "Delivery",
    "DeskMember",
    "Draw",
    "Entrant",
    "Evening",
    "EveningFacts",
    "EveningScore",
    "EveningToTell",
    "Feat",
    "FeeReminders",
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
    "LuckOfAllClubs",
    "LuckOfEvening",
    "LuckOfPlayer",
    "LuckToCount",
    "MemberFee",
    "MemberFeeShare",
    "Membership",
    "MessageChoice",
    "OwnEntry",
    "Payment",
    "PaymentDay",
    "PlannedEvening",
    "Player",
    "PlayerLook",
    "PlayerMerge",
    "PlayerMessage",
    "Posting",
    "PubScreenLink",
    "PushDelivery",
    "PushDevice",
    "PushKey",
    "Rating",
    "Receipt",
    "ReceiptName",
    "ReceiptOpening",
    "Reserve",
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
    "SeasonReopening",
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
