"""The pages of the big screen: each fits without scrolling, for 8 entrants as for 800."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.utils.translation import gettext as _

from ...models import Round
from . import wording
from .podium_scene import podium
from .selectors import Place, Room

RANKS_BESIDE = 12
"""Ranks beside the clock."""
RANKS_ABOVE = 9
"""The same above a strip of tables."""
STRIP, STRIP_LARGE = 5, 3
"""Tables in the strip below the clock; of tables for more than `SMALL_TABLE` people."""
STRIP_SECONDS = 6
SMALL_TABLE = 5
"""Up to so many people a table fits a page of twelve."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Scene:
    """One page of the screen. `kind` names its template part; `columns` are its parts side by side, `size` is that of
    their type (few, some, more, many); `rows` are those of its longest column; `seconds` is its duration."""

    kind: str
    title: str
    seconds: int
    columns: tuple[Sequence[Any], ...] = ()
    strips: tuple[Sequence[Any], ...] = ()
    size: str = "many"
    page: int = 1
    pages: int = 1

    @property
    def rows(self) -> int:
        return max((len(column) for column in self.columns), default=0)


@dataclass(frozen=True, slots=True)
class _Layout:
    """The grid of a page: numbers of columns and rows."""

    size: str
    columns: int
    rows: int

    @property
    def holds(self) -> int:
        return self.columns * self.rows


_NAMES = (_Layout("few", 2, 8), _Layout("some", 3, 11), _Layout("more", 4, 12), _Layout("many", 4, 15))
_RANKS = (_Layout("few", 1, 9), _Layout("some", 2, 11), _Layout("many", 2, 14))


def screen_pages(room: Room) -> list[Scene]:
    """Return the pages that turn now, by the state of the tournament. The page `main` comes again after every second
    other one."""
    current = room.current
    welcome = Scene("welcome", "", 20)
    if current is None:
        return [welcome, *_in_columns("names", _("Entered"), [Place(person, None) for person in room.entered], _NAMES)]
    lines, counts = wording.ranking_lines(room), wording.what_counts(room)
    ranks = list(_in_columns("ranks", counts, lines, _RANKS))
    places = podium(room)
    if places:
        steps = Scene("podium", _("Prize giving"), 20, (places,))
        return [steps, *ranks] if all(place.shown for place in places) and not room.hides_last else [steps]
    if room.finished:
        return ranks or [welcome]
    title = {"round": wording.round_title(room)}
    names = list(_in_columns("names", _("%(round)s: who sits where") % title, room.by_name, _NAMES))
    if current.state == Round.State.DRAWN:
        return [*names, *_tables(room, _("%(round)s: the tables") % title)]
    playing = current.state == Round.State.PLAYING
    main = _main(room, lines, playing)
    # With few people the clock with its twelve ranks suffices.
    more = ranks if len(lines) > (RANKS_ABOVE if playing else RANKS_BESIDE) else []
    return [main, *more, *names] if playing else [main, *more]


def _main(room: Room, lines: Sequence[wording.ShownLine], playing: bool) -> Scene:
    large = any(len(table.people) > SMALL_TABLE for table in room.tables)
    strips = _strips(room.tables, STRIP_LARGE if large else STRIP) if playing else ()
    seconds = min(max(20, STRIP_SECONDS * len(strips)), 60)
    ranks = lines[: RANKS_ABOVE if strips else RANKS_BESIDE]
    size = "many" if large else "few"
    return Scene("main", wording.what_counts(room), seconds, (ranks,) if lines else (), strips, size)


def _strips(tables: Sequence[Item], most: int) -> tuple[Sequence[Item], ...]:
    """Cut the tables into as few strips as possible, all about equally full."""
    strips = -(-len(tables) // most)
    return tuple(_parts(tables, -(-len(tables) // strips))) if strips else ()


def _in_columns(kind: str, title: str, items: Sequence[Any], layouts: Sequence[_Layout]) -> Iterator[Scene]:
    """Cut the items into as few pages as possible, all about equally full, read down their columns."""
    if not items:
        return
    layout = next((candidate for candidate in layouts if len(items) <= candidate.holds), layouts[-1])
    pages = -(-len(items) // layout.holds)
    parts = list(_parts(items, -(-len(items) // pages)))
    for page, part in enumerate(parts, start=1):
        columns = tuple(_parts(part, -(-len(part) // layout.columns)))
        seconds = 8 + len(part) // 10
        yield Scene(kind, title, seconds, columns, size=layout.size, page=page, pages=pages)


def _tables(room: Room, title: str) -> Iterator[Scene]:
    """The tables, read across: six, twelve or, where more sit at one, eight on a page."""
    small = all(len(table.people) <= SMALL_TABLE for table in room.tables)
    size, most = ("few", 6) if small and len(room.tables) <= 6 else ("some", 12) if small else ("many", 8)
    parts = list(_parts(room.tables, most))
    for page, part in enumerate(parts, start=1):
        yield Scene("tables", title, 12, (part,), size=size, page=page, pages=len(parts))


def _parts(items: Sequence[Item], most: int) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), most):
        yield items[start : start + most]
