"""The pages of the big screen: what fits on one without scrolling, for 8 entrants as for 800."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.utils.translation import gettext as _

from ...models import Round
from . import wording
from .selectors import Place, Room

RANKS_BESIDE = 12
"""Ranks beside the clock."""
RANKS = 30
"""Ranks of a page of its own, in two columns."""
NAMES = 60
"""Names of a page, in four columns."""
TABLES = 12
"""Tables of a page, in four columns."""
STRIP = 4
"""Tables in the strip below the clock."""
STRIP_SECONDS = 6

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Scene:
    """One page of the screen. `kind` names its template part; `columns` are its parts side by side; `seconds` is how
    long it stands."""

    kind: str
    title: str
    seconds: int
    columns: tuple[Sequence[Any], ...] = ()
    strips: tuple[Sequence[Any], ...] = ()
    page: int = 1
    pages: int = 1


def screen_pages(room: Room) -> list[Scene]:
    """Return the pages that turn now, by what the room waits for. The page `main` comes again after every second other
    one."""
    current = room.current
    welcome = Scene("welcome", "", 20)
    if current is None:
        return [welcome, *_paged("names", _("Entered"), [Place(one, None) for one in room.entered], NAMES, 4)]
    lines, counts = wording.ranking_lines(room), wording.what_counts(room)
    ranks = list(_paged("ranks", counts, lines, RANKS, 2))
    if room.finished:
        return ranks or [welcome]
    names = list(_paged("names", _("Who sits where"), room.by_name, NAMES, 4))
    if current.state == Round.State.DRAWN:
        return [*names, *_paged("tables", _("Tables"), room.tables, TABLES, 4, across=True)]
    playing = current.state == Round.State.PLAYING
    main = _main(room, lines, playing)
    # With few people the clock with its twelve ranks says it all.
    more = ranks if len(lines) > RANKS_BESIDE else []
    return [main, *more, *names] if playing else [main, *more]


def _main(room: Room, lines: Sequence[wording.ShownLine], playing: bool) -> Scene:
    strips = tuple(_parts(room.tables, STRIP)) if playing else ()
    seconds = min(max(20, STRIP_SECONDS * len(strips)), 48)
    return Scene("main", wording.what_counts(room), seconds, (lines[:RANKS_BESIDE],) if lines else (), strips)


def _paged(
    kind: str, title: str, items: Sequence[Any], most: int, columns: int, *, across: bool = False
) -> Iterator[Scene]:
    """Cut the items into pages of equal height. Read down the columns, or across the rows."""
    parts = list(_parts(items, most))
    for page, part in enumerate(parts, start=1):
        height = -(-len(part) // columns)
        inside = (part,) if across else tuple(_parts(part, max(height, most // columns)))
        seconds = 12 if len(part) > most // 2 else 10
        yield Scene(kind, title, seconds, inside, page=page, pages=len(parts))


def _parts(items: Sequence[Item], most: int) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), most):
        yield items[start : start + most]
