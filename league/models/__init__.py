"""The league's data: people, seasons, evenings, money, and what workers count from them."""

from .access import ApiToken, AuditEntry, Invitation, PlayerMerge
from .answers import KeptAnswer
from .closing import Closing, Payment, Receipt, ReceiptName, ReceiptOpening
from .counts import Balance, EveningScore, Heartbeat, SeasonCount, Standing, UncountedPosting
from .money import Account, Posting, ResultRow, Submission, Transfer
from .people import Club, FormerName, Membership, Player, Role, User
from .season import Evening, HouseRules, Season
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
    "Season",
    "SeasonCount",
    "Standing",
    "Submission",
    "Transfer",
    "UncountedPosting",
    "User",
    "Version",
    "Webhook",
]
