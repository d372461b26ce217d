"""The reader's choice in the standings: a part of the season, and the column by which the lines are sorted.

All of it is in the address, so that a page can be kept, linked and printed as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from django.utils.dateparse import parse_date
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..errors import Refused
from ..models import Evening
from ..played_games import GAMES

FILTERS = ("since", "on", "game", "table")
PARAMETERS = (*FILTERS, "sort", "with")
"""The parameters of the address, in the order in which a page is kept."""
MOST_TABLES = 999
RECENT = 5
SORTS = ("rank", "player", "points", "balance", "evenings", "hands", "declares", "joins")

SENTENCES: dict[str, Promise] = {
    "date": gettext_lazy("This is no date. Write it as 2026-11-20."),
    "order": gettext_lazy("The first day is after the last one."),
    "game": gettext_lazy("There is no such game."),
    "table": gettext_lazy("A table has a number from 1 to %(most)d."),
    "sort": gettext_lazy("The standings cannot be sorted by this."),
}


@dataclass(frozen=True)
class Choice:
    """The evenings from the day `since` to the day `on`, those of a `game`, the hands at the table of this number; None
    or '' for all. `sort` is one of `SORTS`, '' for the rank; `backwards` turns its order round. `chosen`: the player
    whose line the chart draws in any case."""

    since: date | None = None
    on: date | None = None
    game: str = ""
    table: int | None = None
    sort: str = ""
    backwards: bool = False
    chosen: str = ""

    @property
    def filtered(self) -> bool:
        """Return True if this may not be the whole season."""
        return bool(self.since or self.on or self.game or self.table)

    @property
    def partial(self) -> bool:
        """Return True if some evenings or hands up to the last day are left out."""
        return bool(self.since or self.game or self.table)

    def includes(self, held_on: date, game: str) -> bool:
        """Return True if an evening is among those chosen."""
        first, last = self.since or held_on, self.on or held_on
        return first <= held_on <= last and self.game in ("", game)

    def query(self, **changes: str) -> str:
        """Return the parameters as a part of an address, with `?`, and with these values in place of its own."""
        order = f"-{self.sort}" if self.backwards else self.sort
        own = {"sort": order, "with": self.chosen, **self.filters(), **changes}
        kept = {name: own[name] for name in PARAMETERS if own.get(name)}
        return "?" + urlencode(kept) if kept else ""

    def part_query(self) -> str:
        """Return the part of the season as a part of an address: that of the pages which show the same part."""
        kept = self.filters()
        return "?" + urlencode(kept) if kept else ""

    def filters(self) -> dict[str, str]:
        """Return the parameters that choose the part of the season."""
        values = (self.since, self.on, self.game, self.table)
        return {name: str(value) for name, value in zip(FILTERS, values, strict=True) if value}


def read_choice(sent: Mapping[str, str]) -> Choice:
    """Parse the parameters of an address.

    Raises:
        Refused: 400, at the parameter that is wrong.
    """
    since, on = _day(sent, "since"), _day(sent, "on")
    if since and on and since > on:
        raise _refused("order", "since")
    game = sent.get("game", "")
    if game and game not in GAMES:
        raise _refused("game", "game")
    order = sent.get("sort", "")
    sort = order.removeprefix("-")
    if order and sort not in SORTS:
        raise _refused("sort", "sort")
    chosen = sent.get("with", "")
    return Choice(
        since=since,
        on=on,
        game=game,
        table=_table(sent.get("table", "")),
        sort=sort,
        backwards=order.startswith("-"),
        chosen=chosen if re.fullmatch("[0-9]{1,19}", chosen) else "",
    )


@dataclass(frozen=True)
class Filter:
    """The form that chooses a part of a season. `sent`: the typed values. `error` is a sentence about the field `at`.
    `picks` are links to parts that are often wanted; `games` and `tables` are empty where there is only one."""

    sent: Mapping[str, str]
    error: str
    at: str
    games: Sequence[tuple[str, str]]
    tables: Sequence[int]
    first: date | None
    last: date | None
    picks: Sequence[tuple[str, str]]
    open: bool
    kept: Mapping[str, str]
    """Other parameters of the page, which the form sends along."""


def filter_of(
    sent: Mapping[str, str],
    choice: Choice,
    evenings: Sequence[Evening],
    tables: Sequence[int],
    refused: Refused | None = None,
) -> Filter:
    """Return the form. `evenings` are those of the season, the newest first, with all its `tables`. No query."""
    games = sorted({evening.game for evening in evenings})
    days = sorted({evening.held_on for evening in evenings}, reverse=True)
    order = f"-{choice.sort}" if choice.backwards else choice.sort
    return Filter(
        sent={name: sent.get(name, "")[:20] for name in FILTERS},
        error=refused.sentence if refused else "",
        at=refused.at if refused else "",
        games=[(game, title_of_game(game)) for game in games] if len(games) > 1 else [],
        tables=tables if len(tables) > 1 else [],
        first=days[-1] if days else None,
        last=days[0] if days else None,
        picks=_picks(choice, days),
        open=choice.filtered or refused is not None,
        kept={name: value for name, value in (("sort", order), ("with", choice.chosen)) if value},
    )


def _picks(choice: Choice, days: Sequence[date]) -> list[tuple[str, str]]:
    """Return links to the standings before the last evening, and to those of the last evenings."""
    if len(days) < 2:
        return []
    every = dict.fromkeys(FILTERS, "")
    picks = [(choice.query(**{**every, "on": str(days[1])}), _("Before the last evening"))]
    if len(days) > RECENT:
        title = _("Last %(n)s evenings") % {"n": RECENT}
        picks.append((choice.query(**{**every, "since": str(days[RECENT - 1])}), title))
    return picks


def _day(sent: Mapping[str, str], name: str) -> date | None:
    text = sent.get(name, "")
    if not text:
        return None
    try:
        day = parse_date(text) if re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", text) else None
    except ValueError:
        day = None
    if day is None:
        raise _refused("date", name)
    return day


def _table(text: str) -> int | None:
    if not text:
        return None
    number = int(text) if re.fullmatch("[0-9]{1,3}", text) else 0
    if not 1 <= number <= MOST_TABLES:
        raise _refused("table", "table")
    return number


def _refused(code: str, name: str) -> Refused:
    return Refused(status=400, code=code, sentence=str(SENTENCES[code]) % {"most": MOST_TABLES}, at=name)


def title_of_game(game: str) -> str:
    """Return the name of a game."""
    return GAMES[game].title if game in GAMES else game
