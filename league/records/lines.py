"""Which records there are, who holds them, and the hands and evenings that they are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..money import format_count, format_price
from ..standings.nights import Night, Run, evenings_won, longest_runs, nights_of, places_of
from ..standings.recorded_hands import recorded
from . import selectors
from .selectors import GoalRun, Pot, Spot
from .shown import POT, Found, Held, Record, Scope, shown

LEAST_RUN = 3
"""A shorter run of goals is no record."""
LEAST_NIGHTS = 2
"""The fewest evenings in a row that are a record."""
KINDS = (
    *(POT, "goals", "best_points", "worst_points", "best_money", "susi", "blind", "won", "won_in_a_row"),
    *("there_in_a_row", "longest_evening"),
)
"""What there are records of, as programs read it."""


def records_of(
    scope: Scope, nights: Sequence[Night] | None = None, places: Mapping[int, int] | None = None
) -> list[Record]:
    """Return the records of a scope, none before the first hand. At most eleven queries. `nights`: if they are read
    already, those of all players, or those of the scope's player with the `places` of all evenings."""
    if nights is None:
        nights = nights_of(scope.seasons)
    own = [night for night in nights if scope.player_id in (None, night.player_id)]
    won, places = evenings_won(nights), places or places_of(nights)
    newest = max(places, key=places.__getitem__, default=None) if scope.running else None
    there = longest_runs(own, lambda night: night.present, places)
    finds = [
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
    return shown(scope, [find for find in finds if find is not None])


def _pot(scope: Scope) -> Found | None:
    in_antes = not scope.sees_money or not scope.in_money
    seasons = scope.seasons if in_antes else scope.in_money
    pot = selectors.biggest_pot(seasons, in_antes=in_antes, player_id=scope.player_id)
    if pot is None:
        return None
    value = pot_text(scope, pot, in_antes)
    number = None if in_antes else pot.pot_minor
    takers = tuple(Held(player, nickname, (pot.spot,)) for player, nickname in pot.takers)
    return Found(POT, number, _("Biggest pot"), value, takers, pot.spot)


def pot_text(scope: Scope, pot: Pot, in_antes: bool) -> str:
    """Return a pot as an amount, or as a number of antes."""
    if in_antes:
        return recorded().in_antes(pot.pot_minor, pot.rules)
    return format_price(pot.pot_minor, scope.access.club.currency)


def _goals(scope: Scope) -> Found | None:
    runs = selectors.longest_goal_runs(scope.seasons, LEAST_RUN, scope.player_id)
    if not runs:
        return None
    length = runs[0].length
    value = ngettext("%(n)s time", "%(n)s times", length) % {"n": length}
    return Found("goals", length, _("Longest run of goals reached"), value, _held_runs(runs), runs[0].spot)


def _held_runs(runs: Sequence[GoalRun]) -> tuple[Held, ...]:
    """Return the players of these runs, each with the first and the last hand. One query."""
    goals = selectors.goals_of({run.spot.evening_id for run in runs}, {run.player_id for run in runs})
    hands: dict[tuple[int, int], list[Spot]] = {}
    for goal in goals:
        hands.setdefault((goal.player_id, goal.spot.evening_id), []).append(goal.spot)
    return tuple(
        Held(run.player_id, run.nickname, _ends(run, hands.get((run.player_id, run.spot.evening_id), ())))
        for run in runs
    )


def _ends(run: GoalRun, hands: Sequence[Spot]) -> tuple[Spot, ...]:
    """Return the first and the last hand of a run; the first one alone where the hands changed since it was counted."""
    made = [spot for spot in hands if spot >= run.spot][: run.length]
    return (run.spot, made[-1]) if len(made) == run.length else (run.spot,)


def _best_points(nights: Sequence[Night]) -> Found | None:
    best = _best(nights, lambda night: night.points)
    if not best:
        return None
    value = ngettext("%(n)s point", "%(n)s points", best[0].points) % {"n": format_count(best[0].points, plus="+")}
    label, number = _("Most points in an evening"), best[0].points
    return Found("best_points", number, label, value, _holders(best), Spot(best[0].evening_id))


def _worst_points(scope: Scope, nights: Sequence[Night]) -> Found | None:
    """The evening with the fewest points, on the player's own page alone; none if all evenings are equal."""
    present = [night for night in nights if night.present]
    if scope.player_id is None or len({night.points for night in present}) < 2:
        return None
    worst = min(present, key=lambda night: night.points)
    value = ngettext("%(n)s point", "%(n)s points", worst.points) % {"n": format_count(worst.points, plus="+")}
    return Found("worst_points", worst.points, _("Worst evening"), value, _holders([worst]), Spot(worst.evening_id))


def _best_money(scope: Scope, nights: Sequence[Night]) -> Found | None:
    if not scope.sees_money:
        return None
    seasons = {season.pk for season in scope.in_money}
    best = _best([night for night in nights if night.season_id in seasons], lambda night: night.change_minor)
    if not best:
        return None
    value = format_price(best[0].change_minor, scope.access.club.currency, plus="+")
    label, number = _("Most won in an evening"), best[0].change_minor
    return Found("best_money", number, label, value, _holders(best), Spot(best[0].evening_id))


def _best(nights: Sequence[Night], worth: Callable[[Night], int]) -> list[Night]:
    """Return the nights with the highest worth above 0, the first one first."""
    present = [night for night in nights if night.present]
    most = max((worth(night) for night in present), default=0)
    return [night for night in present if worth(night) == most] if most > 0 else []


def _susi(scope: Scope, nights: Sequence[Night]) -> Found | None:
    most, last = _most(nights, lambda night: night.susi)
    if not last:
        return None
    label = _("Susi") if scope.player_id is not None else _("Susi of all time") if scope.several else ""
    value = ngettext("%(n)s time", "%(n)s times", most) % {"n": most}
    hands = selectors.susi_hands({night.player_id: night.evening_id for night in last})
    holders = _holders(last, hands)
    return Found("susi", most, label or _("Susi of the season"), value, holders, holders[0].spots[0])


def _blind(nights: Sequence[Night]) -> Found | None:
    most, last = _most(nights, lambda night: night.blinds_made)
    if not last:
        return None
    value = ngettext("%(n)s time", "%(n)s times", most) % {"n": most}
    evening_of = {night.player_id: night.evening_id for night in last}
    goals = selectors.goals_of(set(evening_of.values()), evening_of)
    hands = {
        goal.player_id: goal.spot
        for goal in goals
        if goal.blind and goal.made and goal.spot.evening_id == evening_of[goal.player_id]
    }
    holders = _holders(last, hands)
    return Found("blind", most, _("Most blind hands made"), value, holders, holders[0].spots[0])


def _most_won(nights: Sequence[Night], won: set[tuple[int, int]]) -> Found | None:
    most, last = _most(nights, lambda night: int((night.evening_id, night.player_id) in won))
    if most < LEAST_NIGHTS:
        return None
    value = ngettext("%(n)s evening", "%(n)s evenings", most) % {"n": most}
    return Found("won", most, _("Most evenings won"), value, _holders(last), Spot(last[0].evening_id))


def _most(nights: Sequence[Night], count: Callable[[Night], int]) -> tuple[int, list[Night]]:
    """Return the highest sum of a count over a player's nights, and of each player who has it the last night that
    counts; none if the sum is 0."""
    total: Counter[int] = Counter()
    last: dict[int, Night] = {}
    for night in nights:
        if counted := count(night):
            total[night.player_id] += counted
            last[night.player_id] = night
    most = max(total.values(), default=0)
    return most, [last[player] for player, times in total.items() if times == most]


def _longest_evening(scope: Scope) -> Found | None:
    evening = selectors.longest_evening(scope.seasons)
    if evening is None:
        return None
    count: int = evening.hands_count  # type: ignore[attr-defined]
    return _longest(count, (), Spot(evening.pk))


def _longest_night(nights: Sequence[Night]) -> Found | None:
    """The evening with the most hands of one player."""
    longest = _best(nights, lambda night: night.hands)
    return _longest(longest[0].hands, _holders(longest), Spot(longest[0].evening_id)) if longest else None


def _longest(hands: int, holders: tuple[Held, ...], spot: Spot) -> Found:
    value = ngettext("%(n)s hand", "%(n)s hands", hands) % {"n": format_count(hands)}
    return Found("longest_evening", hands, _("Longest evening"), value, holders, spot)


def _won_in_a_row(nights: Sequence[Night], won: set[tuple[int, int]], places: Mapping[int, int]) -> list[Run]:
    return longest_runs(nights, lambda night: (night.evening_id, night.player_id) in won, places)


def _in_a_row(kind: str, label: str, runs: Sequence[Run], newest: int | None) -> Found | None:
    """The longest runs of evenings. One that ends with the `newest` evening of all still goes on."""
    if not runs or runs[0].length < LEAST_NIGHTS:
        return None
    value = ngettext("%(n)s evening", "%(n)s evenings", runs[0].length) % {"n": runs[0].length}
    holders = tuple(_held_run(run, newest) for run in runs)
    return Found(kind, runs[0].length, label, value, holders, holders[0].spots[-1])


def _held_run(run: Run, newest: int | None) -> Held:
    first, last = run.nights[0], run.nights[-1]
    spots = (Spot(first.evening_id), Spot(last.evening_id))
    return Held(first.player_id, first.nickname, spots, running=last.evening_id == newest)


def _holders(nights: Iterable[Night], hands: Mapping[int, Spot] | None = None) -> tuple[Held, ...]:
    """Return the players of these nights, each once, with the hand of the player in `hands`, else the evening."""
    first: dict[int, Night] = {}
    for night in nights:
        first.setdefault(night.player_id, night)
    spots = {player: Spot(night.evening_id) for player, night in first.items()} | dict(hands or {})
    return tuple(Held(player, night.nickname, (spots[player],)) for player, night in first.items())
