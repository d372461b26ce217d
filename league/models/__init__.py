"""The league's data: people, seasons, evenings, money, and what workers count from them."""

from .access import ApiToken, AuditEntry, Invitation, PlayerMerge
from .answers import KeptAnswer
from .closing import Closing, Payment, Receipt, ReceiptName, ReceiptOpening
from .counts import Balance, EveningScore, Heartbeat, SeasonCount, Standing, UncountedPosting
from .money import Account, Posting, ResultRow, Submission, Transfer
from .people import Club, FormerName, Membership, Player, Role, User
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
from .versions import ClubVersion, Version
from .webhooks import Delivery, Webhook

__all__ = [
    "Account",
    "ApiToken",
    "AuditEntry",
    "Balance",
    "Closing",
    "Club",
    "ClubVersion",
    "Delivery",
    "DeskMember",
    "Draw",
    "Entrant",
    "Evening",
    "EveningScore",
    "FormerName",
    "Heartbeat",
    "HouseRules",
    "Invitation",
    "KeptAnswer",
    "Membership",
    "Payment",
    "Player",
    "PlayerMerge",
    "Posting",
    "Receipt",
    "ReceiptName",
    "ReceiptOpening",
    "ResultRow",
    "Role",
    "Round",
    "Season",
    "SeasonAward",
    "SeasonCount",
    "Sheet",
    "Standing",
    "Submission",
    "Substitution",
    "TableCard",
    "Tournament",
    "TournamentVersion",
    "Transfer",
    "UncountedPosting",
    "User",
    "Version",
    "Webhook",
]
