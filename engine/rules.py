"""House rules: names, defaults, the values they can take (R4)."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from engine.errors import Fault, field, shown
from engine.pot import round_up

GAMES: Final = ("chratze",)

HIGHEST_AMOUNT: Final = 10**12
"""No single amount of a record or a house rule is higher, so that every sum fits in 64 bits."""

MOST_TURNS: Final = 8
"""Seven seats leave eight cards to turn."""


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

RULE_DEFAULTS: Final[dict[str, dict[str, int | str | bool | None]]] = {"chratze": DEFAULTS._asdict()}
"""The house rules of each game when none is named. ``rounding`` follows ``stake`` and ``coin`` unless given."""


def _is_amount(value: object) -> bool:
    return type(value) is int and 0 < value <= HIGHEST_AMOUNT


def _is_amount_or_none(value: object) -> bool:
    return value is None or _is_amount(value)


def _is_turns(value: object) -> bool:
    return type(value) is int and 1 <= value <= MOST_TURNS


def _is_bool(value: object) -> bool:
    return value is True or value is False


def _one_of(*words: str) -> tuple[Callable[[object], bool], str]:
    return (lambda value: value in words), f"one of {', '.join(words)}"


_AMOUNT: Final = (_is_amount, f"a whole number of Rappen from 1 to {HIGHEST_AMOUNT}")
_BOOL: Final = (_is_bool, "true or false")

_VALUES: Final[dict[str, tuple[Callable[[object], bool], str]]] = {
    "stake": _AMOUNT,
    "rounding": _AMOUNT,
    "coin": _AMOUNT,
    "no_taker": _one_of("turn", "redeal"),
    "max_turns": (_is_turns, f"a whole number from 1 to {MOST_TURNS}"),
    "ante_on_redeal": _BOOL,
    "blind": _one_of("none", "blind", "both"),
    "susi": _one_of("off", "label", "forced"),
    "rob": _BOOL,
    "pot_limit": (_is_amount_or_none, f"null or {_AMOUNT[1]}, not below the stake"),
}


def house_rules(given: Mapping[str, object]) -> HouseRules:
    """The given house rules filled up with the defaults; R4 for a name or a value that does not exist.

    Conditions between values hold for the effective ones: ``rounding`` is a multiple of ``coin``, ``pot_limit``
    is not below ``stake``.
    """
    if not given:
        return DEFAULTS
    for name, value in given.items():
        known = _VALUES.get(name)
        if known is None:
            raise Fault("R4", f"rules.{field(name)}", f"There is no house rule {shown(name)} in Chratze.")
        can_be, values = known
        if not can_be(value):
            raise Fault("R4", f"rules.{name}", f"The house rule {name} is {values}, not {shown(value)}.")
    rules = DEFAULTS._replace(**given)  # type: ignore[arg-type]  # the values were checked one by one above
    if "rounding" not in given:
        return _checked(rules._replace(rounding=round_up(rules.stake, rules.coin)))
    return _checked(rules)


def _checked(rules: HouseRules) -> HouseRules:
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


def check_game(game: object) -> None:
    """R1: the engine knows the game."""
    if game == "kratzen":
        raise Fault("R1", "game", "Kratzen is not supported yet: this version of the engine replays Chratze.")
    if game != "chratze":
        raise Fault("R1", "game", f'There is no game {shown(game)}: it is "chratze" or "kratzen".')
