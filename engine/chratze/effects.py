"""The house rules that changed the amounts of a hand of Chratze."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.chratze.players import GOALS
from engine.chratze.rules import house_rules
from engine.game import REMAINDER, ROUNDING, Effect
from engine.pot import equal_shares, two_thirds


def effects(record: Mapping[str, Any], result: Mapping[str, Any]) -> Iterator[Effect]:
    """Yield the rounding of the declarer's two thirds, and the indivisible remainder (C6.5, C6.6)."""
    if result["outcome"] == "passed_out":
        return
    rules = house_rules(record.get("rules", {}))
    tricks, declarer, pot = result["tricks"], result["declarer"], result["pot"]
    made = record["made"] if tricks is None else _made(tricks, declarer)
    winners = [seat for seat in result["joiners"] if seat in made]
    if not winners:
        return
    if declarer in made:
        thirds = two_thirds(pot, rules.rounding)
        if 3 * thirds != 2 * pot:
            yield Effect(ROUNDING, thirds)
        _share, remainder = equal_shares(pot - thirds, len(winners), rules.coin)
        if remainder:
            yield Effect(REMAINDER, remainder, declarer)
    elif len(winners) > 1:
        _share, remainder = equal_shares(pot, len(winners), rules.coin)
        if remainder:
            yield Effect(REMAINDER, remainder)


def _made(tricks: Sequence[int], declarer: int) -> list[int]:
    """Return the seats with enough tricks for their goal, had all played (C6.1)."""
    return [seat for seat, n in enumerate(tricks) if n >= (GOALS.declarer if seat == declarer else GOALS.joiner)]
