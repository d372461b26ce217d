"""The house rules of Zwicken: names, defaults and allowed values (R4)."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.errors import Fault
from engine.rules import AMOUNT, BOOL, Values, check_each, limit_of_pot, one_of

FEWEST_COINS: Final = 3
"""The stake is a multiple of so many coins, and a limit of the pot is not below them: a coin for each trick."""

STAKE, POT, OFF, DEALER, STAYS = "stake", "pot", "off", "dealer", "stays"
"""Values of ``bete``, ``seven_lost`` and ``nobody``."""


class HouseRules(NamedTuple):
    """The effective house rules of Zwicken; amounts in Rappen."""

    stake: int = 30
    coin: int = 10
    seven: bool = True
    cut_moves: bool = True
    exchange: bool = True
    must_trump: bool = True
    must_beat: str = "always"
    bete: str = POT
    seven_lost: str = STAKE
    nobody: str = DEALER
    pot_limit: int | None = None


DEFAULTS: Final = HouseRules()

VALUES: Final[Values] = {
    "stake": AMOUNT,
    "coin": AMOUNT,
    "seven": BOOL,
    "cut_moves": BOOL,
    "exchange": BOOL,
    "must_trump": BOOL,
    "must_beat": one_of("always", "trumps", OFF),
    "bete": one_of(POT, STAKE),
    "seven_lost": one_of(STAKE, OFF),
    "nobody": one_of(DEALER, STAYS),
    "pot_limit": limit_of_pot(f"at least {FEWEST_COINS} coins"),
}


def house_rules(given: Mapping[str, object]) -> HouseRules:
    """Return the effective house rules of Zwicken: those given, and the defaults for the others.

    Conditions between rules are checked on the effective values: ``stake`` is a multiple of three coins, ``pot_limit``
    is at least three coins.

    Raises:
        Fault: R4 for an unknown rule or a value that is not allowed.
    """
    if not given:
        return DEFAULTS
    check_each(given, VALUES, "Zwicken")
    rules = DEFAULTS._replace(**given)  # type: ignore[arg-type]  # the values were checked one by one above
    least = FEWEST_COINS * rules.coin
    if rules.stake % least:
        raise Fault(
            "R4",
            "rules.stake",
            f"The house rule stake is a multiple of {FEWEST_COINS} coins ({least}), not {rules.stake}.",
        )
    if rules.pot_limit is not None and rules.pot_limit < least:
        raise Fault(
            "R4",
            "rules.pot_limit",
            f"The house rule pot_limit is null or at least {FEWEST_COINS} coins ({least}), not {rules.pot_limit}.",
        )
    return rules
