"""A file of hands of Zwicken."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.imports import values
from league.imports.columns import Column
from league.imports.hand_preview import NO, YES
from league.imports.hands import HandRows, SeatRow

from .. import engine_bridge
from ..engine_bridge import Record, Start
from ..game import file_cells
from ..game.file_cells import (
    JOINER,
    OUT,
    SHARED_ROLES,
    FileCells,
    Find,
    Found,
    counted,
    everybody_plays,
    no_tricks,
    role_of,
    said,
    tricks_of,
)
from .cuts import moves_deal
from .hand_form import NO_EFFECT

ROLE: Final = Column(
    "role",
    file_cells.ROLE.label,
    file_cells.ROLE.headings,
    gettext_lazy("mit or weg; in a forced hand nothing."),
)
LOST: Final = Column(
    "game_type",
    gettext_lazy("Belli lost"),
    ("belli", "belliverloren", "bellilost", "sevenlost", "gametype"),
    gettext_lazy("1 for the person who lost Belli to the trump ace."),
)
CUTS: Final = Column(
    "cuts",
    gettext_lazy("Cuts"),
    ("cuts", "abheben", "abgehoben"),
    gettext_lazy("The cards shown, one a cut: A, 7, B (Belli), x (any other)."),
)
SEVEN_LOST: Final = "seven_lost"
"""What our own files have in the row of the person who lost the seven of Schellen."""

TRICKS: Final = engine_bridge.tricks_of("zwicken")
ROLES: Final[Mapping[str, str]] = {
    **{word: role for word, role in SHARED_ROLES.items() if role in (JOINER, OUT)},
    **dict.fromkeys(("muss", "pflicht", "pflichthand"), JOINER),
    "weg": OUT,
}
CARDS: Final = re.compile(r"[AKQJT987][shdc]|[A7Bx]")
SAMPLE: Final = (
    ("Spiel", "Name", "Ansage", "Stiche"),
    ("1", "Anna", "", "2"),
    ("1", "Beni", "", "1"),
    ("1", "Carla", "", "0"),
    ("2", "Anna", "mit", "3"),
    ("2", "Beni", "weg", ""),
    ("2", "Carla", "mit", "0"),
)


def read(hand: HandRows, start: Start) -> Record:
    """Return the record of a hand. Raises `Misread`."""
    wrong = Found()
    roles = [role_of(row, ROLES, _("mit or weg"), wrong) for row in hand.seats]
    sentence = _("A hand has three tricks: write a number from 0 to 3.")
    tricks = [tricks_of(row, TRICKS, sentence, wrong) for row in hand.seats]
    record = _cuts(hand, start, wrong)
    wrong.check()
    players = [seat for seat, role in enumerate(roles) if role == JOINER]
    if everybody_plays(start):
        # A person who is said to be out of such a hand is refused by the rules.
        players = [seat for seat, row in enumerate(hand.seats) if roles[seat] == JOINER or _says_nothing(row)]
    if not everybody_plays(start) or len(players) < len(roles):
        record["players"] = players
    if len(players) < 2:
        no_tricks(hand, tricks, wrong)
    elif any(count is not None for count in tricks):
        record["tricks"] = counted(tricks, players)
    else:
        wrong(hand.seats[players[0]], "tricks", _("This hand was played: enter the tricks."))
    record |= _lost(hand, wrong)
    wrong.check()
    return record


def _says_nothing(row: SeatRow) -> bool:
    return row.cells.get("role", "") in values.NOTHING


def _cuts(hand: HandRows, start: Start, wrong: Find) -> Record:
    """Return the cuts, which any row of the hand may have; by default one without effect."""
    record: Record = {"cuts": [NO_EFFECT]} if _moves_deal(start) else {}
    for row, text in said(hand, "cuts", wrong):
        cuts = CARDS.findall(text)
        if "".join(cuts) != "".join(text.split()):
            wrong(row, "cuts", _("A cut shows A, 7, B (Belli) or x, such as: A B x."))
        else:
            record["cuts"] = cuts
    return record


def _moves_deal(start: Start) -> bool:
    try:
        return moves_deal(start.rules)
    except engine_bridge.Fault:
        return False


def _lost(hand: HandRows, wrong: Find) -> Record:
    """Return the seat that lost the seven of Schellen, if a row says that."""
    lost: list[int] = []
    for seat, row in enumerate(hand.seats):
        text = row.cells.get("game_type", "").casefold()
        if text in (*YES, SEVEN_LOST):
            lost.append(seat)
        elif text not in NO:
            wrong(row, "game_type", _("Write 1 for the person who lost Belli."))
    for seat in lost[1:]:
        wrong(hand.seats[seat], "game_type", _("Only one person can lose Belli."))
    return {"seven_lost": lost[0]} if lost else {}


CELLS: Final = FileCells((ROLE, file_cells.TRICKS, LOST, CUTS), (("role",), ("tricks",)), SAMPLE, read)
