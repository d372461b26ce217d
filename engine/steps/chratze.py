"""A hand of Chratze step by step."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

from engine.cards import BIT, DECK, NAME, SUIT_OF, mask_of, six_of
from engine.chratze.dealing import HAND, Dealt, deal
from engine.chratze.exchange import draws_due, exchange
from engine.chratze.players import check_players
from engine.chratze.playing import DUTIES
from engine.chratze.speaking import Spoken, speak
from engine.errors import Fault
from engine.record import Full, read_chratze
from engine.seats import order_from
from engine.steps.scenes import Ask, Course, Law, Record, Step, Telling, high_first, one, put_card
from engine.tricks import NEVER

WORDS: Final = ("chratze", "metcho", "weg")
"""Everything that is said in C3."""


def walk(record: Record) -> tuple[Course, bool]:
    """The course of a full record, and whether it tells what can only come after the step that is asked for."""
    hand = read_chratze(record)
    if not isinstance(hand, Full):
        raise Fault("R1", "deal", "The record tells no cards: the field deal is missing.")
    check_players(hand.table)
    course = _Walk(hand).course()
    return course, course.ask is not None and _goes_on(hand, course.ask)


def _goes_on(hand: Full, ask: Ask) -> bool:
    """Whether the record tells what comes after the step that is asked for."""
    parts = (hand.calls, hand.exchanges or hand.rob, hand.play)
    first = {"deal": 0, "turn": 1 if hand.turned else 0, "call": 1}
    return any(parts[first[ask.kind] :]) if ask.kind in first else bool(hand.play) and ask.kind != "card"


def put(record: Record, ask: Ask, answer: list[str]) -> None:
    """Write the answer to what is asked into the record; nothing of it is verified here."""
    if answer == ["rob"]:
        when = "before" if ask.kind == "exchange" else "after"
        record["rob"] = {"seat": ask.robber if ask.robber is not None else ask.seat, "when": when}
    elif ask.kind == "deal":
        record["deal"]["hands"][ask.seat].extend(answer)
    elif ask.kind == "exchange":
        record.setdefault("exchanges", []).append({"seat": ask.seat, "discard": answer})
    elif ask.kind == "draw":
        record["exchanges"][-1].setdefault("draw", []).extend(answer)
    elif ask.kind == "turn":
        record["deal"]["turned"].append(one(answer))
    elif ask.kind == "call":
        record.setdefault("calls", []).append([ask.seat, one(answer)])
    elif ask.kind == "drop":
        record["exchanges"][-1]["drop"] = one(answer)
    else:
        put_card(record, one(answer), ask)


class _Walk(Telling):
    """A hand on its way. Each part returns what it asks for, or None when it is done."""

    def __init__(self, hand: Full) -> None:
        super().__init__(hand.table.seats, DECK, {})
        self.hand = hand
        self.table = hand.table
        self.spoken: Spoken | None = None
        self.robbed = False

    def course(self) -> Course:
        """The parts in the order of play."""
        active: list[int] = []
        ask = self._dealing()
        if ask is None:
            ask = self._speaking()
        if self.spoken is not None and self.spoken.declarer is not None:
            active = [self.spoken.declarer, *self.spoken.joiners]
        if len(active) > 1:
            ask = self._exchanging(active) or self._playing(active)
        return Course(tuple(self.scenes), ask, tuple(active), self.table.dealer)

    # C2

    def _dealing(self) -> Ask | None:
        """The deal, seat after seat, and the first turned card."""
        table, hands, turned = self.table, self.hand.hands, self.hand.turned
        sizes = [HAND] * table.seats
        if table.blind == "double":
            sizes[table.dealer] += 1
        dealt = {name for cards in [*hands, turned] for name in cards}
        spare = iter([name for name in BIT if name not in dealt])
        filled = hands
        if len(hands) == table.seats:
            filled = [[*h, *islice(spare, max(0, n - len(h)))] for h, n in zip(hands, sizes, strict=True)]
        self.dealt = deal(self.hand._replace(hands=filled, turned=turned or [*islice(spare, 1)]))
        for seat in order_from((table.dealer + 1) % table.seats, table.seats):
            cards = hands[seat]
            self.hands[seat] = sum(BIT[name] for name in cards)
            self.stock -= len(cards)
            if cards:
                self.scene(Step("deal", f"deal.hands[{seat}]", seat, tuple(cards)))
            if len(cards) < sizes[seat]:
                return self._ask_turn()._replace(kind="deal", seat=seat, wanted=sizes[seat] - len(cards))
        if not turned:
            return self._ask_turn()
        self._turn()
        return None

    def _ask_turn(self) -> Ask:
        """Any card that does not lie there yet; R2 for the others."""
        dealt = {name for cards in [*self.hand.hands, self.hand.turned] for name in cards}
        refused = {name: Fault("R2", "deal", f"The card {name} was dealt twice.") for name in BIT if name in dealt}
        return Ask("turn", None, tuple(name for name in BIT if name not in dealt), refused)

    def _turn(self) -> None:
        number = len(self.turned)
        card = self.hand.turned[number]
        self.turned.append(card)
        self.stock -= 1
        if self.table.blind is not None:
            self.hands[self.table.dealer] |= BIT[card]
        self.scene(Step("turn", f"deal.turned[{number}]", None, (card,)))

    # C3

    def _speaking(self) -> Ask | None:
        """The calls as far as they were spoken, and between the rounds the next turned card."""
        calls, fault = self.hand.calls, None
        try:
            self.spoken = speak(self.hand)
        except Fault as found:
            too_few = found.at == "deal.turned" and len(calls) == len(self.hand.turned) * self.table.seats
            if found.at != "calls" and not too_few:
                raise
            fault = found
        declared = False
        for number, (seat, word) in enumerate(calls):
            if number == len(self.turned) * self.table.seats and not declared:
                self._turn()
            declared = declared or word == "chratze" or self.table.blind is not None
            self.scene(Step("call", f"calls[{number}]", seat, word=word))
        if fault is None:
            return None
        if fault.at == "deal.turned":
            return self._ask_turn()
        if len(self.hand.turned) > len(self.turned):
            self._turn()
        return self._ask_call()

    def _ask_call(self) -> Ask:
        """Whose turn it is to speak: the seat that has a word which breaks no clause."""
        number = len(self.hand.calls)
        asks = []
        for seat in range(self.table.seats):
            refused = {}
            for word in WORDS:
                try:
                    speak(self.hand._replace(calls=[*self.hand.calls, [seat, word]]))
                except Fault as fault:
                    if fault.at.startswith(f"calls[{number}]"):
                        refused[word] = fault
            asks.append(Ask("call", seat, tuple(word for word in WORDS if word not in refused), refused))
        return next(ask for ask in asks if ask.choices)

    # C4

    def _exchanging(self, active: Sequence[int]) -> Ask | None:
        """The exchanges so far, each verified together with those before it."""
        entries, rob = self.hand.exchanges, self.hand.rob
        over = bool(self.hand.play) or (bool(rob) and rob.get("when") != "before")
        for number, entry in enumerate(entries):
            seat = entry["seat"]
            self._rob_before(active, seat, entries[:number])
            held, ask, whole = [*self.hands], None, entry
            if number == len(entries) - 1 and not over and seat in active:
                ask, whole = self._lacking(entry, number)
            self._exchanged([*entries[:number], whole], active)
            draw, away = tuple(entry.get("draw", ())), tuple(entry.get("discard", ()))
            if ask is not None:
                self.hands[seat] = held[seat] ^ mask_of(away) | mask_of(draw)
            self.stock -= len(draw)
            self.scene(Step("exchange", f"exchanges[{number}]", seat, draw, "", away, _dropped(entry)))
            if ask is not None:
                return ask
        later = active[active.index(entries[-1]["seat"]) + 1 :] if entries else active
        if later and not over:
            if rob and rob["seat"] in later:
                # Whoever takes the card before its exchange begins says that those before it took none.
                later = later[later.index(rob["seat"]) :]
                self._rob_before(active, later[0], entries)
            return self._ask_exchange(later[0], active)
        self._exchanged(entries, active)
        if rob and not self.robbed:
            self._rob(active, entries)
        return None

    def _exchanged(self, entries: list[Any], active: Sequence[int], rob: dict[str, Any] | None = None) -> None:
        """The hands after some exchanges, with the rob once it was told; `Fault` as in a whole replay."""
        if rob is None:
            rob = self.hand.rob if self.robbed else {}
        fresh = Dealt([*self.dealt.hands], self.dealt.turned, self.dealt.stock)
        exchange(self.hand._replace(exchanges=entries, rob=rob), fresh, active)
        self.hands = fresh.hands

    def _rob_before(self, active: Sequence[int], seat: int, entries: list[Any]) -> None:
        """C4.5: the turned card is taken before this seat exchanges, by it or by one that took none."""
        rob = self.hand.rob
        if rob.get("when") != "before" or self.robbed or seat not in active:
            return
        if rob["seat"] in active[: active.index(seat) + 1]:
            self._rob(active, entries)

    def _rob(self, active: Sequence[int], entries: list[Any]) -> None:
        self._exchanged(entries, active, self.hand.rob)
        self.robbed = True
        card = self.hand.turned[-1]
        six = NAME[six_of(SUIT_OF[BIT[card]])]
        self.scene(Step("rob", "rob", self.hand.rob["seat"], (card,), away=(six,)))

    def _stock_before(self, number: int) -> int:
        """What the stock has before an entry, as bits."""
        drawn = {name for entry in self.hand.exchanges[:number] for name in entry.get("draw", ())}
        return self.dealt.stock & ~sum(BIT[name] for name in drawn)

    def _lacking(self, entry: dict[str, Any], number: int) -> tuple[Ask | None, dict[str, Any]]:
        """What the last entry lacks, if anything, and the entry with fillers in its place."""
        seat, drawn = entry["seat"], entry.get("draw", [])
        stock = self._stock_before(number)
        due = draws_due(self.hands[seat].bit_count(), len(entry.get("discard", ())), stock.bit_count())
        free = [name for name in BIT if BIT[name] & stock and name not in drawn]
        lacks = max(0, due - len(drawn))
        if not lacks and (due <= HAND or "drop" in entry):
            return None, entry
        full = [*drawn, *free[:lacks]]
        whole = {**entry, "draw": full} | ({"drop": full[0]} if due > HAND else {})
        if not lacks:
            return Ask("drop", seat, tuple(drawn), {}), whole
        at = f"exchanges[{number}].draw[{len(drawn)}]"
        said = f"Seat {seat} draws {{}}, which is not in the stock any more."
        refused = {name: Fault("C4.4", at, said.format(name)) for name in BIT if name not in free}
        return Ask("draw", seat, tuple(free), refused, lacks), whole

    def _ask_exchange(self, seat: int, active: Sequence[int]) -> Ask:
        """The next seat puts cards away, or none; it may take the turned card before."""
        held = self.hands[seat].bit_count()
        stock = self._stock_before(len(self.hand.exchanges)).bit_count()
        counts = tuple(n for n in range(held + 1) if n >= held - HAND and draws_due(held, n, stock) <= stock)
        robber = seat if self._may_rob(seat, active) else None
        return Ask("exchange", seat, high_first(self.hands[seat], DECK), {}, counts[0], counts, robber)

    def _may_rob(self, seat: int, active: Sequence[int]) -> bool:
        """C4.5: asked by trying."""
        if self.hand.rob:
            return False
        hands = self.hands
        try:
            self._exchanged(self.hand.exchanges, active, {"seat": seat})
        except Fault:
            return False
        finally:
            self.hands = hands
        return True

    # C5

    def _playing(self, active: Sequence[int]) -> Ask | None:
        """The tricks; before the first card the turned one may still be taken."""
        law = Law(SUIT_OF[BIT[self.hand.turned[-1]]], DUTIES, DECK, NEVER)
        ask = self.playing(self.hand.play, active, law)
        if ask is None or any(self.hand.play):
            return ask
        return ask._replace(robber=next((seat for seat in active if self._may_rob(seat, active)), None))


def _dropped(entry: Mapping[str, Any]) -> tuple[str, ...]:
    return (entry["drop"],) if "drop" in entry else ()
