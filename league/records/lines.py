"""Records as a reader sees them: label, holders, value, and a link to the hand or the evening."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..access import ClubAccess
from ..imported_mark import imported_note
from ..models import Evening, Season
from ..money import format_count, format_price
from ..standings.nights import Night, Run, evenings_won, longest_runs, nights_of, places_of
from ..standings.overview import season_runs
from ..standings.recorded_hands import recorded
from . import selectors
from .selectors import HandPlace, Pot

LEAST_RUN = 3
"""A shorter run of goals is no record."""
LEAST_NIGHTS = 2
"""The fewest evenings in a row that are a record."""
POT = "pot"
KINDS = (
    *(POT, "goals", "best_points", "worst_points", "best_money", "susi", "blind", "won", "won_in_a_row"),
    *("there_in_a_row", "longest_evening"),
)
"""What there are records of, as programs read it."""


@dataclass(frozen=True)
class Record:
    """A record: its label, its value as text, its holders, its date, and a link.

    `kind` and `number` are for programs: a number of points, goals, hands, evenings or times, an amount in minor units,
    None for a pot in antes. `holders` are players with the names that the reader sees. `running`: the run of evenings
    still goes on."""

    label: str
    value: str
    who: str
    when: str
    href: str
    kind: str
    number: int | None
    holders: tuple[tuple[int, str], ...]
    evening: Evening
    place: HandPlace | None = None
    running: bool = False

    @property
    def pot(self) -> bool:
        """True for the biggest pot."""
        return self.kind == POT


@dataclass(frozen=True)
class _Found:
    """A record before the reader's names and the evening are known. `holders` are players with their nicknames; `place`
    is the hand, if it was one hand."""

    kind: str
    number: int | None
    label: str
    value: str
    holders: tuple[tuple[int, str], ...]
    evening_id: int | None
    place: HandPlace | None = None
    running: bool = False


@dataclass(frozen=True)
class Scope:
    """The seasons of some records: one, or all of a club. With a `player_id` the records of one player."""

    access: ClubAccess
    seasons: Sequence[Season]
    player_id: int | None = None

    @property
    def several(self) -> bool:
        """True if a record names its season."""
        return len(self.seasons) > 1

    @property
    def running(self) -> bool:
        """True if evenings may follow. Between two seasons of a club a run over seasons still goes on."""
        return self.several or any(map(season_runs, self.seasons))

    @property
    def sees_money(self) -> bool:
        """True if the reader sees all amounts of these records."""
        return self.access.sees_money(self.player_id)

    @property
    def in_money(self) -> list[Season]:
        """The seasons with amounts."""
        return [season for season in self.seasons if not season.points_only]


def records_of(
    scope: Scope, nights: Sequence[Night] | None = None, places: Mapping[int, int] | None = None
) -> list[Record]:
    """Return the records of a scope, none before the first hand. At most nine queries. `nights`: if they are read
    already, those of all players, or those of the scope's player with the `places` of all evenings."""
    if nights is None:
        nights = nights_of(scope.seasons)
    own = [night for night in nights if scope.player_id in (None, night.player_id)]
    won, places = evenings_won(nights), places or places_of(nights)
    newest = max(places, key=places.__getitem__, default=None) if scope.running else None
    there = longest_runs(own, lambda one: one.present, places)
    found = [
        _pot(scope),
        _goals(scope),
        _best_points(own),
        _worst_points(scope, own),
        _best_money(scope, own),
        _susi(scope, own),
        _blind(own),
        _longest_evening(scope) if scope.player_id is None else _longest_night(own),
        _most_won(own, won),
        _in_a_row("won_in_a_row", _("Most evenings won in a row"), _won_in_a_row(own, won, places), newest),
        _in_a_row("there_in_a_row", _("Most evenings in a row"), there, newest),
    ]
    return _shown(scope, [one for one in found if one is not None])


def _pot(scope: Scope) -> _Found | None:
    in_antes = not scope.sees_money or not scope.in_money
    seasons = scope.seasons if in_antes else scope.in_money
    pot = selectors.biggest_pot(seasons, in_antes=in_antes, player_id=scope.player_id)
    if pot is None:
        return None
    value = _amount(scope, pot, in_antes)
    number = None if in_antes else pot.pot_minor
    return _Found(POT, number, _("Biggest pot"), value, pot.takers, pot.place.evening_id, pot.place)


def _amount(scope: Scope, pot: Pot, in_antes: bool) -> str:
    if in_antes:
        return recorded().in_antes(pot.pot_minor, pot.rules)
    return format_price(pot.pot_minor, scope.access.club.currency)


def _goals(scope: Scope) -> _Found | None:
    runs = selectors.longest_goal_runs(scope.seasons, scope.player_id)
    if not runs or runs[0].length < LEAST_RUN:
        return None
    first = runs[0]
    value = ngettext("%(n)s time", "%(n)s times", first.length) % {"n": first.length}
    holders = tuple(dict.fromkeys((run.player_id, run.nickname) for run in runs))
    label = _("Longest run of goals reached")
    return _Found("goals", first.length, label, value, holders, first.place.evening_id, first.place)


def _best_points(nights: Sequence[Night]) -> _Found | None:
    best = _best(nights, lambda night: night.points)
    if not best:
        return None
    value = ngettext("%(n)s point", "%(n)s points", best[0].points) % {"n": format_count(best[0].points, plus="+")}
    label, number = _("Most points in an evening"), best[0].points
    return _Found("best_points", number, label, value, _holders(best), best[0].evening_id)


def _worst_points(scope: Scope, nights: Sequence[Night]) -> _Found | None:
    """The evening with the fewest points, on the player's own page alone; none if all evenings are equal."""
    present = [night for night in nights if night.present]
    if scope.player_id is None or len({night.points for night in present}) < 2:
        return None
    worst = min(present, key=lambda night: night.points)
    value = ngettext("%(n)s point", "%(n)s points", worst.points) % {"n": format_count(worst.points, plus="+")}
    return _Found("worst_points", worst.points, _("Worst evening"), value, _holders([worst]), worst.evening_id)


def _best_money(scope: Scope, nights: Sequence[Night]) -> _Found | None:
    if not scope.sees_money:
        return None
    seasons = {season.pk for season in scope.in_money}
    best = _best([night for night in nights if night.season_id in seasons], lambda night: night.change_minor)
    if not best:
        return None
    value = format_price(best[0].change_minor, scope.access.club.currency, plus="+")
    label, number = _("Most won in an evening"), best[0].change_minor
    return _Found("best_money", number, label, value, _holders(best), best[0].evening_id)


def _best(nights: Sequence[Night], worth: Callable[[Night], int]) -> list[Night]:
    """Return the nights with the highest worth above 0, the first one first."""
    present = [night for night in nights if night.present]
    most = max((worth(night) for night in present), default=0)
    return [night for night in present if worth(night) == most] if most > 0 else []


def _susi(scope: Scope, nights: Sequence[Night]) -> _Found | None:
    most, holders = _most({night: night.susi for night in nights})
    if not most:
        return None
    label = _("Susi") if scope.player_id is not None else _("Susi of all time") if scope.several else ""
    value = ngettext("%(n)s time", "%(n)s times", most) % {"n": most}
    place = selectors.last_susi(scope.seasons, holders[0][0])
    evening = place.evening_id if place else None
    return _Found("susi", most, label or _("Susi of the season"), value, holders, evening, place)


def _blind(nights: Sequence[Night]) -> _Found | None:
    most, holders = _most({night: night.blinds_made for night in nights})
    if not most:
        return None
    last = [night for night in nights if night.blinds_made and night.player_id == holders[0][0]][-1]
    value = ngettext("%(n)s time", "%(n)s times", most) % {"n": most}
    return _Found("blind", most, _("Most blind hands made"), value, holders, last.evening_id)


def _most_won(nights: Sequence[Night], won: set[tuple[int, int]]) -> _Found | None:
    is_won = {night: int((night.evening_id, night.player_id) in won) for night in nights}
    most, holders = _most(is_won)
    if most < LEAST_NIGHTS:
        return None
    last = [night for night in nights if is_won[night] and night.player_id == holders[0][0]][-1]
    value = ngettext("%(n)s evening", "%(n)s evenings", most) % {"n": most}
    return _Found("won", most, _("Most evenings won"), value, holders, last.evening_id)


def _most(counts: Mapping[Night, int]) -> tuple[int, tuple[tuple[int, str], ...]]:
    """Return the highest sum of a count over a player's nights, and the players who have it."""
    total: Counter[tuple[int, str]] = Counter()
    for night, count in counts.items():
        total[night.player_id, night.nickname] += count
    most = max(total.values(), default=0)
    return most, tuple(holder for holder, count in total.items() if count == most)


def _longest_evening(scope: Scope) -> _Found | None:
    evening = selectors.longest_evening(scope.seasons)
    if evening is None:
        return None
    count: int = evening.hands_count  # type: ignore[attr-defined]
    return _longest(count, (), evening.pk)


def _longest_night(nights: Sequence[Night]) -> _Found | None:
    """The evening with the most hands of one player."""
    longest = _best(nights, lambda night: night.hands)
    return _longest(longest[0].hands, _holders(longest), longest[0].evening_id) if longest else None


def _longest(hands: int, holders: tuple[tuple[int, str], ...], evening_id: int) -> _Found:
    value = ngettext("%(n)s hand", "%(n)s hands", hands) % {"n": format_count(hands)}
    return _Found("longest_evening", hands, _("Longest evening"), value, holders, evening_id)


def _won_in_a_row(nights: Sequence[Night], won: set[tuple[int, int]], places: Mapping[int, int]) -> list[Run]:
    return longest_runs(nights, lambda one: (one.evening_id, one.player_id) in won, places)


def _in_a_row(kind: str, label: str, runs: Sequence[Run], newest: int | None) -> _Found | None:
    """The longest runs of evenings. One that ends with the `newest` evening of all still goes on."""
    if not runs or runs[0].length < LEAST_NIGHTS:
        return None
    value = ngettext("%(n)s evening", "%(n)s evenings", runs[0].length) % {"n": runs[0].length}
    holders = _holders([run.nights[0] for run in runs])
    going_on = any(run.nights[-1].evening_id == newest for run in runs)
    return _Found(kind, runs[0].length, label, value, holders, runs[0].nights[-1].evening_id, running=going_on)


def _holders(nights: Iterable[Night]) -> tuple[tuple[int, str], ...]:
    return tuple(dict.fromkeys((night.player_id, night.nickname) for night in nights))


def _shown(scope: Scope, found: Sequence[_Found]) -> list[Record]:
    ids = {one.evening_id for one in found if one.evening_id is not None}
    evenings = {one.pk: one for one in Evening.objects.filter(pk__in=ids).select_related("season")}
    return [_record(scope, one, evenings[one.evening_id]) for one in found if one.evening_id is not None]


def _record(scope: Scope, found: _Found, evening: Evening) -> Record:
    href = reverse("evening", kwargs={"club": scope.access.club.slug, "evening": evening.pk})
    if found.place is not None:
        href += f"#hand-{found.place.table}-{found.place.number}"
    return Record(
        label=found.label,
        value=found.value,
        who="" if scope.player_id is not None else _named(scope.access, found.holders),
        when=_when(scope, evening, found.place),
        href=href,
        kind=found.kind,
        number=found.number,
        holders=tuple((player, scope.access.names.show(player, name)) for player, name in found.holders),
        evening=evening,
        place=found.place,
        running=found.running,
    )


def _named(access: ClubAccess, holders: Sequence[tuple[int, str]]) -> str:
    """Return the holders' names; of more than five players the first ones and the number of the others."""
    names = [access.names.show(player, nickname) for player, nickname in holders[: selectors.MOST_EQUAL]]
    more = len(holders) - len(names)
    if more:
        names.append(ngettext("%(n)s more", "%(n)s more", more) % {"n": more})
    return ", ".join(names)


def _when(scope: Scope, evening: Evening, place: HandPlace | None) -> str:
    parts = [evening.season.name] if scope.several else []
    parts.append(_("evening %(number)s") % {"number": evening.number})
    if place is not None:
        if place.table > 1:
            parts.append(_("table %(table)s") % {"table": place.table})
        parts.append(_("hand %(number)s") % {"number": place.number})
    parts += filter(None, [imported_note(evening)])
    text = ", ".join(parts)
    return text[:1].upper() + text[1:]
