"""K6: discards, draws, trumps laid open for more cards, and down to four."""

from collections.abc import Sequence
from typing import Any, Final

from engine.cards import Deck, highest, names, unknown_card
from engine.errors import Fault, listed
from engine.kratzen.choosing import Chosen, Trump
from engine.kratzen.dealing import HAND
from engine.kratzen.players import trumps, under
from engine.record import KratzenFull
from engine.seats import check_seat, order_from

Entry = dict[str, Any]

MOST_DISCARDS: Final = 3
"""K6.2: so many cards at most are changed, else the whole hand."""

DRAWN_FOR_ALL: Final = 5
"""K6.2: cards drawn for a whole hand; so many come for the trump ace laid open too (K6.3)."""

_BEFORE_DROP: Final = ("discard", "draw", "show", "open", "hidden")


def exchange(hand: KratzenFull, hands: list[int], trump: Trump, chosen: Chosen, dealer: int) -> None:
    """K6.1 to K6.5: the active seats exchange, the dealer first; ``hands`` hold four cards each afterwards.

    Before, ``hands`` and the stock have the Weli of no suit; afterwards it is among the trumps.
    """
    deck = trump.deck
    hands[:] = [under(deck, cards) for cards in hands]
    stock = under(deck, trump.stock)
    order = [seat for seat in order_from(dealer, hand.table.seats) if seat in chosen.active]
    waiting = 0
    for number, entry in enumerate(hand.exchanges):
        seat, at = entry["seat"], f"exchanges[{number}]"
        try:
            turn = order.index(seat, waiting)
        except ValueError:
            raise _not_its_turn(hand.table.seats, seat, order[waiting:], f"{at}.seat") from None
        _check_down_to_four(hands, order[waiting:turn])
        waiting = turn + 1
        if chosen.muss:
            _check_drop_alone(entry, at, chosen)
        else:
            hands[seat], stock = _Exchange(entry, at, deck).of(hands[seat], stock, hand.table.rules.open_trumps)
        hands[seat] = _drop(entry, at, hands[seat], deck)
    _check_down_to_four(hands, order[waiting:])


def _not_its_turn(seats: int, seat: int, waiting: Sequence[int], at: str) -> Fault:
    check_seat(seat, seats, at)
    who = f"Only {listed(waiting)}" if waiting else "Nobody"
    return Fault("K6.1", at, f"{who} can still exchange, not seat {seat}.")


def _check_down_to_four(hands: Sequence[int], without_entry: Sequence[int]) -> None:
    """K6.5: only the dealer can hold more than four cards without having drawn any."""
    for seat in without_entry:
        held = hands[seat].bit_count()
        if held > HAND:
            raise Fault("K6.5", "exchanges", f"Seat {seat} holds {held} cards and drops down to {HAND}.")


def _check_drop_alone(entry: Entry, at: str, chosen: Chosen) -> None:
    """K6.1, K4.2: nobody exchanges in a Muss."""
    for name in _BEFORE_DROP:
        if entry.get(name):
            why = "a Siebenermuss" if chosen.seven else "a Muss"
            raise Fault(
                chosen.muss_clause("K6.1"), f"{at}.{name}", f"The hand is {why}: nobody exchanges, only a drop is left."
            )


def _drop(entry: Entry, at: str, hand: int, deck: Deck) -> int:
    """K6.5: down to four cards."""
    seat, dropped = entry["seat"], entry.get("drop", ())
    surplus = hand.bit_count() - HAND
    if len(dropped) != surplus:
        raise Fault("K6.5", f"{at}.drop", f"Seat {seat} drops {surplus} to keep {HAND} cards, not {len(dropped)}.")
    for place, name in enumerate(dropped):
        card = _known(name, f"{at}.drop[{place}]", deck)
        if not card & hand:
            raise Fault("K6.5", f"{at}.drop[{place}]", f"Seat {seat} drops {name} but holds {names(hand, deck)}.")
        hand ^= card
    return hand


def _known(name: str, at: str, deck: Deck) -> int:
    if name not in deck.bit:
        raise unknown_card(name, at, deck)
    return deck.bit[name]


def extra_due(shown: int, given: int, deck: Deck) -> int:
    """K6.3: how many cards face up are due for trumps laid open and for those among the cards already given.

    The trump ace laid open counts for none of these; among the cards given it is like any other trump.
    """
    ace = highest(trumps(deck))
    return (shown & ~ace).bit_count() + (given & trumps(deck)).bit_count()


def draws_due(held: int, discarded: int, stock: int) -> int:
    """K6.2, K6.4: how many cards are drawn for some put away; more than ``stock`` where it cannot be."""
    if discarded == held:
        return min(DRAWN_FOR_ALL, max(HAND, stock))
    return discarded


class _Exchange:
    """One seat's exchange up to its drop; every step takes cards out of the stock."""

    def __init__(self, entry: Entry, at: str, deck: Deck) -> None:
        self.entry = entry
        self.at = at
        self.deck = deck
        self.who = f"Seat {entry['seat']}"

    def of(self, hand: int, stock: int, open_trumps: bool) -> tuple[int, int]:
        """K6.2 to K6.4: the hand and the stock afterwards."""
        self.stock = stock
        due = self._discards(hand, stock.bit_count())
        hand ^= self._mask("discard")
        drawn = self._taken("draw", due, "K6.2")
        hand |= drawn
        shown = self._shown(drawn, due == DRAWN_FOR_ALL, open_trumps)
        return hand | self._open(shown) | self._hidden(shown), self.stock

    def _cards(self, field: str) -> Sequence[str]:
        cards: Sequence[str] = self.entry.get(field, ())
        return cards

    def _mask(self, field: str) -> int:
        return sum(self.deck.bit[name] for name in self._cards(field))

    def _discards(self, hand: int, in_stock: int) -> int:
        """K6.2, K6.4: what is put away is held, and can be replaced; how many cards are drawn for it."""
        held, away, at = hand.bit_count(), len(self._cards("discard")), f"{self.at}.discard"
        for place, name in enumerate(self._cards("discard")):
            card = _known(name, f"{at}[{place}]", self.deck)
            if not card & hand:
                holds = names(hand, self.deck) or "no card"
                raise Fault("K6.2", f"{at}[{place}]", f"{self.who} discards {name} but holds {holds}.")
            hand ^= card
        if MOST_DISCARDS < away < held:
            raise Fault(
                "K6.2", at, f"{self.who} discards up to {MOST_DISCARDS} cards or all {held} of its hand, not {away}."
            )
        due = draws_due(held, away, in_stock)
        if due > in_stock:
            raise Fault(
                "K6.4", at, f"{self.who} needs {due} cards for those it discards, but the stock has {in_stock}."
            )
        return due

    def _taken(self, field: str, due: int, clause: str) -> int:
        """Some cards from the stock, as many as are due."""
        cards = self._cards(field)
        if len(cards) != due:
            said = {"draw": "draws", "hidden": "gets face down"}[field]
            raise Fault(clause, f"{self.at}.{field}", f"{self.who} {said} {due} cards, not {len(cards)}.")
        taken = 0
        for place, name in enumerate(cards):
            taken |= self._from_stock(name, f"{self.at}.{field}[{place}]")
        return taken

    def _from_stock(self, name: str, at: str) -> int:
        card = _known(name, at, self.deck)
        if not card & self.stock:
            raise Fault("K6.4", at, f"{self.who} gets {name}, which is not in the stock any more.")
        self.stock ^= card
        return card

    def _shown(self, drawn: int, five_drawn: bool, open_trumps: bool) -> int:
        """K6.3: the trumps laid open, all of them among the five drawn."""
        at, shown = f"{self.at}.show", 0
        if self._cards("show") and not open_trumps:
            raise Fault("K6.3", at, "The house rules give no cards for trumps laid open.")
        if self._cards("show") and not five_drawn:
            raise Fault("K6.3", at, f"{self.who} has not drawn five cards and lays no trump open.")
        for place, name in enumerate(self._cards("show")):
            card = _known(name, f"{at}[{place}]", self.deck)
            if not card & drawn & trumps(self.deck) & ~shown:
                may = names(drawn & trumps(self.deck) & ~shown, self.deck) or "no trump"
                raise Fault(
                    "K6.3", f"{at}[{place}]", f"{self.who} lays {name} open, but of the five drawn it has {may}."
                )
            shown |= card
        return shown

    def _open(self, shown: int) -> int:
        """K6.3: a card face up for each trump laid open but the ace, and for each trump among those given."""
        at, given = f"{self.at}.open", 0
        for place, name in enumerate(self._cards("open")):
            if given.bit_count() == extra_due(shown, given, self.deck):
                raise Fault(
                    "K6.3", f"{at}[{place}]", f"{self.who} gets {given.bit_count()} cards face up, not {name} too."
                )
            given |= self._from_stock(name, f"{at}[{place}]")
        due = extra_due(shown, given, self.deck)
        if self.stock and given.bit_count() < due:
            raise Fault("K6.3", at, f"{self.who} gets {due} cards face up, not {given.bit_count()}.")
        return given

    def _hidden(self, shown: int) -> int:
        """K6.3: five cards face down for the trump ace laid open."""
        ace = highest(trumps(self.deck))
        due = min(DRAWN_FOR_ALL, self.stock.bit_count()) if shown & ace else 0
        return self._taken("hidden", due, "K6.3")
