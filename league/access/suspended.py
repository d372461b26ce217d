"""A club that the operator of the server has suspended: its pages and files are read, and nothing is written."""

from __future__ import annotations

from contextvars import ContextVar

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from ..models import Club

writes: ContextVar[bool] = ContextVar("writes", default=False)
"""True while a request is answered that would write in a club (`league.web.suspended`)."""

ALLOWED = frozenset({"club-files", "club-leave", "player-forget"})
"""The routes that a suspended club has also for writing: exports, and the rights of each person."""


class Suspended(PermissionDenied):
    """The request would write in a club that is suspended."""

    def __init__(self, club: Club) -> None:
        super().__init__("suspended")
        self.club = club

    @property
    def sentence(self) -> str:
        """What a person reads."""
        return suspended_sentence(self.club)


def suspended_sentence(club: Club) -> str:
    """Say that a club is suspended, what still works, and why it is."""
    sentence = _("The operator of this server has suspended the club: it can be read and downloaded, not changed.")
    return f"{sentence} {club.suspended_because}" if club.suspended_because else sentence


def check_not_suspended(club: Club) -> None:
    """Check that this request may write in the club, if it would. Raises Suspended."""
    if club.suspended_at is not None and writes.get():
        raise Suspended(club)
