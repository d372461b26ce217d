"""The house rules that changed the amounts of a hand: half of a large pot, the limit, rounding, the remainder.

A result has amounts only; these functions name the rules behind them.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from engine.kratzen.settlement import TO_DECLARER, amount_at_stake
from engine.pot import equal_shares, two_thirds
from engine.replay import replay
from engine.rules import house_rules, kratzen_rules
from engine.tricks import TRICKS

HALF: Final = "half"
LIMIT: Final = "limit"
ROUNDING: Final = "rounding"
REMAINDER: Final = "remainder"


class Effect(NamedTuple):
    """A house rule that changed the amounts of a hand; ``amount`` is in Rappen.

    - ``half``: the hand was played for ``amount`` (K8.5).
    - ``limit``: penalties were reduced to the limit ``amount`` (C6.7, K8.4).
    - ``rounding``: the declarer's two thirds were rounded up to ``amount`` (C6.5).
    - ``remainder``: ``amount`` was indivisible. ``seat`` got it; None: it stayed in the pot (C6.5, C6.6, K8.3).
    """

    kind: str
    amount: int
    seat: int | None = None


def effects(record: Mapping[str, Any], result: Mapping[str, Any]) -> tuple[Effect, ...]:
    """Return the house rules that changed the amounts of a hand, in the order in which they apply.

    ``record`` is complete and valid, ``result`` is its result.

    >>> hand = {"game": "chratze", "seats": 5, "dealer": 4, "pot_before": 0, "declarer": 0, "joiners": [1]}
    >>> effects(hand | {"made": [0, 1]}, replay(hand | {"made": [0, 1]}))
    (Effect(kind='rounding', amount=80, seat=None),)
    """
    if result["outcome"] == "passed_out":
        return ()
    shares = _kratzen_shares if record["game"] == "kratzen" else _chratze_shares
    return (*shares(record, result), *_limit(record, result))


def _chratze_shares(record: Mapping[str, Any], result: Mapping[str, Any]) -> Iterator[Effect]:
    """Yield the rounding of the declarer's two thirds, and the indivisible remainder (C6.5, C6.6)."""
    rules = house_rules(record.get("rules", {}))
    tricks, declarer, pot = result["tricks"], result["declarer"], result["pot"]
    made = record["made"] if tricks is None else [s for s, n in enumerate(tricks) if n >= (2 if s == declarer else 1)]
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


def _kratzen_shares(record: Mapping[str, Any], result: Mapping[str, Any]) -> Iterator[Effect]:
    """Yield the half of a large pot, and the remainder of its quarters (K8.3, K8.5)."""
    rules = kratzen_rules(record.get("rules", {}))
    at_stake = amount_at_stake(rules, result["pot"], result["muss"])
    if at_stake != result["pot"]:
        yield Effect(HALF, at_stake)
    _quarter, remainder = equal_shares(at_stake, TRICKS, rules.coin)
    if remainder and not result["muss"]:
        yield Effect(REMAINDER, remainder, result["declarer"] if rules.remainder == TO_DECLARER else None)


def _limit(record: Mapping[str, Any], result: Mapping[str, Any]) -> Iterator[Effect]:
    """Yield the limit of the pot if the penalties would be others without it (C6.7, K8.4)."""
    rules = record.get("rules", {})
    limit = rules.get("pot_limit")
    if limit is None:
        return
    unlimited = {name: value for name, value in record.items() if name != "claimed"}
    unlimited["rules"] = {**rules, "pot_limit": None}
    if replay(unlimited)["deltas"] != result["deltas"]:
        yield Effect(LIMIT, limit)
