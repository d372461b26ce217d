"""K5: who declares which game, what becomes trump, who joins."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from engine.cards import Deck, unknown_card
from engine.errors import Fault, shown
from engine.kratzen.dealing import ANY, OFF, Dealt, is_siebenermuss
from engine.kratzen.players import DECK, DECKS, WELI
from engine.record import KratzenFull, KratzenTable, KratzenTally
from engine.seats import check_seat, no_such_seat, order_from

SCHLAGEN, ODER, WEITER_ODER, WEITER = "schlagen", "oder", "weiter-oder", "weiter"
MIT, OHNE = "mit", "ohne"

CALLS: Final = (SCHLAGEN, ODER, WEITER_ODER, WEITER)
"""K5.2: the calls, the highest first."""


class Chosen(NamedTuple):
    """K5: who plays, and in what kind of hand. No declarer: passed out; no joiner: a walkover."""

    muss: bool
    seven: bool
    declarer: int | None
    joiners: list[int]

    @property
    def active(self) -> list[int]:
        """The seats that play."""
        return [] if self.declarer is None else [self.declarer, *self.joiners]

    def muss_clause(self, clause: str) -> str:
        """The clause that takes a choice away: K4.2 in a Siebenermuss, else the one named."""
        return "K4.2" if self.seven else clause


class Trump(NamedTuple):
    """The cards under the trump of the hand, and the stock that is left (still with the Weli of no suit)."""

    deck: Deck
    stock: int


def choose(hand: KratzenFull, dealt: Dealt, dealer: int, muss: bool) -> tuple[Chosen, Trump]:
    """K4.2 and K5 for a full record: the kind of the hand, the roles, the trump."""
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
    trump, decided = _turn_on(hand, dealt, declarer, call)
    if decided is not None and hand.table.rules.seven_muss == ANY and is_siebenermuss(hand.table.rules, decided):
        fields = ("last_word", "answers")
        _check_absent(hand, fields, "K4.2", f"A Siebenermuss by {decided}: all others join and no one answers")
        return everybody_plays(hand.table, declarer, seven=True), trump
    return Chosen(False, False, declarer, _answers(hand, declarer)), trump


def everybody_plays(table: KratzenTable, declarer: int, seven: bool) -> Chosen:
    """K5.1, K4.2: all others are joiners."""
    return Chosen(True, seven, declarer, sorted(order_from(declarer, table.seats)[1:]))


def _deck_of(card: str) -> Deck:
    """The cards under the trump that a card decides."""
    return DECKS[DECK.suit_of[DECK.bit[card]]]


def _check_absent(hand: KratzenFull, fields: Sequence[str], clause: str, why: str) -> None:
    for name in fields:
        if getattr(hand, name) not in ([], None):
            raise Fault(clause, name, f"{why}, so the field {name} must be empty.")


def _word(said: Sequence[list[Any]], number: int, seat: int, seats: int, field: str, clause: str) -> str:
    """The word of the call or answer that is ``seat``'s."""
    if number >= len(said):
        raise Fault(clause, field, f"Seat {seat} has not spoken.")
    speaker, word = said[number]
    if speaker != seat:
        check_seat(speaker, seats, f"{field}[{number}][0]")
        raise Fault(clause, f"{field}[{number}]", f"It is seat {seat}'s turn to speak, not seat {speaker}'s.")
    return str(word)


def _highest_call(hand: KratzenFull, dealer: int) -> tuple[int | None, str]:
    """K5.2, K5.4: who plays and what, or nobody."""
    seats = hand.table.seats
    declarer, highest, spoken = None, WEITER, 0
    for seat in order_from(dealer, seats):
        call = _word(hand.calls, spoken, seat, seats, "calls", "K5.2")
        if call not in CALLS:
            raise Fault("K5.2", f"calls[{spoken}]", f"Seat {seat} says {', '.join(CALLS)}, not {shown(call)}.")
        spoken += 1
        if CALLS.index(call) < CALLS.index(highest):
            declarer, highest = seat, call
        if call == SCHLAGEN:
            break
    if len(hand.calls) > spoken:
        why = "Nothing beats schlagen" if highest == SCHLAGEN else "Each seat speaks once"
        raise Fault("K5.2", f"calls[{spoken}]", f"{why}: nobody speaks any more.")
    return declarer, highest


def _turn_on(hand: KratzenFull, dealt: Dealt, declarer: int, call: str) -> tuple[Trump, str | None]:
    """K5.3: the trump after the cards turned by oder or weiter-oder, and the card that decided it, if one did."""
    stock, old = dealt.stock, DECK.suit_of[DECK.bit[dealt.turned]]
    if call == SCHLAGEN:
        _check_absent(hand, ("new_trump",), "K5.3", f"Seat {declarer} says schlagen, which keeps the trump")
        return Trump(DECKS[old], stock), None
    decided = None
    for number, name in enumerate(hand.new_trump):
        at = f"new_trump[{number}]"
        if name not in DECK.bit:
            raise unknown_card(name, at, DECK)
        if decided is not None:
            raise Fault("K5.3", at, f"The card {decided} has decided the trump, so no other card is turned.")
        card = DECK.bit[name]
        if not card & stock:
            raise Fault("K5.3", at, f"The card {name} is turned, but it is not in the stock any more.")
        stock ^= card
        if name != WELI and (call == WEITER_ODER or not card & old):
            decided = name
    if decided is not None:
        return Trump(_deck_of(decided), stock), decided
    if stock:
        wanted = "a card of another suit" if call == ODER else "a card of a suit"
        raise Fault("K5.3", "new_trump", f"Seat {declarer} says {call}: cards are turned until {wanted} comes.")
    return Trump(DECKS[old], stock), None


def _answers(hand: KratzenFull, declarer: int) -> list[int]:
    """K5.5, K5.6: who joins."""
    table, last = hand.table, hand.last_word
    order = order_from(declarer, table.seats)[1:]
    if last is not None:
        _check_last_word(table, declarer, last)
        order.remove(last)
        order.append(last)
    joiners: list[int] = []
    for number, seat in enumerate(order):
        word = _word(hand.answers, number, seat, table.seats, "answers", "K5.5")
        at = f"answers[{number}]"
        if word not in (MIT, OHNE):
            raise Fault("K5.5", at, f"Seat {seat} answers {MIT} or {OHNE}, not {shown(word)}.")
        if word == MIT:
            joiners.append(seat)
        elif seat == last and not joiners:
            raise Fault("K5.6", at, f"Nobody else has joined, so seat {seat}, who has the last word, must.")
    if len(hand.answers) > len(order):
        raise Fault(
            "K5.5",
            f"answers[{len(order)}]",
            f"Every seat but the declarer (seat {declarer}) has given its one answer already.",
        )
    return sorted(joiners)


def _check_last_word(table: KratzenTable, declarer: int, last: int) -> None:
    if not table.rules.last_word:
        raise Fault("K5.6", "last_word", f"The house rules give nobody the last word, not seat {shown(last)} either.")
    check_seat(last, table.seats, "last_word")
    if last == declarer:
        raise Fault("R3", "last_word", f"Seat {last} is the declarer and answers nobody: the last word is another's.")


def tally_choice(hand: KratzenTally, dealer: int, muss: bool) -> Chosen:
    """K4.2 and K5 for a tally: the kind of the hand and the roles, joiners ascending."""
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
            f"The hand is {why}: the declarer is seat {chosen.declarer}, who deals, not {shown(hand.declarer)}.",
        )
    if _joiners(hand) != chosen.joiners:
        raise Fault(
            chosen.muss_clause("K5.1"), "joiners", f"The hand is {why}: every seat but the declarer is a joiner."
        )
    return chosen


def _check_seven(hand: KratzenTally, muss: bool) -> None:
    """K4.2: the house rules know the Siebenermuss that the tally tells of."""
    rules = hand.table.rules
    if rules.seven_muss == OFF:
        raise Fault("K4.2", "seven", "The house rules know no Siebenermuss.")
    if hand.game_type is None:
        return
    if muss or hand.game_type == SCHLAGEN:
        raise Fault("K4.2", "game_type", f"The turned seven made a Siebenermuss, so nobody called {hand.game_type}.")
    if rules.seven_muss != ANY:
        raise Fault("K4.2", "seven", f"The house rules know no Siebenermuss by a seven turned after {hand.game_type}.")


def _called_siebenermuss(hand: KratzenTally) -> Chosen:
    """K5.3: the caller is declarer."""
    _check_declarer(hand)
    if hand.declarer is None:
        raise Fault("K4.2", "declarer", f"In a Siebenermuss after {hand.game_type} the caller is declarer.")
    return everybody_plays(hand.table, hand.declarer, seven=True)


def _free_choice(hand: KratzenTally) -> Chosen:
    """K5.2 to K5.5: whoever called, or nobody (K5.4)."""
    _check_declarer(hand)
    if hand.declarer is None:
        for name, value in (("game_type", hand.game_type), ("joiners", hand.joiners)):
            if value:
                raise Fault("K5.4", name, f"Nobody declared, so the field {name} must be empty.")
        return Chosen(False, False, None, [])
    if hand.game_type is None:
        raise Fault("R1", "game_type", f"Seat {hand.declarer} declared; the field game_type is missing.")
    return Chosen(False, False, hand.declarer, _joiners(hand))


def _check_declarer(hand: KratzenTally) -> None:
    if hand.declarer is not None:
        check_seat(hand.declarer, hand.table.seats, "declarer")


def _joiners(hand: KratzenTally) -> list[int]:
    """R3: the joiners of a tally, ascending."""
    seats, named = hand.table.seats, [hand.declarer, *hand.joiners]
    for place, seat in enumerate(hand.joiners):
        at = f"joiners[{place}]"
        if not 0 <= seat < seats:
            raise no_such_seat(seat, seats, at)
        if seat == hand.declarer:
            raise Fault("R3", at, f"Seat {seat} is the declarer and cannot join as well.")
        if seat in named[: place + 1]:
            raise Fault("R3", at, f"Seat {seat} is named twice among the joiners.")
    return sorted(hand.joiners)
