"""Zwicken: how the records of a game are read, written and corrected."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import ngettext

from ..game.hand_words import Given
from ..game.records import Records
from .cards import CARDS
from .cells import CELLS, SEVEN_LOST
from .clauses import CLAUSES
from .hand import seven_lost_by
from .hand_form import shown_of
from .hand_words import WORDS
from .mistakes import MISTAKES, tally_of
from .paper import PAPER
from .splitter import SPLITTER


def _roles_of(tally: Given, seats: int) -> list[str]:
    """The role of each seat; all play in a forced hand, whose tally names nobody."""
    players = tally.get("players", range(seats))
    return ["joiner" if seat in players else "out" for seat in range(seats)]


def _entry_fields(tally: Given) -> dict[str, str]:
    fields = {"mode": "tricks", "cuts": shown_of(tally.get("cuts", []))}
    lost = tally.get("seven_lost")
    return fields if lost is None else fields | {"seven_lost": str(lost)}


def _columns(record: Given, result: Given, seat: int) -> dict[str, Any]:
    return {
        "muss": result["muss"],
        "game_type": SEVEN_LOST if seat == seven_lost_by(result) else None,
        "cuts": " ".join(record.get("cuts", [])),
    }


def _wrong_number(count: int) -> str:
    said = ngettext(
        "Zwicken is for three to six players; %(count)d is ticked.",
        "Zwicken is for three to six players; %(count)d are ticked.",
        count,
    )
    return said % {"count": count}


RECORDS: Final = Records(
    clauses=CLAUSES,
    words=WORDS,
    cards=CARDS,
    paper=PAPER,
    cells=CELLS,
    splitter=SPLITTER,
    mistakes=MISTAKES,
    tally_of=tally_of,
    roles_of=_roles_of,
    keeps_dealers=True,
    has_forced_hands=True,
    wrong_number=_wrong_number,
    entry_fields=_entry_fields,
    columns=_columns,
)
