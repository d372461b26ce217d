"""The hands of a table folded by ten: hands 1 to 10, 11 to 20 and so on, each with the player who gained most."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..hands.hand_lines import HandLine
from ..seating.selectors import Stretch
from .played_hands import PlayedHand

TEN = 10


@dataclass(frozen=True)
class Ten:
    """Ten hands of a table, newest first, with the happenings between them. `at`: when the first of them was entered;
    None if no hand counts. `best` gained most, `gain` is the amount; empty without a gain. `pot_number` is the hand
    with
    the biggest pot, if it is one of these."""

    first: int
    last: int
    stretches: Sequence[Stretch[HandLine]]
    at: datetime | None
    best: str
    gain: int
    pot_number: int | None
    open: bool


def tens(
    stretches: Sequence[Stretch[HandLine]],
    played: Mapping[int, PlayedHand],
    *,
    gains: Callable[[PlayedHand], Sequence[int]] | None,
    show: Callable[[int, str], str],
    pot: int | None,
    all_open: bool,
) -> list[Ten]:
    """Fold the stretches of a table (newest first). `played` are its hands that count, by number; `gains` returns what
    each seat gained in a hand, None if the reader may not see it; `show` the name of a player; `pot` is the number of
    the hand with the biggest pot, if it was played here."""
    groups: dict[int, list[Stretch[HandLine]]] = {}
    lowest = 0
    for stretch in stretches:
        # Happenings before the first hand belong to the oldest ten.
        lowest = (stretch.hand.number - 1) // TEN if stretch.hand else lowest
        groups.setdefault(lowest, []).append(stretch)
    return [
        _ten(group, stretches_of, played, gains, show, pot, is_open=all_open or place == 0)
        for place, (group, stretches_of) in enumerate(groups.items())
    ]


def _ten(
    group: int,
    stretches: Sequence[Stretch[HandLine]],
    played: Mapping[int, PlayedHand],
    gains: Callable[[PlayedHand], Sequence[int]] | None,
    show: Callable[[int, str], str],
    pot: int | None,
    *,
    is_open: bool,
) -> Ten:
    numbers = [stretch.hand.number for stretch in stretches if stretch.hand] or [group * TEN + 1]
    hands = [played[number] for number in numbers if number in played]
    best, gain = _best(hands, gains, show) if gains else ("", 0)
    return Ten(
        first=group * TEN + 1,
        last=max(numbers),
        stretches=stretches,
        at=min((played_hand.at for played_hand in hands), default=None),
        best=best,
        gain=gain,
        pot_number=pot if pot in numbers else None,
        open=is_open,
    )


def _best(
    hands: Sequence[PlayedHand], gains: Callable[[PlayedHand], Sequence[int]], show: Callable[[int, str], str]
) -> tuple[str, int]:
    """Return the player with the highest gain in these hands, and the gain; an empty name without one."""
    total: dict[int, int] = defaultdict(int)
    names: dict[int, str] = {}
    for played_hand in hands:
        for player, name, value in zip(
            played_hand.hand.player_ids, played_hand.hand.names, gains(played_hand), strict=True
        ):
            total[player] += value
            names[player] = name
    most = max(total.values(), default=0)
    if most <= 0:
        return "", 0
    return " · ".join(show(player, names[player]) for player, value in total.items() if value == most), most
