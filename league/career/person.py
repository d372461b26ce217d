"""The parts of a person's page beyond one season: form, rivals, rates of success, the seasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..access import ClubAccess
from ..intervals import Share
from ..models import Season, Standing
from ..money import format_points, format_price
from ..standings.nights import Night, by_evening, evenings_won, meetings, ranks_of_night
from ..standings.overview import season_runs
from ..standings.standing_lines import StandingLine
from ..statistics import decisions
from ..statistics.bands import Band, band, percent, whole
from ..statistics.meetings import Cell, interval, shade
from ..statistics.selectors import Count
from ..web.game_terms import Terms

FORM = 5
RIVALS = 5


@dataclass(frozen=True)
class FormNight:
    """One of the last evenings: the rank of that night, and the points."""

    evening_id: int
    number: int
    held_on: date
    rank: int
    points: int
    is_imported: bool = False


@dataclass(frozen=True)
class Rival:
    """A frequent opponent: the evenings that the person of the page ended ahead and behind, in `cell` as in the table
    head to head; the share of the former with its bounds, as text and in percent of the width of a bar."""

    player_id: int
    name: str
    cell: Cell
    share: str
    bounds: str
    width: float
    low: float
    high: float

    @property
    def rest_x(self) -> float:
        """Where the other part of the bar begins."""
        return round(self.width + 1, 1)

    @property
    def rest_width(self) -> float:
        """The other part of the bar."""
        return round(max(0.0, 99 - self.width), 1)


@dataclass(frozen=True)
class Gap:
    """The distance to the next player: above 0 for points ahead of, below 0 for points behind the named one."""

    points: int
    name: str

    @property
    def distance(self) -> int:
        """The points between the two."""
        return abs(self.points)


@dataclass(frozen=True)
class Rate:
    """A rate of success of the person, with that of the club."""

    label: str
    band: Band


def form(nights: Sequence[Night], player_id: int) -> list[FormNight]:
    """Return the player's last evenings that count, in order. `nights` are those of all players of the evenings."""
    form_nights = []
    for present in by_evening(nights).values():
        own = next((night for night in present if night.player_id == player_id), None)
        if own is not None and own.counts:
            rank = ranks_of_night(present)[player_id]
            form_nights.append(FormNight(own.evening_id, own.number, own.held_on, rank, own.points, own.is_imported))
    return form_nights[-FORM:]


def evenings_won_by(nights: Sequence[Night], player_id: int) -> int:
    """Return the number of evenings that a player won, alone or with others."""
    return sum(player == player_id for _evening, player in evenings_won(nights))


def rivals(access: ClubAccess, nights: Sequence[Night], player_id: int) -> list[Rival]:
    """Return the players whom this player met most often, the most evenings first."""
    names = {night.player_id: night.nickname for night in nights}
    met = {other: tally for (person, other), tally in meetings(nights).items() if person == player_id}
    order = sorted(met, key=lambda other: (-sum(met[other]), names[other].casefold()))[:RIVALS]
    return [_rival(access, other, names[other], met[other]) for other in order]


def _rival(access: ClubAccess, other: int, nickname: str, tally: tuple[int, int, int]) -> Rival:
    ahead, behind, _equal = tally
    share, bounds = Share(ahead, ahead + behind), interval(ahead, behind)
    return Rival(
        player_id=other,
        name=access.names.show(other, nickname),
        cell=Cell(ahead, behind, shade(ahead, behind)),
        share=percent(share.permille),
        bounds=_("%(low)s to %(high)s") % {"low": whole(bounds.low), "high": percent(bounds.high)},
        width=round(99 * share.permille / 1000, 1),
        low=bounds.low / 10,
        high=bounds.high / 10,
    )


@dataclass(frozen=True)
class SeasonRow:
    """A season of the person. `rank` is None if the person was not ranked. `amount_minor` is the amount that ranks, or
    None where points rank or the reader may not see it."""

    line: Standing
    season: Season
    rank: int | None
    amount_minor: int | None

    @property
    def running(self) -> bool:
        """True if evenings of the season may follow."""
        return season_runs(self.season)


def season_rows(access: ClubAccess, lines: Sequence[Standing]) -> list[SeasonRow]:
    """Return the seasons as the reader sees them, in the given order. No query."""
    return [
        SeasonRow(
            line,
            line.season,
            line.shown_rank,
            line.amount_minor if _ranks_by_amounts(access, line) else None,
        )
        for line in lines
    ]


def _ranks_by_amounts(access: ClubAccess, line: Standing) -> bool:
    by_amounts = line.season.ranking == Season.Ranking.BALANCE
    return by_amounts and access.within(line.season).sees_money(line.player_id)


def worth(access: ClubAccess, season: Season, line: Standing) -> str:
    """Return the counted value of a season with its unit: points, or the amount; empty where the reader may not see
    it."""
    if season.ranking == Season.Ranking.POINTS:
        shown = format_points(line.points, season.points_scale)
        return ngettext("%(n)s point", "%(n)s points", line.points) % {"n": shown}
    return format_price(line.amount_minor, access.club.currency, plus="+") if access.sees_money(line.player_id) else ""


def rates(counts: Sequence[Count], terms: Terms) -> list[Rate]:
    """Return the chosen player's rates of success in a season, beside those of the club."""
    wanted: list[tuple[str, decisions.Test]] = []
    if terms.has_declarer:
        wanted.append((str(terms.declares), decisions.declares_contested))
    wanted.append((str(terms.joins), decisions.joins_contested))
    if terms.dealer_is_counted:
        wanted.append((_("%(term)s, asked last") % {"term": terms.joins}, decisions.last_asked))
    if terms.has_blinds:
        wanted.append((_("blind"), decisions.declares_blind_contested))
    own = [count for count in counts if count.own]
    return [_rate(label, own, counts, tried) for label, tried in wanted]


def _rate(label: str, own: Sequence[Count], counts: Sequence[Count], tried: decisions.Test) -> Rate:
    club: Share = decisions.share_of(counts, tried, decisions.makes_it)
    return Rate(label, band(decisions.share_of(own, tried, decisions.makes_it), club))


def gap(access: ClubAccess, line: Standing, lines: Sequence[StandingLine]) -> Gap | None:
    """Return the distance of the leader to the second, of the others to the next better one; None for a single player,
    and for one who is not ranked. `lines` are the standings in order."""
    if line.unranked:
        return None
    others = [other for other in lines if other.player_id != line.player_id and not other.unranked]
    before = [other for other in others if other.rank < line.rank]
    beside = before[-1] if before else next(iter(others), None)
    if beside is None:
        return None
    return Gap(line.points - beside.points, access.names.show(beside.player_id, beside.nickname))
