"""House rules: their names, defaults and allowed values (R4)."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from engine.errors import Fault, printable, printable_name
from engine.pot import round_up

GAMES: Final = ("chratze", "kratzen")

HIGHEST_AMOUNT: Final = 10**12
"""The largest amount allowed in a record or a house rule, so that every sum fits in 64 bits."""

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


class KratzenRules(NamedTuple):
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


KRATZEN_DEFAULTS: Final = KratzenRules()

FEWEST_UNIT_COINS: Final = 2
"""The smallest ``unit`` of Kratzen, in coins."""

FEWEST_LIMIT_COINS: Final = 8
"""The smallest ``pot_limit`` or ``split_over`` of Kratzen, in coins."""

RULE_DEFAULTS: Final[dict[str, dict[str, int | str | bool | None]]] = {
    "chratze": DEFAULTS._asdict(),
    "kratzen": KRATZEN_DEFAULTS._asdict(),
}
"""The default house rules of each game. ``rounding`` is computed from ``stake`` and ``coin`` unless it is given."""


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

_Values = Mapping[str, tuple[Callable[[object], bool], str]]
"""For each house rule a function that accepts its values, and their description for a message."""

_VALUES: Final[_Values] = {
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

_LIMIT: Final = (_is_amount_or_none, f"null or {_AMOUNT[1]}, at least {FEWEST_LIMIT_COINS} coins")

_KRATZEN_VALUES: Final[_Values] = {
    "unit": _AMOUNT,
    "coin": _AMOUNT,
    "must_beat": _one_of("trumps", "always"),
    "remainder": _one_of("pot", "declarer"),
    "seven_muss": _one_of("off", "deal", "any"),
    "last_word": _BOOL,
    "open_trumps": _BOOL,
    "pot_limit": _LIMIT,
    "split_over": _LIMIT,
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
    _check_each(given, _VALUES, "Chratze")
    rules = DEFAULTS._replace(**given)  # type: ignore[arg-type]  # the values were checked one by one above
    if "rounding" not in given:
        return _check_conditions(rules._replace(rounding=round_up(rules.stake, rules.coin)))
    return _check_conditions(rules)


def _check_each(given: Mapping[str, object], values: _Values, game: str) -> None:
    for name, value in given.items():
        allowed = values.get(name)
        if allowed is None:
            raise Fault("R4", f"rules.{printable_name(name)}", f"There is no house rule {printable(name)} in {game}.")
        is_allowed, description = allowed
        if not is_allowed(value):
            raise Fault("R4", f"rules.{name}", f"The house rule {name} is {description}, not {printable(value)}.")


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


def kratzen_rules(given: Mapping[str, object]) -> KratzenRules:
    """Return the effective house rules of Kratzen: those given, and the defaults for the others.

    Conditions between rules are checked on the effective values: ``unit`` is a multiple of ``coin`` and at least two
    coins; ``pot_limit`` and ``split_over`` are at least eight coins.

    Raises:
        Fault: R4 for an unknown rule or a value that is not allowed.
    """
    if not given:
        return KRATZEN_DEFAULTS
    _check_each(given, _KRATZEN_VALUES, "Kratzen")
    rules = KRATZEN_DEFAULTS._replace(**given)  # type: ignore[arg-type]  # checked one by one above
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


def check_game(game: object) -> None:
    """Raise R1 unless the game is one of the engine's."""
    if game not in GAMES:
        raise no_such_game(game)


def no_such_game(game: object) -> Fault:
    """Return the fault R1 for a value that is not the name of a game."""
    return Fault("R1", "game", f'There is no game {printable(game)}: it is "chratze" or "kratzen".')
