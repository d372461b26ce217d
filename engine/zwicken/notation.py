"""The sections of a line of Zwicken in the notation."""

from typing import Final

from engine.game import Notation
from engine.notation_forms import (
    CALL,
    CARD_OR_NONE,
    CARDS,
    CLAIM,
    SEAT,
    SEAT_OR_NONE,
    TRICK_COUNT,
    Section,
    exchange_form,
    shown_card,
)

NOTATION: Final = Notation(
    head=(),
    sections=(
        Section("cuts", "cuts", shown_card("A7Bx"), is_list=True),
        Section("deal", "deal.hands", CARDS, is_list=True),
        Section("turned", "deal.turned", CARD_OR_NONE),
        Section("answers", "answers", CALL, is_list=True),
        Section("exchange", "exchanges", exchange_form(marks=("discard", "draw"), one_drop=False), is_list=True),
        Section("play", "play", CARDS, is_list=True),
        Section("players", "players", SEAT, is_list=True),
        Section("tricks", "tricks", TRICK_COUNT, is_list=True),
        Section("lost", "seven_lost", SEAT_OR_NONE),
        Section("claimed", "claimed", CLAIM, is_list=True),
    ),
)
