"""The fields of a record of Zwicken and their types (R1), read into frozen tuples before any clause is checked."""

from typing import Any, Final, NamedTuple

from engine import shapes
from engine.errors import Fault
from engine.zwicken.rules import HouseRules, house_rules


class Table(NamedTuple):
    """The fields that a tally and a full record share. Amounts in Rappen.

    ``cuts`` are cards by name; a tally may use symbols instead (Z2.3).
    """

    rules: HouseRules
    seats: int
    dealer: int
    pot_before: int
    cuts: list[str]


class Tally(NamedTuple):
    """A tally: the seats that play, the tricks by seat (as a string), and the seat that lost the seven of Schellen."""

    table: Table
    players: list[int]
    tricks: dict[str, int]
    seven_lost: int | None


class Full(NamedTuple):
    """A full record: every card, by name, and every answer; a missing field is empty."""

    table: Table
    hands: list[list[str]]
    turned: str | None
    answers: list[list[Any]]
    exchanges: list[dict[str, Any]]
    play: list[list[str]]


def _card_or_null(value: Any) -> None:
    """Accept null for the turned card of a hand that is still dealt; a whole hand has one (Z3.1)."""
    if value is not None:
        shapes.card(value)


_DEAL: Final[shapes.Fields] = {"hands": shapes.card_lists, "turned": _card_or_null}
_EXCHANGE: Final[shapes.Fields] = {"seat": shapes.integer, "discard": shapes.cards, "draw": shapes.cards}
_SHARED: Final[dict[str, shapes.Check]] = shapes.COMMON | {"cuts": shapes.cards}
"""The fields that a tally and a full record share."""

_TALLY: Final[shapes.Fields] = _SHARED | {
    "players": shapes.integers,
    "tricks": shapes.tricks,
    "seven_lost": shapes.seat_or_null,
}
_FULL: Final[shapes.Fields] = _SHARED | {
    "deal": shapes.object_of(_DEAL, shapes.DEAL_NEEDED),
    "answers": shapes.calls,
    "exchanges": shapes.list_of(shapes.object_of(_EXCHANGE, shapes.SEAT_NEEDED)),
    "play": shapes.card_lists,
}


def read(record: dict[str, Any]) -> Tally | Full:
    """Return a parsed record of Zwicken as a tuple. A record is full if and only if it has the field ``deal``.

    Raises:
        Fault: R1 for fields and types, then R4 for house rules, then R1 for missing cuts where the cut moves the deal.
    """
    is_full = "deal" in record
    shapes.check_record(record, _FULL if is_full else _TALLY, shapes.COMMON_NEEDED)
    rules = house_rules(record.get("rules", shapes.NO_RULES))
    if rules.cut_moves and "cuts" not in record:
        raise Fault("R1", "cuts", "The field cuts is missing.")
    table = Table(rules, record["seats"], record["dealer"], record["pot_before"], record.get("cuts", []))
    if is_full:
        deal = record["deal"]
        return Full(
            table,
            deal["hands"],
            deal["turned"],
            record.get("answers", []),
            record.get("exchanges", []),
            record.get("play", []),
        )
    return Tally(table, record.get("players", []), record.get("tricks", {}), record.get("seven_lost"))
