"""The mistakes in records of Kratzen, for the difference finder."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any, Final

from ..engine_bridge import Record
from ..game.declared_mistakes import DeclaredMistakes, without_declarer
from ..game.mistakes import Forgotten, Given, Short, counted
from .hand import game_type_of, is_siebenermuss
from .hand_form import SCHLAGEN

NO_CUT: Final[dict[str, Any]] = {"cuts": [["x"]]}
SPLITS: Final = ((4,), (3, 1), (2, 2), (2, 1, 1), (1, 1, 1, 1))
"""Every way to split four tricks among players."""


def tally_of(record: Given, result: Given) -> Record:
    """The tally of a hand, also of one whose record has its cards."""
    if result["declarer"] is None:
        return without_declarer(record)
    tally: Record = {"declarer": result["declarer"], "joiners": list(result["joiners"]), "cuts": record["cuts"]}
    if is_siebenermuss(record, result):
        tally["seven"] = True
    if result["muss"] is False or (record.get("seven") and record.get("game_type")):
        tally["game_type"] = game_type_of(record, result) or SCHLAGEN
    if tally["joiners"]:
        tally["tricks"] = counted(dict(enumerate(result["tricks"])))
    return tally


def _musses(hand: Forgotten) -> Iterator[Short]:
    """A Muss with its four tricks split in every way that makes a difference for the pot or the counted seats: the pot
    depends on the dealer's tricks too, who needs two of them."""
    dealer, seats = hand.forced_dealer or 0, range(hand.seats)
    decisive = tuple(dict.fromkeys((*hand.counted_seats, dealer)))
    others = [seat for seat in seats if seat not in decisive]
    everybody = {"declarer": dealer, "joiners": [seat for seat in seats if seat != dealer]}
    for split in SPLITS:
        if len(split) > hand.seats:
            continue
        counts = (*split, *(0 for _seat in range(hand.seats - len(split))))
        for own in sorted(set(permutations(counts, len(decisive)))):
            left = list(counts)
            for count in own:
                left.remove(count)
            tricks = dict(zip((*decisive, *others), (*own, *left), strict=True))
            yield NO_CUT | everybody | {"tricks": counted(tricks)}, (), None


MISTAKES: Final = DeclaredMistakes(
    tally_of, any_hand=NO_CUT, declared={"game_type": SCHLAGEN}, by_tricks=True, forced=_musses
).mistakes()
