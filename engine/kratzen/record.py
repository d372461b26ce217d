"""The fields of a record of Kratzen and their types (R1), read into frozen tuples before any clause is checked."""

from typing import Any, Final, NamedTuple

from engine import shapes
from engine.errors import Fault
from engine.kratzen.rules import HouseRules, house_rules


class Table(NamedTuple):
    """The fields that a tally and a full record of Kratzen share.

    ``cuts`` are cards by name; a tally may use symbols instead (K3.1).
    """

    rules: HouseRules
    seats: int
    dealer: int
    pot_before: int
    cuts: list[list[str]]


class Tally(NamedTuple):
    """A tally of Kratzen: the call, the roles, and the tricks by seat, as a string."""

    table: Table
    seven: bool
    game_type: str | None
    declarer: int | None
    joiners: list[int]
    tricks: dict[str, int]


class Full(NamedTuple):
    """A full record of Kratzen: every card, by name, every call and every answer; a missing field is empty."""

    table: Table
    hands: list[list[str]]
    turned: list[str]
    calls: list[list[Any]]
    new_trump: list[str]
    last_word: int | None
    answers: list[list[Any]]
    exchanges: list[dict[str, Any]]
    play: list[list[str]]


_DEAL: Final[shapes.Fields] = {"hands": shapes.card_lists, "turned": shapes.cards}
_EXCHANGE: Final[shapes.Fields] = {"seat": shapes.integer} | dict.fromkeys(
    ("discard", "draw", "show", "open", "hidden", "drop"), shapes.cards
)
_SHARED: Final[dict[str, shapes.Check]] = shapes.COMMON | {"cuts": shapes.card_lists}
"""The fields that a tally and a full record share."""
_NEEDED: Final = (*shapes.COMMON_NEEDED, "cuts")

_TALLY: Final[shapes.Fields] = _SHARED | {
    "seven": shapes.boolean,
    "game_type": shapes.one_of((None, "schlagen", "oder", "weiter-oder"), 'null, "schlagen", "oder" or "weiter-oder"'),
    "declarer": shapes.seat_or_null,
    "joiners": shapes.integers,
    "tricks": shapes.tricks,
}
_TALLY_NEEDED: Final = (*_NEEDED, "declarer")

_FULL: Final[shapes.Fields] = _SHARED | {
    "deal": shapes.object_of(_DEAL, shapes.DEAL_NEEDED),
    "calls": shapes.calls,
    "new_trump": shapes.cards,
    "last_word": shapes.seat_or_null,
    "answers": shapes.calls,
    "exchanges": shapes.list_of(shapes.object_of(_EXCHANGE, shapes.SEAT_NEEDED)),
    "play": shapes.card_lists,
}


def read(record: dict[str, Any]) -> Tally | Full:
    """Return a parsed record of Kratzen as a tuple. A record is full if and only if it has the field ``deal``.

    Raises:
        Fault: R1 for fields and types, then R4 for house rules, then R1 for a pot that is not in whole coins.
    """
    is_full = "deal" in record
    fields, needed = (_FULL, _NEEDED) if is_full else (_TALLY, _TALLY_NEEDED)
    shapes.check_record(record, fields, needed)
    rules = house_rules(record.get("rules", shapes.NO_RULES))
    check_whole_coins(rules, record["pot_before"])
    table = Table(rules, record["seats"], record["dealer"], record["pot_before"], record["cuts"])
    if is_full:
        deal = record["deal"]
        return Full(
            table,
            deal["hands"],
            deal["turned"],
            record.get("calls", []),
            record.get("new_trump", []),
            record.get("last_word"),
            record.get("answers", []),
            record.get("exchanges", []),
            record.get("play", []),
        )
    return Tally(
        table,
        record.get("seven", False),
        record.get("game_type"),
        record["declarer"],
        record.get("joiners", []),
        record.get("tricks", {}),
    )


def check_whole_coins(rules: HouseRules, pot_before: int) -> None:
    """Raise R1 unless the pot is in whole coins (K2.1)."""
    if pot_before % rules.coin:
        raise Fault("R1", "pot_before", f"The pot is in whole coins of {rules.coin}, not {pot_before}.")
