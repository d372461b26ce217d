"""A sample hand of Zwicken, and the players that play it."""

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from engine.game import Sample, Start, Wanted
from engine.sample_hand import Record, SampleHand, counted_tricks, first_fields
from engine.sample_players import PLAIN_WORTH, TRUMP_WORTH, WORTH_A_DRAW, Temper, TemperedPlayer, takes
from engine.zwicken.cutting import antes, cut, has_effect
from engine.zwicken.dealing import HAND
from engine.zwicken.players import BELLI, DECK, FEWEST_SEATS, MOST_SEATS, NAME_OF_GAME, TRICKS, Trump, trump_of
from engine.zwicken.playing import duty_to_beat
from engine.zwicken.rules import HouseRules, house_rules
from engine.zwicken.speaking import MIT, WEG, is_forced, order_after

_POTS_IN_COINS: Final = (0, 0, 1, 3, 4, 9, 20, 67, 201, 2469)

_BELLI_WORTH: Final = 0.94


class View(NamedTuple):
    """The knowledge of a player when he says whether he plays.

    ``pot_in_stakes`` is the pot in multiples of a stake, ``playing`` the number of seats that play so far.
    """

    cards: list[str]
    trump: Trump
    pot_in_stakes: int
    playing: int
    is_last: bool


class Player(Protocol):
    """Makes the decisions of one seat; each method is called only when all its possible answers are legal."""

    def joins(self, view: View) -> bool: ...

    def discards(self, cards: list[str], trump: Trump, most: int) -> list[str]:
        """Return the discards, at most ``most``."""

    def plays(self, legal: list[str], trump: Trump, led: int, on_table: int, is_last: bool) -> str:
        """Return one of the legal cards; ``led`` is 0 for the leader, ``on_table`` has the cards played so far."""


def worth(card: str, trump: Trump) -> float:
    """Return the expected tricks of a card."""
    if not trump.deck.bit[card] & trump.suit:
        return PLAIN_WORTH[card[0]]
    return _BELLI_WORTH if card == BELLI and trump.deck is not DECK else TRUMP_WORTH[card[0]]


class SimplePlayer(TemperedPlayer):
    """A player who decides by the worth of his cards, by skill and by daring."""

    def _expected(self, cards: list[str], trump: Trump) -> float:
        """Return the expected number of tricks after an exchange, with an error that shrinks with skill."""
        return sum(max(worth(card, trump), WORTH_A_DRAW) for card in cards) + (1.0 - self._skill) * (
            self._chance() - 0.5
        )

    def joins(self, view: View) -> bool:
        doubled = max(1, view.pot_in_stakes).bit_length() - 1
        level = 0.95 - 0.3 * self._daring + 0.1 * view.playing + 0.04 * doubled * (1.3 - self._daring)
        if view.is_last and not view.playing:
            return True  # alone he takes the pot
        return self._expected(view.cards, view.trump) > level

    def discards(self, cards: list[str], trump: Trump, most: int) -> list[str]:
        best_last = sorted(cards, key=lambda card: worth(card, trump))
        junk = sum(worth(card, trump) < (0.28 if self._skill > 0.4 else 0.1) for card in cards)
        if self._makes_mistake():
            junk = self._pick(range(most + 1))
        return best_last[: min(junk, most)]

    def plays(self, legal: list[str], trump: Trump, led: int, on_table: int, is_last: bool) -> str:
        def rising(card: str) -> float:
            return worth(card, trump)

        if self._makes_mistake():
            return self._pick(legal)
        if not led:
            return max(legal, key=rising)
        taking = [card for card in legal if takes(trump.deck.bit[card], trump.suit, led, on_table)]
        if not taking:
            return min(legal, key=rising)
        return min(taking, key=rising) if is_last else max(taking, key=rising)


class RandomPlayer:
    """A player who chooses at random among all legal answers."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def joins(self, view: View) -> bool:
        return self._rng.random() < 0.5

    def discards(self, cards: list[str], trump: Trump, most: int) -> list[str]:
        return self._rng.sample(cards, self._rng.randint(0, most))

    def plays(self, legal: list[str], trump: Trump, led: int, on_table: int, is_last: bool) -> str:
        return self._rng.choice(legal)


class ZwickenHand(SampleHand[str]):
    """A hand of Zwicken while it is cut, dealt and played."""

    def __init__(self, rng: random.Random, record: Record, rules: HouseRules, players: Sequence[Player]) -> None:
        super().__init__(rng, record, list(DECK.bit))
        self.rules = rules
        self.players = players

    def play(self) -> Record:
        """Cut, deal, speak, exchange and play; return the record."""
        record = self.record
        self._cut()
        self._deal()
        active = order_after(self.dealer, self.seats)
        if not is_forced(record["pot_before"]):
            active = self._answers(active)
        if len(active) > 1:
            if self.rules.exchange:
                record["exchanges"] = self._exchanges(active)
            deck, suit = self.trump
            duties = duty_to_beat(self.rules), self.rules.must_trump
            record["play"] = self.play_tricks(TRICKS, active, deck.bit.__getitem__, deck.suit_of, suit, *duties)
        return record

    def _cut(self) -> None:
        """Cut the pack until a card without effect is shown (Z2)."""
        record, cuts = self.record, list[str]()
        if self.rules.cut_moves:
            while not cuts or has_effect(cuts[-1]):
                cuts.append(self.rng.choice(self.stock))
            record["cuts"] = cuts
        paid = antes(self.rules, seats=self.seats, dealer=record["dealer"])
        done = cut(self.rules, seats=self.seats, dealer=record["dealer"], cuts=cuts, with_symbols=False)
        self.dealer = done.dealer
        self.pot_in_stakes = (record["pot_before"] + sum(paid) + sum(done.payments)) // self.rules.stake

    def _deal(self) -> None:
        """Deal and turn a card (Z3.1)."""
        self.rng.shuffle(self.stock)
        self.hands = [self.take_from_stock(HAND) for _ in range(self.seats)]
        [turned] = self.take_from_stock(1)
        self.record["deal"] = {"hands": [[*cards] for cards in self.hands], "turned": turned}
        self.trump = trump_of(turned, seven=self.rules.seven)

    def _answers(self, order: Sequence[int]) -> list[int]:
        """Return the seats that play (Z4.2)."""
        active: list[int] = []
        answers: list[list[Any]] = []
        for seat in order:
            view = View(self.hands[seat], self.trump, self.pot_in_stakes, len(active), seat == order[-1])
            joins = self.players[seat].joins(view)
            answers.append([seat, MIT if joins else WEG])
            if joins:
                active.append(seat)
        self.record["answers"] = answers
        return active

    def _exchanges(self, active: Sequence[int]) -> list[Record]:
        """Exchange, from the dealer's left (Z5.1)."""
        entries = []
        for seat in active:
            cards, most = self.hands[seat], min(HAND, len(self.stock))
            away = self.players[seat].discards(cards, self.trump, most)
            drawn = self.take_from_stock(len(away))
            self.hands[seat] = [card for card in cards if card not in away] + drawn
            # Some tables record an exchange without discards, others do not.
            if away or self.rng.random() < 0.2:
                entries.append({"seat": seat, "discard": away, "draw": drawn})
        return entries

    def play_card(self, seat: int, legal: list[str], led: int, on_table: int, is_last: bool) -> str:
        return self.players[seat].plays(legal, self.trump, led, on_table, is_last)


def random_rules(rng: random.Random) -> dict[str, object]:
    """Return random house rules; most keep their default."""
    coin = rng.choice((1, 5, 10, 20))
    all_rules: dict[str, object] = {
        "stake": 3 * coin * rng.choice((1, 2, 5)),
        "coin": coin,
        "seven": rng.random() < 0.5,
        "cut_moves": rng.random() < 0.5,
        "exchange": rng.random() < 0.5,
        "must_trump": rng.random() < 0.5,
        "must_beat": rng.choice(("always", "trumps", "off")),
        "bete": rng.choice(("pot", "stake")),
        "seven_lost": rng.choice(("stake", "off")),
        "nobody": rng.choice(("dealer", "stays")),
        "pot_limit": rng.choice((None, coin * 3, coin * 50 + 7, 1000 * coin)),
    }
    chosen = {name for name in all_rules if rng.random() < 0.3}
    if chosen & {"coin", "stake", "pot_limit"}:
        chosen |= {"coin", "stake"}
    return {name: value for name, value in all_rules.items() if name in chosen}


def play_hand(rng: random.Random, start: Start, players: Sequence[Temper]) -> Record:
    """Return a hand played by simple players."""
    given, seats, dealer, pot_before, _ = start
    simple = [SimplePlayer(rng, temper) for temper in players]
    record = first_fields(NAME_OF_GAME, given, seats, dealer, pot_before)
    return ZwickenHand(rng, record, house_rules(given), simple).play()


def random_hand(rng: random.Random, wanted: Wanted) -> Record:
    """Return a hand in which everything that is not wanted is random among all legal values."""
    given, seats, dealer, pot_before, _ = wanted
    rules = house_rules(given)
    seats = rng.randint(FEWEST_SEATS, MOST_SEATS) if seats is None else seats
    dealer = rng.randrange(seats) if dealer is None else dealer
    pot_before = rules.coin * rng.choice(_POTS_IN_COINS) if pot_before is None else pot_before
    record = first_fields(NAME_OF_GAME, given, seats, dealer, pot_before)
    return ZwickenHand(rng, record, rules, [RandomPlayer(rng)] * seats).play()


def tally_of(record: Mapping[str, Any], result: Mapping[str, Any]) -> Record:
    """Return the tally of a full record."""
    kept = ("game", "rules", "seats", "dealer", "pot_before", "cuts")
    tally = {name: record[name] for name in kept if name in record}
    if not result["muss"]:
        tally["players"] = result["joiners"]
    if result["outcome"] == "played":
        tally["tricks"] = counted_tricks(result)
        lost = [line["seat"] for line in result["lines"] if line["kind"] == "seven"]
        tally |= {"seven_lost": lost[0]} if lost else {}
    return tally


SAMPLE: Final = Sample(play_hand, random_hand, random_rules, tally_of)
