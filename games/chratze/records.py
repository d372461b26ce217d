"""Chratze: how the records of a game are read, written and corrected."""

from __future__ import annotations

from typing import Final

from django.utils.translation import ngettext

from ..engine_bridge import Record
from ..game.hand_words import Given
from ..game.records import Records, declared_roles
from .cards import CARDS
from .cells import CELLS
from .clauses import CLAUSES
from .hand_words import WORDS
from .mistakes import MISTAKES
from .paper import PAPER
from .splitter import SPLITTER


def tally_of(_record: Given, result: Given) -> Record:
    """The tally of a record with cards."""
    tally: Record = {"declarer": result["declarer"], "joiners": list(result["joiners"])}
    if result["tricks"] is not None and result["joiners"]:
        tally["tricks"] = {str(seat): count for seat, count in enumerate(result["tricks"]) if count}
    return tally | ({"blind": result["blind"]} if result["blind"] else {})


def _wrong_number(count: int) -> str:
    said = ngettext(
        "Chratze is for two to seven players; %(count)d is ticked.",
        "Chratze is for two to seven players; %(count)d are ticked.",
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
    roles_of=declared_roles,
    keeps_dealers=False,
    has_forced_hands=False,
    wrong_number=_wrong_number,
)
