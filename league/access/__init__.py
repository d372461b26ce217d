"""Access to a club: the table of rights, the gate of club pages, roles, and the names that a reader sees."""

from .gate import ClubAccess, access_to, admit, club_for, own_players, shown_access, shown_club
from .rights import RIGHTS, SCOPE_OF, Right, rights_of

__all__ = [
    "RIGHTS",
    "SCOPE_OF",
    "ClubAccess",
    "Right",
    "access_to",
    "admit",
    "club_for",
    "own_players",
    "rights_of",
    "shown_access",
    "shown_club",
]
