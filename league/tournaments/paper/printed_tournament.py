"""Content of the paper: the tournament as its desk sees it, and the conditions for printing a kind of paper."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ...errors import Refused
from ...models import Round, TableCard
from ..gate import TournamentAccess
from ..room import wording
from ..room.selectors import Person, Place, Room
from ..table_cards import cards_of

MOST_TABLES = 400
"""Table cards and stickers of one file."""

Item = TypeVar("Item")


class DeskRoom(Room):
    """The tournament as its desk reads it: the last round is not hidden."""

    @property
    def hides_last(self) -> bool:
        return False


@dataclass(frozen=True)
class Content:
    """A tournament to print. `root` is the address of the server without a slash; `tables` is the number of tables that
    the reader asked for, 0 for as many as the entrants need; `cards` are the cards of the tables; `at` is the time of
    printing."""

    found: TournamentAccess
    room: DeskRoom
    root: str = ""
    tables: int = 0
    cards: Mapping[int, TableCard] = field(default_factory=dict)
    at: datetime = field(default_factory=timezone.now)

    @property
    def club(self) -> str:
        return self.found.club.name

    @property
    def name(self) -> str:
        return self.found.tournament.name

    @property
    def day(self) -> str:
        """The first day of the tournament, or its first and last one."""
        tournament = self.found.tournament
        first = date_format(tournament.starts_on, "DATE_FORMAT")
        if tournament.ends_on is None or tournament.ends_on == tournament.starts_on:
            return first
        return f"{first} – {date_format(tournament.ends_on, 'DATE_FORMAT')}"

    @property
    def entrants(self) -> list[Person]:
        """Everybody who is still in the tournament, by start number."""
        return [person for person in self.room.entered if not person.withdrawn]

    @property
    def round_title(self) -> str:
        """The name of the drawn round."""
        return wording.round_title(self.room)

    @property
    def places(self) -> list[Place]:
        """Everybody of the drawn round in the order of a printed list: Ä as A."""
        return sorted(self.room.by_name, key=lambda place: (_sorted_as(place.person.name), place.person.number))

    def table_numbers(self) -> list[int]:
        """Return the table numbers to print: so many as were asked for, else those of the drawn round and those that
        everybody who is entered needs."""
        tournament = self.found.tournament
        closed = set(tournament.closed_tables)
        if self.tables:
            return _first(self.tables, closed)
        needed = -(-len(self.entrants) // self.room.format.wished)
        fixed = {entrant.fixed_table for entrant in self.entrants if entrant.fixed_table}
        drawn = {table.number for table in self.room.tables}
        return sorted(drawn | fixed | set(_first(max(needed - len(fixed), 0), closed | fixed)))

    def read(self, numbers: Sequence[int]) -> Content:
        """Return the content with the cards of these tables (those that are missing are made) and with all that pages
        ask the room for: they are drawn without the database."""
        room = self.room
        _read = room.entered, room.tables, room.ranking, room.teams, room.prize_list
        return replace(self, cards=cards_of(self.found.tournament, numbers)) if numbers else self

    def address(self, number: int) -> str:
        """Return the address that the code of a table opens."""
        return self.root + reverse("table-card", kwargs={"code": self.cards[number].code})


def content_of(access: TournamentAccess, *, root: str = "", tables: int = 0) -> Content:
    """Return the content; its parts are read when a page needs them."""
    return Content(access, DeskRoom(access.tournament, access.access), root, min(tables, MOST_TABLES))


def parts(items: Sequence[Item], most: int) -> Iterator[Sequence[Item]]:
    """Cut the items into parts of at most `most`."""
    for start in range(0, len(items), most):
        yield items[start : start + most]


def nobody(content: Content) -> Refused | None:
    """Return the reason why no paper with names can be printed; None if it can."""
    if content.entrants:
        return None
    return Refused(status=422, code="nobody", sentence=_("Nobody is entered yet. Enter people first."))


def no_tables(content: Content) -> Refused | None:
    """Return the reason why no table numbers can be printed; None if they can."""
    if content.tables or content.entrants or content.room.tables:
        return None
    sentence = _("Nobody is entered yet. Enter people first, or give the number of tables.")
    return Refused(status=422, code="tables", sentence=sentence)


def no_draw(content: Content) -> Refused | None:
    """Return the reason why no paper of a round can be printed; None if it can."""
    if content.room.tables:
        return None
    sentence = _("No round is drawn yet. Publish the first draw, then this can be printed.")
    if content.room.current is not None:
        sentence = _("No round is drawn now. Publish the next draw, then this can be printed.")
    return Refused(status=409, code="draw", sentence=sentence)


def no_result(content: Content) -> Refused | None:
    """Return the reason why no results can be printed; None if they can."""
    if content.room.counted:
        return None
    sentence = _("No round is finished yet. The results can be printed after the first round.")
    return Refused(status=409, code="results", sentence=sentence)


def no_end(content: Content) -> Refused | None:
    """Return the reason why no certificates can be printed; None if they can."""
    room = content.room
    played = [tournament_round for tournament_round in room.rounds if tournament_round.state == Round.State.FINISHED]
    over = room.finished or len(played) >= room.format.all_rounds
    if over and room.counted:
        return None
    sentence = _("The last round is not finished yet. Certificates name the places at the end.")
    return Refused(status=409, code="end", sentence=sentence)


def _first(count: int, closed: set[int]) -> list[int]:
    """Return the lowest `count` table numbers that are not left out."""
    numbers: list[int] = []
    number = 0
    while len(numbers) < count:
        number += 1
        if number not in closed:
            numbers.append(number)
    return numbers


def _sorted_as(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))
