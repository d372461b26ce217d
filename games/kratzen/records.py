"""Kratzen: how the records of a game are read, written and corrected."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import ngettext

from ..engine_bridge import Record
from ..game.hand_words import Given
from ..game.records import Records, declared_roles
from .cards import CARDS
from .cells import CELLS
from .clauses import CLAUSES
from .hand import game_type_of, is_siebenermuss
from .hand_form import SCHLAGEN, shown_of
from .hand_words import WORDS
from .mistakes import MISTAKES
from .paper import PAPER
from .splitter import SPLITTER


def tally_of(record: Given, result: Given) -> Record:
    """The tally of a record with cards."""
    tally: Record = {"declarer": result["declarer"], "joiners": list(result["joiners"])}
    if result["tricks"] is not None and result["joiners"]:
        tally["tricks"] = {str(seat): count for seat, count in enumerate(result["tricks"]) if count}
    tally["cuts"] = record.get("cuts", [])
    call = game_type_of(record, result)
    tally |= {"seven": True} if is_siebenermuss(record, result) else {}
    return tally | ({"game_type": call} if call else {})


def _entry_fields(tally: Given) -> dict[str, str]:
    if "cuts" not in tally:
        return {}
    fields = {"cuts": shown_of(tally["cuts"]), "game_type": tally.get("game_type") or SCHLAGEN}
    return fields | ({"seven": "1"} if tally.get("seven") else {})


def _columns(record: Given, result: Given, _seat: int) -> dict[str, Any]:
    return {
        "muss": result["muss"],
        "game_type": game_type_of(record, result),
        "siebenermuss": is_siebenermuss(record, result),
        "cuts": " ".join("".join(cut) for cut in record["cuts"]),
    }


def _wrong_number(count: int) -> str:
    said = ngettext(
        "Kratzen is for three to six players; %(count)d is ticked.",
        "Kratzen is for three to six players; %(count)d are ticked.",
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
    keeps_dealers=True,
    has_forced_hands=True,
    wrong_number=_wrong_number,
    entry_fields=_entry_fields,
    columns=_columns,
    game_type_of=game_type_of,
    is_siebenermuss=is_siebenermuss,
)
