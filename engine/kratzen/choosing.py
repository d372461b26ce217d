"""K5: the declarer and the call, the trump, the joiners."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from engine.cards import Deck, unknown_card
from engine.errors import Fault, printable
from engine.kratzen.dealing import ANY, OFF, Dealt, is_siebenermuss
from engine.kratzen.players import DECK, DECKS, GOALS, SEVEN_GOALS, WELI
from engine.kratzen.record import Full, Table, Tally
from engine.kratzen.rules import house_rules
from engine.seats import check_joiners, check_seat, order_from
from engine.tricks import Goals

SCHLAGEN, ODER, WEITER_ODER, WEITER = "schlagen", "oder", "weiter-oder", "weiter"
MIT, OHNE = "mit", "ohne"

CALLS: Final = (SCHLAGEN, ODER, WEITER_ODER, WEITER)
"""The calls, the highest first (K5.2)."""


class Chosen(NamedTuple):
    """The roles and the kind of the hand (K5).

    Without a declarer the hand is passed out, without a joiner it is a walkover. ``seven`` is true in a Siebenermuss.
    """

    muss: bool
    seven: bool
    declarer: int | None
    joiners: list[int]

    @property
    def active(self) -> list[int]:
        """The seats that play, the declarer first."""
        return [] if self.declarer is None else [self.declarer, *self.joiners]

    @property
    def goals(self) -> Goals:
        """The tricks that the declarer and a joiner need (K8.1)."""
        return SEVEN_GOALS if self.seven else GOALS

    def muss_clause(self, clause: str) -> str:
        """Return the clause that a choice in a Muss breaks: K4.2 in a Siebenermuss, else the given one."""
        return "K4.2" if self.seven else clause


class Trump(NamedTuple):
    """The deck of the trump suit, and the remaining stock as bits of `DECK` (the Weli without a suit)."""

    deck: Deck
    stock: int


def choose(hand: Full, dealt: Dealt, dealer: int, muss: bool) -> tuple[Chosen, Trump]:
    """Check the calls and answers of a full record; return the roles and the trump (K4.2, K5)."""
    trump = Trump(_deck_of(dealt.turned), dealt.stock)
    seven = is_siebenermuss(hand.table.rules, dealt.turned)
    if muss or seven:
        chosen = everybody_plays(hand.table, dealer, seven)
        why = "a Siebenermuss" if seven else "a Muss"
        fields: tuple[str, ...] = ("calls", "new_trump", "last_word", "answers")
        _check_absent(hand, fields, chosen.muss_clause("K5.1"), f"The hand is {why}: no one speaks")
        return chosen, trump
    declarer, call = _highest_call(hand, dealer)
    if declarer is None:
        fields = ("new_trump", "last_word", "answers")
        _check_absent(hand, fields, "K5.4", "Everybody has said weiter and the hand is passed out")
        return Chosen(False, False, None, []), trump
    trump, decided = _turn_for_trump(hand, dealt, declarer, call)
    if decided is not None and hand.table.rules.seven_muss == ANY and is_siebenermuss(hand.table.rules, decided):
        fields = ("last_word", "answers")
        _check_absent(hand, fields, "K4.2", f"A Siebenermuss by {decided}: all others join and no one answers")
        return everybody_plays(hand.table, declarer, seven=True), trump
    return Chosen(False, False, declarer, _answers(hand, declarer)), trump


def everybody_plays(table: Table, declarer: int, seven: bool) -> Chosen:
    """Return the roles of a Muss: all seats but the declarer are joiners (K5.1, K4.2)."""
    return Chosen(True, seven, declarer, sorted(order_from(declarer, table.seats)[1:]))


def _deck_of(card: str) -> Deck:
    """Return the deck of the trump suit that a card decides."""
    return DECKS[DECK.suit_of[DECK.bit[card]]]


def _check_absent(hand: Full, fields: Sequence[str], clause: str, why: str) -> None:
    for name in fields:
        if getattr(hand, name) not in ([], None):
            raise Fault(clause, name, f"{why}, so the field {name} must be empty.")


def _word_of(entries: Sequence[list[Any]], number: int, seat: int, seats: int, field: str, clause: str) -> str:
    """Return the word of a call or an answer; raise ``clause`` unless it is that of ``seat``."""
    if number >= len(entries):
        raise Fault(clause, field, f"Seat {seat} has not spoken.")
    speaker, word = entries[number]
    if speaker != seat:
        check_seat(speaker, seats, f"{field}[{number}][0]")
        raise Fault(clause, f"{field}[{number}]", f"It is seat {seat}'s turn to speak, not seat {speaker}'s.")
    return str(word)


def _highest_call(hand: Full, dealer: int) -> tuple[int | None, str]:
    """Return the declarer and the highest call; the declarer is None if all said weiter (K5.2, K5.4)."""
    seats = hand.table.seats
    declarer, highest, call_count = None, WEITER, 0
    for seat in order_from(dealer, seats):
        call = _word_of(hand.calls, call_count, seat, seats, "calls", "K5.2")
        if call not in CALLS:
            raise Fault("K5.2", f"calls[{call_count}]", f"Seat {seat} says {', '.join(CALLS)}, not {printable(call)}.")
        call_count += 1
        if CALLS.index(call) < CALLS.index(highest):
            declarer, highest = seat, call
        if call == SCHLAGEN:
            break
    if len(hand.calls) > call_count:
        why = "Nothing beats schlagen" if highest == SCHLAGEN else "Each seat speaks once"
        raise Fault("K5.2", f"calls[{call_count}]", f"{why}: nobody speaks any more.")
    return declarer, highest


def _turn_for_trump(hand: Full, dealt: Dealt, declarer: int, call: str) -> tuple[Trump, str | None]:
    """Return the trump after oder or weiter-oder, and the turned card that decided it, if any (K5.3)."""
    stock, old = dealt.stock, DECK.suit_of[DECK.bit[dealt.turned]]
    if call == SCHLAGEN:
        _check_absent(hand, ("new_trump",), "K5.3", f"Seat {declarer} says schlagen, which keeps the trump")
        return Trump(DECKS[old], stock), None
    decided = None
    for number, name in enumerate(hand.new_trump):
        path = f"new_trump[{number}]"
        if name not in DECK.bit:
            raise unknown_card(name, path, DECK)
        if decided is not None:
            raise Fault("K5.3", path, f"The card {decided} has decided the trump, so no other card is turned.")
        card = DECK.bit[name]
        if not card & stock:
            raise Fault("K5.3", path, f"The card {name} is turned, but it is not in the stock any more.")
        stock ^= card
        if name != WELI and (call == WEITER_ODER or not card & old):
            decided = name
    if decided is not None:
        return Trump(_deck_of(decided), stock), decided
    if stock:
        wanted = "a card of another suit" if call == ODER else "a card of a suit"
        raise Fault("K5.3", "new_trump", f"Seat {declarer} says {call}: cards are turned until {wanted} comes.")
    return Trump(DECKS[old], stock), None


def _answers(hand: Full, declarer: int) -> list[int]:
    """Return the joiners, ascending (K5.5, K5.6)."""
    table, last = hand.table, hand.last_word
    order = order_from(declarer, table.seats)[1:]
    if last is not None:
        _check_last_word(table, declarer, last)
        order.remove(last)
        order.append(last)
    joiners: list[int] = []
    for number, seat in enumerate(order):
        word = _word_of(hand.answers, number, seat, table.seats, "answers", "K5.5")
        path = f"answers[{number}]"
        if word not in (MIT, OHNE):
            raise Fault("K5.5", path, f"Seat {seat} answers {MIT} or {OHNE}, not {printable(word)}.")
        if word == MIT:
            joiners.append(seat)
        elif seat == last and not joiners:
            raise Fault("K5.6", path, f"Nobody else has joined, so seat {seat}, who has the last word, must.")
    if len(hand.answers) > len(order):
        raise Fault(
            "K5.5",
            f"answers[{len(order)}]",
            f"Every seat but the declarer (seat {declarer}) has given its one answer already.",
        )
    return sorted(joiners)


def _check_last_word(table: Table, declarer: int, last: int) -> None:
    if not table.rules.last_word:
        raise Fault(
            "K5.6", "last_word", f"The house rules do not allow the last word, which seat {printable(last)} claims."
        )
    check_seat(last, table.seats, "last_word")
    if last == declarer:
        raise Fault(
            "R3", "last_word", f"Seat {last} is the declarer and gives no answer, so it cannot have the last word."
        )


def tally_choice(hand: Tally, dealer: int, muss: bool) -> Chosen:
    """Check the kind of the hand and the roles of a tally and return them, joiners ascending (K4.2, K5)."""
    table = hand.table
    if hand.seven:
        _check_seven(hand, muss)
    if hand.seven and hand.game_type is not None:
        chosen = _called_siebenermuss(hand)
    elif hand.seven or muss:
        chosen = everybody_plays(table, dealer, hand.seven)
    else:
        return _free_choice(hand)
    why = "a Siebenermuss" if hand.seven else "a Muss"
    if hand.game_type is not None and not hand.seven:
        raise Fault("K5.1", "game_type", f"The hand is {why}, so nobody has called {hand.game_type}.")
    _check_declarer(hand)
    if hand.declarer != chosen.declarer:
        raise Fault(
            chosen.muss_clause("K5.1"),
            "declarer",
            f"The hand is {why}: the declarer is seat {chosen.declarer}, who deals, not {printable(hand.declarer)}.",
        )
    if _joiners(hand) != chosen.joiners:
        raise Fault(
            chosen.muss_clause("K5.1"), "joiners", f"The hand is {why}: every seat but the declarer is a joiner."
        )
    return chosen


def _check_seven(hand: Tally, muss: bool) -> None:
    """Check that the house rules allow the Siebenermuss of a tally (K4.2)."""
    rules = hand.table.rules
    if rules.seven_muss == OFF:
        raise Fault("K4.2", "seven", "The house rules allow no Siebenermuss.")
    if hand.game_type is None:
        return
    if muss or hand.game_type == SCHLAGEN:
        raise Fault("K4.2", "game_type", f"The turned seven made a Siebenermuss, so nobody called {hand.game_type}.")
    if rules.seven_muss != ANY:
        raise Fault("K4.2", "seven", f"The house rules allow no Siebenermuss by a seven turned after {hand.game_type}.")


def _called_siebenermuss(hand: Tally) -> Chosen:
    """Return the roles of a Siebenermuss after oder or weiter-oder: the caller is the declarer (K5.3)."""
    _check_declarer(hand)
    if hand.declarer is None:
        raise Fault("K4.2", "declarer", f"In a Siebenermuss after {hand.game_type} the caller is declarer.")
    return everybody_plays(hand.table, hand.declarer, seven=True)


def _free_choice(hand: Tally) -> Chosen:
    """Return the roles of a free hand: declarer and joiners (K5.2 to K5.5), or none if it is passed out (K5.4)."""
    _check_declarer(hand)
    if hand.declarer is None:
        for name, value in (("game_type", hand.game_type), ("joiners", hand.joiners)):
            if value:
                raise Fault("K5.4", name, f"Nobody declared, so the field {name} must be empty.")
        return Chosen(False, False, None, [])
    if hand.game_type is None:
        raise Fault("R1", "game_type", f"Seat {hand.declarer} declared; the field game_type is missing.")
    return Chosen(False, False, hand.declarer, _joiners(hand))


def _check_declarer(hand: Tally) -> None:
    if hand.declarer is not None:
        check_seat(hand.declarer, hand.table.seats, "declarer")


def _joiners(hand: Tally) -> list[int]:
    check_joiners(hand.declarer, hand.joiners, hand.table.seats)
    return sorted(hand.joiners)


def was_siebenermuss(record: Mapping[str, Any], result: Mapping[str, Any]) -> bool:
    """Return True if a seven decided the trump of a settled hand (K4.2, K5.3), from its record and its result."""
    if not result["muss"]:
        return False
    if "deal" not in record:
        return bool(record.get("seven"))
    # A called Muss is one by K5.3; otherwise the turned card decides.
    allowed = house_rules(record.get("rules", {})).seven_muss != OFF
    return allowed and (bool(record.get("calls")) or bool(record["deal"]["turned"][-1].startswith("7")))
