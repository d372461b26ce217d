"""Replay a record of any game: a parsed JSON value or a line of JSON in, the result or the first fault out."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

from engine.cuts import Cuts
from engine.errors import Fault, printable
from engine.game import Due, Start
from engine.games import BY_NAME, DEFAULT_WITH_CUTS, game_of, no_such_game
from engine.pot import check_balanced

LINE_LIMIT: Final = 1 << 20
"""The longest line of JSON that is parsed, in bytes or characters; a full hand takes about a thousand."""


def replay(record: object) -> dict[str, Any]:
    """Return the result of a parsed JSON record, or an error object for its first fault; never raise.

    docs/rulebook/hand-record.md defines both objects; amounts are in Rappen.

    >>> hand = {"game": "chratze", "seats": 5, "dealer": 4, "pot_before": 0, "declarer": 0, "joiners": [1, 2]}
    >>> replay(hand | {"tricks": {"0": 2, "1": 2}})["deltas"]
    [60, 0, -120, -20, -20]
    >>> replay(hand | {"tricks": {"0": 2, "1": 3}})["error"]["clause"]
    'R5'
    >>> muss = {"game": "kratzen", "seats": 3, "dealer": 0, "pot_before": 0, "cuts": [["x"]], "declarer": 0}
    >>> replay(muss | {"joiners": [1, 2], "tricks": {"0": 3, "1": 1}})["next"]
    {'dealer': 1, 'deal_number': 1, 'muss': False}
    """
    try:
        return _replay(record)
    except Fault as fault:
        return fault.as_result()


def replay_line(line: str | bytes) -> dict[str, Any]:
    """Return the result of one line of JSON, or an error object (R1 if it is not JSON); never raise.

    >>> replay_line(b"[]")["error"]["message"]
    'A record is a JSON object, not a list.'
    """
    try:
        return _replay(parsed(line))
    except Fault as fault:
        return fault.as_result()


def effective_rules(game: str, rules: Mapping[str, object]) -> dict[str, int | str | bool | None]:
    """Return all house rules of a game: those given, and the defaults for the others.

    Raises:
        Fault: R1 for an unknown game, R4 for an unknown rule or a value that is not allowed.

    >>> effective_rules("chratze", {"stake": 50})["rounding"]
    50
    >>> effective_rules("kratzen", {"unit": 12})
    Traceback (most recent call last):
    engine.errors.Fault: R4 at rules.unit: The house rule unit is a multiple of coin (5) and at least 10, not 12.
    """
    return game_of(game).house_rules(rules)._asdict()


def ante_of_deal(game: str, rules: Mapping[str, object], *, deal_number: int) -> int:
    """Return the ante of each seat for a deal of Chratze, in Rappen: the stake, or 0 for a redeal without ante (C2.5).

    In other games the antes differ by seat: see `due`.

    >>> ante_of_deal("chratze", {"ante_on_redeal": False}, deal_number=2)
    0
    """
    played = game_of(game)
    if played.ante_of_deal is None:
        raise Fault(
            "R1", "game", f"In {played.title} the ante is not the same for all seats and deals are not counted."
        )
    return played.ante_of_deal(rules, deal_number)


def pot_in_play(game: str, rules: Mapping[str, object], *, seats: int, pot_before: int, deal_number: int) -> int:
    """Return the pot P of a hand of Chratze, antes included, in Rappen (C6).

    >>> pot_in_play("chratze", {}, seats=5, pot_before=40, deal_number=1)
    140
    """
    return pot_before + seats * ante_of_deal(game, rules, deal_number=deal_number)


def due(
    game: str, rules: Mapping[str, object], *, seats: int, dealer: int, pot_before: int, deal_number: int = 1
) -> Due:
    """Return the antes due before a hand and the pot with them, in Rappen.

    In a game with cuts ``dealer`` is the seat that has the pack before them; payments for the cuts come on top (K3.2).

    Raises:
        Fault: the game, a house rule, the number of seats, the dealer or the pot is not allowed.

    >>> due("chratze", {}, seats=4, dealer=0, pot_before=100)
    Due(antes=(20, 20, 20, 20), muss=None, pot=180)
    >>> due("kratzen", {}, seats=4, dealer=0, pot_before=0)
    Due(antes=(20, 10, 10, 10), muss=True, pot=50)
    >>> due("kratzen", {}, seats=4, dealer=0, pot_before=100)
    Due(antes=(10, 0, 0, 0), muss=False, pot=110)
    """
    return game_of(game).due(Start(rules, seats, dealer, pot_before, deal_number))


def after_cuts(
    rules: Mapping[str, object],
    *,
    seats: int,
    dealer: int,
    cuts: Sequence[Sequence[str]],
    game: str = DEFAULT_WITH_CUTS,
) -> Cuts:
    """Return the dealer after some cuts and the payments of each seat for them, in Rappen (K3).

    ``cuts`` are cards or their symbols, as in a tally; further cuts may follow.

    Raises:
        Fault: the cuts are impossible, or the game has none.

    >>> after_cuts({}, seats=4, dealer=0, cuts=[["W", "x"], ["7", "7"], ["x"]])
    Cuts(dealer=2, payments=(10, 10, 20, 20))
    >>> after_cuts({}, seats=4, dealer=0, cuts=[["Ah"]])
    Cuts(dealer=1, payments=(0, 10, 0, 0))
    """
    played = game_of(game)
    if played.after_cuts is None:
        raise Fault("R1", "game", f"In {played.title} the pack is not cut for the dealer.")
    return played.after_cuts(Start(rules, seats, dealer, 0), cuts)


def _replay(record: object) -> dict[str, Any]:
    if type(record) is not dict:
        raise Fault("R1", "", f"A record is a JSON object, not {printable(record)}.")
    name = record.get("game")
    game = BY_NAME.get(name) if type(name) is str else None
    if game is None:
        raise no_such_game(name) if "game" in record else Fault("R1", "game", "The field game is missing.")
    result = game.replay(record)
    check_balanced(result)
    claimed = record.get("claimed")
    if claimed and claimed != result["deltas"]:
        expected = ", ".join(f"seat {seat} {change:+d}" for seat, change in enumerate(result["deltas"]))
        raise Fault("R6", "claimed", f"The sums written down are not those of the hand, which are: {expected}.")
    return result


def parsed(line: str | bytes) -> object:
    """Return the value of one line of JSON.

    Raises:
        Fault: R1 for a line that is not JSON, is too long, or names a field twice in one object.
    """
    if len(line) > LINE_LIMIT:
        raise Fault("R1", "", f"A record is one line of at most {LINE_LIMIT} bytes; this one is longer.")
    try:
        text = (line if isinstance(line, str) else line.decode("utf-8")).strip(_WHITESPACE)
        value, end = _DECODER.raw_decode(text)
        if end != len(text):
            raise json.JSONDecodeError("Extra data", text, end)
        return value
    except Fault:
        raise
    except UnicodeDecodeError as error:
        raise Fault("R1", "", f"The line is not UTF-8: byte {error.start} cannot be read.") from None
    except RecursionError:
        raise Fault("R1", "", "The record is nested too deeply.") from None
    except ValueError as error:  # a syntax error, or a number with more digits than Python accepts
        reason = (
            f"{error.msg} at character {error.pos}"
            if isinstance(error, json.JSONDecodeError)
            else "a number is too long"
        )
        raise Fault("R1", "", f"The line is not JSON: {reason}.") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; raise R1 for a repeated name, because `dict` would silently keep the second value."""
    fields = dict(pairs)
    if len(fields) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Fault("R1", "", f"The field {printable(twice)} is given twice in one object.")
    return fields


def _no_number(word: str) -> NoReturn:
    raise Fault("R1", "", f"{word} is no number in JSON.")


_WHITESPACE: Final = " \t\r\n"
_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number)
