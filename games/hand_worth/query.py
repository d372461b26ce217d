"""The hand that an address asks about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from league.models import Club

from ..engine_bridge import AFTER, BEFORE, GAME, MOST_ACTIVE, always_trump, plain_ranks

SUITS, RANKS = "shdc", "AKQJT9876"
WELI, WELI_IN_RECORDS = "W", "6d"
HAND = 4
FEWEST = 2
USUAL_PLAYERS = 3


@dataclass(frozen=True)
class AskedHand:
    """A hand: its cards as in the address, at most four, and where its player sits among those who play.

    `after` is the number of those who play after him; all others: he leads. `stage` says if the exchange is over."""

    game: str
    faces: str
    cards: tuple[str, ...]
    trump: str
    players: int
    after: int
    stage: int

    @property
    def complete(self) -> bool:
        return len(self.cards) == HAND and self.trump != ""

    @property
    def place(self) -> int:
        """The place in the order of play; 0 leads."""
        return self.players - 1 - self.after

    @property
    def declares(self) -> bool:
        """Return True for the declarer, who leads (C5.1, K7.1)."""
        return self.place == 0

    def records(self) -> list[str]:
        """Return the cards as records name them."""
        return [WELI_IN_RECORDS if card == WELI else card for card in self.cards]

    def address(self) -> str:
        """Return the address of the page for this hand."""
        fields: list[tuple[str, Any]] = [("game", self.game), ("faces", self.faces), ("trump", self.trump)]
        fields += [("c", card) for card in self.cards]
        fields += [("players", self.players), ("after", self.after)]
        fields += [("stage", "after")] if self.stage == AFTER else []
        return f"{reverse('hand-worth')}?{urlencode(fields)}"


def cards_of(game: str) -> list[list[str]]:
    """Return the cards of a game suit by suit, the highest first; the Weli is with the other Schellen."""
    suits = [[rank + suit for rank in RANKS if rank in plain_ranks(game)] for suit in SUITS]
    if always_trump(game) == WELI_IN_RECORDS:
        suits[SUITS.index("d")].append(WELI)
    return suits


def asked_hand(query: QueryDict) -> AskedHand:
    """Return the hand of an address. What is no part of a hand is left out."""
    game = query.get("game", "")
    game = game if game in MOST_ACTIVE else GAME
    deck = [card for suit in cards_of(game) for card in suit]
    cards = tuple(card for card in deck if card in query.getlist("c"))[:HAND]
    faces = query.get("faces", "")
    players = _number(query.get("players", ""), range(FEWEST, MOST_ACTIVE[game] + 1), USUAL_PLAYERS)
    return AskedHand(
        game=game,
        faces=faces if faces in Club.Faces.values else str(Club.Faces.FRENCH),
        cards=cards,
        trump=query.get("trump", "") if query.get("trump", "") in tuple(SUITS) else "",
        players=players,
        after=min(players - 1, _number(query.get("after", ""), range(MOST_ACTIVE[game]), players - 1)),
        stage=AFTER if query.get("stage") == "after" else BEFORE,
    )


def _number(text: str, allowed: Sequence[int], otherwise: int) -> int:
    return int(text) if text in map(str, allowed) else otherwise
