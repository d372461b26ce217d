"""Chratze, section by section of its rulebook: every step verifies (a `Fault` cites the clause), applies, and
hands a frozen fact to the next."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from engine.cards import BIT, NAME, PACK, SUIT_OF, names, six_of, unknown_card
from engine.errors import Fault, listed, shown
from engine.pot import Booked, book, equal_shares, limited, two_thirds
from engine.record import Full, Table, Tally
from engine.rules import HouseRules
from engine.tricks import TRICKS, Duties, play_out

FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 7
HAND: Final = 4
"""Cards in a hand when play starts (C4.6)."""
BLIND_CLAUSE: Final = {"blind": "C3.4", "double": "C3.5"}
DUTIES: Final = Duties(play="C5.1", follow="C5.2", trump="C5.3")

Entry = dict[str, Any]


class Dealt(NamedTuple):
    """C2: card bits by seat, the turned cards in order, and what is left as stock."""

    hands: list[int]
    turned: list[int]
    stock: int


class Spoken(NamedTuple):
    """C3: who plays. Nobody declared: passed out; nobody joined: a walkover. Joiners in the order of speaking."""

    declarer: int | None
    joiners: list[int]


class Played(NamedTuple):
    """C5: what play brought: each seat's tricks where they were counted, and the seats that reached their goal."""

    tricks: list[int] | None
    made: frozenset[int]


class Settled(NamedTuple):
    """A whole hand, verified: who played, the tricks, the money and what comes next. Amounts in Rappen."""

    spoken: Spoken
    tricks: list[int] | None
    pot: int
    booked: Booked
    next_dealer: int
    next_deal_number: int
    susi: int | None
    blind: str | None


def replay_hand(hand: Tally | Full) -> Settled:
    """A hand of Chratze from the deal to the next pot; a `Fault` for the first clause that it breaks."""
    table = hand.table
    check_players(table)
    if isinstance(hand, Full):
        dealt = deal(hand)
        spoken = speak(hand)
        played = play(hand, dealt, spoken)
    else:
        spoken = tally_speaking(hand)
        played = tally_tricks(hand, spoken)
    return settle(table, spoken, played)


# --- C1 Players and cards ---------------------------------------------------------------------------------------


def check_players(table: Table) -> None:
    """C1.1, the dealer's seat (R3), and C2.5 for the deal's number."""
    if not FEWEST_SEATS <= table.seats <= MOST_SEATS:
        raise Fault(
            "C1.1",
            "seats",
            f"Chratze is played by {FEWEST_SEATS} to {MOST_SEATS} seats, not {shown(table.seats)}.",
        )
    check_seat(table.dealer, table.seats, "dealer")
    rules = table.rules
    if rules.no_taker == "redeal" and table.deal_number > rules.max_turns:
        raise Fault(
            "C2.5",
            "deal_number",
            f"One dealer deals {rules.max_turns} times in a row at most; this would be deal {table.deal_number}.",
        )


def check_seat(seat: int, seats: int, at: str) -> None:
    """R3: the table has that seat."""
    if not 0 <= seat < seats:
        raise Fault("R3", at, f"There is no seat {shown(seat)} at this table: seats are 0 to {seats - 1}.")


def order_from(first: int, seats: int) -> list[int]:
    """C1.4: all seats in the order of play, from ``first`` on."""
    return [*range(first, seats), *range(first)]


# --- C2 Ante and deal -------------------------------------------------------------------------------------------


def ante_of_deal(rules: HouseRules, deal_number: int) -> int:
    """C2.1, C2.4, C2.5: what each seat pays for this deal, in Rappen."""
    return rules.stake if deal_number == 1 or rules.ante_on_redeal else 0


def deal(hand: Full) -> Dealt:
    """C2.2: four cards each and the turned ones; C3.5 gives a double blind dealer a fifth, C3.4 and C3.5 him the turned card.

    R2 for a card that does not exist or lies there twice.
    """
    table = hand.table
    if len(hand.hands) != table.seats:
        raise Fault(
            "C2.2", "deal.hands", f"Each of the {table.seats} seats has a hand; there are {len(hand.hands)}."
        )
    stock = PACK
    hands = []
    for seat, cards in enumerate(hand.hands):
        double = table.blind == "double" and seat == table.dealer
        if len(cards) != HAND + double:
            raise _wrong_hand(seat, len(cards), double)
        held = _take(cards, stock, "deal.hands", seat)
        stock ^= held
        hands.append(held)
    _check_turned(table, len(hand.turned))
    turned_up = _take(hand.turned, stock, "deal.turned", None)
    turned = [BIT[name] for name in hand.turned]
    if table.blind is not None:
        hands[table.dealer] |= turned_up
    return Dealt(hands, turned, stock ^ turned_up)


def _take(cards: Sequence[str], stock: int, at: str, seat: int | None) -> int:
    """The bits of cards dealt from the stock; R2."""
    taken = 0
    for place, name in enumerate(cards):
        card = BIT.get(name, 0)
        if not card & stock:
            here = f"{at}[{place}]" if seat is None else f"{at}[{seat}][{place}]"
            if not card:
                raise unknown_card(name, here)
            raise Fault("R2", here, f"The card {name} was dealt twice.")
        stock ^= card
        taken |= card
    return taken


def _wrong_hand(seat: int, count: int, double: bool) -> Fault:
    at = f"deal.hands[{seat}]"
    if double:
        return Fault(
            "C3.5", at, f"Seat {seat} deals double blind and is dealt {HAND + 1} cards, not {count}."
        )
    return Fault("C2.2", at, f"Seat {seat} is dealt {HAND} cards, not {count}.")


def _check_turned(table: Table, count: int) -> None:
    """How many cards can have been turned: C2.4, C2.5, and one in a blind hand (C3.4, C3.5)."""
    if table.blind is not None:
        if count != 1:
            raise Fault(
                BLIND_CLAUSE[table.blind], "deal.turned", f"In a blind hand one card is turned, not {count}."
            )
    elif table.rules.no_taker == "redeal":
        if count != 1:
            raise Fault("C2.5", "deal.turned", f"One card is turned in a deal, not {count}.")
    elif not 1 <= count <= table.rules.max_turns:
        raise Fault("C2.4", "deal.turned", f"One to {table.rules.max_turns} cards are turned, not {count}.")


def passed_out_clause(rules: HouseRules) -> str:
    """The clause under which a hand without a declarer is passed out."""
    return "C2.5" if rules.no_taker == "redeal" else "C2.4"


# --- C3 Speaking ------------------------------------------------------------------------------------------------


def speak(hand: Full) -> Spoken:
    """C3.1 to C3.6: who declares and who joins, from the calls."""
    table = hand.table
    check_blind(table)
    if table.blind is not None:
        declarer, spoken = table.dealer, 0
    else:
        found, spoken = _find_declarer(hand)
        if found is None:
            if len(hand.calls) > spoken:
                raise Fault(
                    "C3.1",
                    f"calls[{spoken}]",
                    "Everybody has said weg to the last turned card: nobody speaks any more.",
                )
            return Spoken(None, [])
        declarer = found
    joiners = []
    for seat in order_from(declarer, table.seats)[1:]:
        word = _said(hand, spoken, seat, "C3.3")
        if word == "metcho":
            joiners.append(seat)
        elif word != "weg":
            raise _not_an_answer(f"calls[{spoken}][1]", seat, word)
        spoken += 1
    if len(hand.calls) > spoken:
        raise Fault(
            "C3.3",
            f"calls[{spoken}]",
            f"Every seat but the declarer (seat {declarer}) has given its one answer already.",
        )
    check_susi(table, declarer, joiners, f"calls[{spoken - 1}][1]")
    return Spoken(declarer, joiners)


def _find_declarer(hand: Full) -> tuple[int | None, int]:
    """C3.1, C3.2 and, from card to card, C2.4: the declarer, if any, and the number of calls so far."""
    table = hand.table
    rules = table.rules
    order = order_from((table.dealer + 1) % table.seats, table.seats)
    spoken = 0
    for turn in range(1, 1 + (rules.max_turns if rules.no_taker == "turn" else 1)):
        if turn > len(hand.turned):
            raise Fault(
                "C2.4",
                "deal.turned",
                f"Nobody declared, so card {turn} of {rules.max_turns} is turned; it is missing.",
            )
        for seat in order:
            word = _said(hand, spoken, seat, "C3.1")
            if word == "chratze":
                if turn < len(hand.turned):
                    raise Fault(
                        "C2.4",
                        "deal.turned",
                        f"Seat {seat} declared after card {turn}, so no other card is turned.",
                    )
                return seat, spoken + 1
            if word != "weg":
                raise Fault(
                    "C3.1", f"calls[{spoken}][1]", f"Seat {seat} says chratze or weg, not {shown(word)}."
                )
            spoken += 1
    return None, spoken


def _said(hand: Full, number: int, seat: int, clause: str) -> str:
    """The word of the call that is ``seat``'s."""
    if number >= len(hand.calls):
        raise Fault(clause, "calls", f"Seat {seat} has not spoken.")
    speaker, word = hand.calls[number]
    if speaker != seat:
        at = f"calls[{number}][0]"
        check_seat(speaker, hand.table.seats, at)
        raise Fault(clause, at, f"It is seat {seat}'s turn to speak, not seat {speaker}'s.")
    return str(word)


def _not_an_answer(at: str, seat: int, word: str) -> Fault:
    if word == "chratze":
        return Fault("C3.2", at, f"Seat {seat} says chratze, but the hand has its declarer.")
    return Fault("C3.3", at, f"Seat {seat} answers metcho or weg, not {shown(word)}.")


def check_blind(table: Table) -> None:
    """C3.4, C3.5: the house rules allow the hand to be declared blind."""
    if table.blind is None or table.rules.blind == "both" or table.rules.blind == table.blind:
        return
    what = "double blind" if table.blind == "double" else "blind"
    raise Fault(
        BLIND_CLAUSE[table.blind],
        "blind",
        f"The house rules do not let the dealer, seat {table.dealer}, declare {what}.",
    )


def check_susi(table: Table, declarer: int, joiners: Sequence[int], at: str) -> None:
    """C3.6: under ``susi = forced`` the last seat asked joins where nobody else has."""
    if not joiners and table.rules.susi == "forced":
        raise Fault("C3.6", at, f"Nobody has joined, so seat {last_asked(table, declarer)} must.")


def last_asked(table: Table, declarer: int) -> int:
    """C3.6: the seat before the declarer."""
    return (declarer - 1) % table.seats


def tally_speaking(hand: Tally) -> Spoken:
    """C3 for a tally: the declarer and the joiners, ascending, that can have these roles."""
    table = hand.table
    declarer = hand.declarer
    if declarer is not None:
        check_seat(declarer, table.seats, "declarer")
    check_blind(table)
    if table.blind is not None and declarer != table.dealer:
        raise Fault(
            BLIND_CLAUSE[table.blind],
            "declarer",
            f"Only the dealer, seat {table.dealer}, can declare blind; he is the declarer then.",
        )
    if declarer is None:
        if hand.joiners:
            raise Fault("C3.3", "joiners", "Nobody declared, so nobody can join.")
        return Spoken(None, [])
    for place, seat in enumerate(hand.joiners):
        at = f"joiners[{place}]"
        check_seat(seat, table.seats, at)
        if seat == declarer:
            raise Fault("R3", at, f"Seat {seat} is the declarer and cannot join as well.")
        if seat in hand.joiners[:place]:
            raise Fault("R3", at, f"Seat {seat} is named twice among the joiners.")
    check_susi(table, declarer, hand.joiners, "joiners")
    return Spoken(declarer, sorted(hand.joiners))


# --- C4 Exchange ------------------------------------------------------------------------------------------------


def exchange(hand: Full, dealt: Dealt, active: Sequence[int]) -> None:
    """C4.1 to C4.6: the active seats exchange in order, the declarer first; the hands in ``dealt`` change."""
    table = hand.table
    stock = dealt.stock
    waiting = 0
    robbing = hand.rob
    early = robbing.get("when") == "before"
    for number, entry in enumerate(hand.exchanges):
        at = f"exchanges[{number}]"
        seat = entry["seat"]
        if seat not in active[waiting:]:
            check_seat(seat, table.seats, f"{at}.seat")
            raise Fault(
                "C4.1", f"{at}.seat", f"Only {listed(active[waiting:])} can still exchange, not seat {seat}."
            )
        waiting = active.index(seat) + 1
        if early and robbing["seat"] in active[:waiting]:
            rob(hand, dealt, active)
            early, robbing = False, {}
        if number == 0:
            _check_blind_dealer(table, seat)
        dealt.hands[seat], stock = _exchange_one(entry, at, dealt.hands[seat], stock)
    if not hand.exchanges:
        _check_blind_dealer(table, None)
    if robbing:
        rob(hand, dealt, active)


def _check_blind_dealer(table: Table, first: int | None) -> None:
    """C4.3: a blind dealer, who exchanges first, puts away what he holds above four cards."""
    if table.blind is not None and first != table.dealer:
        raise Fault(
            "C4.3",
            "exchanges",
            f"Seat {table.dealer} declared blind and puts cards away down to four; its entry is missing.",
        )


def _exchange_one(entry: Entry, at: str, hand: int, stock: int) -> tuple[int, int]:
    """One seat's exchange: its hand and the stock afterwards."""
    seat = entry["seat"]
    held = hand.bit_count()
    discard = entry.get("discard", ())
    for place, name in enumerate(discard):
        card = BIT.get(name, 0)
        if not card & hand:
            here = f"{at}.discard[{place}]"
            if not card:
                raise unknown_card(name, here)
            raise Fault("C4.1", here, f"Seat {seat} discards {name} but holds {names(hand) or 'no card'}.")
        hand ^= card
    draw = entry.get("draw", ())
    due = _draws_due(seat, held, len(discard), stock.bit_count(), at)
    if len(draw) != due:
        raise Fault(
            _count_clause(held),
            f"{at}.draw",
            f"Seat {seat} discards {len(discard)} of {held} cards and draws {due}, not {len(draw)}.",
        )
    for place, name in enumerate(draw):
        card = BIT.get(name, 0)
        if not card & stock:
            here = f"{at}.draw[{place}]"
            if not card:
                raise unknown_card(name, here)
            raise Fault("C4.4", here, f"Seat {seat} draws {name}, which is not in the stock any more.")
        stock ^= card
        hand |= card
    return _drop(entry, at, hand, held), stock


def _count_clause(held: int) -> str:
    return "C4.2" if held == HAND else "C4.3"


def _draws_due(seat: int, held: int, discarded: int, stock: int, at: str) -> int:
    """C4.2, C4.3, C4.4: how many cards a seat draws for those it puts away."""
    if discarded == held:
        due = min(HAND + 1, max(HAND, stock))
    else:
        due = max(0, HAND - (held - discarded))
    if discarded < held - HAND:
        raise Fault(
            "C4.3",
            f"{at}.discard",
            f"Seat {seat} holds {held} cards and puts away at least {held - HAND}, not {discarded}.",
        )
    if due > stock:
        raise Fault(
            "C4.4",
            f"{at}.discard",
            f"Seat {seat} needs {due} cards for those it puts away, but the stock has {stock}.",
        )
    return due


def _drop(entry: Entry, at: str, hand: int, held: int) -> int:
    """C4.2, C4.3: one of five cards drawn is dropped, and none otherwise; four are left (C4.6)."""
    seat = entry["seat"]
    name = entry.get("drop")
    if hand.bit_count() == HAND:
        if name is not None:
            raise Fault(
                _count_clause(held), f"{at}.drop", f"Seat {seat} has not drawn five cards and drops none."
            )
        return hand
    if name is None:
        raise Fault(
            _count_clause(held), f"{at}.drop", f"Seat {seat} has drawn five cards and drops one of them."
        )
    card = BIT.get(name, 0)
    if not card:
        raise unknown_card(name, f"{at}.drop")
    if not card & hand:
        raise Fault("C4.2", f"{at}.drop", f"Seat {seat} drops {shown(name)} but has drawn {names(hand)}.")
    return hand ^ card


def rob(hand: Full, dealt: Dealt, active: Sequence[int]) -> None:
    """C4.5: the six of trumps for the turned card that made the trump."""
    table = hand.table
    seat = hand.rob["seat"]
    if not table.rules.rob:
        raise Fault("C4.5", "rob", "The house rules do not let the six of trumps take the turned card.")
    if table.blind is not None:
        raise Fault("C4.5", "rob", f"The turned card belongs to seat {table.dealer}, who declared blind.")
    check_seat(seat, table.seats, "rob.seat")
    if seat not in active:
        raise Fault("C4.5", "rob.seat", f"Seat {seat} is out and cannot take the turned card.")
    turned = dealt.turned[-1]
    six = six_of(SUIT_OF[turned])
    if not dealt.hands[seat] & six:
        raise Fault(
            "C4.5",
            "rob.seat",
            f"Seat {seat} does not hold {NAME[six]} and cannot take {NAME[turned]} for it.",
        )
    dealt.hands[seat] ^= six | turned


# --- C5 Play ----------------------------------------------------------------------------------------------------


def play(hand: Full, dealt: Dealt, spoken: Spoken) -> Played:
    """C4 and C5 for a full record; neither takes place in a walkover (C6.3) or a passed-out hand (C2.4, C2.5)."""
    table = hand.table
    if spoken.declarer is None or not spoken.joiners:
        _check_nothing_follows(hand, spoken)
        return Played([0] * table.seats, frozenset())
    active = [spoken.declarer, *spoken.joiners]
    exchange(hand, dealt, active)
    tricks = play_out(hand.play, dealt.hands, active, SUIT_OF[dealt.turned[-1]], DUTIES)
    return _reached(spoken.declarer, spoken.joiners, tricks)


def _check_nothing_follows(hand: Full, spoken: Spoken) -> None:
    clause = "C6.3" if spoken.declarer is not None else passed_out_clause(hand.table.rules)
    why = "Nobody joined" if spoken.declarer is not None else "The hand is passed out"
    for name, value in (("exchanges", hand.exchanges), ("rob", hand.rob), ("play", hand.play)):
        if value:
            raise Fault(clause, name, f"{why}, so there is no {name}.")


def _reached(declarer: int, joiners: Sequence[int], tricks: list[int]) -> Played:
    """C6.1: two tricks for the declarer, one for a joiner."""
    made = {seat for seat in joiners if tricks[seat] >= 1}
    if tricks[declarer] >= 2:
        made.add(declarer)
    return Played(tricks, frozenset(made))


def tally_tricks(hand: Tally, spoken: Spoken) -> Played:
    """R5 and C6.1 for a tally: the tricks, or who reached the goal where nobody counted them."""
    seats = hand.table.seats
    if spoken.declarer is None or not spoken.joiners:
        for name, value in (("tricks", hand.tricks), ("made", hand.made)):
            if value:
                why = "passed out" if spoken.declarer is None else "a walkover"
                raise Fault("R5", name, f"The hand is {why}, so nobody took a trick.")
        return Played([0] * seats, frozenset())
    active = {spoken.declarer, *spoken.joiners}
    if hand.made:
        return Played(None, _check_made(hand.made, seats, spoken.declarer, active))
    counts = [0] * seats
    for word, count in hand.tricks.items():
        seat = int(word)
        at = f"tricks.{word}"
        check_seat(seat, seats, at)
        if seat not in active:
            raise Fault("R5", at, f"Seat {seat} is out and can take no trick.")
        if count < 0:
            raise Fault("R5", at, f"Seat {seat} took no trick at least, not {shown(count)}.")
        counts[seat] = count
    if sum(counts) != TRICKS:
        raise Fault("R5", "tricks", f"There are {TRICKS} tricks in a hand, not {shown(sum(counts))}.")
    return _reached(spoken.declarer, spoken.joiners, counts)


def _check_made(made: Sequence[int], seats: int, declarer: int, active: set[int]) -> frozenset[int]:
    for place, seat in enumerate(made):
        at = f"made[{place}]"
        check_seat(seat, seats, at)
        if seat in made[:place]:
            raise Fault("R3", at, f"Seat {seat} is named twice among those who made it.")
        if seat not in active:
            raise Fault("R5", at, f"Seat {seat} is out and has no goal to reach.")
    joiners = len(made) - (declarer in made)
    if declarer in made and joiners > TRICKS - 2:
        raise Fault(
            "R5",
            "made",
            f"Beside the declarer's two tricks at most two joiners can have made one, not {joiners}.",
        )
    if joiners > TRICKS:
        raise Fault("R5", "made", f"Four joiners at most can have made a trick, not {joiners}.")
    return frozenset(made)


# --- C6 Settlement ----------------------------------------------------------------------------------------------


def settle(table: Table, spoken: Spoken, played: Played) -> Settled:
    """C6: the payouts from the pot, then the penalties, the next pot and the next dealer."""
    rules = table.rules
    ante = ante_of_deal(rules, table.deal_number)
    pot = table.pot_before + ante * table.seats
    payouts: dict[int, int] = {}
    penalties: Mapping[int, int] = {}
    susi = None
    if spoken.declarer is not None:
        payouts = pay_out(rules, pot, spoken.declarer, spoken.joiners, played.made)
        if spoken.joiners:
            left = pot - sum(payouts.values())
            penalties = penalise(rules, pot, left, spoken.declarer, spoken.joiners, played.made)
        elif rules.susi == "label":
            susi = last_asked(table, spoken.declarer)
    antes = dict.fromkeys(range(table.seats), ante)
    booked = book(table.seats, table.pot_before, (("ante", antes), ("penalty", penalties)), payouts)
    next_dealer, next_deal_number = next_office(table, spoken.declarer)
    return Settled(spoken, played.tricks, pot, booked, next_dealer, next_deal_number, susi, table.blind)


def pay_out(
    rules: HouseRules, pot: int, declarer: int, joiners: Sequence[int], made: frozenset[int]
) -> dict[int, int]:
    """C6.3 to C6.6: what each seat takes from the pot P, in Rappen."""
    if not joiners:
        return {declarer: pot}
    if len(made) == 1:
        return dict.fromkeys(made, pot)
    winners = [seat for seat in joiners if seat in made]
    if declarer not in made:
        share, _stays_in_pot = equal_shares(pot, len(winners), rules.coin)
        return dict.fromkeys(winners, share)
    thirds = two_thirds(pot, rules.rounding)
    share, odd = equal_shares(pot - thirds, len(winners), rules.coin)
    return {declarer: thirds + odd} | dict.fromkeys(winners, share)


def penalise(
    rules: HouseRules, pot: int, left: int, declarer: int, joiners: Sequence[int], made: frozenset[int]
) -> Mapping[int, int]:
    """C6.7: what each seat that failed pays, in Rappen; reckoned from P, cut by a limit for what is left in the pot."""
    due = {seat: pot for seat in joiners if seat not in made}
    if declarer not in made:
        due[declarer] = 2 * pot
    return limited(due, rules.pot_limit, left, rules.coin)


def next_office(table: Table, declarer: int | None) -> tuple[int, int]:
    """C2.3 to C2.5: who deals next, and which deal in a row it is for that dealer."""
    rules = table.rules
    same_again = declarer is None and not (
        rules.no_taker == "redeal" and table.deal_number == rules.max_turns
    )
    if same_again:
        return table.dealer, table.deal_number + 1
    return (table.dealer + 1) % table.seats, 1
