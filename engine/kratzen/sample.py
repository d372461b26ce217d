"""A sample hand of Kratzen, and the players that play it."""

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from engine.cards import Deck, highest
from engine.game import Sample, Start, Wanted
from engine.kratzen.choosing import CALLS, MIT, ODER, OHNE, SCHLAGEN, WEITER, WEITER_ODER
from engine.kratzen.cutting import antes, cut, has_effect, is_muss
from engine.kratzen.dealing import ANY, HAND, is_siebenermuss
from engine.kratzen.exchange import DRAWN_FOR_ALL, MOST_DISCARDS, draw_count, extra_card_count
from engine.kratzen.players import DECK, DECKS, FEWEST_SEATS, MOST_SEATS, NAME_OF_GAME, TRICKS, WELI, trumps
from engine.kratzen.rules import HouseRules, house_rules
from engine.sample_hand import Record, SampleHand, counted_tricks, first_fields
from engine.sample_players import PLAIN_WORTH, TRUMP_WORTH, WORTH_A_DRAW, Temper, TemperedPlayer, takes
from engine.seats import order_from

_POTS_IN_COINS: Final = (0, 0, 3, 4, 9, 20, 67, 201, 2469)

_WELI_WORTH: Final = 0.94
_LAST_WORDS: Final = 0.15
"""The chance that a player claims the last word."""


class View(NamedTuple):
    """The knowledge of a player for a call.

    ``turned`` is the card that decided the trump, ``pot_in_antes`` the pot in multiples of one unit from every seat,
    ``highest`` the highest call and ``joined`` the number of joiners so far; ``is_last`` is true for the last word.
    """

    cards: list[str]
    turned: str
    pot_in_antes: int
    highest: str
    joined: int
    is_last: bool


class Player(Protocol):
    """Makes the decisions of one seat; each method is called only when all its possible answers are legal."""

    def calls(self, view: View) -> str: ...

    def wants_last_word(self) -> bool: ...

    def joins(self, view: View) -> bool: ...

    def discards(self, cards: list[str], deck: Deck, possible: Sequence[int]) -> list[str]:
        """Return the discards; their number is one of ``possible``."""

    def shows(self, cards: list[str], deck: Deck) -> list[str]:
        """Return the drawn trumps to lay open."""

    def drops(self, cards: list[str], deck: Deck, count: int) -> list[str]: ...

    def plays(self, legal: list[str], deck: Deck, led: int, on_table: int, is_last: bool) -> str:
        """Return one of the legal cards; ``led`` is 0 for the leader, ``on_table`` has the cards played so far."""


def deck_of(card: str) -> Deck:
    """Return the deck of the trump suit that a card decides."""
    return DECKS[DECK.suit_of[DECK.bit[card]]]


def worth(card: str, deck: Deck) -> float:
    """Return the expected tricks of a card."""
    if card == WELI:
        return _WELI_WORTH
    return (TRUMP_WORTH if deck.bit[card] & trumps(deck) else PLAIN_WORTH)[card[0]]


class SimplePlayer(TemperedPlayer):
    """A player who decides by the worth of his cards, by skill and by daring."""

    def _expected(self, cards: list[str], deck: Deck) -> float:
        """Return the expected number of tricks after an exchange, with an error that shrinks with skill."""
        best = sorted((max(worth(card, deck), WORTH_A_DRAW) for card in cards), reverse=True)
        return sum(best[:HAND]) + (1.0 - self._skill) * (self._chance() - 0.5)

    def _caution(self, view: View) -> float:
        """Return a number that grows with each doubling of the pot, because penalties double too; daring reduces it."""
        return (view.pot_in_antes.bit_length() - 1) * (1.3 - self._daring)

    def calls(self, view: View) -> str:
        # The larger the pot, the fewer players join, so declaring is less dangerous than joining.
        level, turned = 1.72 - 0.4 * self._daring + 0.01 * self._caution(view), deck_of(view.turned)
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
        level = 1.0 - 0.3 * self._daring + 0.1 * view.joined + (0.06 + 0.02 * self._caution(view)) * self._caution(view)
        return self._expected(view.cards, deck_of(view.turned)) > level

    def discards(self, cards: list[str], deck: Deck, possible: Sequence[int]) -> list[str]:
        best_last = sorted(cards, key=lambda card: worth(card, deck))
        junk = sum(worth(card, deck) < (0.28 if self._skill > 0.4 else 0.1) for card in cards)
        if self._makes_mistake():
            junk = self._pick(possible)
        return best_last[: max((number for number in possible if number <= junk), default=0)]

    def shows(self, cards: list[str], deck: Deck) -> list[str]:
        return [] if self._makes_mistake() else cards

    def drops(self, cards: list[str], deck: Deck, count: int) -> list[str]:
        return sorted(cards, key=lambda card: worth(card, deck))[:count]

    def plays(self, legal: list[str], deck: Deck, led: int, on_table: int, is_last: bool) -> str:
        def rising(card: str) -> float:
            return worth(card, deck)

        if self._makes_mistake():
            return self._pick(legal)
        if not led:
            return max(legal, key=rising)
        taking = [card for card in legal if takes(deck.bit[card], trumps(deck), led, on_table)]
        if not taking:
            return min(legal, key=rising)
        return min(taking, key=rising) if is_last else max(taking, key=rising)


class RandomPlayer:
    """A player who chooses at random among all legal answers."""

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

    def plays(self, legal: list[str], deck: Deck, led: int, on_table: int, is_last: bool) -> str:
        return self._rng.choice(legal)


class KratzenHand(SampleHand[str]):
    """A hand of Kratzen while it is cut, dealt and played."""

    def __init__(self, rng: random.Random, record: Record, rules: HouseRules, players: Sequence[Player]) -> None:
        super().__init__(rng, record, list(DECK.bit))
        self.rules = rules
        self.players = players

    def play(self) -> Record:
        """Cut, deal, speak, exchange and play; return the record."""
        record = self.record
        muss = is_muss(self.rules, record["pot_before"])
        self._cut(muss)
        self._deal()
        declarer, joiners = self.dealer, order_from(self.dealer, self.seats)[1:]
        muss = muss or is_siebenermuss(self.rules, self.turned)
        if not muss:
            caller = self._calls()
            if caller is None:
                return record
            declarer, joiners = caller, order_from(caller, self.seats)[1:]
            decided = self._turn_for_trump()
            muss = decided and self.rules.seven_muss == ANY and is_siebenermuss(self.rules, self.turned)
            if not muss:
                joiners = self._answers(declarer)
        self.deck = deck_of(self.turned)
        active = [declarer, *joiners]
        if joiners:
            record["exchanges"] = self._exchanges(active, muss)
            order = [seat for seat in order_from(declarer, self.seats) if seat in active]
            bit, suit_of, _ = self.deck
            record["play"] = self.play_tricks(
                TRICKS, order, bit.__getitem__, suit_of, trumps(self.deck), self.rules.must_beat
            )
        return record

    def _cut(self, muss: bool) -> None:
        """Cut the pack until a card without effect is shown (K2, K3)."""
        record, cuts = self.record, list[list[str]]()
        while not cuts or has_effect(cuts[-1][0]):
            first, second = self.rng.sample(self.stock, 2)
            cuts.append([first, second] if has_effect(first) else [first])
        record["cuts"] = cuts
        paid = antes(self.rules, seats=self.seats, dealer=record["dealer"], muss=muss)
        done = cut(self.rules, seats=self.seats, dealer=record["dealer"], cuts=cuts, with_symbols=False)
        self.dealer = done.dealer
        pot = record["pot_before"] + sum(paid) + sum(done.payments)
        self.pot_in_antes = max(1, pot // (self.seats * self.rules.unit))

    def _deal(self) -> None:
        """Deal and turn a card; the turned cards belong to the dealer (K4.1)."""
        self.rng.shuffle(self.stock)
        self.hands = [self.take_from_stock(HAND) for _ in range(self.seats)]
        turned = self.take_from_stock(1)
        if turned == [WELI]:
            turned += self.take_from_stock(1)
        self.record["deal"] = {"hands": [[*cards] for cards in self.hands], "turned": turned}
        self.turned = turned[-1]
        self.hands[self.dealer] += turned

    def _view(self, seat: int, *, highest: str = WEITER, joined: int = 0, is_last: bool = False) -> View:
        return View(self.hands[seat], self.turned, self.pot_in_antes, highest, joined, is_last)

    def _calls(self) -> int | None:
        """Return the declarer, if any (K5.2)."""
        calls: list[list[Any]] = []
        declarer, self.call = None, WEITER
        for seat in order_from(self.dealer, self.seats):
            call = self.players[seat].calls(self._view(seat, highest=self.call))
            calls.append([seat, call])
            if CALLS.index(call) < CALLS.index(self.call):
                declarer, self.call = seat, call
            if call == SCHLAGEN:
                break
        self.record["calls"] = calls
        return declarer

    def _turn_for_trump(self) -> bool:
        """Turn cards for another trump; return True if one decided it (K5.3)."""
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
        """Return the joiners (K5.5, K5.6)."""
        order = order_from(declarer, self.seats)[1:]
        last = next((seat for seat in order if self.rules.last_word and self.players[seat].wants_last_word()), None)
        if last is not None:
            self.record["last_word"] = last
            order.remove(last)
            order.append(last)
        joiners: list[int] = []
        answers: list[list[Any]] = []
        for seat in order:
            must = seat == last and not joiners
            joins = must or self.players[seat].joins(self._view(seat, joined=len(joiners), is_last=seat == last))
            answers.append([seat, MIT if joins else OHNE])
            if joins:
                joiners.append(seat)
        self.record["answers"] = answers
        return joiners

    def _exchanges(self, active: Sequence[int], muss: bool) -> list[Record]:
        """Exchange, the dealer first (K6)."""
        entries = []
        for seat in order_from(self.dealer, self.seats):
            if seat in active:
                entry = {"seat": seat} | ({} if muss else self._exchange_of(seat)) | self._drop_of(seat)
                # Some tables record an exchange without discards, others do not.
                if len(entry) > 1 or self.rng.random() < 0.2:
                    entries.append(entry)
        return entries

    def _exchange_of(self, seat: int) -> Record:
        cards, player, stock = self.hands[seat], self.players[seat], len(self.stock)
        possible = list(range(min(MOST_DISCARDS, stock) + 1))
        if draw_count(len(cards), len(cards), stock) <= stock:
            possible.append(len(cards))
        away = player.discards(cards, self.deck, possible)
        if not away:
            return {}
        drawn = self.take_from_stock(draw_count(len(cards), len(away), stock))
        self.hands[seat] = [card for card in cards if card not in away] + drawn
        entry = {"discard": away, "draw": drawn}
        if len(drawn) == DRAWN_FOR_ALL and self.rules.open_trumps:
            entry |= self._laid_open(seat, drawn)
        return entry

    def _laid_open(self, seat: int, drawn: Sequence[str]) -> dict[str, list[str]]:
        """Lay trumps open and take the cards for them (K6.3)."""
        bit, trump = self.deck.bit, trumps(self.deck)
        show = self.players[seat].shows([card for card in drawn if bit[card] & trump], self.deck)
        shown = sum(bit[card] for card in show)
        face_up: list[str] = []
        while self.stock and len(face_up) < extra_card_count(shown, sum(bit[card] for card in face_up), self.deck):
            face_up += self.take_from_stock(1)
        hidden = self.take_from_stock(min(DRAWN_FOR_ALL, len(self.stock))) if shown & highest(trump) else []
        self.hands[seat] += face_up + hidden
        return {name: cards for name, cards in (("show", show), ("open", face_up), ("hidden", hidden)) if cards}

    def _drop_of(self, seat: int) -> Record:
        """Drop down to four cards (K6.5)."""
        cards = self.hands[seat]
        if len(cards) == HAND:
            return {}
        dropped = self.players[seat].drops(cards, self.deck, len(cards) - HAND)
        self.hands[seat] = [card for card in cards if card not in dropped]
        return {"drop": dropped}

    def play_card(self, seat: int, legal: list[str], led: int, on_table: int, is_last: bool) -> str:
        return self.players[seat].plays(legal, self.deck, led, on_table, is_last)


def _kind_of(record: Mapping[str, Any], result: Mapping[str, Any]) -> Record:
    """Return the fields ``seven`` and ``game_type`` of the tally of a full record."""
    if result["declarer"] is None:
        return {}
    calls = [call for _, call in record.get("calls", [])]
    deciding = (record.get("new_trump") or record["deal"]["turned"])[-1]
    kind: Record = {}
    if calls:
        kind["game_type"] = min(calls, key=CALLS.index)
    if result["muss"] and is_siebenermuss(house_rules(record.get("rules", {})), deciding):
        kind["seven"] = True
    return kind


def random_rules(rng: random.Random) -> dict[str, object]:
    """Return random house rules; most keep their default."""
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


def play_hand(rng: random.Random, start: Start, players: Sequence[Temper]) -> Record:
    """Return a hand played by simple players."""
    given, seats, dealer, pot_before, _ = start
    simple = [SimplePlayer(rng, temper) for temper in players]
    record = first_fields(NAME_OF_GAME, given, seats, dealer, pot_before)
    return KratzenHand(rng, record, house_rules(given), simple).play()


def random_hand(rng: random.Random, wanted: Wanted) -> Record:
    """Return a hand in which everything that is not wanted is random among all legal values."""
    given, seats, dealer, pot_before, _ = wanted
    rules = house_rules(given)
    seats = rng.randint(FEWEST_SEATS, MOST_SEATS) if seats is None else seats
    dealer = rng.randrange(seats) if dealer is None else dealer
    pot_before = rules.coin * rng.choice(_POTS_IN_COINS) if pot_before is None else pot_before
    record = first_fields(NAME_OF_GAME, given, seats, dealer, pot_before)
    return KratzenHand(rng, record, rules, [RandomPlayer(rng)] * seats).play()


def tally_of(record: Mapping[str, Any], result: Mapping[str, Any]) -> Record:
    """Return the tally of a full record."""
    kept = ("game", "rules", "seats", "dealer", "pot_before", "cuts")
    tally = {name: record[name] for name in kept if name in record}
    tally |= _kind_of(record, result) | {"declarer": result["declarer"]}
    if result["joiners"]:
        tally |= {"joiners": result["joiners"], "tricks": counted_tricks(result)}
    return tally


SAMPLE: Final = Sample(play_hand, random_hand, random_rules, tally_of)
