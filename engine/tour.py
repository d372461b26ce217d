"""A whole hand of Kratzen step by step, to look at: the record is replayed first, so nothing is verified here."""

from typing import Any, Final

from engine.cards import BIT, highest, mask_of
from engine.errors import Fault
from engine.kratzen.choosing import choose
from engine.kratzen.cutting import cut, is_muss
from engine.kratzen.dealing import deal
from engine.kratzen.players import WELI, trumps
from engine.record import KratzenFull, read_kratzen
from engine.replay import replay
from engine.seats import order_from
from engine.steps import Course, Scene, Step
from engine.tricks import turned_to

CARDS: Final = 33
"""K1.2."""

_SHOWN: Final = {WELI: "Weli"}
"""How the Weli is called here: as itself, whatever card of another pack has its name."""


def tour(record: dict[str, Any]) -> Course:
    """Everything that happened in a whole full record of Kratzen; nothing is asked at its end.

    Raises:
        Fault: the record is no valid full hand of Kratzen.
    """
    result = replay(record)
    if not result["ok"]:
        raise Fault(**result["error"])
    hand = read_kratzen(record)
    if not isinstance(hand, KratzenFull):
        raise Fault("R1", "deal", "The record tells no cards: the field deal is missing.")
    return _Tour(hand).course()


class _Tour:
    def __init__(self, hand: KratzenFull) -> None:
        table = hand.table
        self.hand = hand
        self.seats = table.seats
        self.dealer = cut(
            table.rules, seats=table.seats, dealer=table.dealer, cuts=table.cuts, with_symbols=False
        ).dealer
        dealt = deal(hand, self.dealer)
        muss = is_muss(table.rules, table.pot_before)
        self.chosen, self.trump = choose(hand, dealt, self.dealer, muss)
        self.hands: list[set[str]] = [set() for _ in range(table.seats)]
        self.turned: list[str] = []
        self.stock = CARDS
        self.trick: list[tuple[int, str]] = []
        self.taken = [0] * table.seats
        self.scenes: list[Scene] = []

    def course(self) -> Course:
        for number, cards in enumerate(self.hand.table.cuts):
            self._scene(Step("cut", f"cuts[{number}]", None, _shown(cards)))
        self._dealing()
        self._speaking()
        for number, entry in enumerate(self.hand.exchanges):
            self._exchange(entry, number)
        self._playing()
        return Course(tuple(self.scenes), None, None, self.dealer)

    def _scene(self, step: Step, winner: int | None = None) -> None:
        hands = tuple(_shown(sorted(hand, key=BIT.__getitem__, reverse=True)) for hand in self.hands)
        trick = tuple((seat, _SHOWN.get(card, card)) for seat, card in self.trick)
        self.scenes.append(Scene(step, hands, _shown(self.turned), self.stock, trick, tuple(self.taken), winner))

    def _dealing(self) -> None:
        """K4.1: from the dealer's left; the turned cards are the dealer's."""
        for seat in order_from((self.dealer + 1) % self.seats, self.seats):
            cards = self.hand.hands[seat]
            self.hands[seat].update(cards)
            self.stock -= len(cards)
            self._scene(Step("deal", f"deal.hands[{seat}]", seat, _shown(cards)))
        for number, card in enumerate(self.hand.turned):
            self._turn(card, Step("turn", f"deal.turned[{number}]", None, _shown([card])))
            self.hands[self.dealer].add(card)

    def _turn(self, card: str, step: Step) -> None:
        self.turned.append(card)
        self.stock -= 1
        self._scene(step)

    def _speaking(self) -> None:
        """K5."""
        for number, (seat, word) in enumerate(self.hand.calls):
            self._scene(Step("call", f"calls[{number}]", seat, word=word))
        for number, card in enumerate(self.hand.new_trump):
            self._turn(card, Step("trump", f"new_trump[{number}]", None, _shown([card])))
        for number, (seat, word) in enumerate(self.hand.answers):
            self._scene(Step("answer", f"answers[{number}]", seat, word=word))

    def _exchange(self, entry: dict[str, Any], number: int) -> None:
        """K6."""
        seat, away, drop = entry["seat"], entry.get("discard", []), entry.get("drop", [])
        drawn = [card for field in ("draw", "open", "hidden") for card in entry.get(field, ())]
        self.hands[seat] = ((self.hands[seat] - set(away)) | set(drawn)) - set(drop)
        self.stock -= len(drawn)
        step = Step("exchange", f"exchanges[{number}]", seat, _shown(drawn), "", _shown(away), _shown(drop))
        self._scene(step)

    def _playing(self) -> None:
        """K7."""
        deck = self.trump.deck
        order = [seat for seat in order_from(self.chosen.declarer or 0, self.seats) if seat in self.chosen.active]
        for number, cards in enumerate(self.hand.play):
            self.trick, winner = [], None
            for place, card in enumerate(cards):
                seat = order[place]
                self.hands[seat].discard(card)
                self.trick.append((seat, card))
                if len(self.trick) == len(order):
                    lying = mask_of(cards, deck.bit)
                    best = highest(lying & trumps(deck) or lying & deck.suit_of[deck.bit[cards[0]]])
                    winner = next(who for who, laid in self.trick if deck.bit[laid] == best)
                    self.taken[winner] += 1
                    order = [*turned_to(order, order.index(winner))]
                self._scene(Step("card", f"play[{number}][{place}]", seat, _shown([card])), winner)


def _shown(cards: Any) -> tuple[str, ...]:
    return tuple(_SHOWN.get(card, card) for card in cards)
