"""Hands by the model of docs/hand-worth.md, written apart from `scripts/hand_worth.c`: by the names of cards, as whole
records, each of which the engine replays."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import engine
from engine.cards import BIT, DECK, SUIT_OF, SUITS
from engine.chratze.exchange import draw_count as chratze_draws
from engine.chratze.players import TRICKS
from engine.hand_worth import PACKS
from engine.kratzen.exchange import draw_count as kratzen_draws
from engine.kratzen.exchange import extra_card_count
from engine.kratzen.players import DECK as KRATZEN_PACK
from engine.kratzen.players import DECKS, WELI, trumps
from engine.tricks import NEVER, legal_cards
from scripts.hand_worth import DECLARES_FROM, JOINS_FROM

TABLE = 5
TRIES = 60
TRUMP_WORTH = dict(zip("6789TJQKA", (30, 34, 38, 43, 50, 58, 70, 88, 100), strict=True))
WELI_WORTH = 94
PLAIN_WORTH = {"A": 50, "K": 20}
DRAW_WORTH = 17


class Simulated:
    """A hand of one game while it is dealt and played; `mine` are four cards, `place` is theirs in the order of play.

    `over` says that the exchange of `mine` is over."""

    def __init__(self, rng: random.Random, game: str, trump: str, players: int, place: int, over: bool) -> None:
        self.rng = rng
        self.kratzen = game == "kratzen"
        self.game, self.trump, self.players, self.place, self.over = game, trump, players, place, over
        self.deck = DECKS[KRATZEN_PACK.suit_of[BIT["A" + trump]]] if self.kratzen else DECK
        self.trumps = trumps(self.deck) if self.kratzen else SUIT_OF[BIT["A" + trump]]

    def is_trump(self, card: str) -> bool:
        return bool(self.deck.bit[card] & self.trumps)

    def worth(self, card: str) -> int:
        if self.is_trump(card):
            return WELI_WORTH if self.kratzen and card == WELI else TRUMP_WORTH[card[0]]
        return PLAIN_WORTH.get(card[0], DRAW_WORTH)

    def strength(self, cards: Sequence[str]) -> int:
        return sum(sorted(map(self.worth, cards))[-4:])

    def rank(self, card: str) -> tuple[int, int, float]:
        """The order of cards; equal ones in any order."""
        bit = self.deck.bit[card]
        if self.is_trump(card):
            return (3 if bit >= self.deck.bit["T" + self.trump] else 1, bit, 0)
        return 2 if card[0] == "A" else 0, "6789TJQKA".index(card[0]), self.rng.random()

    def tricks(self, mine: Sequence[str]) -> int:
        """Deal, exchange and play; return the tricks of `mine` by the engine."""
        self.deal(mine)
        record = self.start()
        record["exchanges"] = [entry for seat in self.exchange_order() if (entry := self.exchange(seat))]
        if not self.kratzen and (rob := self.rob()) is not None:
            record["rob"] = {"seat": rob, "when": "after"}
        record["play"] = list(self.play())
        result = engine.replay(record)
        assert result["ok"], (result, record)
        return int(result["tricks"][self.active[self.place]])

    def deal(self, mine: Sequence[str]) -> None:
        """Deal until the wanted seats join and no other; after `TRIES` deals those with the best cards are in."""
        for tried in range(TRIES + 1):
            self.deal_once(mine)
            others = [seat for seat in range(len(self.hands)) if seat != self.active[self.place]]
            if all(self.is_as_wanted(seat) for seat in others):
                return
            if tried == TRIES:
                self.let_the_strongest_in(others)

    def deal_once(self, mine: Sequence[str]) -> None:
        seats = max(self.players, TABLE)
        while True:
            pack = [card for card in self.deck.bit if card not in mine]
            self.rng.shuffle(pack)
            self.turned = [pack.pop()]
            if self.kratzen and self.turned == [WELI]:
                self.turned.append(pack.pop())
            last = self.turned[-1]
            if last[1] == self.trump and not (self.kratzen and last[0] == "7"):
                break
        self.active = sorted(self.rng.sample(range(seats), self.players))
        turn = self.rng.randrange(self.players)
        self.active = self.active[turn:] + self.active[:turn]
        me = self.active[self.place]
        self.dealer = self.rng.choice([seat for seat in range(seats) if seat != me])
        if not self.kratzen:
            # The declarer speaks first.
            self.dealer = (self.active[0] - 1) % seats
        self.hands = [list(mine) if seat == me else [pack.pop() for _ in range(4)] for seat in range(seats)]
        self.dealt = [list(cards) for cards in self.hands]
        if self.kratzen:
            self.hands[self.dealer] += self.turned
        self.stock = pack

    def let_the_strongest_in(self, others: Sequence[int]) -> None:
        """Exchange the hands of the other seats so that the strongest plays: as declarer, if `mine` does not lead."""
        strongest = sorted(others, key=lambda seat: self.strength(self.hands[seat]), reverse=True)
        playing = [seat for seat in self.active if seat in others]
        first = playing[:1] if self.place > 0 else []
        rest = [seat for seat in playing if seat not in first]
        self.rng.shuffle(rest)
        wanted = [*first, *rest, *(seat for seat in others if seat not in playing)]
        moved = dict(zip(wanted, strongest, strict=True))
        hands, dealt, dealer = self.hands, self.dealt, self.dealer
        self.hands = [hands[moved.get(seat, seat)] for seat in range(len(hands))]
        self.dealt = [dealt[moved.get(seat, seat)] for seat in range(len(hands))]
        if self.kratzen:
            self.dealer = next(seat for seat, former in moved.items() if former == dealer)

    def is_as_wanted(self, seat: int) -> bool:
        strength = self.strength(self.hands[seat])
        if seat == self.active[0]:
            return strength >= DECLARES_FROM[self.game]
        return (strength >= JOINS_FROM[self.game]) == (seat in self.active)

    def start(self) -> dict[str, Any]:
        """The record up to the exchange."""
        seats, declarer = len(self.hands), self.active[0]
        from_declarer = [(declarer + n) % seats for n in range(1, seats)]
        record: dict[str, Any] = {"game": self.game, "seats": seats, "dealer": self.dealer, "pot_before": 100}
        record["deal"] = {"hands": self.dealt, "turned": self.turned}
        yes, no = ("mit", "ohne") if self.kratzen else ("metcho", "weg")
        answers = [[seat, yes if seat in self.active else no] for seat in from_declarer]
        if not self.kratzen:
            return record | {"calls": [[declarer, "chratze"], *answers]}
        speakers = [(self.dealer + n) % seats for n in range(seats)]
        speakers = speakers[: speakers.index(declarer)]
        calls = [*([seat, "weiter"] for seat in speakers), [declarer, "schlagen"]]
        return record | {"cuts": [["9s"]], "calls": calls, "answers": answers}

    def exchange_order(self) -> list[int]:
        if not self.kratzen:
            return self.active
        seats = len(self.hands)
        return [seat for n in range(seats) if (seat := (self.dealer + n) % seats) in self.active]

    def exchange(self, seat: int) -> dict[str, Any]:
        """Exchange all but trumps and plain aces, as far as the rules and the stock allow; drop the worst cards."""
        hand, left = self.hands[seat], len(self.stock)
        if seat == self.active[self.place] and self.over:
            return {}
        away = [card for card in sorted(hand, key=self.rank) if not self.is_trump(card) and card[0] != "A"]
        if len(away) < len(hand) or left < 4:
            away = away[: min(3, left)]
        entry: dict[str, Any] = {"seat": seat}
        if away:
            count = (kratzen_draws if self.kratzen else chratze_draws)(len(hand), len(away), left)
            drawn = [self.stock.pop() for _ in range(count)]
            entry |= {"discard": away, "draw": drawn}
            hand = [card for card in hand if card not in away] + drawn
            if self.kratzen and count == 5:
                hand += self.laid_open(drawn, entry)
        hand.sort(key=self.rank)
        dropped, self.hands[seat] = hand[:-4], hand[-4:]
        if dropped:
            entry["drop"] = dropped if self.kratzen else dropped[0]
        return entry if len(entry) > 1 else {}

    def laid_open(self, drawn: Sequence[str], entry: dict[str, Any]) -> list[str]:
        show = [card for card in drawn if self.is_trump(card)]
        shown, given = sum(self.deck.bit[card] for card in show), list[str]()
        while self.stock and len(given) < extra_card_count(shown, sum(self.deck.bit[c] for c in given), self.deck):
            given.append(self.stock.pop())
        hidden = [self.stock.pop() for _ in range(min(5, len(self.stock)))] if "A" + self.trump in show else []
        entry |= {name: cards for name, cards in (("show", show), ("open", given), ("hidden", hidden)) if cards}
        return given + hidden

    def rob(self) -> int | None:
        six = "6" + self.trump
        seat = next((seat for seat in self.active if six in self.hands[seat]), None)
        if seat is None or (self.over and seat == self.active[self.place]):
            return None
        self.hands[seat] = [self.turned[-1] if card == six else card for card in self.hands[seat]]
        return seat

    def play(self) -> Iterator[list[str]]:
        hands = {seat: list(self.hands[seat]) for seat in self.active}
        order = list(self.active)
        for _ in range(TRICKS):
            trick: list[str] = []
            for seat in order:
                card = self.card(hands[seat], trick, is_last=seat == order[-1])
                hands[seat].remove(card)
                trick.append(card)
            winner = order[trick.index(self.taker(trick))]
            order = order[order.index(winner) :] + order[: order.index(winner)]
            yield trick

    def card(self, hand: list[str], trick: list[str], *, is_last: bool) -> str:
        if not trick:
            return max(hand, key=self.rank)
        bit = self.deck.bit
        on_table = sum(bit[card] for card in trick)
        must_beat = "trumps" if self.kratzen else NEVER
        allowed = legal_cards(
            sum(bit[card] for card in hand), self.deck.suit_of[bit[trick[0]]], self.trumps, on_table, must_beat
        )
        legal = [card for card in hand if bit[card] & allowed]
        taking = sorted((card for card in legal if self.taker([*trick, card]) == card), key=bit.__getitem__)
        if taking:
            return taking[0 if is_last else -1]
        of_trumps = all(map(self.is_trump, legal))
        return min(legal, key=bit.__getitem__ if of_trumps else self.rank_of_plain)

    def rank_of_plain(self, card: str) -> tuple[int, float]:
        return "6789TJQKA".index(card[0]), self.rng.random()

    def taker(self, trick: Sequence[str]) -> str:
        led = self.deck.suit_of[self.deck.bit[trick[0]]]
        played = [card for card in trick if self.is_trump(card)] or [
            card for card in trick if self.deck.bit[card] & led
        ]
        return max(played, key=self.deck.bit.__getitem__)


def cards_of_class(rng: random.Random, ranks: Sequence[int], game: str, trump: str) -> list[str]:
    """Return cards of a class, the plain suits in any order."""
    plain = [suit for suit in SUITS if suit != trump]
    rng.shuffle(plain)
    cards = []
    for suit, bits in zip([trump, *plain], ranks, strict=True):
        names = PACKS[game].trump_ranks if suit == trump else PACKS[game].plain_ranks
        cards += [WELI if rank == "W" else rank + suit for place, rank in enumerate(names) if bits >> place & 1]
    return cards
