"""A sample hand of Chratze, and the players that play it."""

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from engine.cards import BIT, NAME, SUIT_OF, six_of
from engine.chratze.dealing import HAND, ante_of_deal
from engine.chratze.exchange import draw_count
from engine.chratze.players import FEWEST_SEATS, MOST_SEATS, NAME_OF_GAME, TRICKS
from engine.chratze.rules import HouseRules, house_rules
from engine.game import Given, Sample, Start, Wanted
from engine.sample_hand import Record, SampleHand, counted_tricks, first_fields
from engine.sample_players import PLAIN_WORTH, TRUMP_WORTH, WORTH_A_DRAW, Temper, TemperedPlayer, takes
from engine.seats import order_from

_POTS: Final = (0, 0, 20, 35, 100, 335, 1005, 12345)

_AS_TRUMP: Final = {bit: TRUMP_WORTH[name[0]] for name, bit in BIT.items()}
_AS_PLAIN: Final = {bit: PLAIN_WORTH[name[0]] for name, bit in BIT.items()}


class View(NamedTuple):
    """The knowledge of a player for a call.

    ``trump`` are the bits of the trump suit, ``turned`` is the last turned card, ``pot_in_antes`` the pot in multiples
    of one ante from every seat, ``joined`` the number of joiners so far.
    """

    cards: list[int]
    trump: int
    turned: int
    pot_in_antes: int
    joined: int
    is_last: bool


class Player(Protocol):
    """Makes the decisions of one seat; each method is called only when all its possible answers are legal."""

    def declares_double(self) -> bool: ...

    def declares_blind(self, turned: int) -> bool: ...

    def declares(self, view: View) -> bool: ...

    def joins(self, view: View) -> bool: ...

    def discards(self, cards: list[int], trump: int, possible: Sequence[int]) -> list[int]:
        """Return the discards; their number is one of ``possible``."""

    def drops(self, cards: list[int], trump: int) -> int: ...

    def robs_early(self) -> bool | None:
        """Return True to rob before the own exchange, False after all exchanges, None not to rob."""

    def plays(self, legal: list[int], trump: int, led: int, on_table: int, is_last: bool) -> int:
        """Return one of the legal cards; ``led`` is 0 for the leader, ``on_table`` has the cards played so far."""


class SimplePlayer(TemperedPlayer):
    """A player who decides by the worth of his cards, by skill and by daring."""

    def declares_double(self) -> bool:
        return self._chance() < 0.012 * self._daring

    def declares_blind(self, turned: int) -> bool:
        return self._chance() < self._daring * _AS_TRUMP[turned] ** 6 * 0.4

    def _expected(self, view: View) -> float:
        """Return the expected number of tricks after an exchange, with an error that shrinks with skill."""
        trump = view.trump
        worth = sorted((_AS_TRUMP if card & trump else _AS_PLAIN)[card] for card in view.cards)
        for place, value in enumerate(worth):
            worth[place] = max(value, WORTH_A_DRAW)
        if six_of(trump) in view.cards:
            worth.append(_AS_TRUMP[view.turned] - _AS_TRUMP[six_of(trump)])
        return sum(worth) + (1.0 - self._skill) * (self._chance() - 0.5)

    def _caution(self, view: View) -> float:
        """Return a margin that grows with the pot: penalties grow too, and somebody must finally win a large pot."""
        doubled = view.pot_in_antes.bit_length() - 1
        return (0.04 + 0.018 * doubled) * doubled * (1.3 - self._daring)

    def declares(self, view: View) -> bool:
        return self._expected(view) > 1.72 - 0.4 * self._daring + self._caution(view)

    def joins(self, view: View) -> bool:
        level = 1.0 - 0.3 * self._daring + 0.08 * view.joined + self._caution(view)
        if view.is_last and not view.joined:
            level -= 0.15  # a player rather joins than becomes Susi
        return self._expected(view) > level

    def discards(self, cards: list[int], trump: int, possible: Sequence[int]) -> list[int]:
        best_last = sorted(cards, key=lambda card: (_AS_TRUMP if card & trump else _AS_PLAIN)[card])
        junk = sum(
            1 for card in best_last if not card & trump and _AS_PLAIN[card] < (0.5 if self._skill > 0.4 else 0.2)
        )
        if self._makes_mistake():
            junk = self._pick(possible)
        return best_last[: max((number for number in possible if number <= junk), default=possible[0])]

    def drops(self, cards: list[int], trump: int) -> int:
        return (
            self._pick(cards) if self._makes_mistake() else min(cards, key=lambda card: (card & trump, _AS_PLAIN[card]))
        )

    def robs_early(self) -> bool | None:
        return None if self._chance() > 0.8 + 0.2 * self._skill else self._makes_mistake()

    def plays(self, legal: list[int], trump: int, led: int, on_table: int, is_last: bool) -> int:
        if len(legal) == 1:
            return legal[0]
        if self._makes_mistake():
            return self._pick(legal)
        if not led:
            return max(legal, key=lambda card: (_AS_TRUMP if card & trump else _AS_PLAIN)[card])
        taking = [card for card in legal if takes(card, trump, led, on_table)]
        if not taking:
            return min(legal, key=lambda card: (card & trump, _AS_PLAIN[card]))
        return min(taking) if is_last else max(taking)


class RandomPlayer:
    """A player who chooses at random among all legal answers."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def _is_drawn(self, chance: float) -> bool:
        return self._rng.random() < chance

    def declares_double(self) -> bool:
        return self._is_drawn(0.15)

    def declares_blind(self, turned: int) -> bool:
        return self._is_drawn(0.15)

    def declares(self, view: View) -> bool:
        return self._is_drawn(0.25)

    def joins(self, view: View) -> bool:
        return self._is_drawn(0.5)

    def discards(self, cards: list[int], trump: int, possible: Sequence[int]) -> list[int]:
        return self._rng.sample(cards, self._rng.choice(possible))

    def drops(self, cards: list[int], trump: int) -> int:
        return self._rng.choice(cards)

    def robs_early(self) -> bool | None:
        return self._rng.choice((True, False, None))

    def plays(self, legal: list[int], trump: int, led: int, on_table: int, is_last: bool) -> int:
        return self._rng.choice(legal)


class ChratzeHand(SampleHand[int]):
    """A hand of Chratze while it is dealt and played."""

    def __init__(self, rng: random.Random, record: Record, rules: HouseRules, players: Sequence[Player]) -> None:
        super().__init__(rng, record, list(BIT.values()))
        rng.shuffle(self.stock)
        self.rules = rules
        self.players = players
        self.dealer: int = record["dealer"]
        ante = ante_of_deal(rules, record.get("deal_number", 1))
        self.pot_in_antes = (record["pot_before"] + self.seats * ante) // (self.seats * rules.stake)
        self.calls: list[list[Any]] = []

    def play(self) -> Record:
        """Deal, speak, exchange and play; return the record."""
        dealer = self.players[self.dealer]
        double = self.rules.blind == "both" and dealer.declares_double()
        self.hands = [self.take_from_stock(HAND + (double and seat == self.dealer)) for seat in range(self.seats)]
        dealt = [_named(cards) for cards in self.hands]
        self.turned = self.take_from_stock(1)
        blind = double or (self.rules.blind != "none" and dealer.declares_blind(self.turned[0]))
        if blind:
            self.record["blind"] = "double" if double else "blind"
            self.hands[self.dealer].append(self.turned[0])
        declarer = self.dealer if blind else self._round_of_speaking()
        self.record["deal"] = {"hands": dealt, "turned": _named(self.turned)}
        joiners = [] if declarer is None else self._answers(declarer)
        self.record["calls"] = self.calls
        if declarer is not None and joiners:
            self.trump = SUIT_OF[self.turned[-1]]
            active = [declarer, *joiners]
            self._exchange(active, blind)
            tricks = self.play_tricks(TRICKS, active, int, SUIT_OF, self.trump)
            self.record["play"] = [_named(trick) for trick in tricks]
        return self.record

    def _view(self, seat: int, joined: int, is_last: bool) -> View:
        turned = self.turned[-1]
        return View(self.hands[seat], SUIT_OF[turned], turned, self.pot_in_antes, joined, is_last)

    def _round_of_speaking(self) -> int | None:
        """Return the declarer, if any; another card is turned after each round while C2.4 allows it (C3.1)."""
        order = order_from((self.dealer + 1) % self.seats, self.seats)
        turns = self.rules.max_turns if self.rules.no_taker == "turn" else 1
        while True:
            for seat in order:
                declares = self.players[seat].declares(self._view(seat, 0, seat == self.dealer))
                self.calls.append([seat, "chratze" if declares else "weg"])
                if declares:
                    return seat
            if len(self.turned) == turns:
                return None
            self.turned += self.take_from_stock(1)

    def _answers(self, declarer: int) -> list[int]:
        """Return the joiners (C3.3); a forced Susi must join (C3.6)."""
        joiners: list[int] = []
        order = order_from(declarer, self.seats)[1:]
        for seat in order:
            is_last = seat == order[-1]
            must = is_last and not joiners and self.rules.susi == "forced"
            joins = must or self.players[seat].joins(self._view(seat, len(joiners), is_last))
            self.calls.append([seat, "metcho" if joins else "weg"])
            if joins:
                joiners.append(seat)
        return joiners

    def _exchange(self, active: Sequence[int], blind: bool) -> None:
        """Exchange, the rob included (C4)."""
        may_rob = self.rules.rob and not blind
        robbed = may_rob and self._rob(active, "before")
        entries = []
        for seat in active:
            entry = self._exchange_of(seat)
            # Some tables record an exchange without discards, others do not.
            if entry["discard"] or self.rng.random() < 0.5:
                entries.append(entry)
        self.record["exchanges"] = entries
        if may_rob and not robbed:
            self._rob(active, "after")

    def _exchange_of(self, seat: int) -> Record:
        cards, player = self.hands[seat], self.players[seat]
        held, stock = len(cards), len(self.stock)
        possible = [away for away in range(max(0, held - HAND), held + 1) if draw_count(held, away, stock) <= stock]
        away = player.discards(cards, self.trump, possible)
        drawn = self.take_from_stock(draw_count(held, len(away), stock))
        entry = {"seat": seat, "discard": _named(away), "draw": _named(drawn)}
        cards = [card for card in cards if card not in away] + drawn
        if len(cards) > HAND:
            dropped = player.drops(cards, self.trump)
            cards.remove(dropped)
            entry["drop"] = NAME[dropped]
        self.hands[seat] = cards
        return entry

    def _rob(self, active: Sequence[int], when: str) -> bool:
        six = six_of(self.trump)
        for seat in active:
            if six in self.hands[seat] and self.players[seat].robs_early() is (when == "before"):
                place = self.hands[seat].index(six)
                self.hands[seat][place] = self.turned[-1]
                self.record["rob"] = {"seat": seat, "when": when}
                return True
        return False

    def play_card(self, seat: int, legal: list[int], led: int, on_table: int, is_last: bool) -> int:
        return self.players[seat].plays(legal, self.trump, led, on_table, is_last)


def _named(cards: Sequence[int]) -> list[str]:
    return [NAME[card] for card in cards]


def random_rules(rng: random.Random) -> dict[str, object]:
    """Return random house rules; most keep their default."""
    coin = rng.choice((1, 5, 10, 20))
    stake = rng.choice((5, 10, 20, 50, 100))
    all_rules: dict[str, object] = {
        "stake": stake,
        "coin": coin,
        "rounding": coin * rng.choice((1, 2, 4, 10)),
        "no_taker": rng.choice(("turn", "redeal")),
        "max_turns": rng.randint(1, 8),
        "ante_on_redeal": rng.random() < 0.5,
        "blind": rng.choice(("none", "blind", "both")),
        "susi": rng.choice(("off", "label", "forced")),
        "rob": rng.random() < 0.5,
        "pot_limit": rng.choice((None, stake, stake + 7, 10 * stake, 1000)),
    }
    chosen = {name for name in all_rules if rng.random() < 0.3}
    if "rounding" in chosen:
        chosen.add("coin")
    if "pot_limit" in chosen:
        chosen.add("stake")
    return {name: value for name, value in all_rules.items() if name in chosen}


def _first_fields(rules: Given, seats: int, dealer: int, pot_before: int, deal_number: int) -> Record:
    record = first_fields(NAME_OF_GAME, rules, seats, dealer, pot_before)
    return record if deal_number == 1 else record | {"deal_number": deal_number}


def play_hand(rng: random.Random, start: Start, players: Sequence[Temper]) -> Record:
    """Return a hand played by simple players."""
    simple = [SimplePlayer(rng, temper) for temper in players]
    return ChratzeHand(rng, _first_fields(*start), house_rules(start.rules), simple).play()


def random_hand(rng: random.Random, wanted: Wanted) -> Record:
    """Return a hand in which everything that is not wanted is random among all legal values."""
    given, seats, dealer, pot_before, deal_number = wanted
    rules = house_rules(given)
    seats = rng.randint(FEWEST_SEATS, MOST_SEATS) if seats is None else seats
    dealer = rng.randrange(seats) if dealer is None else dealer
    pot_before = rng.choice(_POTS) if pot_before is None else pot_before
    if deal_number is None:
        deal_number = rng.randint(1, rules.max_turns) if rng.random() < 0.3 else 1
    record = _first_fields(given, seats, dealer, pot_before, deal_number)
    return ChratzeHand(rng, record, rules, [RandomPlayer(rng)] * seats).play()


def tally_of(record: Mapping[str, Any], result: Mapping[str, Any]) -> Record:
    """Return the tally of a full record."""
    kept = ("game", "rules", "seats", "dealer", "pot_before", "deal_number", "blind")
    tally = {name: record[name] for name in kept if name in record} | {"declarer": result["declarer"]}
    if result["joiners"]:
        tally |= {"joiners": result["joiners"], "tricks": counted_tricks(result)}
    return tally


SAMPLE: Final = Sample(play_hand, random_hand, random_rules, tally_of)
