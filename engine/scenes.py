"""Steps, scenes and questions of all games, the state of the table, and the tricks, which all games play alike."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from engine.cards import Deck, highest, mask_of, names
from engine.errors import Fault
from engine.tricks import Duties, play_out, rotated

Record = dict[str, Any]

CARD_KINDS: Final = ("draw", "trump", "open", "hidden", "card")
"""The kinds of `Question` that may have only one answer."""


class Step(NamedTuple):
    """One step of a hand: ``kind`` is deal, turn, call, rob, exchange or card; ``at`` is its place in the record.

    ``cards`` are the cards dealt, turned, taken, drawn or played, ``away`` the discards (the six of trumps for a rob),
    ``drop`` the cards dropped after drawing, ``word`` the call or answer.

    Kratzen also has the kinds cut (``seat`` has the pack after it), trump (a card turned for another trump), answer and
    last word (``seat`` claims it); ``shown`` are the trumps laid open in an exchange. The Weli is named ``"Weli"``.
    """

    kind: str
    at: str
    seat: int | None
    cards: tuple[str, ...] = ()
    word: str = ""
    away: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()


class Scene(NamedTuple):
    """The table after a step.

    ``hands`` are by seat, high cards first; ``stock`` is a number of cards; ``trick`` has a pair of seat and card for
    each card on the table; ``taken`` are the tricks by seat; ``winner`` took the trick that this step completed.
    """

    step: Step
    hands: tuple[tuple[str, ...], ...]
    turned: tuple[str, ...]
    stock: int
    trick: tuple[tuple[int, str], ...]
    taken: tuple[int, ...]
    winner: int | None


class Question(NamedTuple):
    """A question: ``kind`` is deal, turn, call, exchange, draw, drop or card; ``seat`` is None for a turned card.

    The answer is ``wanted`` of the ``choices`` (for an exchange: one of ``counts``). ``refused`` maps every other card
    or word to the fault that it would cause. ``robber`` is a seat that may take the turned card now (C4.5). ``leads``
    is true if the card leads a trick.

    Kratzen also has the kinds cut (``seat`` cuts), trump (``seat`` turns a card of the stock), answer, show (the trumps
    to lay open: one of ``counts``), open and hidden (the cards given for them). ``last_word`` is true if the seat may
    claim to answer last (K5.6). Cards are named as in records.
    """

    kind: str
    seat: int | None
    choices: tuple[str, ...]
    refused: Mapping[str, Fault]
    wanted: int = 1
    counts: tuple[int, ...] = ()
    robber: int | None = None
    last_word: bool = False
    leads: bool = False


class TrickRules(NamedTuple):
    """The arguments of `play_out` that stay the same in all tricks of a hand."""

    trump: int
    duties: Duties
    deck: Deck
    must_beat: str
    must_trump: bool = True


class Progress(NamedTuple):
    """The scenes of a hand so far and the next question, which is None at the end of the hand.

    ``active`` are the seats that play, the declarer first; empty until the roles are known. ``dealer`` has the pack
    before the first step. ``rules`` are those of the tricks, once cards are played; ``goal`` is the number of tricks
    that the declarer needs, None in a game without a declarer. ``display_name`` maps the cards whose names in scenes
    differ from those in records.
    """

    scenes: tuple[Scene, ...]
    question: Question | None
    active: tuple[int, ...]
    dealer: int
    rules: TrickRules | None = None
    goal: int | None = None
    display_name: Mapping[str, str] = MappingProxyType({})


class TableState:
    """The state of a table during a hand; every step adds a scene."""

    def __init__(self, seats: int, deck: Deck, display_name: Mapping[str, str]) -> None:
        self.deck = deck
        self.display_name = display_name
        self.hands = [0] * seats
        self.stock = len(deck.bit)
        self.turned: list[str] = []
        self.trick: list[tuple[int, str]] = []
        self.taken = [0] * seats
        self.scenes: list[Scene] = []
        self._names_of_hands: dict[int, tuple[str, ...]] = {}

    def display_names(self, cards: Sequence[str]) -> tuple[str, ...]:
        """Return the names that scenes use for some cards."""
        return tuple(self.display_name.get(card, card) for card in cards)

    def add_scene(self, step: Step, winner: int | None = None) -> None:
        """Add the scene after a step."""
        hands = tuple(map(self._names_of_hand, self.hands))
        trick = tuple((seat, self.display_name.get(card, card)) for seat, card in self.trick)
        self.scenes.append(
            Scene(step, hands, self.display_names(self.turned), self.stock, trick, tuple(self.taken), winner)
        )

    def _names_of_hand(self, hand: int) -> tuple[str, ...]:
        """Return the names of a hand's cards, high cards first. A step changes one hand: the others are kept."""
        card_names = self._names_of_hands.get(hand)
        if card_names is None:
            card_names = self._names_of_hands[hand] = self.display_names(high_first(hand, self.deck))
        return card_names

    def play_tricks(self, tricks: Sequence[Sequence[str]], active: Sequence[int], rules: TrickRules) -> Question | None:
        """Play the tricks card by card; ``active`` starts with the first leader."""
        order = active
        for number, trick in enumerate(tricks[: rules.duties.tricks]):
            self.trick = []
            held = [*self.hands]
            last = number == len(tricks) - 1
            wrong_length = len(trick) > len(order) or (len(trick) < len(order) and not last)
            fault = _trick_fault(trick, number, held, order, rules) if wrong_length else None
            if fault is not None:
                raise fault
            for place, name in enumerate(trick):
                fault = _card_fault(trick[: place + 1], number, held, order, rules)
                if fault is not None:
                    raise fault
                order = self._play_card(name, number, place, order, rules)
            if len(trick) < len(active):
                return self._card_question(number, trick, held, order, rules)
        if len(tricks) < rules.duties.tricks:
            return self._card_question(len(tricks), [], self.hands, order, rules)
        return None

    def _play_card(self, name: str, number: int, place: int, order: Sequence[int], rules: TrickRules) -> Sequence[int]:
        """Play one card; return the order of play, which starts with the winner after a complete trick (C5.5, K7.1)."""
        seat, winner, deck = order[place], None, rules.deck
        self.hands[seat] ^= deck.bit[name]
        self.trick.append((seat, name))
        if len(self.trick) == len(order):
            on_table = mask_of((card for _, card in self.trick), deck.bit)
            best = highest(on_table & rules.trump or on_table & deck.suit_of[deck.bit[self.trick[0][1]]])
            winner = next(seat for seat, card in self.trick if deck.bit[card] == best)
            self.taken[winner] += 1
        self.add_scene(Step("card", f"play[{number}][{place}]", seat, self.display_names([name])), winner)
        return order if winner is None else rotated(order, order.index(winner))

    def _card_question(
        self, number: int, trick: Sequence[str], held: list[int], order: Sequence[int], rules: TrickRules
    ) -> Question:
        """Return the question for the next card; every card of the hand is tried."""
        seat = order[len(trick)]
        hand = high_first(self.hands[seat], rules.deck)
        faults = {name: _card_fault([*trick, name], number, held, order, rules) for name in hand}
        refused = {name: fault for name, fault in faults.items() if fault is not None}
        return Question("card", seat, tuple(name for name in hand if name not in refused), refused, leads=not trick)


def high_first(cards: int, deck: Deck) -> tuple[str, ...]:
    """Return the names of some cards, suit by suit, high cards first."""
    return tuple(reversed(names(cards, deck).split()))


def _trick_fault(
    trick: Sequence[str], number: int, held: Sequence[int], order: Sequence[int], rules: TrickRules
) -> Fault | None:
    """Return the fault that `play_out` reports for one trick, with the place of that trick in the hand."""
    trick_fault = None
    try:
        play_out([trick], [*held], order, *rules)
    except Fault as fault:
        trick_fault = Fault(fault.clause, fault.at.replace("play[0]", f"play[{number}]"), fault.message)
    return trick_fault


def _card_fault(
    trick: Sequence[str], number: int, held: list[int], order: Sequence[int], rules: TrickRules
) -> Fault | None:
    """Return the fault of the last card of an unfinished trick; empty names stand for the cards still to come."""
    filled = [*trick, *[""] * (len(order) - len(trick))]
    fault = _trick_fault(filled, number, held, order, rules)
    return fault if fault is not None and fault.at == f"play[{number}][{len(trick) - 1}]" else None


def faults_of(names: Iterable[str], attempt: Callable[[str], object]) -> dict[str, Fault]:
    """Try each name; return the fault of each one that breaks a clause."""
    refused = {}
    for name in names:
        try:
            attempt(name)
        except Fault as fault:
            refused[name] = fault
    return refused


def tried_question(kind: str, seat: int | None, cards: Collection[str], attempt: Callable[[str], object]) -> Question:
    """Return the question for one of some cards or words; each is tried."""
    refused = faults_of(cards, attempt)
    return Question(kind, seat, tuple(name for name in cards if name not in refused), refused)


def nothing_dealt(seats: int) -> Record:
    """Return the field ``deal`` of a record before the first card is dealt."""
    return {"hands": [[] for _ in range(seats)], "turned": []}
