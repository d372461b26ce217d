"""A hand of Kratzen step by step: cuts, deal, speaking, exchange, tricks."""

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from engine.cards import Deck, highest, mask_of, names
from engine.errors import Fault
from engine.kratzen.choosing import CALLS, MIT, OHNE, SCHLAGEN, Chosen, Trump, choose
from engine.kratzen.cutting import CARDS_SHOWN, cut, effect_of, is_muss
from engine.kratzen.dealing import HAND, Dealt, deal
from engine.kratzen.exchange import DRAWN_FOR_ALL, draws_due, exchange, extra_due
from engine.kratzen.players import DECK, WELI, check_players, trumps, under
from engine.kratzen.playing import DUTIES
from engine.record import KratzenFull, read_kratzen
from engine.seats import order_from
from engine.steps.scenes import Ask, Course, Law, Record, Step, Telling, high_first, one, put_card

LAST_WORD: Final = "last word"
"""The answer of a seat that answers after all others instead (K5.6)."""

_CALLED: Final = {WELI: "Weli"}
_MISSING: Final = (("K5.2", "calls"), ("K5.3", "new_trump"), ("K5.5", "answers"))
"""The faults of K5 where nothing is wrong yet, and the field that goes on."""

_KINDS: Final = ("cut", "deal", "turn", "call", "trump", "answer", "exchange", "card")
EXCHANGING: Final = ("draw", "show", "open", "hidden", "drop")
"""The fields of an exchange after the cards put away, in the order in which they are told."""


def walk(record: Record) -> tuple[Course, bool]:
    """The course of a full record, and whether it tells what can only come after the step that is asked for."""
    hand = read_kratzen(record)
    if not isinstance(hand, KratzenFull):
        raise Fault("R1", "deal", "The record tells no cards: the field deal is missing.")
    check_players(hand.table.seats, hand.table.dealer)
    course = _Walk(hand).course()
    return course, course.ask is not None and _goes_on(hand, course.ask)


def _goes_on(hand: KratzenFull, ask: Ask) -> bool:
    """Whether the record tells what comes after the step that is asked for."""
    answered = hand.answers or hand.last_word is not None
    later = (any(hand.hands), hand.turned, hand.calls, hand.new_trump, answered, hand.exchanges, hand.play)
    kind = "exchange" if ask.kind in EXCHANGING else ask.kind
    return any(later[_KINDS.index(kind) :])


def put(record: Record, ask: Ask, answer: list[str]) -> None:
    """Write the answer to what is asked into the record; nothing of it is verified here."""
    if ask.kind == "answer" and answer == [LAST_WORD]:
        record["last_word"] = ask.seat
    elif ask.kind == "cut":
        cuts = record["cuts"]
        if not _is_open(cuts[-1:]):
            cuts.append([])
        cuts[-1].append(one(answer))
    elif ask.kind == "deal":
        record["deal"]["hands"][ask.seat].extend(answer)
    elif ask.kind == "turn":
        record["deal"]["turned"].append(one(answer))
    elif ask.kind == "trump":
        record.setdefault("new_trump", []).append(one(answer))
    elif ask.kind in ("call", "answer"):
        record.setdefault(f"{ask.kind}s", []).append([ask.seat, one(answer)])
    elif ask.kind == "exchange":
        record.setdefault("exchanges", []).append({"seat": ask.seat, "discard": answer})
    elif ask.kind == "card":
        put_card(record, one(answer), ask)
    else:
        entries = record.setdefault("exchanges", [])
        if not entries or entries[-1]["seat"] != ask.seat:
            entries.append({"seat": ask.seat})
        entries[-1].setdefault(ask.kind, []).extend(answer)


def _is_open(last: Sequence[Sequence[str]]) -> bool:
    """Whether another card of the last cut is shown (K3.1)."""
    return any(not cards or (len(cards) < CARDS_SHOWN and effect_of(cards[0])) for cards in last)


def declared(calls: Iterable[Sequence[Any]]) -> tuple[int, str]:
    """Who called highest, and what (K5.2)."""
    seat, word = min(calls, key=lambda call: CALLS.index(call[1]))
    return seat, word


def claimed_at(last_word: int, declarer: int, seats: int) -> int:
    """Before which of the answers the last word was claimed: when it was that seat's turn."""
    return (last_word - declarer) % seats - 1


def tried(names: Iterable[str], attempt: Callable[[str], object]) -> dict[str, Fault]:
    """The cards that break a clause, and which."""
    refused = {}
    for name in names:
        try:
            attempt(name)
        except Fault as fault:
            refused[name] = fault
    return refused


class _Lack(NamedTuple):
    """What an exchange that is still going on asks for next: the field, and how many cards (0: any number)."""

    kind: str
    wanted: int


class _Walk(Telling):
    """A hand on its way. Each part returns what it asks for, or None when it is done."""

    def __init__(self, hand: KratzenFull) -> None:
        super().__init__(hand.table.seats, DECK, _CALLED)
        self.hand = hand
        self.rules = hand.table.rules
        self.seats = hand.table.seats
        self.chosen = Chosen(False, False, None, [])

    def course(self) -> Course:
        """The parts in the order of play."""
        ask = self._cutting() or self._dealing() or self._speaking()
        active: list[int] = []
        if self.chosen.declarer is not None:
            active = [seat for seat in order_from(self.chosen.declarer, self.seats) if seat in self.chosen.active]
        if len(active) > 1:
            law = Law(trumps(self.deck), DUTIES, self.deck, self.rules.must_beat)
            ask = self._exchanging(active) or self.playing(self.hand.play, active, law)
        return Course(tuple(self.scenes), ask, tuple(active), self.hand.table.dealer)

    def _ask(self, kind: str, seat: int | None, cards: Collection[str], attempt: Callable[[str], object]) -> Ask:
        """One of some cards; each is tried."""
        refused = tried(cards, attempt)
        return Ask(kind, seat, tuple(name for name in cards if name not in refused), refused)

    # K3

    def _cutting(self) -> Ask | None:
        """The cuts; after each one somebody has the pack."""
        cuts = self.hand.table.cuts
        self.dealer = self._pack_after(cuts)
        for number, cards in enumerate(cuts):
            if cards:
                dealer = self._pack_after(cuts[: number + 1])
                self.scene(Step("cut", f"cuts[{number}]", dealer, self.shown(cards)))
        begun = cuts[-1] if _is_open(cuts[-1:]) else []
        if cuts and cuts[-1] and not _is_open(cuts[-1:]) and not effect_of(cuts[-1][0]):
            return None
        done = cuts[:-1] if _is_open(cuts[-1:]) else cuts
        rearhand = (self._pack_after(done) - 1) % self.seats
        return self._ask("cut", rearhand, DECK.bit, lambda name: self._pack_after([*done, [*begun, name]]))

    def _pack_after(self, cuts: list[list[str]]) -> int:
        rules, table = self.rules, self.hand.table
        done = cut(rules, seats=self.seats, dealer=table.dealer, cuts=cuts, with_symbols=False, is_over=False)
        return done.dealer

    # K4

    def _dealing(self) -> Ask | None:
        """The deal, seat after seat from the dealer's left, and the turned card, after the Weli another one."""
        hands, turned = self.hand.hands, self.hand.turned
        self.dealt = self._deal(hands, turned)
        for seat in order_from((self.dealer + 1) % self.seats, self.seats):
            cards = hands[seat]
            self.hands[seat] = mask_of(cards, DECK.bit)
            self.stock -= len(cards)
            if cards:
                self.scene(Step("deal", f"deal.hands[{seat}]", seat, self.shown(cards)))
            if len(cards) < HAND:
                return self._ask_deal(seat)
        for number, card in enumerate(turned):
            self.hands[self.dealer] |= DECK.bit[card]
            self._turn(card, f"deal.turned[{number}]", "turn")
        if turned in ([], [WELI]):
            return self._ask("turn", None, DECK.bit, lambda name: self._deal(hands, [*turned, name]))
        return None

    def _ask_deal(self, seat: int) -> Ask:
        hands, turned = self.hand.hands, self.hand.turned
        begun, before, after = hands[seat], hands[:seat], hands[seat + 1 :]
        ask = self._ask("deal", seat, DECK.bit, lambda name: self._deal([*before, [*begun, name], *after], turned))
        return ask._replace(wanted=HAND - len(begun))

    def _deal(self, hands: list[list[str]], turned: list[str]) -> Dealt:
        """K4.1 with fillers for the cards that nobody has told yet."""
        told = {name for cards in [*hands, turned] for name in cards}
        spare = iter([name for name in DECK.bit if name not in told and name != WELI])
        filled = [[*cards, *islice(spare, max(0, HAND - len(cards)))] for cards in hands]
        if turned in ([], [WELI]):
            turned = [*turned, *islice(spare, 1)]
        return deal(self.hand._replace(hands=filled, turned=turned), self.dealer)

    def _turn(self, card: str, at: str, kind: str) -> None:
        self.turned.append(card)
        self.stock -= 1
        self.scene(Step(kind, at, None, self.shown([card])))

    # K5

    def _speaking(self) -> Ask | None:
        """Calls, the cards turned for another trump, and answers, as far as they were told."""
        hand, fault = self.hand, None
        try:
            self.chosen, self.trump = self._choose(hand)
        except Fault as found:
            keeps_trump = any(word == SCHLAGEN for _, word in hand.calls)
            if (found.clause, found.at) not in _MISSING or (keeps_trump and found.at == "new_trump"):
                raise
            fault = found
        for number, (seat, word) in enumerate(hand.calls):
            self.scene(Step("call", f"calls[{number}]", seat, word=word))
        for number, card in enumerate(hand.new_trump):
            self._turn(card, f"new_trump[{number}]", "trump")
        self._tell_answers()
        if fault is None:
            self.deck = self.trump.deck
            self.hands = [under(self.deck, cards) for cards in self.hands]
            self.left = under(self.deck, self.trump.stock)
            return None
        return {"calls": self._ask_call, "new_trump": self._ask_trump, "answers": self._ask_answer}[fault.at]()

    def _choose(self, hand: KratzenFull) -> tuple[Chosen, Trump]:
        return choose(hand, self.dealt, self.dealer, is_muss(self.rules, hand.table.pot_before))

    def _ask_call(self) -> Ask:
        seat = order_from(self.dealer, self.seats)[len(self.hand.calls)]
        return Ask("call", seat, CALLS, {})

    def _ask_trump(self) -> Ask:
        """Another card of the stock; whatever else is wrong then comes later than that card."""
        turned = self.hand.new_trump
        at = f"new_trump[{len(turned)}]"

        def attempt(name: str) -> None:
            self._choose_up_to(at, self.hand._replace(new_trump=[*turned, name]))

        return self._ask("trump", declared(self.hand.calls)[0], DECK.bit, attempt)

    def _choose_up_to(self, at: str, hand: KratzenFull) -> None:
        """K5; only a fault at a place counts."""
        try:
            self._choose(hand)
        except Fault as fault:
            if fault.at == at:
                raise

    def _tell_answers(self) -> None:
        """The answers, and the last word where it was claimed."""
        hand, last = self.hand, self.hand.last_word
        claimed = claimed_at(last, declared(hand.calls)[0], self.seats) if last is not None and hand.calls else -1
        for number in range(len(hand.answers) + 1):
            if number == claimed:
                self.scene(Step("last word", "last_word", last))
            for seat, word in hand.answers[number : number + 1]:
                self.scene(Step("answer", f"answers[{number}]", seat, word=word))

    def _ask_answer(self) -> Ask:
        """Whose turn it is: mit or ohne, or the last word."""
        answers, last = self.hand.answers, self.hand.last_word
        waiting = order_from(declared(self.hand.calls)[0], self.seats)[1:]
        if last is not None:
            waiting.remove(last)
            waiting.append(last)
        seat, at = waiting[len(answers)], f"answers[{len(answers)}]"

        def attempt(word: str) -> None:
            self._choose_up_to(at, self.hand._replace(answers=[*answers, [seat, word]]))

        ask = self._ask("answer", seat, (MIT, OHNE), attempt)
        return ask._replace(last_word=self.rules.last_word and last is None)

    # K6

    def _exchanging(self, active: Sequence[int]) -> Ask | None:
        """The exchanges so far, each verified together with those before it; in a Muss only the dealer's drop."""
        entries, over, muss = self.hand.exchanges, bool(self.hand.play), self.chosen.muss
        waiting = [seat for seat in order_from(self.dealer, self.seats) if seat in active]
        for number, entry in enumerate(entries):
            seat, lack, whole = entry["seat"], None, entry
            if number == len(entries) - 1 and not over and seat in waiting:
                begun = self._begun(seat)
                lack, whole = begun.filled(entry)
            self._exchange([*entries[:number], whole])
            waiting = waiting[waiting.index(seat) + 1 :]
            self._tell_exchange(entry, f"exchanges[{number}]")
            if lack is not None:
                return self._ask_more(lack, number, begun)
        for seat in [] if over else waiting:
            surplus = self.hands[seat].bit_count() - HAND
            if not muss:
                return self._ask_exchange(seat)
            if surplus > 0:
                return Ask("drop", seat, high_first(self.hands[seat], self.deck), {}, surplus)
        self._exchange(entries)
        return None

    def _begun(self, seat: int) -> "_Begun":
        return _Begun(self.hands[seat], self.left, self.deck, self.rules.open_trumps)

    def _exchange(self, entries: list[Record]) -> None:
        """K6.1 to K6.5: `Fault` as in a whole replay."""
        hands = [*self.dealt.hands]
        exchange(self.hand._replace(exchanges=entries), hands, self.trump, self.chosen, self.dealer)

    def _tell_exchange(self, entry: Record, at: str) -> None:
        seat, bit = entry["seat"], self.deck.bit
        away, show, drop = (entry.get(field, []) for field in ("discard", "show", "drop"))
        drawn = [card for field in ("draw", "open", "hidden") for card in entry.get(field, ())]
        held = self.hands[seat] ^ mask_of(away, bit) | mask_of(drawn, bit)
        self.hands[seat] = held ^ mask_of(drop, bit)
        self.left ^= mask_of(drawn, bit)
        self.stock -= len(drawn)
        told = [self.shown(cards) for cards in (drawn, away, drop, show)]
        self.scene(Step("exchange", at, seat, told[0], "", *told[1:]))

    def _ask_exchange(self, seat: int) -> Ask:
        """The next seat puts cards away, or none; every number of cards is tried."""
        cards = high_first(self.hands[seat], self.deck)
        begun = self._begun(seat)

        def attempt(number: str) -> None:
            entry = {"seat": seat, "discard": [*cards[: int(number)]]}
            self._exchange([*self.hand.exchanges, begun.filled(entry)[1]])

        numbers = [str(number) for number in range(len(cards) + 1)]
        refused = tried(numbers, attempt)
        counts = tuple(int(number) for number in numbers if number not in refused)
        return Ask("exchange", seat, cards, {}, counts[0], counts)

    def _ask_more(self, lack: _Lack, number: int, begun: "_Begun") -> Ask:
        """What the exchange that is going on lacks; every card is tried."""
        entry, entries = self.hand.exchanges[number], self.hand.exchanges[:number]
        kind, seat = lack.kind, entry["seat"]
        cards = {"show": entry.get("draw", ()), "drop": high_first(self.hands[seat], self.deck)}

        def attempt(name: str) -> None:
            more = {**entry, kind: [*entry.get(kind, ()), name]}
            self._exchange([*entries, begun.filled(more)[1]])

        ask = self._ask(kind, seat, cards.get(kind, DECK.bit), attempt)
        return ask._replace(wanted=lack.wanted, counts=tuple(range(len(ask.choices) + 1)) if kind == "show" else ())


class _Begun(NamedTuple):
    """Where an exchange begins: the seat's hand and the stock, and what is allowed in it."""

    held: int
    stock: int
    deck: Deck
    may_show: bool

    def filled(self, entry: Record) -> tuple[_Lack | None, Record]:
        """What an entry that nothing follows lacks first, if anything, and the entry with fillers for what it lacks.

        What is told wrongly stays as it is: the fault comes before the fillers.
        """
        whole = {**entry} | {field: [*entry[field]] for field in EXCHANGING if field in entry}
        lacks = [*self._draw(whole), *self._show(entry, whole)]
        hand = self._mask(whole, "draw", "open", "hidden") | self.held & ~self._mask(whole, "discard")
        dropped = whole.get("drop", [])
        lacking = hand.bit_count() - HAND - len(dropped)
        if lacking > 0:
            lacks.append(_Lack("drop", lacking))
            others = [name for name in high_first(hand, self.deck) if name not in dropped]
            whole["drop"] = [*dropped, *others[:lacking]]
        return lacks[0] if lacks else None, whole

    def _mask(self, entry: Record, *fields: str) -> int:
        mask = 0
        for field in fields:
            for name in entry.get(field, ()):
                mask |= self.deck.bit.get(name, 0)
        return mask

    def _free(self, entry: Record) -> list[str]:
        return names(self.stock & ~self._mask(entry, "draw", "open", "hidden"), self.deck).split()

    def _fill(self, whole: Record, field: str, lacking: int) -> Iterable[_Lack]:
        """Cards of the stock for those that a field lacks, where no later field is told."""
        free = self._free(whole)[: max(0, lacking)]
        if free and not _is_closed(whole, field):
            whole[field] = [*whole.get(field, ()), *free]
            yield _Lack(field, len(free))

    def _draw(self, whole: Record) -> Iterable[_Lack]:
        """K6.2."""
        due = draws_due(self.held.bit_count(), len(whole.get("discard", ())), self.stock.bit_count())
        yield from self._fill(whole, "draw", due - len(whole.get("draw", ())))

    def _show(self, entry: Record, whole: Record) -> Iterable[_Lack]:
        """K6.3: which trumps are laid open, and the cards given for them."""
        lies_open = trumps(self.deck) & self._mask(entry, "draw")
        five_drawn = len(entry.get("draw", ())) == DRAWN_FOR_ALL
        if self.may_show and five_drawn and lies_open and "show" not in entry and not _is_closed(entry, "show"):
            yield _Lack("show", 0)
        shown, lacks = self._mask(whole, "show"), True
        while lacks:
            given = self._mask(whole, "open")
            found = [*self._fill(whole, "open", extra_due(shown, given, self.deck) - len(whole.get("open", ())))]
            yield from found
            lacks = bool(found)
        if shown & highest(trumps(self.deck)):
            yield from self._fill(whole, "hidden", DRAWN_FOR_ALL - len(whole.get("hidden", ())))


def _is_closed(entry: Record, field: str) -> bool:
    """Whether an entry tells what comes after a field; that no trump is laid open is told by an empty list."""
    later = EXCHANGING[EXCHANGING.index(field) + 1 :]
    return any(entry.get(name) or (name == "show" and name in entry) for name in later)
