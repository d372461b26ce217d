"""A hand of Chratze step by step: deal, speaking, exchange, tricks."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

from engine.answers import PUT, Put, single_answer
from engine.cards import BIT, DECK, NAME, SUIT_OF, mask_of, six_of
from engine.chratze.dealing import HAND, Dealt, deal
from engine.chratze.exchange import draw_count, exchange
from engine.chratze.players import GOALS, check_players
from engine.chratze.playing import DUTIES
from engine.chratze.record import Full, read
from engine.chratze.speaking import Spoken, speak
from engine.errors import Fault
from engine.game import Steps
from engine.scenes import Progress, Question, Record, Step, TableState, TrickRules, high_first, nothing_dealt
from engine.seats import order_from
from engine.tricks import NEVER

WORDS: Final = ("chratze", "metcho", "weg")
"""All calls and answers (C3)."""

ROB: Final = "rob"
"""The answer of a seat that takes the turned card for the six of trumps (C4.5)."""


def walk(record: Record) -> tuple[Progress, bool]:
    """Return the progress of a full record, and True if the record has steps that come after the next question."""
    hand = read(record)
    if not isinstance(hand, Full):
        raise Fault("R1", "deal", "The record has no cards: the field deal is missing.")
    check_players(hand.table)
    progress = _Walk(hand).progress()
    return progress, progress.question is not None and _has_later_steps(hand, progress.question)


def _has_later_steps(hand: Full, question: Question) -> bool:
    parts = (hand.calls, hand.exchanges or hand.rob, hand.play)
    first = {"deal": 0, "turn": 1 if hand.turned else 0, "call": 1}
    return any(parts[first[question.kind] :]) if question.kind in first else bool(hand.play) and question.kind != "card"


def put_answer(record: Record, question: Question, answer: Sequence[str]) -> None:
    """Write the answer to a question into the record, without any check."""
    if [*answer] == [ROB]:
        _put_rob(record, question)
    else:
        _PUT[question.kind](record, question, answer)


def _put_rob(record: Record, question: Question) -> None:
    seat = question.seat if question.robber is None else question.robber
    record["rob"] = {"seat": seat, "when": "before" if question.kind == "exchange" else "after"}


def _put_drop(record: Record, question: Question, answer: Sequence[str]) -> None:
    record["exchanges"][-1]["drop"] = single_answer(answer)


_PUT: Final[Mapping[str, Put]] = {**PUT, "drop": _put_drop}


STEPS: Final = Steps(lambda seats: {"deal": nothing_dealt(seats)}, walk, put_answer)


class _Walk(TableState):
    """A walk through a full record. Each part of the hand returns its next question, or None when it is finished."""

    def __init__(self, hand: Full) -> None:
        super().__init__(hand.table.seats, DECK, {})
        self.hand = hand
        self.table = hand.table
        self.spoken: Spoken | None = None
        self.robbed = False

    def progress(self) -> Progress:
        """Walk through all parts in the order of play."""
        active: list[int] = []
        rules = None
        question = self._dealing()
        if question is None:
            question = self._speaking()
        if self.spoken is not None and self.spoken.declarer is not None:
            active = [self.spoken.declarer, *self.spoken.joiners]
        if len(active) > 1:
            rules = TrickRules(SUIT_OF[BIT[self.hand.turned[-1]]], DUTIES, DECK, NEVER)
            question = self._exchanging(active) or self._playing(active, rules)
        return Progress(tuple(self.scenes), question, tuple(active), self.table.dealer, rules, GOALS.declarer)

    # C2

    def _dealing(self) -> Question | None:
        """Deal seat by seat, and turn the first card."""
        table, hands, turned = self.table, self.hand.hands, self.hand.turned
        sizes = [HAND] * table.seats
        if table.blind == "double":
            sizes[table.dealer] += 1
        dealt = {name for cards in [*hands, turned] for name in cards}
        unused = iter([name for name in BIT if name not in dealt])
        filled = hands
        if len(hands) == table.seats:
            filled = [[*h, *islice(unused, max(0, n - len(h)))] for h, n in zip(hands, sizes, strict=True)]
        self.dealt = deal(self.hand._replace(hands=filled, turned=turned or [*islice(unused, 1)]))
        for seat in order_from((table.dealer + 1) % table.seats, table.seats):
            cards = hands[seat]
            self.hands[seat] = sum(BIT[name] for name in cards)
            self.stock -= len(cards)
            if cards:
                self.add_scene(Step("deal", f"deal.hands[{seat}]", seat, tuple(cards)))
            if len(cards) < sizes[seat]:
                return self._turn_question()._replace(kind="deal", seat=seat, wanted=sizes[seat] - len(cards))
        if not turned:
            return self._turn_question()
        self._turn()
        return None

    def _turn_question(self) -> Question:
        """Return the question for a card that was not dealt yet; the others are refused with R2."""
        dealt = {name for cards in [*self.hand.hands, self.hand.turned] for name in cards}
        refused = {name: Fault("R2", "deal", f"The card {name} was dealt twice.") for name in BIT if name in dealt}
        return Question("turn", None, tuple(name for name in BIT if name not in dealt), refused)

    def _turn(self) -> None:
        number = len(self.turned)
        card = self.hand.turned[number]
        self.turned.append(card)
        self.stock -= 1
        if self.table.blind is not None:
            self.hands[self.table.dealer] |= BIT[card]
        self.add_scene(Step("turn", f"deal.turned[{number}]", None, (card,)))

    # C3

    def _speaking(self) -> Question | None:
        """Add the calls so far, and between the rounds the turned cards."""
        calls, fault = self.hand.calls, None
        try:
            self.spoken = speak(self.hand)
        except Fault as found:
            too_few = found.at == "deal.turned" and len(calls) == len(self.hand.turned) * self.table.seats
            if found.at != "calls" and not too_few:
                raise
            fault = found
        has_declarer = False
        for number, (seat, word) in enumerate(calls):
            if number == len(self.turned) * self.table.seats and not has_declarer:
                self._turn()
            has_declarer = has_declarer or word == "chratze" or self.table.blind is not None
            self.add_scene(Step("call", f"calls[{number}]", seat, word=word))
        if fault is None:
            return None
        if fault.at == "deal.turned":
            return self._turn_question()
        if len(self.hand.turned) > len(self.turned):
            self._turn()
        return self._call_question()

    def _call_question(self) -> Question:
        """Return the question for the next call. Every word is tried for every seat: only the seat whose turn it is has
        a legal one."""
        number = len(self.hand.calls)
        questions = []
        for seat in range(self.table.seats):
            refused = {}
            for word in WORDS:
                try:
                    speak(self.hand._replace(calls=[*self.hand.calls, [seat, word]]))
                except Fault as fault:
                    if fault.at.startswith(f"calls[{number}]"):
                        refused[word] = fault
            questions.append(Question("call", seat, tuple(word for word in WORDS if word not in refused), refused))
        return next(question for question in questions if question.choices)

    # C4

    def _exchanging(self, active: Sequence[int]) -> Question | None:
        """Add the exchanges so far; each is checked together with those before it."""
        entries, rob = self.hand.exchanges, self.hand.rob
        is_over = bool(self.hand.play) or (bool(rob) and rob.get("when") != "before")
        for number, entry in enumerate(entries):
            seat = entry["seat"]
            self._rob_before(active, seat, entries[:number])
            held, question, whole = [*self.hands], None, entry
            if number == len(entries) - 1 and not is_over and seat in active:
                question, whole = self._completed_entry(entry, number)
            self._replay_exchanges([*entries[:number], whole], active)
            draw, away = tuple(entry.get("draw", ())), tuple(entry.get("discard", ()))
            if question is not None:
                self.hands[seat] = held[seat] ^ mask_of(away) | mask_of(draw)
            self.stock -= len(draw)
            self.add_scene(Step("exchange", f"exchanges[{number}]", seat, draw, "", away, _dropped(entry)))
            if question is not None:
                return question
        later = active[active.index(entries[-1]["seat"]) + 1 :] if entries else active
        if later and not is_over:
            if rob and rob["seat"] in later:
                # The rob comes before this seat's exchange, so the seats before it exchange nothing.
                later = later[later.index(rob["seat"]) :]
                self._rob_before(active, later[0], entries)
            return self._exchange_question(later[0], active)
        self._replay_exchanges(entries, active)
        if rob and not self.robbed:
            self._rob(active, entries)
        return None

    def _replay_exchanges(self, entries: list[Any], active: Sequence[int], rob: dict[str, Any] | None = None) -> None:
        """Replay some exchanges and set the hands; raise `Fault` as a whole replay does. A later rob is left out."""
        if rob is None:
            rob = self.hand.rob if self.robbed else {}
        dealt = Dealt([*self.dealt.hands], self.dealt.turned, self.dealt.stock)
        exchange(self.hand._replace(exchanges=entries, rob=rob), dealt, active)
        self.hands = dealt.hands

    def _rob_before(self, active: Sequence[int], seat: int, entries: list[Any]) -> None:
        """Add the rob if it comes before a seat's exchange: by this seat, or by one that exchanges nothing (C4.5)."""
        rob = self.hand.rob
        if rob.get("when") != "before" or self.robbed or seat not in active:
            return
        if rob["seat"] in active[: active.index(seat) + 1]:
            self._rob(active, entries)

    def _rob(self, active: Sequence[int], entries: list[Any]) -> None:
        self._replay_exchanges(entries, active, self.hand.rob)
        self.robbed = True
        card = self.hand.turned[-1]
        six = NAME[six_of(SUIT_OF[BIT[card]])]
        self.add_scene(Step("rob", "rob", self.hand.rob["seat"], (card,), away=(six,)))

    def _stock_before(self, number: int) -> int:
        """Return the stock before an entry, as bits."""
        drawn = {name for entry in self.hand.exchanges[:number] for name in entry.get("draw", ())}
        return self.dealt.stock & ~sum(BIT[name] for name in drawn)

    def _completed_entry(self, entry: dict[str, Any], number: int) -> tuple[Question | None, dict[str, Any]]:
        """Return the question for the missing part of the last entry, if any, and the entry completed with fillers."""
        seat, drawn = entry["seat"], entry.get("draw", [])
        stock = self._stock_before(number)
        due = draw_count(self.hands[seat].bit_count(), len(entry.get("discard", ())), stock.bit_count())
        free = [name for name in BIT if BIT[name] & stock and name not in drawn]
        missing = max(0, due - len(drawn))
        if not missing and (due <= HAND or "drop" in entry):
            return None, entry
        filled = [*drawn, *free[:missing]]
        whole = {**entry, "draw": filled} | ({"drop": filled[0]} if due > HAND else {})
        if not missing:
            return Question("drop", seat, tuple(drawn), {}), whole
        path = f"exchanges[{number}].draw[{len(drawn)}]"
        message = f"Seat {seat} draws {{}}, which is not in the stock any more."
        refused = {name: Fault("C4.4", path, message.format(name)) for name in BIT if name not in free}
        return Question("draw", seat, tuple(free), refused, missing), whole

    def _exchange_question(self, seat: int, active: Sequence[int]) -> Question:
        """Return the question for the discards of a seat; the seat may take the turned card first."""
        held = self.hands[seat].bit_count()
        stock = self._stock_before(len(self.hand.exchanges)).bit_count()
        counts = tuple(n for n in range(held + 1) if n >= held - HAND and draw_count(held, n, stock) <= stock)
        robber = seat if self._may_rob(seat, active) else None
        return Question("exchange", seat, high_first(self.hands[seat], DECK), {}, counts[0], counts, robber)

    def _may_rob(self, seat: int, active: Sequence[int]) -> bool:
        """Return True if a seat may take the turned card now; this is tried (C4.5)."""
        if self.hand.rob:
            return False
        hands = self.hands
        try:
            self._replay_exchanges(self.hand.exchanges, active, {"seat": seat})
        except Fault:
            return False
        finally:
            self.hands = hands
        return True

    # C5

    def _playing(self, active: Sequence[int], rules: TrickRules) -> Question | None:
        """Play the tricks; before the first card the turned card may still be taken."""
        question = self.play_tricks(self.hand.play, active, rules)
        if question is None or any(self.hand.play):
            return question
        return question._replace(robber=next((seat for seat in active if self._may_rob(seat, active)), None))


def _dropped(entry: Mapping[str, Any]) -> tuple[str, ...]:
    return (entry["drop"],) if "drop" in entry else ()
