"""What the league keeps: people, seasons, evenings, money, and what workers count from them."""

from .closing import Closing, Payment, Receipt
from .counts import Balance, Heartbeat, NightScore, SeasonCount, Standing
from .money import Account, Posting, ResultRow, Submission, Transfer
from .people import Club, Membership, Player, Role, User
from .season import Evening, HouseRules, Season

__all__ = [
    "Account",
    "Balance",
    "Closing",
    "Club",
    "Evening",
    "Heartbeat",
    "HouseRules",
    "Membership",
    "NightScore",
    "Payment",
    "Player",
    "Posting",
    "Receipt",
    "ResultRow",
    "Role",
    "Season",
    "SeasonCount",
    "Standing",
    "Submission",
    "Transfer",
    "User",
]
