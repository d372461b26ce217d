"""The picture of a hand whose cards were recorded: the calls, the cards of each seat, and the tricks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from league.sharing.picture_size import EDGE, HEIGHT, WIDTH
from league.sharing.pictures import Heading, headed, title_picture

if TYPE_CHECKING:
    from league.sharing.drawing import Picture

MARK_COLOURS = {"✓": "felt", "✕": "rose"}
TRUMP_HIGH = 76
ROWS_FROM = 254
MOST_HIGH = 132
LOW = 74
"""In a row that is lower, what was said is written beside the name, not below it."""
CARDS_FROM, CARDS_GAP = 470, 12
TRICK_RULE = 5
"""The line below a card that took a trick."""


@dataclass(frozen=True)
class CardOfHand:
    """A card that a seat played; `takes`: it took the trick."""

    name: str
    takes: bool = False


@dataclass(frozen=True)
class SeatOfHand:
    """A seat that played: name, call, ✓, ✕ or nothing, its points or amount, its cards as they were
    played."""

    name: str
    said: str
    mark: str
    worth: str
    cards: Sequence[CardOfHand] = ()


@dataclass(frozen=True)
class HandShown:
    """A hand: `pot` as text, the file of its pack, the card that was turned last with its name (`trumps`), the seats
    that played, the hand in words, and the calls of the others."""

    pot: str
    pack: str
    turned: str
    trumps: str
    seats: Sequence[SeatOfHand]
    in_words: str
    others: str = ""


def hand_picture(heading: Heading, hand: HandShown) -> bytes:
    """Draw a hand. If nobody played, the picture shows the sentence alone."""
    if not hand.seats:
        return title_picture(heading, hand.in_words)
    picture = headed(heading)
    _above(picture, hand)
    rows_to = HEIGHT - (62 if hand.others else 24)
    high = min((rows_to - ROWS_FROM) / len(hand.seats), MOST_HIGH)
    for place, seat in enumerate(hand.seats):
        _seat(picture, hand.pack, seat, ROWS_FROM + place * high, high)
    end = ROWS_FROM + len(hand.seats) * high
    picture.rule(EDGE, end, WIDTH - EDGE)
    if hand.others:
        picture.text(EDGE, end + 38, hand.others, 26, colour="soft", width=WIDTH - 2 * EDGE)
    return picture.png()


def _above(picture: Picture, hand: HandShown) -> None:
    """Draw the trump in the upper right corner, and the pot at the right of the title."""
    if hand.pot:
        right = WIDTH - EDGE - picture.logo_width
        picture.text(right, 226, hand.pot, 44, bold=True, colour="pot", right=True, width=440)
    if hand.turned:
        from .card_images import PROPORTION, card_image

        x = WIDTH - EDGE - TRUMP_HIGH * PROPORTION
        picture.put_image(card_image(hand.pack, hand.turned, TRUMP_HIGH), x, 32)
        picture.text(x - 18, 80, hand.trumps, 28, colour="soft", right=True, width=400)


def _seat(picture: Picture, pack: str, seat: SeatOfHand, y: float, high: float) -> None:
    picture.rule(EDGE, y, WIDTH - EDGE)
    low = high < LOW
    size = high * 0.5 if low else min(42, high * 0.42)
    middle = y + high / 2 + size * 0.36
    picture.text(EDGE, middle, seat.mark, size, colour=MARK_COLOURS.get(seat.mark, "soft"))
    room = CARDS_FROM - EDGE - 60 - 24
    if low:
        end = picture.text(EDGE + 60, middle, seat.name, size, bold=True, width=room * 0.55)
        picture.text(EDGE + 60 + end + 14, middle, seat.said, size * 0.8, colour="soft", width=room - end - 14)
    else:
        base = y + high / 2 - size * 0.02 if seat.said else middle
        picture.text(EDGE + 60, base, seat.name, size, bold=True, width=room)
        picture.text(EDGE + 60, base + size * 0.92, seat.said, size * 0.72, colour="soft", width=room)
    picture.text(WIDTH - EDGE, middle, seat.worth, size, bold=True, right=True, width=230)
    _cards(picture, pack, seat.cards, y, high)


def _cards(picture: Picture, pack: str, cards: Sequence[CardOfHand], y: float, high: float) -> None:
    from .card_images import PROPORTION, card_image

    tall = round(high - 20)
    wide = tall * PROPORTION
    for place, card in enumerate(cards):
        x = CARDS_FROM + place * (wide + CARDS_GAP)
        picture.put_image(card_image(pack, card.name, tall), x, y + 5)
        if card.takes:
            picture.rule(x + 4, y + high - 8, x + wide - 4, colour="pot", weight=TRICK_RULE)
