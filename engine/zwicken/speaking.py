"""Z4: who plays."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.errors import Fault, printable
from engine.seats import check_seat, order_from
from engine.zwicken.record import Full, Tally

MIT, WEG = "mit", "weg"
ANSWERS: Final = (MIT, WEG)


class Spoken(NamedTuple):
    """The seats that play, ascending (Z4). Without one nobody plays; one alone takes the pot without play.

    ``forced`` is true in a forced hand, which all seats play.
    """

    forced: bool
    players: list[int]

    def in_order(self, dealer: int, seats: int) -> list[int]:
        """Return the seats that play in the order of play, from the dealer's left (Z5.1, Z6.1)."""
        return [seat for seat in order_after(dealer, seats) if seat in self.players]


def is_forced(pot_before: int) -> bool:
    """Return True if the pot holds nothing but stakes of this hand (Z4.1)."""
    return pot_before == 0


def order_after(dealer: int, seats: int) -> list[int]:
    """Return all seats from the dealer's left, the dealer last (Z3.1, Z4.2)."""
    return order_from((dealer + 1) % seats, seats)


def speak(hand: Full, dealer: int) -> Spoken:
    """Check the answers of a full record and return the seats that play (Z4.1, Z4.2)."""
    table = hand.table
    if is_forced(table.pot_before):
        if hand.answers:
            raise Fault("Z4.1", "answers", "The hand is forced: every seat plays and nobody speaks.")
        return _everybody(table.seats)
    players = []
    order = order_after(dealer, table.seats)
    for number, seat in enumerate(order):
        if number >= len(hand.answers):
            raise Fault("Z4.2", "answers", f"Seat {seat} has not spoken.")
        speaker, word = hand.answers[number]
        if speaker != seat:
            path = f"answers[{number}][0]"
            check_seat(speaker, table.seats, path)
            raise Fault("Z4.2", path, f"It is seat {seat}'s turn to speak, not seat {speaker}'s.")
        if word not in ANSWERS:
            raise Fault("Z4.2", f"answers[{number}][1]", f"Seat {seat} says {MIT} or {WEG}, not {printable(word)}.")
        if word == MIT:
            players.append(seat)
    if len(hand.answers) > len(order):
        raise Fault("Z4.2", f"answers[{len(order)}]", "Every seat has spoken already.")
    return Spoken(False, sorted(players))


def tally_players(hand: Tally) -> Spoken:
    """Check the seats that play in a tally and return them (Z4.1, Z4.2)."""
    table = hand.table
    if is_forced(table.pot_before):
        if hand.players:
            raise Fault("Z4.1", "players", "The hand is forced: every seat plays, so the field players must be empty.")
        return _everybody(table.seats)
    _check_seats(hand.players, table.seats)
    return Spoken(False, sorted(hand.players))


def _everybody(seats: int) -> Spoken:
    return Spoken(True, list(range(seats)))


def _check_seats(players: Sequence[int], seats: int) -> None:
    for place, seat in enumerate(players):
        path = f"players[{place}]"
        check_seat(seat, seats, path)
        if seat in players[:place]:
            raise Fault("R3", path, f"Seat {seat} is named twice among the seats that play.")
