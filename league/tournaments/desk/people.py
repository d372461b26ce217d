"""The people of a tournament as its desk sees them, and the search of entrants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...models import Entrant
from ..gate import TournamentAccess


@dataclass(frozen=True, slots=True)
class Person:
    """An entrant at the desk. `gone`: struck or withdrawn; `before`: names of those whose place was taken over."""

    number: int
    name: str
    player_id: int
    here: bool
    paid: bool
    gone: bool
    struck: bool
    labels: tuple[str, ...]
    team: str
    fixed_table: int | None
    joined_round: int | None
    withdrawn_round: int | None
    slip: tuple[int, int] | None
    name_hidden: bool = False
    before: tuple[str, ...] = ()

    @property
    def missing(self) -> bool:
        """True for an expected entrant who is not here."""
        return not self.here and not self.gone


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search of entrants: one person, several to choose from, or nobody."""

    person: Person | None = None
    several: tuple[Person, ...] = ()


def people_of(access: TournamentAccess) -> list[Person]:
    """Return all entrants by start number. Two queries."""
    rows = Entrant.objects.filter(tournament=access.tournament).select_related("player").order_by("number")
    return [_person(access, row) for row in rows.prefetch_related("substitutions__left")]


def person_of(access: TournamentAccess, number: int) -> Person | None:
    """Return one entrant, None if nobody has this start number. Two queries."""
    return next((person for person in people_of(access) if person.number == number), None)


def who_is(text: str, people: Sequence[Person]) -> Found:
    """Find the person by start number, by nickname, or by the first letters of a nickname.

    Among several who begin alike the only one who is missing is meant.
    """
    wanted = " ".join(text.split()).casefold()
    if not wanted:
        return Found()
    if wanted.isascii() and wanted.isdecimal():
        return Found(next((person for person in people if person.number == int(wanted)), None))
    exact = [person for person in people if person.name.casefold() == wanted]
    begin = exact or [person for person in people if person.name.casefold().startswith(wanted)]
    begin = begin or [
        person for person in people if any(part.startswith(wanted) for part in person.name.casefold().split())
    ]
    if len(begin) == 1:
        return Found(begin[0])
    missing = [person for person in begin if person.missing]
    return Found(missing[0]) if len(missing) == 1 else Found(None, tuple(missing or begin))


def _person(access: TournamentAccess, row: Entrant) -> Person:
    names = access.access.names
    return Person(
        number=row.number,
        name=names.show(row.player_id, row.player.nickname),
        player_id=row.player_id,
        here=row.checked_in_at is not None,
        paid=row.paid,
        gone=row.struck or row.withdrawn_round is not None,
        struck=row.struck,
        labels=tuple(row.labels),
        team=row.team,
        fixed_table=row.fixed_table,
        joined_round=row.joined_round,
        withdrawn_round=row.withdrawn_round,
        slip=(row.slip[0], row.slip[1]) if row.slip else None,
        name_hidden=row.name_hidden_since is not None,
        before=tuple(
            names.show(substitution.left_id, substitution.left.nickname) for substitution in row.substitutions.all()
        ),
    )
