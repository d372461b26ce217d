"""The house rules of Kratzen: names, defaults and allowed values (R4)."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.errors import Fault
from engine.rules import AMOUNT, BOOL, Values, check_each, limit_of_pot, one_of


class HouseRules(NamedTuple):
    """The effective house rules of Kratzen; amounts in Rappen."""

    unit: int = 10
    coin: int = 5
    must_beat: str = "trumps"
    remainder: str = "pot"
    seven_muss: str = "deal"
    last_word: bool = True
    open_trumps: bool = True
    pot_limit: int | None = None
    split_over: int | None = None


DEFAULTS: Final = HouseRules()

FEWEST_UNIT_COINS: Final = 2
"""The smallest ``unit`` of Kratzen, in coins."""

FEWEST_LIMIT_COINS: Final = 8
"""The smallest ``pot_limit`` or ``split_over`` of Kratzen, in coins."""

_LIMIT: Final = limit_of_pot(f"at least {FEWEST_LIMIT_COINS} coins")

VALUES: Final[Values] = {
    "unit": AMOUNT,
    "coin": AMOUNT,
    "must_beat": one_of("trumps", "always"),
    "remainder": one_of("pot", "declarer"),
    "seven_muss": one_of("off", "deal", "any"),
    "last_word": BOOL,
    "open_trumps": BOOL,
    "pot_limit": _LIMIT,
    "split_over": _LIMIT,
}


def house_rules(given: Mapping[str, object]) -> HouseRules:
    """Return the effective house rules of Kratzen: those given, and the defaults for the others.

    Conditions between rules are checked on the effective values: ``unit`` is a multiple of ``coin`` and at least two
    coins; ``pot_limit`` and ``split_over`` are at least eight coins.

    Raises:
        Fault: R4 for an unknown rule or a value that is not allowed.
    """
    if not given:
        return DEFAULTS
    check_each(given, VALUES, "Kratzen")
    rules = DEFAULTS._replace(**given)  # type: ignore[arg-type]  # checked one by one above
    coin = rules.coin
    if rules.unit % coin or rules.unit < FEWEST_UNIT_COINS * coin:
        raise Fault(
            "R4",
            "rules.unit",
            f"The house rule unit is a multiple of coin ({coin}) and at least {FEWEST_UNIT_COINS * coin}, "
            f"not {rules.unit}.",
        )
    least = FEWEST_LIMIT_COINS * coin
    for name, limit in (("pot_limit", rules.pot_limit), ("split_over", rules.split_over)):
        if limit is not None and limit < least:
            raise Fault(
                "R4",
                f"rules.{name}",
                f"The house rule {name} is null or at least {FEWEST_LIMIT_COINS} coins ({least}), not {limit}.",
            )
    return rules
