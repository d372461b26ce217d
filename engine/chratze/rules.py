"""The house rules of Chratze: names, defaults and allowed values (R4)."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.errors import Fault
from engine.pot import round_up
from engine.rules import AMOUNT, BOOL, Values, check_each, limit_of_pot, one_of

MOST_TURNS: Final = 8
"""With seven seats, eight cards remain after the deal."""


class HouseRules(NamedTuple):
    """The effective house rules of Chratze; amounts in Rappen."""

    stake: int = 20
    rounding: int = 20
    coin: int = 5
    no_taker: str = "turn"
    max_turns: int = 3
    ante_on_redeal: bool = True
    blind: str = "both"
    susi: str = "label"
    rob: bool = True
    pot_limit: int | None = None


DEFAULTS: Final = HouseRules()


def _is_turns(value: object) -> bool:
    return type(value) is int and 1 <= value <= MOST_TURNS


VALUES: Final[Values] = {
    "stake": AMOUNT,
    "rounding": AMOUNT,
    "coin": AMOUNT,
    "no_taker": one_of("turn", "redeal"),
    "max_turns": (_is_turns, f"a whole number from 1 to {MOST_TURNS}"),
    "ante_on_redeal": BOOL,
    "blind": one_of("none", "blind", "both"),
    "susi": one_of("off", "label", "forced"),
    "rob": BOOL,
    "pot_limit": limit_of_pot("not below the stake"),
}


def house_rules(given: Mapping[str, object]) -> HouseRules:
    """Return the effective house rules of Chratze: those given, and the defaults for the others.

    Conditions between rules are checked on the effective values: ``rounding`` is a multiple of ``coin``, ``pot_limit``
    is not below ``stake``.

    Raises:
        Fault: R4 for an unknown rule or a value that is not allowed.
    """
    if not given:
        return DEFAULTS
    check_each(given, VALUES, "Chratze")
    rules = DEFAULTS._replace(**given)  # type: ignore[arg-type]  # the values were checked one by one above
    if "rounding" not in given:
        return _check_conditions(rules._replace(rounding=round_up(rules.stake, rules.coin)))
    return _check_conditions(rules)


def _check_conditions(rules: HouseRules) -> HouseRules:
    if rules.rounding % rules.coin:
        raise Fault(
            "R4",
            "rules.rounding",
            f"The house rule rounding is a multiple of coin ({rules.coin}), not {rules.rounding}.",
        )
    if rules.pot_limit is not None and rules.pot_limit < rules.stake:
        raise Fault(
            "R4",
            "rules.pot_limit",
            f"The house rule pot_limit is null or at least the stake ({rules.stake}), not {rules.pot_limit}.",
        )
    return rules
