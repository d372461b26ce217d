"""A night as it really happens, and the truth about it: steps in order, played by the plain model.

The same steps are tapped on a phone. The writes of two phones are played one after the other. Amounts are whole Rappen.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tests.browser.evening_plan import PlannedEvening, PlannedTable

FIRST = ("Anna", "Beni", "Carlo", "Doris", "Emil")
MOST, LEAST = 7, 4
GUESTS = ("Fritz", "Gian", "Heidi", "Ida")


@dataclass(frozen=True)
class Step:
    """One thing that happens: `what` is a method of PlannedTable (play, arrive, leave, swap, deals) or `pause`."""

    what: str
    names: tuple[str, ...] = ()


def hand(line: str) -> Step:
    """A hand by names, as `evening_plan.named_hand` reads it."""
    return Step("play", (line,))


def after(steps: Iterable[Step], players: tuple[str, ...] = FIRST, dealer: str = "") -> PlannedTable:
    """Return the table after these steps; the last player deals first, or `dealer`."""
    table = PlannedTable(0, players, dealer or players[-1])
    carry_out(table, steps)
    return table


def carry_out(table: PlannedTable, steps: Iterable[Step]) -> None:
    """Play these steps at a table. Naming the present dealer changes nothing: a changed earlier hand can have this
    effect on a step."""
    for step in steps:
        if step.what in ("pause", "resume") or (step.what == "deals" and step.names == (table.dealer,)):
            continue
        getattr(table, step.what)(*step.names)


def evening_of(table: PlannedTable) -> PlannedEvening:
    """Return the evening of this one table, its pot shared at the end."""
    evening = PlannedEvening([table])
    evening.share()
    return evening


def hands_of(steps: Iterable[Step]) -> int:
    return sum(step.what == "play" for step in steps)


def random_hand(dice: random.Random, players: Sequence[str]) -> Step:
    """A hand that is possible by the rules: passed out, a walkover, or one to three join; at least one makes it."""
    declarer = dice.choice([None, *players, *players, *players])
    if declarer is None:
        return hand("")
    others = [name for name in players if name != declarer]
    joiners = dice.sample(others, dice.randint(0, 3))
    if not joiners:
        return hand(declarer)
    # Four tricks: a declarer who makes it has two of them, so that at most two joiners make it.
    makes = dice.random() < 0.6
    failed = {name for name in joiners if dice.random() < 0.4}
    if makes and len(joiners) - len(failed) > 2:
        failed.add(joiners[0])
    if not makes and len(failed) == len(joiners):
        failed.discard(joiners[0])
    marks = " ".join(name + "-" * (name in failed) for name in joiners)
    return hand(f"{declarer}{'' if makes else '-'}: {marks}")


def random_night(seed: int, hands: int) -> list[Step]:
    """Steps of a night: hands, and between them arrivals, departures, swaps, dealers and a pause."""
    dice = random.Random(seed)
    steps: list[Step] = []
    guests = list(GUESTS)
    while hands_of(steps) < hands:
        now = after(steps).players
        steps.append(random_hand(dice, now))
        kind = dice.choice(["", "", "", "come", "come", "leave", "swap", "deals", "pause"])
        now = after(steps).players
        if kind == "come" and len(now) < MOST and guests:
            steps.append(Step("arrive", (guests.pop(0), dice.choice(now))))
        elif kind == "leave" and len(now) > LEAST:
            steps.append(Step("leave", (dice.choice(now),)))
            guests += steps[-1].names
        elif kind == "swap":
            place = dice.randrange(len(now) - 1)
            steps.append(Step("swap", (now[place], now[place + 1])))
        elif kind == "deals":
            steps.append(Step("deals", (dice.choice([name for name in now if name != after(steps).dealer]),)))
        elif kind == "pause":
            steps += [Step("pause"), Step("resume")]
    return steps
