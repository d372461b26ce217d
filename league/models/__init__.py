"""What the league keeps: people, seasons, evenings, money, and what workers count from them."""

from .counts import Balance, Heartbeat, NightScore, SeasonCount, Standing
from .money import Account, Posting, ResultRow, Submission, Transfer
from .people import Club, Membership, Player, Role, User
from .season import Evening, HouseRules, Season

__all__ = [
    "Account",
    "Balance",
    "Club",
    "Evening",
    "Heartbeat",
    "HouseRules",
    "Membership",
    "NightScore",
    "Player",
    "Posting",
    "ResultRow",
    "Role",
    "Season",
    "SeasonCount",
    "Standing",
    "Submission",
    "Transfer",
    "User",
]
