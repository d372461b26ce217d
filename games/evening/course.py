"""The course of an evening: each player's points, sums or ranks, hand by hand, as a chart with its table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from league.access import ClubAccess
from league.models import Evening
from league.money import NONE, format_count, format_money, unit
from league.standings import charts

from .highlights import biggest_pot, hand_name, winners
from .played_hands import PlayedHand

TEN = 10


@dataclass(frozen=True)
class EveningCourse:
    """A chart, and the table behind it: the names, and after each ten hands a row with a value for each name. `unit` is
    the currency of the values, `pot` the name of the hand with the biggest pot, which the chart marks."""

    chart: charts.CourseChart | None
    unit: str
    names: Sequence[str]
    rows: Sequence[tuple[int, Sequence[str]]]
    pot: str


def evening_course(
    access: ClubAccess, evening: Evening, played: Sequence[PlayedHand], players: Sequence[int], chosen: int | None
) -> EveningCourse | None:
    """Return the course of an evening; None before the second hand. `players` are all, the best one first; the line of
    the `chosen` player is drawn in any case.

    It shows points; in a season by balance the sums if the reader sees all of them, else the ranks after each ten.
    """
    if len(played) < 2:
        return None
    money = access.sees_money()
    by_points = evening.season.by_points
    running = _running(played, by_points)
    steps = list(range(len(played)))
    show: Callable[[int], str] = charts.show_points if by_points else charts.show_money
    long: Callable[[int], str] = format_count if by_points else format_money
    if not by_points and not money:
        steps = [n for n in steps if (n + 1) % TEN == 0 or n == steps[-1]]
        running = _ranks(running, steps)
        show = long = charts.show_rank
    names = {player: access.names.show(player, name) for played_hand in played for player, name in _seated(played_hand)}
    order = [player for player in players if player in running]
    lines = [(names[player], [running[player][n] for n in steps]) for player in order]
    mine = [place for place, player in enumerate(order) if player == chosen or player in access.player_ids]
    shown = charts.drawn_places(len(lines), mine)
    pot = biggest_pot(played)
    takes = next((order.index(pot.hand.player_ids[seat]) for seat in winners(pot)), None) if pot else None
    chart = charts.course_chart(
        [n + 1 for n in steps],
        [lines[place] for place in shown],
        show,
        from_zero=show is not charts.show_rank,
        coloured=[0],
        own=[shown.index(place) for place in mine],
        mark=(shown.index(takes), pot.nth) if pot and takes in shown else None,
    )
    table_steps = [n for n in steps if (n + 1) % TEN == 0 or n == steps[-1]]
    return EveningCourse(
        chart=chart,
        unit=unit(access.club.currency) if not by_points and money else "",
        names=[name for name, _values in lines],
        rows=[(n + 1, [_cell(running[player][n], long) for player in order]) for n in table_steps],
        pot=hand_name(pot, len({played_hand.table for played_hand in played}) > 1)
        if pot and chart and chart.mark
        else "",
    )


def _cell(value: int | None, show: Callable[[int], str]) -> str:
    return NONE if value is None else show(value)


def _seated(played_hand: PlayedHand) -> list[tuple[int, str]]:
    return list(zip(played_hand.hand.player_ids, played_hand.hand.names, strict=True))


def _running(played: Sequence[PlayedHand], by_points: bool) -> dict[int, list[int | None]]:
    """Return each player's points or Rappen after each hand, None before the player's first one."""
    running: dict[int, list[int | None]] = {
        player: [] for played_hand in played for player in played_hand.hand.player_ids
    }
    for played_hand in played:
        values = played_hand.points if by_points else played_hand.hand.deltas
        change = dict(zip(played_hand.hand.player_ids, values, strict=True))
        for player, so_far in running.items():
            before = so_far[-1] if so_far else None
            so_far.append((before or 0) + change[player] if player in change else before)
    return running


def _ranks(running: dict[int, list[int | None]], steps: Sequence[int]) -> dict[int, list[int | None]]:
    """Return the negative ranks at these steps: the first rank is on top of the chart."""
    ranks: dict[int, list[int | None]] = {player: [None] * len(values) for player, values in running.items()}
    for n in steps:
        known = [value for values in running.values() if (value := values[n]) is not None]
        for player, values in running.items():
            value = values[n]
            ranks[player][n] = None if value is None else -(1 + sum(other > value for other in known))
    return ranks
