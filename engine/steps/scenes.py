"""What happens at a table in words that both games share, and the tricks, which both play alike."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from engine.cards import Deck, highest, mask_of, names
from engine.errors import Fault
from engine.tricks import TRICKS, Duties, play_out, turned_to

Record = dict[str, Any]

CARD_KINDS: Final = ("draw", "trump", "open", "hidden", "card")
"""The kinds of `Ask` whose answer may be all that is left."""


class Step(NamedTuple):
    """One thing that happened: ``kind`` is deal, turn, call, rob, exchange or card, ``at`` its place in the record.

    ``cards`` are those dealt, turned, taken, drawn or played, ``away`` those put away (the six of trumps for a rob),
    ``word`` what was said. ``drop`` are cards put back after drawing.

    Kratzen has besides the kinds cut (``seat`` has the pack after it), trump (a card turned for another trump), answer
    and last word (``seat`` claims it); ``shown`` are the trumps laid open in an exchange. Its Weli is called so.
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
    """The table after a step: hands by seat (high cards first), the turned cards, how many the stock has, the trick
    that lies there as pairs of seat and card, tricks taken by seat, and who took the trick that this step filled."""

    step: Step
    hands: tuple[tuple[str, ...], ...]
    turned: tuple[str, ...]
    stock: int
    trick: tuple[tuple[int, str], ...]
    taken: tuple[int, ...]
    winner: int | None


class Ask(NamedTuple):
    """What comes next: ``kind`` is deal, turn, call, exchange, draw, drop or card; ``seat`` None for a turned card.

    ``wanted`` cards are asked for (for an exchange: one of ``counts``), of ``choices``; ``refused`` says of every other
    card of the pack, of the hand or of the words why not. ``robber`` may take the turned card now (C4.5).

    Kratzen has besides the kinds cut (``seat`` cuts), trump (``seat`` has turned a card of the stock), answer, show
    (which of the trumps drawn are laid open: one of ``counts``), open and hidden (the cards given for them).
    ``last_word`` says whether the seat asked to answer may claim to answer last (K5.6).

    ``leads`` says whether a card begins a trick. Cards are called as in records.
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


class Course(NamedTuple):
    """What happened so far, and what is asked next; nothing is once the hand has come to its end.

    ``active`` are the seats that play, the declarer first, as soon as that is known; ``dealer`` has the pack before the
    first step.
    """

    scenes: tuple[Scene, ...]
    ask: Ask | None
    active: tuple[int, ...]
    dealer: int


class Law(NamedTuple):
    """What tricks are played by: the bits of the trumps, the clauses, the cards, and whether to beat is a duty."""

    trump: int
    duties: Duties
    deck: Deck
    must_beat: str


class Telling:
    """A table on its way through a hand, and a scene for every step."""

    def __init__(self, seats: int, deck: Deck, called: Mapping[str, str]) -> None:
        self.deck = deck
        self.called = called
        self.hands = [0] * seats
        self.stock = len(deck.bit)
        self.turned: list[str] = []
        self.trick: list[tuple[int, str]] = []
        self.taken = [0] * seats
        self.scenes: list[Scene] = []

    def shown(self, cards: Sequence[str]) -> tuple[str, ...]:
        """Some cards as they are called here."""
        return tuple(self.called.get(card, card) for card in cards)

    def scene(self, step: Step, winner: int | None = None) -> None:
        """What lies there now that this step was made."""
        hands = tuple(self.shown(high_first(hand, self.deck)) for hand in self.hands)
        trick = tuple((seat, self.called.get(card, card)) for seat, card in self.trick)
        self.scenes.append(Scene(step, hands, self.shown(self.turned), self.stock, trick, tuple(self.taken), winner))

    def playing(self, tricks: Sequence[Sequence[str]], active: Sequence[int], law: Law) -> Ask | None:
        """The tricks card by card, four at most; ``active`` begins with the first leader."""
        order = active
        for number, trick in enumerate(tricks[:TRICKS]):
            self.trick = []
            held = [*self.hands]
            last = number == len(tricks) - 1
            misses = len(trick) > len(order) or (len(trick) < len(order) and not last)
            fault = _trick_fault(trick, number, held, order, law) if misses else None
            if fault is not None:
                raise fault
            for place, name in enumerate(trick):
                fault = _card_fault(trick[: place + 1], number, held, order, law)
                if fault is not None:
                    raise fault
                order = self._lay(name, number, place, order, law)
            if len(trick) < len(active):
                return self._ask_card(number, trick, held, order, law)
        if len(tricks) < TRICKS:
            return self._ask_card(len(tricks), [], self.hands, order, law)
        return None

    def _lay(self, name: str, number: int, place: int, order: Sequence[int], law: Law) -> Sequence[int]:
        """One card on the table; the order of the next one, which the winner leads (C5.5, K7.1)."""
        seat, winner, deck = order[place], None, law.deck
        self.hands[seat] ^= deck.bit[name]
        self.trick.append((seat, name))
        if len(self.trick) == len(order):
            lying = mask_of((card for _, card in self.trick), deck.bit)
            best = highest(lying & law.trump or lying & deck.suit_of[deck.bit[self.trick[0][1]]])
            winner = next(seat for seat, card in self.trick if deck.bit[card] == best)
            self.taken[winner] += 1
        self.scene(Step("card", f"play[{number}][{place}]", seat, self.shown([name])), winner)
        return order if winner is None else turned_to(order, order.index(winner))

    def _ask_card(self, number: int, trick: Sequence[str], held: list[int], order: Sequence[int], law: Law) -> Ask:
        """The next seat plays; for each card it may not play the clause and why."""
        seat = order[len(trick)]
        hand = high_first(self.hands[seat], law.deck)
        faults = {name: _card_fault([*trick, name], number, held, order, law) for name in hand}
        refused = {name: fault for name, fault in faults.items() if fault is not None}
        return Ask("card", seat, tuple(name for name in hand if name not in refused), refused, leads=not trick)


def high_first(cards: int, deck: Deck) -> tuple[str, ...]:
    """The names of some cards, suit by suit."""
    return tuple(reversed(names(cards, deck).split()))


def one(answer: Sequence[str]) -> str:
    """The answer where just one is asked for; `Fault` R1 for more or none."""
    if len(answer) != 1:
        raise Fault("R1", "", f"One answer is asked for, not {len(answer)}.")
    return answer[0]


def put_card(record: Record, name: str, ask: Ask) -> None:
    """A card to the trick that lies there in a record, or to the next one."""
    tricks = record.setdefault("play", [])
    if ask.leads and tricks[-1:] != [[]]:
        tricks.append([])
    tricks[-1].append(name)


def _trick_fault(
    trick: Sequence[str], number: int, held: Sequence[int], order: Sequence[int], law: Law
) -> Fault | None:
    """What the engine says of one trick, at its place in the hand."""
    found = None
    try:
        play_out([trick], [*held], order, *law)
    except Fault as fault:
        found = Fault(fault.clause, fault.at.replace("play[0]", f"play[{number}]"), fault.message)
    return found


def _card_fault(trick: Sequence[str], number: int, held: list[int], order: Sequence[int], law: Law) -> Fault | None:
    """Why the last card of a trick so far may not be played; the cards still to come are filled with none."""
    filled = [*trick, *[""] * (len(order) - len(trick))]
    fault = _trick_fault(filled, number, held, order, law)
    return fault if fault is not None and fault.at == f"play[{number}][{len(trick) - 1}]" else None
