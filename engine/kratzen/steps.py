"""A hand of Kratzen step by step: cuts, deal, speaking, exchange, tricks."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from engine.answers import PUT, Put, put_call, single_answer
from engine.cards import Deck, highest, mask_of, names
from engine.errors import Fault
from engine.game import Steps
from engine.kratzen.choosing import CALLS, MIT, OHNE, SCHLAGEN, Chosen, Trump, choose
from engine.kratzen.cutting import CARDS_SHOWN, cut, has_effect, is_muss
from engine.kratzen.dealing import HAND, Dealt, deal
from engine.kratzen.exchange import DRAWN_FOR_ALL, draw_count, exchange, extra_card_count
from engine.kratzen.players import DECK, WELI, check_players, trumps, with_weli_as_trump
from engine.kratzen.playing import DUTIES
from engine.kratzen.record import Full, read
from engine.scenes import (
    Progress,
    Question,
    Record,
    Step,
    TableState,
    TrickRules,
    faults_of,
    high_first,
    nothing_dealt,
    tried_question,
)
from engine.seats import order_from

LAST_WORD: Final = "last word"
"""The answer of a seat that claims to answer after all others (K5.6)."""

_DISPLAY_NAMES: Final = {WELI: "Weli"}
"""The name of the Weli in scenes; in records it is the six of diamonds."""

_INCOMPLETE: Final = (("K5.2", "calls"), ("K5.3", "new_trump"), ("K5.5", "answers"))
"""Faults that only say that the next entry of a field is missing (K5)."""

_KINDS: Final = ("cut", "deal", "turn", "call", "trump", "answer", "exchange", "card")
EXCHANGE_FIELDS: Final = ("draw", "show", "open", "hidden", "drop")
"""The fields of an exchange after the discards, in the order of play."""


def walk(record: Record) -> tuple[Progress, bool]:
    """Return the progress of a full record, and True if the record has steps that come after the next question."""
    hand = read(record)
    if not isinstance(hand, Full):
        raise Fault("R1", "deal", "The record has no cards: the field deal is missing.")
    check_players(hand.table.seats, hand.table.dealer)
    progress = _Walk(hand).progress()
    return progress, progress.question is not None and _has_later_steps(hand, progress.question)


def _has_later_steps(hand: Full, question: Question) -> bool:
    answered = hand.answers or hand.last_word is not None
    later = (any(hand.hands), hand.turned, hand.calls, hand.new_trump, answered, hand.exchanges, hand.play)
    kind = "exchange" if question.kind in EXCHANGE_FIELDS else question.kind
    return any(later[_KINDS.index(kind) :])


def put_answer(record: Record, question: Question, answer: Sequence[str]) -> None:
    """Write the answer to a question into the record, without any check."""
    _PUT[question.kind](record, question, answer)


def _put_cut_card(record: Record, question: Question, answer: Sequence[str]) -> None:
    cuts = record["cuts"]
    if not _is_unfinished(cuts[-1:]):
        cuts.append([])
    cuts[-1].append(single_answer(answer))


def _put_trump(record: Record, question: Question, answer: Sequence[str]) -> None:
    record.setdefault("new_trump", []).append(single_answer(answer))


def _put_join_answer(record: Record, question: Question, answer: Sequence[str]) -> None:
    if [*answer] == [LAST_WORD]:
        record["last_word"] = question.seat
    else:
        put_call(record, question, answer)


def _put_exchange_field(record: Record, question: Question, answer: Sequence[str]) -> None:
    entries = record.setdefault("exchanges", [])
    if not entries or entries[-1]["seat"] != question.seat:
        entries.append({"seat": question.seat})
    entries[-1].setdefault(question.kind, []).extend(answer)


_PUT: Final[Mapping[str, Put]] = {
    **PUT,
    "cut": _put_cut_card,
    "trump": _put_trump,
    "answer": _put_join_answer,
    **dict.fromkeys(EXCHANGE_FIELDS, _put_exchange_field),
}


def _is_unfinished(last: Sequence[Sequence[str]]) -> bool:
    """Return True if the last cut shows another card (K3.1)."""
    return any(not cards or (len(cards) < CARDS_SHOWN and has_effect(cards[0])) for cards in last)


def highest_call(calls: Iterable[Sequence[Any]]) -> tuple[int, str]:
    """Return the seat of the highest call, and the call (K5.2)."""
    seat, word = min(calls, key=lambda call: CALLS.index(call[1]))
    return seat, word


def last_word_position(last_word: int, declarer: int, seats: int) -> int:
    """Return the index of the answer before which a seat claimed the last word, in place of its own answer."""
    return (last_word - declarer) % seats - 1


class _Missing(NamedTuple):
    """The next field that an unfinished exchange needs, and the number of cards (0: any number)."""

    kind: str
    wanted: int


STEPS: Final = Steps(lambda seats: {"cuts": [], "deal": nothing_dealt(seats)}, walk, put_answer)


class _Walk(TableState):
    """A walk through a full record. Each part of the hand returns its next question, or None when it is finished."""

    def __init__(self, hand: Full) -> None:
        super().__init__(hand.table.seats, DECK, _DISPLAY_NAMES)
        self.hand = hand
        self.rules = hand.table.rules
        self.seats = hand.table.seats
        self.chosen = Chosen(False, False, None, [])

    def progress(self) -> Progress:
        """Walk through all parts in the order of play."""
        question = self._cutting() or self._dealing() or self._speaking()
        active: list[int] = []
        rules = None
        if self.chosen.declarer is not None:
            active = [seat for seat in order_from(self.chosen.declarer, self.seats) if seat in self.chosen.active]
        if len(active) > 1:
            rules = TrickRules(trumps(self.deck), DUTIES, self.deck, self.rules.must_beat)
            question = self._exchanging(active) or self.play_tricks(self.hand.play, active, rules)
        return Progress(
            tuple(self.scenes),
            question,
            tuple(active),
            self.hand.table.dealer,
            rules,
            self.chosen.goals.declarer,
            _DISPLAY_NAMES,
        )

    # K3

    def _cutting(self) -> Question | None:
        """Add the cuts; each one can pass the pack on."""
        cuts = self.hand.table.cuts
        self.dealer = self._dealer_after(cuts)
        for number, cards in enumerate(cuts):
            if cards:
                dealer = self._dealer_after(cuts[: number + 1])
                self.add_scene(Step("cut", f"cuts[{number}]", dealer, self.display_names(cards)))
        shown = cuts[-1] if _is_unfinished(cuts[-1:]) else []
        if cuts and cuts[-1] and not _is_unfinished(cuts[-1:]) and not has_effect(cuts[-1][0]):
            return None
        done = cuts[:-1] if _is_unfinished(cuts[-1:]) else cuts
        rearhand = (self._dealer_after(done) - 1) % self.seats
        return tried_question("cut", rearhand, DECK.bit, lambda name: self._dealer_after([*done, [*shown, name]]))

    def _dealer_after(self, cuts: list[list[str]]) -> int:
        rules, table = self.rules, self.hand.table
        done = cut(rules, seats=self.seats, dealer=table.dealer, cuts=cuts, with_symbols=False, is_over=False)
        return done.dealer

    # K4

    def _dealing(self) -> Question | None:
        """Deal seat by seat, from the dealer's left, and turn a card; after the Weli turn another one."""
        hands, turned = self.hand.hands, self.hand.turned
        self.dealt = self._deal(hands, turned)
        for seat in order_from((self.dealer + 1) % self.seats, self.seats):
            cards = hands[seat]
            self.hands[seat] = mask_of(cards, DECK.bit)
            self.stock -= len(cards)
            if cards:
                self.add_scene(Step("deal", f"deal.hands[{seat}]", seat, self.display_names(cards)))
            if len(cards) < HAND:
                return self._deal_question(seat)
        for number, card in enumerate(turned):
            self.hands[self.dealer] |= DECK.bit[card]
            self._turn(card, f"deal.turned[{number}]", "turn")
        if turned in ([], [WELI]):
            return tried_question("turn", None, DECK.bit, lambda name: self._deal(hands, [*turned, name]))
        return None

    def _deal_question(self, seat: int) -> Question:
        hands, turned = self.hand.hands, self.hand.turned
        cards, before, after = hands[seat], hands[:seat], hands[seat + 1 :]
        question = tried_question(
            "deal", seat, DECK.bit, lambda name: self._deal([*before, [*cards, name], *after], turned)
        )
        return question._replace(wanted=HAND - len(cards))

    def _deal(self, hands: list[list[str]], turned: list[str]) -> Dealt:
        """Check the deal (K4.1) with fillers for the missing cards."""
        dealt = {name for cards in [*hands, turned] for name in cards}
        unused = iter([name for name in DECK.bit if name not in dealt and name != WELI])
        filled = [[*cards, *islice(unused, max(0, HAND - len(cards)))] for cards in hands]
        if turned in ([], [WELI]):
            turned = [*turned, *islice(unused, 1)]
        return deal(self.hand._replace(hands=filled, turned=turned), self.dealer)

    def _turn(self, card: str, path: str, kind: str) -> None:
        self.turned.append(card)
        self.stock -= 1
        self.add_scene(Step(kind, path, None, self.display_names([card])))

    # K5

    def _speaking(self) -> Question | None:
        """Add the calls, the cards turned for another trump, and the answers so far."""
        hand, fault = self.hand, None
        try:
            self.chosen, self.trump = self._choose(hand)
        except Fault as found:
            keeps_trump = any(word == SCHLAGEN for _, word in hand.calls)
            if (found.clause, found.at) not in _INCOMPLETE or (keeps_trump and found.at == "new_trump"):
                raise
            fault = found
        for number, (seat, word) in enumerate(hand.calls):
            self.add_scene(Step("call", f"calls[{number}]", seat, word=word))
        for number, card in enumerate(hand.new_trump):
            self._turn(card, f"new_trump[{number}]", "trump")
        self._add_answer_scenes()
        if fault is None:
            self.deck = self.trump.deck
            self.hands = [with_weli_as_trump(self.deck, cards) for cards in self.hands]
            self.stock_cards = with_weli_as_trump(self.deck, self.trump.stock)
            return None
        questions = {"calls": self._call_question, "new_trump": self._trump_question, "answers": self._answer_question}
        return questions[fault.at]()

    def _choose(self, hand: Full) -> tuple[Chosen, Trump]:
        return choose(hand, self.dealt, self.dealer, is_muss(self.rules, hand.table.pot_before))

    def _call_question(self) -> Question:
        seat = order_from(self.dealer, self.seats)[len(self.hand.calls)]
        return Question("call", seat, CALLS, {})

    def _trump_question(self) -> Question:
        """Return the question for the next turned card; faults after that card are ignored."""
        turned = self.hand.new_trump
        path = f"new_trump[{len(turned)}]"

        def attempt(name: str) -> None:
            self._choose_up_to(path, self.hand._replace(new_trump=[*turned, name]))

        return tried_question("trump", highest_call(self.hand.calls)[0], DECK.bit, attempt)

    def _choose_up_to(self, path: str, hand: Full) -> None:
        """Check the calls and answers (K5); ignore a fault that is not at the given place."""
        try:
            self._choose(hand)
        except Fault as fault:
            if fault.at == path:
                raise

    def _add_answer_scenes(self) -> None:
        """Add the answers, and the claim of the last word at its position."""
        hand, last = self.hand, self.hand.last_word
        claimed = -1
        if last is not None and hand.calls:
            claimed = last_word_position(last, highest_call(hand.calls)[0], self.seats)
        for number in range(len(hand.answers) + 1):
            if number == claimed:
                self.add_scene(Step("last word", "last_word", last))
            for seat, word in hand.answers[number : number + 1]:
                self.add_scene(Step("answer", f"answers[{number}]", seat, word=word))

    def _answer_question(self) -> Question:
        """Return the question for the next answer: mit, ohne or the last word."""
        answers, last = self.hand.answers, self.hand.last_word
        waiting = order_from(highest_call(self.hand.calls)[0], self.seats)[1:]
        if last is not None:
            waiting.remove(last)
            waiting.append(last)
        seat, path = waiting[len(answers)], f"answers[{len(answers)}]"

        def attempt(word: str) -> None:
            self._choose_up_to(path, self.hand._replace(answers=[*answers, [seat, word]]))

        question = tried_question("answer", seat, (MIT, OHNE), attempt)
        return question._replace(last_word=self.rules.last_word and last is None)

    # K6

    def _exchanging(self, active: Sequence[int]) -> Question | None:
        """Add the exchanges so far; each is checked with those before it. A Muss has only the dealer's drop."""
        entries, is_over, muss = self.hand.exchanges, bool(self.hand.play), self.chosen.muss
        waiting = [seat for seat in order_from(self.dealer, self.seats) if seat in active]
        for number, entry in enumerate(entries):
            seat, missing, whole = entry["seat"], None, entry
            if number == len(entries) - 1 and not is_over and seat in waiting:
                unfinished = self._unfinished_exchange(seat)
                missing, whole = unfinished.completed(entry)
            self._replay_exchanges([*entries[:number], whole])
            waiting = waiting[waiting.index(seat) + 1 :]
            self._add_exchange_scene(entry, f"exchanges[{number}]")
            if missing is not None:
                return self._next_field_question(missing, number, unfinished)
        for seat in [] if is_over else waiting:
            surplus = self.hands[seat].bit_count() - HAND
            if not muss:
                return self._exchange_question(seat)
            if surplus > 0:
                return Question("drop", seat, high_first(self.hands[seat], self.deck), {}, surplus)
        self._replay_exchanges(entries)
        return None

    def _unfinished_exchange(self, seat: int) -> "_UnfinishedExchange":
        return _UnfinishedExchange(self.hands[seat], self.stock_cards, self.deck, self.rules.open_trumps)

    def _replay_exchanges(self, entries: list[Record]) -> None:
        """Replay some exchanges; raise `Fault` as a whole replay does (K6)."""
        hands = [*self.dealt.hands]
        exchange(self.hand._replace(exchanges=entries), hands, self.trump, self.chosen, self.dealer)

    def _add_exchange_scene(self, entry: Record, path: str) -> None:
        seat, bit = entry["seat"], self.deck.bit
        away, show, drop = (entry.get(field, []) for field in ("discard", "show", "drop"))
        drawn = [card for field in ("draw", "open", "hidden") for card in entry.get(field, ())]
        held = self.hands[seat] ^ mask_of(away, bit) | mask_of(drawn, bit)
        self.hands[seat] = held ^ mask_of(drop, bit)
        self.stock_cards ^= mask_of(drawn, bit)
        self.stock -= len(drawn)
        piles = [self.display_names(cards) for cards in (drawn, away, drop, show)]
        self.add_scene(Step("exchange", path, seat, piles[0], "", *piles[1:]))

    def _exchange_question(self, seat: int) -> Question:
        """Return the question for the discards of a seat; every number of cards is tried."""
        cards = high_first(self.hands[seat], self.deck)
        unfinished = self._unfinished_exchange(seat)

        def attempt(number: str) -> None:
            entry = {"seat": seat, "discard": [*cards[: int(number)]]}
            self._replay_exchanges([*self.hand.exchanges, unfinished.completed(entry)[1]])

        numbers = [str(number) for number in range(len(cards) + 1)]
        refused = faults_of(numbers, attempt)
        counts = tuple(int(number) for number in numbers if number not in refused)
        return Question("exchange", seat, cards, {}, counts[0], counts)

    def _next_field_question(self, missing: _Missing, number: int, unfinished: "_UnfinishedExchange") -> Question:
        """Return the question for the next field of an unfinished exchange; every card is tried."""
        entry, entries = self.hand.exchanges[number], self.hand.exchanges[:number]
        kind, seat = missing.kind, entry["seat"]
        cards = {"show": entry.get("draw", ()), "drop": high_first(self.hands[seat], self.deck)}

        def attempt(name: str) -> None:
            more = {**entry, kind: [*entry.get(kind, ()), name]}
            self._replay_exchanges([*entries, unfinished.completed(more)[1]])

        question = tried_question(kind, seat, cards.get(kind, DECK.bit), attempt)
        return question._replace(
            wanted=missing.wanted, counts=tuple(range(len(question.choices) + 1)) if kind == "show" else ()
        )


class _UnfinishedExchange(NamedTuple):
    """The hand and the stock at the start of an exchange, as bits, and whether trumps may be laid open."""

    held: int
    stock: int
    deck: Deck
    may_show: bool

    def completed(self, entry: Record) -> tuple[_Missing | None, Record]:
        """Return the first missing field of the last entry, if any, and the entry completed with fillers.

        Wrong cards in the entry stay: their fault comes before the fillers.
        """
        whole = {**entry} | {field: [*entry[field]] for field in EXCHANGE_FIELDS if field in entry}
        missing = [*self._draw(whole), *self._show(entry, whole)]
        hand = self._mask(whole, "draw", "open", "hidden") | self.held & ~self._mask(whole, "discard")
        dropped = whole.get("drop", [])
        surplus = hand.bit_count() - HAND - len(dropped)
        if surplus > 0:
            missing.append(_Missing("drop", surplus))
            others = [name for name in high_first(hand, self.deck) if name not in dropped]
            whole["drop"] = [*dropped, *others[:surplus]]
        return missing[0] if missing else None, whole

    def _mask(self, entry: Record, *fields: str) -> int:
        mask = 0
        for field in fields:
            for name in entry.get(field, ()):
                mask |= self.deck.bit.get(name, 0)
        return mask

    def _free(self, entry: Record) -> list[str]:
        return names(self.stock & ~self._mask(entry, "draw", "open", "hidden"), self.deck).split()

    def _fill(self, whole: Record, field: str, count: int) -> Iterable[_Missing]:
        """Add ``count`` cards of the stock to a field, unless the entry has a later field."""
        free = self._free(whole)[: max(0, count)]
        if free and not _is_closed(whole, field):
            whole[field] = [*whole.get(field, ()), *free]
            yield _Missing(field, len(free))

    def _draw(self, whole: Record) -> Iterable[_Missing]:
        """Fill the cards drawn (K6.2)."""
        due = draw_count(self.held.bit_count(), len(whole.get("discard", ())), self.stock.bit_count())
        yield from self._fill(whole, "draw", due - len(whole.get("draw", ())))

    def _show(self, entry: Record, whole: Record) -> Iterable[_Missing]:
        """Ask for the trumps to lay open, and fill the cards given for them (K6.3)."""
        drawn_trumps = trumps(self.deck) & self._mask(entry, "draw")
        five_drawn = len(entry.get("draw", ())) == DRAWN_FOR_ALL
        if self.may_show and five_drawn and drawn_trumps and "show" not in entry and not _is_closed(entry, "show"):
            yield _Missing("show", 0)
        shown, may_grow = self._mask(whole, "show"), True
        while may_grow:
            given = self._mask(whole, "open")
            missing = [
                *self._fill(whole, "open", extra_card_count(shown, given, self.deck) - len(whole.get("open", ())))
            ]
            yield from missing
            may_grow = bool(missing)
        if shown & highest(trumps(self.deck)):
            yield from self._fill(whole, "hidden", DRAWN_FOR_ALL - len(whole.get("hidden", ())))


def _is_closed(entry: Record, field: str) -> bool:
    """Return True if an entry has a later field; an empty ``show`` counts: no trump is laid open."""
    later = EXCHANGE_FIELDS[EXCHANGE_FIELDS.index(field) + 1 :]
    return any(entry.get(name) or (name == "show" and name in entry) for name in later)
