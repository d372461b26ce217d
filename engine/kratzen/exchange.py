"""K6: discards, draws, extra cards for trumps laid open, and the drop to four cards."""

from collections.abc import Sequence
from typing import Any, Final

from engine.cards import Deck, highest, names, unknown_card
from engine.errors import Fault, seat_list
from engine.kratzen.choosing import Chosen, Trump
from engine.kratzen.dealing import HAND
from engine.kratzen.players import trumps, with_weli_as_trump
from engine.kratzen.record import Full
from engine.seats import check_seat, order_from

Entry = dict[str, Any]

MOST_DISCARDS: Final = 3
"""A seat discards at most so many cards, or its whole hand (K6.2)."""

DRAWN_FOR_ALL: Final = 5
"""The cards drawn for a whole hand (K6.2), and the cards given for the trump ace laid open (K6.3)."""

_BEFORE_DROP: Final = ("discard", "draw", "show", "open", "hidden")


def exchange(hand: Full, hands: list[int], trump: Trump, chosen: Chosen, dealer: int) -> None:
    """Check and apply all exchanges, the dealer's first (K6.1 to K6.5); ``hands`` have four cards each afterwards.

    ``hands`` and the stock are bits of `DECK` before (the Weli has no suit) and bits of the trump's deck afterwards.
    """
    deck = trump.deck
    hands[:] = [with_weli_as_trump(deck, cards) for cards in hands]
    stock = with_weli_as_trump(deck, trump.stock)
    order = [seat for seat in order_from(dealer, hand.table.seats) if seat in chosen.active]
    waiting = 0
    for number, entry in enumerate(hand.exchanges):
        seat, path = entry["seat"], f"exchanges[{number}]"
        try:
            turn = order.index(seat, waiting)
        except ValueError:
            raise _not_its_turn(hand.table.seats, seat, order[waiting:], f"{path}.seat") from None
        _check_down_to_four(hands, order[waiting:turn])
        waiting = turn + 1
        if chosen.muss:
            _check_only_drop(entry, path, chosen)
        else:
            hands[seat], stock = _Exchange(entry, path, deck).apply(hands[seat], stock, hand.table.rules.open_trumps)
        hands[seat] = _drop(entry, path, hands[seat], deck)
    _check_down_to_four(hands, order[waiting:])


def _not_its_turn(seats: int, seat: int, waiting: Sequence[int], path: str) -> Fault:
    check_seat(seat, seats, path)
    who = f"Only {seat_list(waiting)}" if waiting else "Nobody"
    return Fault("K6.1", path, f"{who} can still exchange, not seat {seat}.")


def _check_down_to_four(hands: Sequence[int], without_entry: Sequence[int]) -> None:
    """Check that seats without an entry hold four cards; only the dealer can hold more without drawing (K6.5)."""
    for seat in without_entry:
        held = hands[seat].bit_count()
        if held > HAND:
            raise Fault("K6.5", "exchanges", f"Seat {seat} holds {held} cards and drops down to {HAND}.")


def _check_only_drop(entry: Entry, path: str, chosen: Chosen) -> None:
    """Check that an entry of a Muss contains only a drop (K6.1, K4.2)."""
    for name in _BEFORE_DROP:
        if entry.get(name):
            why = "a Siebenermuss" if chosen.seven else "a Muss"
            raise Fault(
                chosen.muss_clause("K6.1"),
                f"{path}.{name}",
                f"The hand is {why}: nobody exchanges, only a drop is left.",
            )


def _drop(entry: Entry, path: str, hand: int, deck: Deck) -> int:
    """Check and apply the drop to four cards; return the hand (K6.5)."""
    seat, dropped = entry["seat"], entry.get("drop", ())
    surplus = hand.bit_count() - HAND
    if len(dropped) != surplus:
        raise Fault("K6.5", f"{path}.drop", f"Seat {seat} drops {surplus} to keep {HAND} cards, not {len(dropped)}.")
    for place, name in enumerate(dropped):
        card = _bit_of(name, f"{path}.drop[{place}]", deck)
        if not card & hand:
            raise Fault("K6.5", f"{path}.drop[{place}]", f"Seat {seat} drops {name} but holds {names(hand, deck)}.")
        hand ^= card
    return hand


def _bit_of(name: str, path: str, deck: Deck) -> int:
    if name not in deck.bit:
        raise unknown_card(name, path, deck)
    return deck.bit[name]


def extra_card_count(shown: int, given: int, deck: Deck) -> int:
    """Return the number of cards face up due for trumps laid open, and for trumps among the cards already given (K6.3).

    The trump ace counts only among the cards given; laid open it brings cards face down instead.
    """
    ace = highest(trumps(deck))
    return (shown & ~ace).bit_count() + (given & trumps(deck)).bit_count()


def draw_count(held: int, discarded: int, stock: int) -> int:
    """Return the number of cards drawn for some discards; it exceeds ``stock`` if these are too many (K6.2, K6.4)."""
    if discarded == held:
        return min(DRAWN_FOR_ALL, max(HAND, stock))
    return discarded


class _Exchange:
    """The exchange of one seat without its drop; each step takes cards out of the stock."""

    def __init__(self, entry: Entry, at: str, deck: Deck) -> None:
        self.entry = entry
        self.at = at
        self.deck = deck
        self.who = f"Seat {entry['seat']}"

    def apply(self, hand: int, stock: int, open_trumps: bool) -> tuple[int, int]:
        """Check and apply the exchange; return the hand and the stock (K6.2 to K6.4)."""
        self.stock = stock
        due = self._discards(hand, stock.bit_count())
        hand ^= self._mask("discard")
        drawn = self._take("draw", due, "K6.2")
        hand |= drawn
        shown = self._shown(drawn, due == DRAWN_FOR_ALL, open_trumps)
        return hand | self._open(shown) | self._hidden(shown), self.stock

    def _cards(self, field: str) -> Sequence[str]:
        cards: Sequence[str] = self.entry.get(field, ())
        return cards

    def _mask(self, field: str) -> int:
        return sum(self.deck.bit[name] for name in self._cards(field))

    def _discards(self, hand: int, in_stock: int) -> int:
        """Check the discards and return the number of cards drawn for them (K6.2, K6.4)."""
        held, away, path = hand.bit_count(), len(self._cards("discard")), f"{self.at}.discard"
        for place, name in enumerate(self._cards("discard")):
            card = _bit_of(name, f"{path}[{place}]", self.deck)
            if not card & hand:
                holds = names(hand, self.deck) or "no card"
                raise Fault("K6.2", f"{path}[{place}]", f"{self.who} discards {name} but holds {holds}.")
            hand ^= card
        if MOST_DISCARDS < away < held:
            raise Fault(
                "K6.2", path, f"{self.who} discards up to {MOST_DISCARDS} cards or all {held} of its hand, not {away}."
            )
        due = draw_count(held, away, in_stock)
        if due > in_stock:
            raise Fault(
                "K6.4", path, f"{self.who} needs {due} cards for those it discards, but the stock has {in_stock}."
            )
        return due

    def _take(self, field: str, due: int, clause: str) -> int:
        """Take the cards of a field from the stock; their number must be ``due``."""
        cards = self._cards(field)
        if len(cards) != due:
            verb = {"draw": "draws", "hidden": "gets face down"}[field]
            raise Fault(clause, f"{self.at}.{field}", f"{self.who} {verb} {due} cards, not {len(cards)}.")
        taken = 0
        for place, name in enumerate(cards):
            taken |= self._from_stock(name, f"{self.at}.{field}[{place}]")
        return taken

    def _from_stock(self, name: str, path: str) -> int:
        card = _bit_of(name, path, self.deck)
        if not card & self.stock:
            raise Fault("K6.4", path, f"{self.who} gets {name}, which is not in the stock any more.")
        self.stock ^= card
        return card

    def _shown(self, drawn: int, five_drawn: bool, open_trumps: bool) -> int:
        """Check and return the trumps laid open, which must be among the five cards drawn (K6.3)."""
        path, shown = f"{self.at}.show", 0
        if self._cards("show") and not open_trumps:
            raise Fault("K6.3", path, "The house rules give no cards for trumps laid open.")
        if self._cards("show") and not five_drawn:
            raise Fault("K6.3", path, f"{self.who} has not drawn five cards and lays no trump open.")
        for place, name in enumerate(self._cards("show")):
            card = _bit_of(name, f"{path}[{place}]", self.deck)
            if not card & drawn & trumps(self.deck) & ~shown:
                may = names(drawn & trumps(self.deck) & ~shown, self.deck) or "no trump"
                raise Fault(
                    "K6.3", f"{path}[{place}]", f"{self.who} lays {name} open, but of the five drawn it has {may}."
                )
            shown |= card
        return shown

    def _open(self, shown: int) -> int:
        """Take a card face up for each trump laid open but the ace, and for each trump among those cards (K6.3)."""
        path, given = f"{self.at}.open", 0
        for place, name in enumerate(self._cards("open")):
            if given.bit_count() == extra_card_count(shown, given, self.deck):
                raise Fault(
                    "K6.3", f"{path}[{place}]", f"{self.who} gets {given.bit_count()} cards face up, not {name} too."
                )
            given |= self._from_stock(name, f"{path}[{place}]")
        due = extra_card_count(shown, given, self.deck)
        if self.stock and given.bit_count() < due:
            raise Fault("K6.3", path, f"{self.who} gets {due} cards face up, not {given.bit_count()}.")
        return given

    def _hidden(self, shown: int) -> int:
        """Take five cards face down for the trump ace laid open (K6.3)."""
        ace = highest(trumps(self.deck))
        due = min(DRAWN_FOR_ALL, self.stock.bit_count()) if shown & ace else 0
        return self._take("hidden", due, "K6.3")
