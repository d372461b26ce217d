"""The sections of a line of Kratzen in the notation."""

from typing import Final

from engine.game import Notation
from engine.notation_forms import (
    CALL,
    CARDS,
    DEALT,
    MARKS,
    PLAYED,
    SEAT_OR_NONE,
    WORD_OR_NONE,
    YES_NO,
    Section,
    exchange_form,
    shown_cards,
)

NOTATION: Final = Notation(
    head=(),
    sections=(
        Section("cuts", "cuts", shown_cards("A7Wx"), is_list=True),
        *DEALT,
        Section("seven", "seven", YES_NO),
        Section("calls", "calls", CALL, is_list=True),
        Section("type", "game_type", WORD_OR_NONE),
        Section("trump", "new_trump", CARDS),
        Section("last", "last_word", SEAT_OR_NONE),
        Section("answers", "answers", CALL, is_list=True),
        Section("exchange", "exchanges", exchange_form(marks=tuple(MARKS), one_drop=False), is_list=True),
        *PLAYED,
    ),
)
