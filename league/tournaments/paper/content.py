"""What is printed: the tournament as its desk sees it."""

from __future__ import annotations

from dataclasses import dataclass

from ..gate import TournamentAccess
from ..room.selectors import Room


class DeskRoom(Room):
    """The tournament as its desk reads it: the last round is not hidden."""

    @property
    def hides_last(self) -> bool:
        return False


@dataclass(frozen=True)
class Content:
    """A tournament to print: `root` is the address of the server, `asked` what the reader asked for."""

    found: TournamentAccess
    room: DeskRoom
    root: str = ""
    asked: int = 0

    @property
    def club(self) -> str:
        return self.found.club.name

    @property
    def name(self) -> str:
        return self.found.tournament.name


def content_of(found: TournamentAccess, *, root: str = "", asked: int = 0) -> Content:
    """Return the content; its parts are read when a page needs them."""
    return Content(found, DeskRoom(found.tournament, found.access), root, asked)
