"""The scenes of a club's pub screen, and the port by which other rooms and the games add theirs.

A scene is drawn with names and amounts as its reader sees them: on a television that was opened by a link, a visitor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from ..access import ClubAccess
from ..features import uses
from ..models import Season, Tournament
from ..records.lines import records_of
from ..records.shown import Scope
from ..standings import selectors, standing_lines
from ..standings.imported import players_with_imported
from ..standings.live_part import rows_for, standings_title
from ..standings.plan import NextEvening, next_evenings
from ..web.page_versions import State

TOP = 10
MOST_RECORDS = 6
MOST_DATES = 6


class Order(IntEnum):
    """The order in which the kinds of scenes turn."""

    TABLE = 1
    EVENING = 2
    STANDINGS = 3
    RECORDS = 4
    COMING = 5
    WELCOME = 9


@dataclass(frozen=True)
class Scene:
    """One page of the screen. `kind` is its CSS class, `template` its part with `data`; `seconds` is its duration."""

    order: Order
    kind: str
    title: str
    template: str
    seconds: int
    data: Mapping[str, Any]


Maker = Callable[[ClubAccess], Iterable[Scene]]
ReadState = Callable[..., State | None]

_makers: list[Maker] = []
_state: list[ReadState] = []


def register(maker: Maker) -> None:
    """Let `maker` add scenes; each in an order of its own. Called when its room is loaded."""
    if maker not in _makers:
        _makers.append(maker)


def register_state(read: ReadState) -> None:
    """Let `read` read the state of a club (`club`: its short name) with its tables, which are not part of the
    league."""
    _state[:] = [read]


def screen_state(*, club: str) -> State | None:
    """The state of everything that the pub screen of a club shows."""
    return _state[0](club=club)


def scenes_of(access: ClubAccess) -> list[Scene]:
    """Return the scenes that turn now; a welcome if there is no other scene."""
    scenes = [scene for make in (*_makers, standings_scene, records_scene, coming_scene) for scene in make(access)]
    scenes.sort(key=lambda scene: scene.order)
    return scenes or [Scene(Order.WELCOME, "welcome", "", "league/pub_screen/_welcome.html", 20, {})]


def standings_scene(access: ClubAccess) -> Iterator[Scene]:
    """The first ten of the current season with their moves; nothing before the first hand. Four queries."""
    season = selectors.current_season(access.club)
    lines = standing_lines.season_standings(season, top=TOP) if season else []
    if season is None or not lines:
        return
    within = access.within(season)
    title = standings_title(season, selectors.evenings_counted(season))
    rows = rows_for(within, lines, imported=players_with_imported(season))
    data = {
        "season": season,
        "rows": rows,
        "with_imported": any(row.is_imported for row in rows),
        "by_points": season.ranking == Season.Ranking.POINTS,
        "currency": within.club.currency,
        "caption": f"{season.name} · {title}",
    }
    yield Scene(Order.STANDINGS, "ranks", title, "league/pub_screen/_standings.html", 16, data)


def records_scene(access: ClubAccess) -> Iterator[Scene]:
    """The records of the current season; nothing before the first hand. Twelve queries at most."""
    season = selectors.current_season(access.club) if uses(access.club, "season-records") else None
    records = records_of(Scope(access.within(season), [season])) if season else []
    if season is None or not records:
        return
    title = _("Records")
    data = {"records": records[:MOST_RECORDS], "caption": f"{season.name} · {title}"}
    yield Scene(Order.RECORDS, "records", title, "league/pub_screen/_records.html", 16, data)


def coming_scene(access: ClubAccess) -> Iterator[Scene]:
    """The next evenings, planned or prepared, and the announced tournaments; nothing without one. Three queries."""
    today = timezone.localdate()
    coming = next_evenings(access, most=MOST_DATES)
    announced = Tournament.objects.filter(club=access.club, starts_on__gte=today, state=Tournament.State.OPEN)
    if not uses(access.club, "tournament"):
        announced = announced.none()
    dates: list[dict[str, Any]] = [_date(upcoming) for upcoming in coming]
    dates += [
        {"day": tournament.starts_on, "name": tournament.name}
        for tournament in announced.order_by("starts_on", "pk")[:MOST_DATES]
    ]
    if not dates:
        return
    data = {"dates": sorted(dates, key=lambda date: (date["day"], date["name"]))[:MOST_DATES]}
    yield Scene(Order.COMING, "coming", _("Coming up"), "league/pub_screen/_coming.html", 12, data)


def _date(upcoming: NextEvening) -> dict[str, Any]:
    """Return an evening of the scene: its name, and where it is if that is somewhere else."""
    name = upcoming.evening.title if upcoming.evening else upcoming.place or upcoming.season.name
    return {"day": upcoming.day, "name": name, "time": upcoming.begins_at, "cancelled": upcoming.cancelled}
