"""A hand of Kratzen in the making, and the minds that play it."""

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from engine.cards import Deck, highest
from engine.kratzen.choosing import CALLS, MIT, ODER, OHNE, SCHLAGEN, WEITER, WEITER_ODER
from engine.kratzen.cutting import antes, cut, effect_of, is_muss
from engine.kratzen.dealing import ANY, HAND, is_siebenermuss
from engine.kratzen.exchange import DRAWN_FOR_ALL, MOST_DISCARDS, draws_due, extra_due
from engine.kratzen.players import DECK, DECKS, WELI, trumps
from engine.rules import KratzenRules, kratzen_rules
from engine.sample.minds import PLAIN_WORTH, TRUMP_WORTH, WORTH_A_DRAW, Temper, takes
from engine.seats import order_from
from engine.tricks import TRICKS, legal_cards, turned_to

Record = dict[str, Any]

_WELI_WORTH: Final = 0.94
_LAST_WORDS: Final = 0.15
"""How often somebody claims the last word."""


class View(NamedTuple):
    """What a seat sees when it speaks: its cards by name, the card that made the trump, the pot in units (one for each
    seat), the highest call so far, how many have joined, whether it must join if nobody else has."""

    cards: list[str]
    turned: str
    pot_in_antes: int
    highest: str
    joined: int
    is_last: bool


class Mind(Protocol):
    """Somebody who decides; every answer asked for is legal whatever it is."""

    def calls(self, view: View) -> str: ...

    def wants_last_word(self) -> bool: ...

    def joins(self, view: View) -> bool: ...

    def discards(self, cards: list[str], deck: Deck, possible: Sequence[int]) -> list[str]:
        """The cards to put away; their number is one of ``possible``."""

    def shows(self, cards: list[str], deck: Deck) -> list[str]:
        """Which of the trumps drawn it lays open."""

    def drops(self, cards: list[str], deck: Deck, count: int) -> list[str]: ...

    def plays(self, legal: list[str], deck: Deck, led: int, lying: int, is_last: bool) -> str:
        """One of the legal cards; ``led`` is 0 for the leader, ``lying`` the cards of the trick so far."""


def deck_of(card: str) -> Deck:
    """The cards under the trump that a card decides."""
    return DECKS[DECK.suit_of[DECK.bit[card]]]


def worth(card: str, deck: Deck) -> float:
    """Tricks that a card may bring."""
    if card == WELI:
        return _WELI_WORTH
    return (TRUMP_WORTH if deck.bit[card] & trumps(deck) else PLAIN_WORTH)[card[0]]


class SimpleMind:
    """A player with a temper."""

    def __init__(self, rng: random.Random, temper: Temper) -> None:
        self._chance = rng.random
        self._pick = rng.choice
        self._skill, self._daring = temper

    def _errs(self) -> bool:
        return self._chance() > 0.55 + 0.45 * self._skill

    def _expected(self, cards: list[str], deck: Deck) -> float:
        """The tricks that it hopes for, after an exchange; the less skill, the vaguer."""
        best = sorted((max(worth(card, deck), WORTH_A_DRAW) for card in cards), reverse=True)
        return sum(best[:HAND]) + (1.0 - self._skill) * (self._chance() - 0.5)

    def _care(self, view: View) -> float:
        """How often the pot has doubled: each time the penalties double too. The bold mind it less."""
        return (view.pot_in_antes.bit_length() - 1) * (1.3 - self._daring)

    def calls(self, view: View) -> str:
        # The larger the pot, the fewer will join: to declare is less of a danger then than to join.
        level, turned = 1.72 - 0.4 * self._daring + 0.01 * self._care(view), deck_of(view.turned)
        here = self._expected(view.cards, turned)
        others = [self._expected(view.cards, deck) for deck in DECKS.values() if deck is not turned]
        hoped = {
            SCHLAGEN: here,
            ODER: sum(others) / 3 + 0.12,
            WEITER_ODER: (here + sum(others)) / 4 + 0.2,
        }
        return next((call for call in CALLS if call in hoped and hoped[call] > level), WEITER)

    def wants_last_word(self) -> bool:
        return self._chance() < _LAST_WORDS * (1.0 - self._daring)

    def joins(self, view: View) -> bool:
        level = 1.0 - 0.3 * self._daring + 0.1 * view.joined + (0.06 + 0.02 * self._care(view)) * self._care(view)
        return self._expected(view.cards, deck_of(view.turned)) > level

    def discards(self, cards: list[str], deck: Deck, possible: Sequence[int]) -> list[str]:
        best_last = sorted(cards, key=lambda card: worth(card, deck))
        junk = sum(worth(card, deck) < (0.28 if self._skill > 0.4 else 0.1) for card in cards)
        if self._errs():
            junk = self._pick(possible)
        return best_last[: max((number for number in possible if number <= junk), default=0)]

    def shows(self, cards: list[str], deck: Deck) -> list[str]:
        return [] if self._errs() else cards

    def drops(self, cards: list[str], deck: Deck, count: int) -> list[str]:
        return sorted(cards, key=lambda card: worth(card, deck))[:count]

    def plays(self, legal: list[str], deck: Deck, led: int, lying: int, is_last: bool) -> str:
        def rising(card: str) -> float:
            return worth(card, deck)

        if self._errs():
            return self._pick(legal)
        if not led:
            return max(legal, key=rising)
        taking = [card for card in legal if takes(deck.bit[card], trumps(deck), led, lying)]
        if not taking:
            return min(legal, key=rising)
        return min(taking, key=rising) if is_last else max(taking, key=rising)


class RandomMind:
    """Somebody who decides by lot among all that is legal."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def calls(self, view: View) -> str:
        return self._rng.choice((WEITER, WEITER, *CALLS))

    def wants_last_word(self) -> bool:
        return self._rng.random() < _LAST_WORDS

    def joins(self, view: View) -> bool:
        return self._rng.random() < 0.5

    def discards(self, cards: list[str], deck: Deck, possible: Sequence[int]) -> list[str]:
        return self._rng.sample(cards, self._rng.choice((possible[-1], *possible)))

    def shows(self, cards: list[str], deck: Deck) -> list[str]:
        return self._rng.sample(cards, self._rng.randint(0, len(cards)))

    def drops(self, cards: list[str], deck: Deck, count: int) -> list[str]:
        return self._rng.sample(cards, count)

    def plays(self, legal: list[str], deck: Deck, led: int, lying: int, is_last: bool) -> str:
        return self._rng.choice(legal)


class Table:
    """A hand in the making: cuts, deals, asks the minds and writes the record."""

    def __init__(self, rng: random.Random, record: Record, rules: KratzenRules, minds: Sequence[Mind]) -> None:
        self.rng = rng
        self.record = record
        self.rules = rules
        self.minds = minds
        self.seats: int = record["seats"]
        self.stock = list(DECK.bit)

    def hand(self) -> Record:
        """Cut, deal, speak, exchange, play; the record of it."""
        record = self.record
        muss = is_muss(self.rules, record["pot_before"])
        self._cut(muss)
        self._deal()
        declarer, joiners = self.dealer, order_from(self.dealer, self.seats)[1:]
        muss = muss or is_siebenermuss(self.rules, self.turned)
        if not muss:
            found = self._calls()
            if found is None:
                return record
            declarer, joiners = found, order_from(found, self.seats)[1:]
            decided = self._turn_on()
            muss = decided and self.rules.seven_muss == ANY and is_siebenermuss(self.rules, self.turned)
            if not muss:
                joiners = self._answers(declarer)
        self.deck = deck_of(self.turned)
        active = [declarer, *joiners]
        if joiners:
            record["exchanges"] = self._exchanges(active, muss)
            record["play"] = self._tricks([seat for seat in order_from(declarer, self.seats) if seat in active])
        return record

    def _cut(self, muss: bool) -> None:
        """K2, K3: the pack is cut until a card without effect is shown."""
        record, cuts = self.record, list[list[str]]()
        while not cuts or effect_of(cuts[-1][0]):
            first, second = self.rng.sample(self.stock, 2)
            cuts.append([first, second] if effect_of(first) else [first])
        record["cuts"] = cuts
        paid = antes(self.rules, seats=self.seats, dealer=record["dealer"], muss=muss)
        done = cut(self.rules, seats=self.seats, dealer=record["dealer"], cuts=cuts, with_symbols=False)
        self.dealer = done.dealer
        pot = record["pot_before"] + sum(paid) + sum(done.payments)
        self.pot_in_antes = max(1, pot // (self.seats * self.rules.unit))

    def _deal(self) -> None:
        """K4.1: the turned cards are the dealer's."""
        self.rng.shuffle(self.stock)
        self.hands = [self._off_the_pack(HAND) for _ in range(self.seats)]
        turned = self._off_the_pack(1)
        if turned == [WELI]:
            turned += self._off_the_pack(1)
        self.record["deal"] = {"hands": [[*cards] for cards in self.hands], "turned": turned}
        self.turned = turned[-1]
        self.hands[self.dealer] += turned

    def _off_the_pack(self, count: int) -> list[str]:
        return [self.stock.pop() for _ in range(count)]

    def _view(self, seat: int, *, highest: str = WEITER, joined: int = 0, is_last: bool = False) -> View:
        return View(self.hands[seat], self.turned, self.pot_in_antes, highest, joined, is_last)

    def _calls(self) -> int | None:
        """K5.2: who declares, if anybody does."""
        calls: list[list[Any]] = []
        declarer, self.call = None, WEITER
        for seat in order_from(self.dealer, self.seats):
            call = self.minds[seat].calls(self._view(seat, highest=self.call))
            calls.append([seat, call])
            if CALLS.index(call) < CALLS.index(self.call):
                declarer, self.call = seat, call
            if call == SCHLAGEN:
                break
        self.record["calls"] = calls
        return declarer

    def _turn_on(self) -> bool:
        """K5.3: whether another card decided the trump."""
        if self.call == SCHLAGEN:
            return False
        new_trump = self.record["new_trump"] = list[str]()
        while self.stock:
            card = self.stock.pop()
            new_trump.append(card)
            if card != WELI and (self.call == WEITER_ODER or deck_of(card) is not deck_of(self.turned)):
                self.turned = card
                return True
        return False

    def _answers(self, declarer: int) -> list[int]:
        """K5.5, K5.6: who joins."""
        order = order_from(declarer, self.seats)[1:]
        last = next((seat for seat in order if self.rules.last_word and self.minds[seat].wants_last_word()), None)
        if last is not None:
            self.record["last_word"] = last
            order.remove(last)
            order.append(last)
        joiners: list[int] = []
        answers: list[list[Any]] = []
        for seat in order:
            must = seat == last and not joiners
            joins = must or self.minds[seat].joins(self._view(seat, joined=len(joiners), is_last=seat == last))
            answers.append([seat, MIT if joins else OHNE])
            if joins:
                joiners.append(seat)
        self.record["answers"] = answers
        return joiners

    def _exchanges(self, active: Sequence[int], muss: bool) -> list[Record]:
        """K6: the dealer first."""
        entries = []
        for seat in order_from(self.dealer, self.seats):
            if seat in active:
                entry = {"seat": seat} | ({} if muss else self._exchange_of(seat)) | self._drop_of(seat)
                # Nothing put away: at some tables that is written down, at others not.
                if len(entry) > 1 or self.rng.random() < 0.2:
                    entries.append(entry)
        return entries

    def _exchange_of(self, seat: int) -> Record:
        cards, mind, stock = self.hands[seat], self.minds[seat], len(self.stock)
        possible = list(range(min(MOST_DISCARDS, stock) + 1))
        if draws_due(len(cards), len(cards), stock) <= stock:
            possible.append(len(cards))
        away = mind.discards(cards, self.deck, possible)
        if not away:
            return {}
        drawn = self._off_the_pack(draws_due(len(cards), len(away), stock))
        self.hands[seat] = [card for card in cards if card not in away] + drawn
        entry = {"discard": away, "draw": drawn}
        if len(drawn) == DRAWN_FOR_ALL and self.rules.open_trumps:
            entry |= self._laid_open(seat, drawn)
        return entry

    def _laid_open(self, seat: int, drawn: Sequence[str]) -> dict[str, list[str]]:
        """K6.3: more cards for the trumps that the seat lays open."""
        bit, trump = self.deck.bit, trumps(self.deck)
        show = self.minds[seat].shows([card for card in drawn if bit[card] & trump], self.deck)
        shown = sum(bit[card] for card in show)
        face_up: list[str] = []
        while self.stock and len(face_up) < extra_due(shown, sum(bit[card] for card in face_up), self.deck):
            face_up += self._off_the_pack(1)
        hidden = self._off_the_pack(min(DRAWN_FOR_ALL, len(self.stock))) if shown & highest(trump) else []
        self.hands[seat] += face_up + hidden
        return {name: cards for name, cards in (("show", show), ("open", face_up), ("hidden", hidden)) if cards}

    def _drop_of(self, seat: int) -> Record:
        """K6.5: down to four cards."""
        cards = self.hands[seat]
        if len(cards) == HAND:
            return {}
        dropped = self.minds[seat].drops(cards, self.deck, len(cards) - HAND)
        self.hands[seat] = [card for card in cards if card not in dropped]
        return {"drop": dropped}

    def _tricks(self, order: Sequence[int]) -> list[list[str]]:
        bit, trump = self.deck.bit, trumps(self.deck)
        tricks = []
        for _ in range(TRICKS):
            trick: list[str] = []
            led = lying = 0
            for seat in order:
                cards = self.hands[seat]
                held = sum(bit[card] for card in cards)
                allowed = legal_cards(held, led or held, trump, lying, self.rules.must_beat)
                legal = [card for card in cards if bit[card] & allowed]
                card = self.minds[seat].plays(legal, self.deck, led, lying, seat == order[-1])
                led = led or self.deck.suit_of[bit[card]]
                cards.remove(card)
                trick.append(card)
                lying |= bit[card]
            best = highest(lying & trump or lying & led)
            order = turned_to(order, [bit[card] for card in trick].index(best))
            tricks.append(trick)
        return tricks


def kind_of(record: Mapping[str, Any], result: Mapping[str, Any]) -> Record:
    """The fields of a tally that say what kind of hand a full one was: ``seven`` and ``game_type``."""
    if result["declarer"] is None:
        return {}
    calls = [call for _, call in record.get("calls", [])]
    deciding = (record.get("new_trump") or record["deal"]["turned"])[-1]
    kind: Record = {}
    if calls:
        kind["game_type"] = min(calls, key=CALLS.index)
    if result["muss"] and is_siebenermuss(kratzen_rules(record.get("rules", {})), deciding):
        kind["seven"] = True
    return kind


def random_rules(rng: random.Random) -> dict[str, object]:
    """House rules picked by lot from all that are possible; most are left at their default."""
    coin = rng.choice((1, 5, 10, 20))
    all_rules: dict[str, object] = {
        "unit": coin * rng.choice((2, 3, 5, 10)),
        "coin": coin,
        "must_beat": rng.choice(("trumps", "always")),
        "remainder": rng.choice(("pot", "declarer")),
        "seven_muss": rng.choice(("off", "deal", "any")),
        "last_word": rng.random() < 0.5,
        "open_trumps": rng.random() < 0.7,
        "pot_limit": rng.choice((None, coin * 8, coin * 50 + 7, 1000 * coin)),
        "split_over": rng.choice((None, coin * 8, coin * 50 + 3)),
    }
    chosen = {name for name in all_rules if rng.random() < 0.3}
    if chosen & {"coin", "unit", "pot_limit", "split_over"}:
        chosen |= {"coin", "unit"}
    return {name: value for name, value in all_rules.items() if name in chosen}
