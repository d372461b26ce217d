"""What the hands of a played hand were worth, seat by seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..engine_bridge import AFTER, BEFORE, MOST_ACTIVE
from .query import HAND, WELI, WELI_IN_RECORDS, AskedHand, cards_of
from .sentences import times_of
from .tables import table_of

Hands = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Counted:
    """How often in a hundred a hand makes the goal, and the address of its page."""

    times: int
    address: str


@dataclass(frozen=True)
class Worth:
    """The hands of a player: before the exchange (None: more than four cards), and as they were played."""

    name: str
    declares: bool
    before: Counted | None
    played: Counted


def worth_of_hands(game: str, trump: str, names: Sequence[str], hands: tuple[Hands, Hands], faces: str) -> list[Worth]:
    """Return what the hands of the active players were worth, the declarer first; `hands` are those before the exchange
    and those that were played, as records name the cards. None in a game without a table."""
    if game not in MOST_ACTIVE:
        return []
    worths = []
    for place, (name, before, played) in enumerate(zip(names, *hands, strict=True)):
        counted = [
            _counted(game, trump, cards, len(names), place, stage, faces) if len(cards) == HAND else None
            for stage, cards in ((BEFORE, before), (AFTER, played))
        ]
        if counted[1] is not None:
            worths.append(Worth(name, place == 0, counted[0], counted[1]))
    return worths


def _counted(game: str, trump: str, cards: Sequence[str], players: int, place: int, stage: int, faces: str) -> Counted:
    chances = table_of(game).chances(cards, trump, players, place, stage)
    has_weli = any(WELI in suit for suit in cards_of(game))
    shown = tuple(WELI if has_weli and card == WELI_IN_RECORDS else card for card in cards)
    asked = AskedHand(game, faces, shown, trump, players, players - 1 - place, stage)
    return Counted(times_of(chances.two if place == 0 else chances.one), asked.address())
