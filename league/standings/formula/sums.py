"""The parts of the sums of a season: the evenings of a player, or of the members of a team, as one reader sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cached_property

from django.db.models import Q
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ...access import ClubAccess
from ...models import Evening, Season, SeasonAdjustment
from ...money import format_count, format_money, format_place
from ..reader_choice import Choice
from ..season_part import PlayedPart
from .ranking import NightLine, RaceLine, Value
from .sentences import show_points, show_value, show_worth, why_not


@dataclass(frozen=True)
class SumRow:
    """An evening of the sum. `notes`: the reason why it does not count, its kind, its origin. `place`: the rank of the
    night with its points, in a season that counts places. `worth` is without the handicap, and an empty text if
    the reader may not see it."""

    evening: Evening
    hands: int
    worth: str
    counts: bool
    notes: Sequence[str]
    place: str = ""


@dataclass(frozen=True)
class Extra:
    """A line of the sum beside the evenings: the handicap, points for coming, a penalty or a bonus. `about`: the number
    of times, or the day."""

    title: str
    about: str
    points: str


@dataclass(frozen=True)
class Sum:
    """The parts of a sum. `handicap`: the points of the evenings that count, none or one line. `average`: the divisor
    of the points; `total` is empty if the reader may not see it."""

    rows: Sequence[SumRow]
    handicap: Sequence[Extra]
    extras: Sequence[Extra]
    average: str
    total: str
    sees: bool


def _always(_day: date) -> bool:
    return True


@dataclass(frozen=True)
class Wanted:
    """A player's sum that is to be shown: its evenings, the value to which they come, and the days of which penalties
    and bonuses are in it."""

    player: int
    nights: Sequence[NightLine]
    value: Value
    includes: Callable[[date], bool] = _always


@dataclass(frozen=True)
class Sums:
    """The sums of a part of a season, or of all of it, for one reader."""

    access: ClubAccess
    season: Season
    choice: Choice
    played: PlayedPart

    @cached_property
    def lines(self) -> dict[int, RaceLine]:
        """The line of each player, the first one first."""
        return {line.player: line for line in self.played.race.lines()}

    @cached_property
    def names(self) -> dict[int, str]:
        """The nickname of each player."""
        return {score.player_id: score.nickname for score in self.played.scores}

    @property
    def held(self) -> int:
        """The number of evenings with hands."""
        return len({score.evening_id for score in self.played.scores if score.hands})

    @cached_property
    def _measures(self) -> dict[int, Mapping[int, int]]:
        return dict(self.played.race.evenings)

    def sees(self, player: int) -> bool:
        """Return True if the reader sees the values of this player."""
        return not self.played.formula.in_money or self.access.sees_money(player)

    def sums_of(self, wanted: Sequence[Wanted]) -> list[Sum]:
        """Return the sums of players. Two queries."""
        keys = {night.evening for person in wanted for night in person.nights}
        rows = Evening.objects.filter(pk__in=keys).select_related("awarding_tournament")
        evenings = {evening.pk: evening for evening in rows}
        given = self._adjustments([person.player for person in wanted])
        return [self._sum(person, evenings, given.get(person.player, ())) for person in wanted]

    def _sum(self, wanted: Wanted, evenings: Mapping[int, Evening], given: Sequence[SeasonAdjustment]) -> Sum:
        player, nights, sees = wanted.player, wanted.nights, self.sees(wanted.player)
        ordered = sorted(nights, key=lambda night: (evenings[night.evening].held_on, evenings[night.evening].number))
        adjustments = [adjustment for adjustment in given if wanted.includes(adjustment.day)]
        return Sum(
            rows=[self._row(player, night, evenings[night.evening], sees) for night in ordered],
            handicap=self._handicap_of(player, nights),
            extras=[*self._for_coming(player, nights), *map(self._adjustment, adjustments)],
            average=self._average(nights),
            total=show_value(self.played.formula, wanted.value) if sees else "",
            sees=sees,
        )

    # --- One evening -------------------------------------------------------------------------------------

    def _row(self, player: int, night: NightLine, evening: Evening, sees: bool) -> SumRow:
        imported = _("imported") if evening.imported_id is not None else ""
        return SumRow(
            evening=evening,
            hands=night.hands,
            worth=show_worth(self.played.formula, self._without_handicap(player, night)) if sees else "",
            counts=night.counts,
            notes=[note for note in (why_not(night), self._kind(night), imported) if note],
            place=self._place(player, night),
        )

    def _kind(self, night: NightLine) -> str:
        if night.kind == "extra":
            return _("share of a pot") if self.played.formula.in_money else _("from a tournament")
        return _("missed") if night.kind == "absent" else ""

    def _without_handicap(self, player: int, night: NightLine) -> NightLine:
        """Return the evening with the points that were played; places have no handicap in their points."""
        handicap = self._handicap(player)
        formula = self.played.formula
        if not handicap or night.kind != "played" or not self._plays(player, night) or formula.counts == "places":
            return night
        if formula.counts == "average_hand":
            return night._replace(worth=night.worth - Fraction(handicap, night.hands))
        return night._replace(worth=night.worth - handicap)

    def _plays(self, player: int, night: NightLine) -> bool:
        return player in self._measures.get(night.evening, {})

    def _handicap(self, player: int) -> int:
        return self.played.race.handicap.get(player, 0)

    def _place(self, player: int, night: NightLine) -> str:
        """Return the rank of the night with its points, as `2nd of 6 (5 points) → 8 points`."""
        measures = self._measures.get(night.evening, {})
        if self.played.formula.counts != "places" or night.kind != "played" or player not in measures:
            return ""
        rank = 1 + sum(other > measures[player] for other in measures.values())
        values = {"rank": format_place(rank), "n": len(measures), "worth": show_points(int(night.worth))}
        values["by"] = self._behind(player, measures[player])
        if values["by"]:
            return _("%(rank)s of %(n)s (%(by)s) → %(worth)s") % values
        return _("%(rank)s of %(n)s → %(worth)s") % values

    def _behind(self, player: int, measure: int) -> str:
        if self.played.formula.by_amounts:
            return format_money(measure, plus="+") if self.access.sees_money(player) else ""
        handicap = self._handicap(player)
        if not handicap:
            return show_points(measure)
        values = {"points": show_points(measure - handicap), "handicap": format_count(handicap, plus="+")}
        return _("%(points)s, handicap %(handicap)s") % values

    # --- Beside the evenings -----------------------------------------------------------------------------

    def _handicap_of(self, player: int, nights: Iterable[NightLine]) -> list[Extra]:
        handicap = self._handicap(player)
        counted = sum(night.counts and night.kind == "played" for night in nights)
        if not handicap or not counted or self.played.formula.counts == "places":
            return []
        return [Extra(_("Handicap"), _each(handicap, counted), format_count(handicap * counted, plus="+"))]

    def _for_coming(self, player: int, nights: Iterable[NightLine]) -> list[Extra]:
        bonus = self.played.formula.attendance_bonus
        came = sum(night.kind == "played" and self._plays(player, night) for night in nights)
        if not bonus or not came:
            return []
        return [Extra(_("For coming"), _each(bonus, came), format_count(bonus * came, plus="+"))]

    def _adjustment(self, adjustment: SeasonAdjustment) -> Extra:
        title = self.access.names.free_text(adjustment.reason) or _("Penalty or bonus")
        day = date_format(adjustment.day, "SHORT_DATE_FORMAT")
        return Extra(title, day, format_count(adjustment.points, plus="+"))

    def _adjustments(self, players: Sequence[int]) -> dict[int, list[SeasonAdjustment]]:
        """Return the penalties and bonuses that count in this part, by the person's main player. One query at most."""
        without = not self.season.has_formula or self.played.formula.in_money
        if without or self.choice.game or self.choice.table:
            return {}
        own = Q(player__in=players) | Q(player__main__in=players)
        rows = SeasonAdjustment.objects.filter(own, season=self.season, undone_at__isnull=True)
        by_player: dict[int, list[SeasonAdjustment]] = {}
        for adjustment in rows.select_related("player").order_by("day", "pk"):
            if self.choice.includes(adjustment.day, ""):
                by_player.setdefault(adjustment.player.main_id or adjustment.player_id, []).append(adjustment)
        return by_player

    def _average(self, nights: Iterable[NightLine]) -> str:
        """Return the divisor of the points of the evenings that count; an empty text without an average."""
        counts = self.played.formula.counts
        counted = [night for night in nights if night.counts]
        if counts == "average_hand":
            points = sum(int(night.worth * night.hands) for night in counted)
            values = {"points": format_count(points), "n": format_count(sum(night.hands for night in counted))}
            return _("%(points)s points in %(n)s hands") % values
        if counts == "average_evening":
            points = sum(int(night.worth) for night in counted)
            return _("%(points)s points in %(n)s evenings") % {"points": format_count(points), "n": len(counted)}
        return ""


def _each(points: int, times: int) -> str:
    return f"{times} × {format_count(points, plus='+')}"
