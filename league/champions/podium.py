"""The podium of a season, by its standings, and its figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..access import ClubAccess
from ..models import Season
from ..money import format_count, format_money, format_points, format_price
from ..records.lines import records_of
from ..records.shown import Record, Scope
from ..standings import selectors
from ..standings.formula.explanation import rules_of, unranked_notes
from ..standings.formula.inputs import formula_of
from ..standings.formula.parts import Formula
from ..standings.imported import players_with_imported
from ..standings.live_part import rows_for
from ..standings.nights import Night, by_evening, evenings_won, nights_of
from ..standings.standing_lines import StandingLine, season_standings
from ..standings.standing_row import Row

PODIUM = 3


@dataclass(frozen=True)
class Place:
    """A line of the final standings. `worth` is the counted value with its unit, `figure` without it; both are empty
    where the reader may not see it. `points` and `amount_minor` are the same as numbers, None for a value that does not
    rank or is hidden. `note`: the reason why a player is not ranked. `is_imported`: some of the evenings came from a
    file."""

    rank: int
    player_id: int
    name: str
    mine: bool
    worth: str
    figure: str
    evenings: int
    won: int = 0
    ranked: bool = True
    note: str = ""
    is_imported: bool = False
    points: int | None = None
    amount_minor: int | None = None


@dataclass(frozen=True)
class Played:
    """The figures: numbers, and the days of the first and the last evening (None without one)."""

    evenings: int
    hands: int
    players: int
    first: date | None
    last: date | None


@dataclass(frozen=True)
class Honours:
    """The honours of a season. `podium` are those of the first three ranks, several of one rank if they are equal."""

    places: Sequence[Place]
    played: Played
    records: Sequence[Record] = ()
    susi: Record | None = None
    rules: Sequence[str] = field(default_factory=list)
    in_front: str = ""

    @property
    def podium(self) -> list[Place]:
        """The first three ranks."""
        return podium_of(self.places)

    @property
    def with_figures(self) -> bool:
        """Return True if the reader sees the counted value of at least one place."""
        return any(place.figure for place in self.places)

    @property
    def with_imported(self) -> bool:
        """Return True if evenings from a file are behind at least one place."""
        return any(place.is_imported for place in self.places)

    @property
    def champions(self) -> list[Place]:
        """The winners; several, if they are equal; none in a season without a ranked player."""
        return [place for place in self.places if place.ranked and place.rank == 1]


def podium_of(places: Sequence[Place]) -> list[Place]:
    """Return the first three ranks of these places."""
    return [place for place in places if place.ranked and place.rank <= PODIUM]


def honours_of(access: ClubAccess, season: Season) -> Honours:
    """Return the honours of a season as this reader sees them; `access` is within the season. 18 queries at most."""
    nights = nights_of([season])
    records = records_of(Scope(access, [season]), nights)
    susi = next((record for record in records if record.label == _("Susi of the season")), None)
    places = places_of(access, season, nights)
    formula = formula_of(season)
    return Honours(
        places=places,
        played=_played(season, nights),
        records=[record for record in records if record is not susi],
        susi=susi,
        rules=rules_of(access, formula),
        in_front=_in_front(podium_of(places), nights, formula),
    )


def places_of(access: ClubAccess, season: Season, nights: Sequence[Night] = ()) -> list[Place]:
    """Return the standings as places, with the evenings won if `nights` are given. Four queries, one more for
    visitors."""
    won = evenings_won(nights)
    lines: list[StandingLine] = season_standings(season)
    notes = unranked_notes(formula_of(season), lines)
    rows = rows_for(access, lines, notes, imported=players_with_imported(season))
    return [_place(access, season, row, won) for row in rows]


def _place(access: ClubAccess, season: Season, row: Row, won: set[tuple[int, int]]) -> Place:
    line = row.standing
    return Place(
        rank=line.rank,
        player_id=line.player_id,
        name=row.name,
        mine=row.mine,
        worth=_worth(access, season, row),
        figure=_figure(season, row),
        evenings=line.evenings,
        won=sum(player == line.player_id for _evening, player in won),
        ranked=not line.unranked,
        note=row.note,
        is_imported=row.is_imported,
        points=line.points if season.by_points else None,
        amount_minor=row.amount_minor if row.sees and not season.by_points else None,
    )


def _worth(access: ClubAccess, season: Season, row: Row) -> str:
    if season.by_points:
        points = row.standing.points
        if season.points_scale > 1:
            return format_points(points, season.points_scale)
        return ngettext("%(n)s point", "%(n)s points", points) % {"n": format_count(points)}
    return format_price(row.amount_minor, access.club.currency, plus="+") if row.sees else ""


def _figure(season: Season, row: Row) -> str:
    if season.by_points:
        return format_points(row.standing.points, season.points_scale)
    return format_money(row.amount_minor, plus="+") if row.sees else ""


def _played(season: Season, nights: Sequence[Night]) -> Played:
    """Count the evenings that the standings count. One query."""
    counted = by_evening(nights)
    evenings = [evening for evening in selectors.evenings_with_counts(season.evenings.all()) if evening.pk in counted]
    days = [evening.held_on for evening in evenings]
    return Played(
        evenings=len(evenings),
        hands=sum(evening.hands_count for evening in evenings),  # type: ignore[attr-defined]
        players=len({night.player_id for night in nights if night.present}),
        first=min(days, default=None),
        last=max(days, default=None),
    )


def _in_front(podium: Sequence[Place], nights: Sequence[Night], formula: Formula) -> str:
    """Return the number of evenings after which the champion led, as a sentence; an empty text if several share the
    title. Nobody leads before reaching the least numbers of the formula."""
    first = [place.player_id for place in podium if place.rank == 1]
    if len(first) != 1:
        return ""
    held = len(by_evening(nights))
    own = [night for night in nights if night.player_id == first[0]]
    too_few = formula.too_few_after((night.evening_id, night.hands) for night in own)
    led = sum(night.rank_after == 1 and night.evening_id not in too_few for night in own)
    sentence = ngettext("in front after %(n)s of %(held)s evening", "in front after %(n)s of %(held)s evenings", held)
    return sentence % {"n": format_count(led), "held": format_count(held)}


def title_of(champions: Sequence[Place]) -> str:
    """Return the title of a champions' page: the winners, or a sentence for a season without a ranked player."""
    if not champions:
        return _("Nobody is ranked")
    return ", ".join(place.name for place in champions)
