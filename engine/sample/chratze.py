"""A hand of Chratze in the making, and the minds that play it."""

import random
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol

from engine.cards import BIT, NAME, SUIT_OF, highest, six_of
from engine.chratze.dealing import HAND, ante_of_deal
from engine.chratze.exchange import draws_due
from engine.rules import HouseRules
from engine.sample.minds import PLAIN_WORTH, TRUMP_WORTH, WORTH_A_DRAW, Temper, takes
from engine.seats import order_from
from engine.tricks import TRICKS, legal_cards, turned_to

Record = dict[str, Any]

_AS_TRUMP: Final = {bit: TRUMP_WORTH[name[0]] for name, bit in BIT.items()}
_AS_PLAIN: Final = {bit: PLAIN_WORTH[name[0]] for name, bit in BIT.items()}


class View(NamedTuple):
    """What a seat sees when it speaks: its cards, the trump suit's bits, the pot in stakes, who plays already."""

    cards: list[int]
    trump: int
    turned: int
    pot_in_antes: int
    joined: int
    is_last: bool


class Mind(Protocol):
    """Somebody who decides; every answer asked for is legal whatever it is."""

    def declares_double(self) -> bool: ...

    def declares_blind(self, turned: int) -> bool: ...

    def declares(self, view: View) -> bool: ...

    def joins(self, view: View) -> bool: ...

    def discards(self, cards: list[int], trump: int, possible: Sequence[int]) -> list[int]:
        """The cards to put away; their number is one of ``possible``."""

    def drops(self, cards: list[int], trump: int) -> int: ...

    def robs_early(self) -> bool | None:
        """True before its exchange, False after all exchanges, None not at all."""

    def plays(self, legal: list[int], trump: int, led: int, lying: int, is_last: bool) -> int:
        """One of the legal cards; ``led`` is 0 for the leader, ``lying`` the cards of the trick so far."""


class SimpleMind:
    """A player with a temper."""

    def __init__(self, rng: random.Random, temper: Temper) -> None:
        self._chance = rng.random
        self._pick = rng.choice
        self._skill, self._daring = temper

    def _errs(self) -> bool:
        return self._chance() > 0.55 + 0.45 * self._skill

    def declares_double(self) -> bool:
        return self._chance() < 0.012 * self._daring

    def declares_blind(self, turned: int) -> bool:
        return self._chance() < self._daring * _AS_TRUMP[turned] ** 6 * 0.4

    def _expected(self, view: View) -> float:
        """The tricks that it hopes for, after an exchange; the less skill, the vaguer."""
        trump = view.trump
        worth = sorted((_AS_TRUMP if card & trump else _AS_PLAIN)[card] for card in view.cards)
        for place, value in enumerate(worth):
            worth[place] = max(value, WORTH_A_DRAW)
        if six_of(trump) in view.cards:
            worth.append(_AS_TRUMP[view.turned] - _AS_TRUMP[six_of(trump)])
        return sum(worth) + (1.0 - self._skill) * (self._chance() - 0.5)

    def _care(self, view: View) -> float:
        """A pot doubled is a penalty doubled, and a large pot must find its end."""
        doubled = view.pot_in_antes.bit_length() - 1
        return (0.04 + 0.018 * doubled) * doubled * (1.3 - self._daring)

    def declares(self, view: View) -> bool:
        return self._expected(view) > 1.72 - 0.4 * self._daring + self._care(view)

    def joins(self, view: View) -> bool:
        level = 1.0 - 0.3 * self._daring + 0.08 * view.joined + self._care(view)
        if view.is_last and not view.joined:
            level -= 0.15  # nobody likes to be Susi
        return self._expected(view) > level

    def discards(self, cards: list[int], trump: int, possible: Sequence[int]) -> list[int]:
        best_last = sorted(cards, key=lambda card: (_AS_TRUMP if card & trump else _AS_PLAIN)[card])
        junk = sum(
            1 for card in best_last if not card & trump and _AS_PLAIN[card] < (0.5 if self._skill > 0.4 else 0.2)
        )
        if self._errs():
            junk = self._pick(possible)
        return best_last[: max((number for number in possible if number <= junk), default=possible[0])]

    def drops(self, cards: list[int], trump: int) -> int:
        return self._pick(cards) if self._errs() else min(cards, key=lambda card: (card & trump, _AS_PLAIN[card]))

    def robs_early(self) -> bool | None:
        return None if self._chance() > 0.8 + 0.2 * self._skill else self._errs()

    def plays(self, legal: list[int], trump: int, led: int, lying: int, is_last: bool) -> int:
        if len(legal) == 1:
            return legal[0]
        if self._errs():
            return self._pick(legal)
        if not led:
            return max(legal, key=lambda card: (_AS_TRUMP if card & trump else _AS_PLAIN)[card])
        taking = [card for card in legal if takes(card, trump, led, lying)]
        if not taking:
            return min(legal, key=lambda card: (card & trump, _AS_PLAIN[card]))
        return min(taking) if is_last else max(taking)


class RandomMind:
    """Somebody who decides by lot among all that is legal."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def _lot(self, chance: float) -> bool:
        return self._rng.random() < chance

    def declares_double(self) -> bool:
        return self._lot(0.15)

    def declares_blind(self, turned: int) -> bool:
        return self._lot(0.15)

    def declares(self, view: View) -> bool:
        return self._lot(0.25)

    def joins(self, view: View) -> bool:
        return self._lot(0.5)

    def discards(self, cards: list[int], trump: int, possible: Sequence[int]) -> list[int]:
        return self._rng.sample(cards, self._rng.choice(possible))

    def drops(self, cards: list[int], trump: int) -> int:
        return self._rng.choice(cards)

    def robs_early(self) -> bool | None:
        return self._rng.choice((True, False, None))

    def plays(self, legal: list[int], trump: int, led: int, lying: int, is_last: bool) -> int:
        return self._rng.choice(legal)


class Table:
    """A hand in the making: deals, asks the minds and writes the record."""

    def __init__(self, rng: random.Random, record: Record, rules: HouseRules, minds: Sequence[Mind]) -> None:
        self.rng = rng
        self.record = record
        self.rules = rules
        self.minds = minds
        self.seats: int = record["seats"]
        self.dealer: int = record["dealer"]
        ante = ante_of_deal(rules, record.get("deal_number", 1))
        self.pot_in_antes = (record["pot_before"] + self.seats * ante) // (self.seats * rules.stake)
        self.stock = list(BIT.values())
        rng.shuffle(self.stock)
        self.calls: list[list[Any]] = []

    def hand(self) -> Record:
        """Deal, speak, exchange, play; the record of it."""
        dealer = self.minds[self.dealer]
        double = self.rules.blind == "both" and dealer.declares_double()
        self.hands = [self._off_the_pack(HAND + (double and seat == self.dealer)) for seat in range(self.seats)]
        dealt = [_named(cards) for cards in self.hands]
        self.turned = self._off_the_pack(1)
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
            self.record["play"] = self._tricks(active)
        return self.record

    def _off_the_pack(self, count: int) -> list[int]:
        return [self.stock.pop() for _ in range(count)]

    def _view(self, seat: int, joined: int, is_last: bool) -> View:
        turned = self.turned[-1]
        return View(self.hands[seat], SUIT_OF[turned], turned, self.pot_in_antes, joined, is_last)

    def _round_of_speaking(self) -> int | None:
        """C3.1, with another card turned as long as C2.4 allows: the declarer, if there is one."""
        order = order_from((self.dealer + 1) % self.seats, self.seats)
        turns = self.rules.max_turns if self.rules.no_taker == "turn" else 1
        while True:
            for seat in order:
                declares = self.minds[seat].declares(self._view(seat, 0, seat == self.dealer))
                self.calls.append([seat, "chratze" if declares else "weg"])
                if declares:
                    return seat
            if len(self.turned) == turns:
                return None
            self.turned += self._off_the_pack(1)

    def _answers(self, declarer: int) -> list[int]:
        """C3.3, and C3.6 where Susi is forced."""
        joiners: list[int] = []
        order = order_from(declarer, self.seats)[1:]
        for seat in order:
            is_last = seat == order[-1]
            must = is_last and not joiners and self.rules.susi == "forced"
            joins = must or self.minds[seat].joins(self._view(seat, len(joiners), is_last))
            self.calls.append([seat, "metcho" if joins else "weg"])
            if joins:
                joiners.append(seat)
        return joiners

    def _exchange(self, active: Sequence[int], blind: bool) -> None:
        """C4, the six of trumps included."""
        may_rob = self.rules.rob and not blind
        robbed = may_rob and self._rob(active, "before")
        entries = []
        for seat in active:
            entry = self._exchange_of(seat)
            # Nothing put away: at some tables that is written down, at others not.
            if entry["discard"] or self.rng.random() < 0.5:
                entries.append(entry)
        self.record["exchanges"] = entries
        if may_rob and not robbed:
            self._rob(active, "after")

    def _exchange_of(self, seat: int) -> Record:
        cards, mind = self.hands[seat], self.minds[seat]
        held, stock = len(cards), len(self.stock)
        possible = [away for away in range(max(0, held - HAND), held + 1) if draws_due(held, away, stock) <= stock]
        away = mind.discards(cards, self.trump, possible)
        drawn = self._off_the_pack(draws_due(held, len(away), stock))
        entry = {"seat": seat, "discard": _named(away), "draw": _named(drawn)}
        cards = [card for card in cards if card not in away] + drawn
        if len(cards) > HAND:
            dropped = mind.drops(cards, self.trump)
            cards.remove(dropped)
            entry["drop"] = NAME[dropped]
        self.hands[seat] = cards
        return entry

    def _rob(self, active: Sequence[int], when: str) -> bool:
        six = six_of(self.trump)
        for seat in active:
            if six in self.hands[seat] and self.minds[seat].robs_early() is (when == "before"):
                place = self.hands[seat].index(six)
                self.hands[seat][place] = self.turned[-1]
                self.record["rob"] = {"seat": seat, "when": when}
                return True
        return False

    def _tricks(self, order: Sequence[int]) -> list[list[str]]:
        tricks = []
        for _ in range(TRICKS):
            trick: list[int] = []
            led = lying = 0
            for seat in order:
                cards = self.hands[seat]
                allowed = legal_cards(sum(cards), led or sum(cards), self.trump)
                legal = [card for card in cards if card & allowed]
                card = self.minds[seat].plays(legal, self.trump, led, lying, seat == order[-1])
                led = led or SUIT_OF[card]
                cards.remove(card)
                trick.append(card)
                lying |= card
            order = turned_to(order, trick.index(highest(lying & self.trump or lying & led)))
            tricks.append(_named(trick))
        return tricks


def _named(cards: Sequence[int]) -> list[str]:
    return [NAME[card] for card in cards]


def random_rules(rng: random.Random) -> dict[str, object]:
    """House rules picked by lot from all that are possible; most are left at their default."""
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
