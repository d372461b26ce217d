"""A hand of Chratze step by step: from a record that is not finished yet to what lies on the table and what is asked.

No rule stands here a second time. What may come next is found by trying: the record so far, with the answer to be
tried and fillers for what nobody has said yet, goes through the same functions that replay a whole hand, and a fault
counts where it stands at the place of the answer.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Final, NamedTuple

from engine.cards import BIT, NAME, SUIT_OF, highest, mask_of, names, six_of
from engine.chratze.dealing import HAND, Dealt, deal
from engine.chratze.exchange import draws_due, exchange
from engine.chratze.players import check_players
from engine.chratze.playing import DUTIES
from engine.chratze.speaking import Spoken, speak
from engine.errors import Fault
from engine.record import Full, read_chratze
from engine.replay import replay
from engine.rules import check_game
from engine.seats import order_from
from engine.tricks import TRICKS, play_out, turned_to

Record = dict[str, Any]

WORDS: Final = ("chratze", "metcho", "weg")
"""Everything that is said in C3."""


class Step(NamedTuple):
    """One thing that happened: ``kind`` is deal, turn, call, rob, exchange or card, ``at`` its place in the record.

    ``cards`` are those dealt, turned, taken, drawn or played, ``away`` those put away (the six of trumps for a rob),
    ``word`` what was said. ``drop`` are cards put back after drawing. Kratzen has the kinds cut, trump (a card turned
    for another trump) and answer besides.
    """

    kind: str
    at: str
    seat: int | None
    cards: tuple[str, ...] = ()
    word: str = ""
    away: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()


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
    """

    kind: str
    seat: int | None
    choices: tuple[str, ...]
    refused: Mapping[str, Fault]
    wanted: int = 1
    counts: tuple[int, ...] = ()
    robber: int | None = None


class Course(NamedTuple):
    """What happened so far, and what is asked next; nothing is once the hand has come to its end."""

    scenes: tuple[Scene, ...]
    ask: Ask | None
    spoken: Spoken | None
    dealer: int


def begin(start: Mapping[str, Any]) -> Record:
    """A full record in which nothing has happened yet, from the fields that full and tally share."""
    return {**start, "deal": {"hands": [[] for _ in range(start["seats"])], "turned": []}}


def walk(record: object) -> Course:
    """Everything that happened in a full record, finished or not, and what comes next.

    Raises:
        Fault: the first step that breaks a clause, as `replay` would name it; a record that lacks only what comes
            later breaks none.
    """
    if type(record) is not dict:
        raise Fault("R1", "", "A record is a JSON object.")
    check_game(record.get("game"))
    if record["game"] != "chratze":
        raise Fault("R1", "game", "Only Chratze is told step by step.")
    hand = read_chratze(record)
    if not isinstance(hand, Full):
        raise Fault("R1", "deal", "The record tells no cards: the field deal is missing.")
    check_players(hand.table)
    course = _Walk(hand).course()
    if course.ask is not None and _goes_on(hand, course.ask):
        # Something stands there that can only come after what is missing: the whole record is at fault.
        error = replay(record)["error"]
        raise Fault(error["clause"], error["at"], error["message"])
    return course


def _goes_on(hand: Full, ask: Ask) -> bool:
    """Whether the record tells what comes after the step that is asked for."""
    parts = (hand.calls, hand.exchanges or hand.rob, hand.play)
    first = {"deal": 0, "turn": 1 if hand.turned else 0, "call": 1}
    return any(parts[first[ask.kind] :]) if ask.kind in first else bool(hand.play) and ask.kind != "card"


def add(record: Record, ask: Ask, answer: Sequence[str]) -> Record:
    """The record with the answer to what is asked: cards, or one word (a call, or ``"rob"`` where that is open).

    Fewer cards than are dealt or drawn may come at a time.

    Raises:
        Fault: the clause that the answer breaks.
    """
    new = deepcopy(record)
    if [*answer] == ["rob"]:
        when = "before" if ask.kind == "exchange" else "after"
        new["rob"] = {"seat": ask.robber if ask.robber is not None else ask.seat, "when": when}
    elif ask.kind == "deal":
        new["deal"]["hands"][ask.seat].extend(answer)
    elif ask.kind == "exchange":
        new.setdefault("exchanges", []).append({"seat": ask.seat, "discard": [*answer]})
    elif ask.kind == "draw":
        new["exchanges"][-1].setdefault("draw", []).extend(answer)
    elif len(answer) != 1:
        raise Fault("R1", "", f"One answer is asked for, not {len(answer)}.")
    elif ask.kind == "turn":
        new["deal"]["turned"].append(answer[0])
    elif ask.kind == "call":
        new.setdefault("calls", []).append([ask.seat, answer[0]])
    elif ask.kind == "drop":
        new["exchanges"][-1]["drop"] = answer[0]
    else:
        tricks = new.setdefault("play", [])
        if not tricks or len(tricks[-1]) == _in_play(walk(record)):
            tricks.append([])
        tricks[-1].append(answer[0])
    walk(new)
    return new


def _in_play(course: Course) -> int:
    return 1 + len(course.spoken.joiners) if course.spoken else 0


class _Walk:
    """A hand on its way. Each part returns what it asks for, or None when it is done."""

    def __init__(self, hand: Full) -> None:
        self.hand = hand
        self.table = hand.table
        self.hands = [0] * hand.table.seats
        self.stock = len(BIT)
        self.turned = 0
        self.trick: list[tuple[int, str]] = []
        self.taken = [0] * hand.table.seats
        self.spoken: Spoken | None = None
        self.robbed = False
        self.scenes: list[Scene] = []

    def course(self) -> Course:
        ask = self._dealing()
        if ask is None:
            ask = self._speaking()
        if ask is None and self.spoken is not None and self.spoken.declarer is not None and self.spoken.joiners:
            active = [self.spoken.declarer, *self.spoken.joiners]
            ask = self._exchanging(active) or self._playing(active)
        return Course(tuple(self.scenes), ask, self.spoken, self.table.dealer)

    def _scene(self, step: Step, winner: int | None = None) -> None:
        hands = tuple(tuple(reversed(names(hand).split())) for hand in self.hands)
        turned = tuple(self.hand.turned[: self.turned])
        self.scenes.append(Scene(step, hands, turned, self.stock, tuple(self.trick), tuple(self.taken), winner))

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
            filled = [[*h, *(next(spare) for _ in range(n - len(h)))] for h, n in zip(hands, sizes, strict=True)]
        self.dealt = deal(self.hand._replace(hands=filled, turned=turned or [next(spare)]))
        for seat in order_from((table.dealer + 1) % table.seats, table.seats):
            cards = hands[seat]
            self.hands[seat] = sum(BIT[name] for name in cards)
            self.stock -= len(cards)
            if cards:
                self._scene(Step("deal", f"deal.hands[{seat}]", seat, tuple(cards)))
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
        number = self.turned
        self.turned += 1
        self.stock -= 1
        if self.table.blind is not None:
            self.hands[self.table.dealer] |= BIT[self.hand.turned[number]]
        self._scene(Step("turn", f"deal.turned[{number}]", None, (self.hand.turned[number],)))

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
            if number == self.turned * self.table.seats and not declared:
                self._turn()
            declared = declared or word == "chratze" or self.table.blind is not None
            self._scene(Step("call", f"calls[{number}]", seat, word=word))
        if fault is None:
            return None
        if fault.at == "deal.turned":
            return self._ask_turn()
        if len(self.hand.turned) > self.turned:
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
            self._scene(Step("exchange", f"exchanges[{number}]", seat, draw, "", away, _dropped(entry)))
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
        self._scene(Step("rob", "rob", self.hand.rob["seat"], (card,), away=(six,)))

    def _stock_before(self, number: int) -> int:
        """What the stock has before an entry, as bits."""
        drawn = {name for entry in self.hand.exchanges[:number] for name in entry.get("draw", ())}
        return self.dealt.stock & ~sum(BIT.get(name, 0) for name in drawn)

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
        return Ask("exchange", seat, _high_first(self.hands[seat]), {}, counts[0], counts, robber)

    def _may_rob(self, seat: int, active: Sequence[int]) -> bool:
        """C4.5: asked by trying."""
        if self.hand.rob:
            return False
        hands = self.hands
        try:
            self._exchanged(self.hand.exchanges, active, {"seat": seat, "when": "after"})
        except Fault:
            return False
        finally:
            self.hands = hands
        return True

    # C5

    def _playing(self, active: Sequence[int]) -> Ask | None:
        """The tricks card by card."""
        begun, order, trump = [*self.hands], active, SUIT_OF[BIT[self.hand.turned[-1]]]
        tricks = self.hand.play
        for number, trick in enumerate(tricks[:TRICKS]):
            self.trick = []
            held = [*self.hands]
            last = number == len(tricks) - 1
            misses = len(trick) > len(order) or (len(trick) < len(order) and not last)
            fault = _trick_fault(trick, number, held, order, trump) if misses else None
            if fault is not None:
                raise fault
            for place, name in enumerate(trick):
                fault = _card_fault(trick[: place + 1], number, held, order, trump)
                if fault is not None:
                    raise fault
                order = self._lay(name, number, place, order, trump)
            if len(trick) < len(active):
                return self._ask_card(number, trick, held, order, trump)
        if len(tricks) < TRICKS:
            return self._ask_card(len(tricks), [], self.hands, order, trump)
        self.taken = play_out(tricks, begun, active, trump, DUTIES)
        return None

    def _lay(self, name: str, number: int, place: int, order: Sequence[int], trump: int) -> Sequence[int]:
        """One card on the table; the order of the next one, which the winner leads (C5.5)."""
        seat, winner = order[place], None
        self.hands[seat] ^= BIT[name]
        self.trick.append((seat, name))
        if len(self.trick) == len(order):
            lying = mask_of(card for _, card in self.trick)
            best = NAME[highest(lying & trump or lying & SUIT_OF[BIT[self.trick[0][1]]])]
            winner = next(seat for seat, card in self.trick if card == best)
            self.taken[winner] += 1
        self._scene(Step("card", f"play[{number}][{place}]", seat, (name,)), winner)
        return order if winner is None else turned_to(order, order.index(winner))

    def _ask_card(self, number: int, trick: Sequence[str], held: list[int], order: Sequence[int], trump: int) -> Ask:
        """The next seat plays; for each card it may not play the clause and why."""
        seat = order[len(trick)]
        hand = _high_first(self.hands[seat])
        faults = {name: _card_fault([*trick, name], number, held, order, trump) for name in hand}
        refused = {name: fault for name, fault in faults.items() if fault is not None}
        robber = None
        if number == 0 and not trick:
            robber = next((active for active in order if self._may_rob(active, order)), None)
        return Ask("card", seat, tuple(name for name in hand if name not in refused), refused, robber=robber)


def _dropped(entry: Mapping[str, Any]) -> tuple[str, ...]:
    return (entry["drop"],) if "drop" in entry else ()


def _high_first(cards: int) -> tuple[str, ...]:
    return tuple(reversed(names(cards).split()))


def _trick_fault(
    trick: Sequence[str], number: int, held: Sequence[int], order: Sequence[int], trump: int
) -> Fault | None:
    """What the engine says of one trick, at its place in the hand."""
    found = None
    try:
        play_out([trick], [*held], order, trump, DUTIES)
    except Fault as fault:
        found = Fault(fault.clause, fault.at.replace("play[0]", f"play[{number}]"), fault.message)
    return found


def _card_fault(
    trick: Sequence[str], number: int, held: Sequence[int], order: Sequence[int], trump: int
) -> Fault | None:
    """Why the last card of a trick so far may not be played; the cards still to come are filled with none."""
    filled = [*trick, *[""] * (len(order) - len(trick))]
    fault = _trick_fault(filled, number, held, order, trump)
    return fault if fault is not None and fault.at == f"play[{number}][{len(trick) - 1}]" else None
