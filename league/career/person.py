"""What the page of a person shows beyond one season: form, rivals, how often it is made, the seasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from ..access import ClubAccess
from ..access.gate import own_players
from ..models import Player, Season, Standing
from ..standings.intervals import Share
from ..standings.nights import Night, by_evening, meetings, ranks_of_night
from ..standings.standing_lines import StandingLine
from ..statistics import decisions
from ..statistics.bands import Band, band
from ..statistics.selectors import Count
from ..web.game_terms import KRATZEN, Terms

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


@dataclass(frozen=True)
class Rival:
    """Somebody who was often there as well: the evenings that the person of the page ended ahead and behind. `width` is
    the person's part of a bar of 100."""

    player_id: int
    name: str
    ahead: int
    behind: int
    width: float

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
    """How often something succeeds for the person, with the club beside it."""

    label: str
    band: Band


def form(nights: Sequence[Night], player_id: int) -> list[FormNight]:
    """Return the player's last evenings in order. `nights` are those of all who were there."""
    found = []
    for present in list(by_evening(nights).values()):
        own = next((night for night in present if night.player_id == player_id), None)
        if own is not None:
            rank = ranks_of_night(present)[player_id]
            found.append(FormNight(own.evening_id, own.number, own.held_on, rank, own.points))
    return found[-FORM:]


def evenings_won_by(nights: Sequence[Night], player_id: int) -> int:
    """Return how many evenings a player won, alone or with others; nobody wins an evening alone at the table."""
    return sum(
        len(present) > 1 and ranks_of_night(present).get(player_id) == 1 for present in by_evening(nights).values()
    )


def rivals(access: ClubAccess, nights: Sequence[Night], player_id: int) -> list[Rival]:
    """Return those whom the player met most often, the most evenings first."""
    names = {night.player_id: night.nickname for night in nights}
    met = {other: tally for (one, other), tally in meetings(nights).items() if one == player_id}
    order = sorted(met, key=lambda other: (-sum(met[other]), names[other].casefold()))[:RIVALS]
    return [_rival(access, other, names[other], met[other]) for other in order]


def _rival(access: ClubAccess, other: int, nickname: str, tally: tuple[int, int, int]) -> Rival:
    ahead, behind, _equal = tally
    part = 99 * ahead / (ahead + behind) if ahead + behind else 49.5
    return Rival(other, access.names.show(other, nickname), ahead, behind, round(part, 1))


def rates(counts: Sequence[Count], terms: Terms) -> list[Rate]:
    """Return how often the chosen player made it in a season, beside the club."""
    wanted = [
        (str(terms.declares), decisions.declares_contested),
        (str(terms.joins), decisions.joins),
        (_("%(term)s, asked last") % {"term": terms.joins}, decisions.last_asked),
        (_("blind"), lambda count: count.blind and decisions.declares_contested(count)),
    ]
    if terms == KRATZEN:
        wanted = wanted[:2]
    own = [count for count in counts if count.own]
    return [_rate(label, own, counts, tried) for label, tried in wanted]


def _rate(label: str, own: Sequence[Count], counts: Sequence[Count], tried: decisions.Test) -> Rate:
    club: Share = decisions.share_of(counts, tried, decisions.makes_it)
    return Rate(label, band(decisions.share_of(own, tried, decisions.makes_it), club))


def gap(access: ClubAccess, line: Standing, lines: Sequence[StandingLine]) -> Gap | None:
    """Return the distance of the leader to the second, of the others to the next better one; None for a single player.
    `lines` are the standings in order."""
    others = [one for one in lines if one.player_id != line.player_id]
    before = [one for one in others if one.rank < line.rank]
    beside = before[-1] if before else next(iter(others), None)
    if beside is None:
        return None
    return Gap(line.points - beside.points, access.names.show(beside.player_id, beside.nickname))


def elsewhere(user: AbstractBaseUser | AnonymousUser, access: ClubAccess) -> list[Player]:
    """Return the reader's own players in other clubs. One query."""
    others = own_players(user).exclude(club=access.club.pk).filter(main__isnull=True, anonymised_at__isnull=True)
    return list(others.select_related("club").order_by("club__name", "pk"))


def games_played(nights: Sequence[Night]) -> list[tuple[str, int]]:
    """Return the number of evenings by game, where there are several games."""
    count: dict[str, int] = {}
    for night in nights:
        count[night.game] = count.get(night.game, 0) + 1
    named: Mapping[str, str] = {value: str(label) for value, label in Season.Games.choices}
    return [(named.get(game, game), number) for game, number in sorted(count.items())] if len(count) > 1 else []
