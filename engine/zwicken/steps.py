"""A hand of Zwicken step by step: cuts, deal, answers, exchange, tricks."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final

from engine.answers import PUT, Put, put_call, single_answer
from engine.cards import mask_of, names
from engine.errors import Fault
from engine.game import Steps
from engine.scenes import (
    Progress,
    Question,
    Record,
    Step,
    TableState,
    TrickRules,
    high_first,
    nothing_dealt,
    tried_question,
)
from engine.zwicken.cutting import cut, has_effect
from engine.zwicken.dealing import HAND, Dealt, deal
from engine.zwicken.exchange import exchange
from engine.zwicken.players import DECK, check_players, in_deck
from engine.zwicken.playing import DUTIES, duty_to_beat
from engine.zwicken.record import Full, read
from engine.zwicken.speaking import ANSWERS, Spoken, order_after, speak

_KINDS: Final = ("cut", "deal", "turn", "answer", "exchange", "card")


def walk(record: Record) -> tuple[Progress, bool]:
    """Return the progress of a full record, and True if the record has steps that come after the next question."""
    hand = read(record)
    if not isinstance(hand, Full):
        raise Fault("R1", "deal", "The record has no cards: the field deal is missing.")
    check_players(hand.table.seats, hand.table.dealer)
    progress = _Walk(hand).progress()
    return progress, progress.question is not None and _has_later_steps(hand, progress.question)


def _has_later_steps(hand: Full, question: Question) -> bool:
    later = (any(hand.hands), hand.turned, hand.answers, hand.exchanges, hand.play)
    kind = "exchange" if question.kind == "draw" else question.kind
    return any(later[_KINDS.index(kind) :])


def put_answer(record: Record, question: Question, answer: Sequence[str]) -> None:
    """Write the answer to a question into the record, without any check."""
    _PUT[question.kind](record, question, answer)


def _put_cut_card(record: Record, question: Question, answer: Sequence[str]) -> None:
    record.setdefault("cuts", []).append(single_answer(answer))


def _put_turned(record: Record, question: Question, answer: Sequence[str]) -> None:
    record["deal"]["turned"] = single_answer(answer)


_PUT: Final[Mapping[str, Put]] = {**PUT, "cut": _put_cut_card, "turn": _put_turned, "answer": put_call}


def _begin(seats: int) -> Record:
    return {"cuts": [], "deal": {**nothing_dealt(seats), "turned": None}}


STEPS: Final = Steps(_begin, walk, put_answer)


class _Walk(TableState):
    """A walk through a full record. Each part of the hand returns its next question, or None when it is finished."""

    def __init__(self, hand: Full) -> None:
        super().__init__(hand.table.seats, DECK, {})
        self.hand = hand
        self.rules = hand.table.rules
        self.seats = hand.table.seats
        self.spoken = Spoken(False, [])

    def progress(self) -> Progress:
        """Walk through all parts in the order of play."""
        question = self._cutting() or self._dealing() or self._answering()
        active = self.spoken.in_order(self.dealer, self.seats)
        rules = None
        if len(active) > 1:
            (deck, trump), must_beat = self.dealt.trump, duty_to_beat(self.rules)
            rules = TrickRules(trump, DUTIES, deck, must_beat, self.rules.must_trump)
            question = self._exchanging(active) or self.play_tricks(self.hand.play, active, rules)
        return Progress(tuple(self.scenes), question, tuple(active), self.hand.table.dealer, rules)

    # Z2

    def _cutting(self) -> Question | None:
        """Add the cuts; each one can move the deal."""
        cuts = self.hand.table.cuts
        self.dealer = self._dealer_after(cuts)
        for number, card in enumerate(cuts):
            self.add_scene(Step("cut", f"cuts[{number}]", self._dealer_after(cuts[: number + 1]), (card,)))
        if not self.rules.cut_moves or (cuts and not has_effect(cuts[-1])):
            return None
        rearhand = (self.dealer - 1) % self.seats
        return tried_question("cut", rearhand, DECK.bit, lambda name: self._dealer_after([*cuts, name]))

    def _dealer_after(self, cuts: list[str]) -> int:
        rules, table = self.rules, self.hand.table
        done = cut(rules, seats=self.seats, dealer=table.dealer, cuts=cuts, with_symbols=False, is_over=False)
        return done.dealer

    # Z3

    def _dealing(self) -> Question | None:
        """Deal seat by seat, from the dealer's left, and turn a card."""
        hands, turned = self.hand.hands, self.hand.turned
        self.dealt = self._deal(hands, turned)
        for seat in order_after(self.dealer, self.seats):
            cards = hands[seat]
            self.hands[seat] = mask_of(cards, DECK.bit)
            self.stock -= len(cards)
            if cards:
                self.add_scene(Step("deal", f"deal.hands[{seat}]", seat, tuple(cards)))
            if len(cards) < HAND:
                return self._deal_question(seat)
        if turned is None:
            return tried_question("turn", None, DECK.bit, lambda name: self._deal(hands, name))
        self.deck = self.dealt.trump.deck
        self.hands = [in_deck(self.deck, cards) for cards in self.hands]
        self.turned.append(turned)
        self.stock -= 1
        self.add_scene(Step("turn", "deal.turned", None, (turned,)))
        return None

    def _deal_question(self, seat: int) -> Question:
        hands, turned = self.hand.hands, self.hand.turned
        cards, before, after = hands[seat], hands[:seat], hands[seat + 1 :]
        question = tried_question(
            "deal", seat, DECK.bit, lambda name: self._deal([*before, [*cards, name], *after], turned)
        )
        return question._replace(wanted=HAND - len(cards))

    def _deal(self, hands: list[list[str]], turned: str | None) -> Dealt:
        """Check the deal (Z3.1) with fillers for the missing cards."""
        dealt = {turned, *(name for cards in hands for name in cards)}
        unused = iter([name for name in DECK.bit if name not in dealt])
        filled = [[*cards, *islice(unused, max(0, HAND - len(cards)))] for cards in hands]
        return deal(self.hand._replace(hands=filled, turned=next(unused) if turned is None else turned))

    # Z4

    def _answering(self) -> Question | None:
        """Add the answers so far; in a forced hand there are none."""
        answers, question = self.hand.answers, None
        try:
            self.spoken = speak(self.hand, self.dealer)
        except Fault as fault:
            if (fault.clause, fault.at) != ("Z4.2", "answers"):
                raise
            seat = order_after(self.dealer, self.seats)[len(answers)]
            question = Question("answer", seat, ANSWERS, {})
        for number, (seat, word) in enumerate(answers):
            self.add_scene(Step("answer", f"answers[{number}]", seat, word=word))
        return question

    # Z5

    def _exchanging(self, active: Sequence[int]) -> Question | None:
        """Add the exchanges so far; each is checked with those before it."""
        entries, is_over = self.hand.exchanges, bool(self.hand.play)
        waiting = [*active] if self.rules.exchange else []
        stock = self.dealt.stock
        for number, entry in enumerate(entries):
            seat, drawn, whole = entry["seat"], entry.get("draw", []), entry
            free = names(stock & ~self._mask(drawn), self.deck).split()
            missing = len(entry.get("discard", ())) - len(drawn)
            if number == len(entries) - 1 and not is_over:
                whole = {**entry, "draw": [*drawn, *free[: max(0, missing)]]}
            exchange(self.hand._replace(exchanges=[*entries[:number], whole]), self.dealt, active)
            waiting = waiting[waiting.index(seat) + 1 :]
            stock &= ~self._mask(drawn)
            self._add_exchange_scene(entry, f"exchanges[{number}]")
            if missing > 0:
                return self._draw_question(number, whole, missing, active)
        if waiting and not is_over:
            return self._exchange_question(waiting[0], stock.bit_count())
        return None

    def _mask(self, cards: Sequence[str]) -> int:
        """Return the bits of those cards that exist."""
        return mask_of({name for name in cards if name in self.deck.bit}, self.deck.bit)

    def _add_exchange_scene(self, entry: Record, path: str) -> None:
        seat, away, drawn = entry["seat"], tuple(entry.get("discard", ())), tuple(entry.get("draw", ()))
        self.hands[seat] = self.hands[seat] & ~self._mask(away) | self._mask(drawn)
        self.stock -= len(drawn)
        self.add_scene(Step("exchange", path, seat, drawn, "", away))

    def _exchange_question(self, seat: int, in_stock: int) -> Question:
        """Return the question for the discards of a seat: none, or as many as the stock can replace (Z5.1)."""
        counts = tuple(range(min(HAND, in_stock) + 1))
        return Question("exchange", seat, high_first(self.hands[seat], self.deck), {}, 0, counts)

    def _draw_question(self, number: int, whole: Record, missing: int, active: Sequence[int]) -> Question:
        """Return the question for the cards drawn; every card is tried in place of the first filler."""
        entries = self.hand.exchanges[:number]
        drawn = len(whole["draw"]) - missing

        def attempt(name: str) -> None:
            others = [card for card in whole["draw"][drawn:] if card != name]
            draw = [*whole["draw"][:drawn], name, *others][: drawn + missing]
            try:
                exchange(self.hand._replace(exchanges=[*entries, {**whole, "draw": draw}]), self.dealt, active)
            except Fault as fault:
                if fault.at == f"exchanges[{number}].draw[{drawn}]":
                    raise

        return tried_question("draw", whole["seat"], self.deck.bit, attempt)._replace(wanted=missing)
