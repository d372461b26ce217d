"""A file of hands of Chratze."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.imports.columns import Column
from league.imports.hand_preview import NO
from league.imports.hands import HandRows

from ..engine_bridge import Record, Start
from ..game.file_cells import (
    DECLARER,
    JOINER,
    MADE,
    OUT,
    ROLE,
    SHARED_ROLES,
    TRICKS,
    FileCells,
    Find,
    Found,
    counted,
    declared,
    declared_role,
    four_tricks,
    is_played,
    made_in,
    no_tricks,
    one_declarer,
    uncounted,
)

BLIND = Column(
    "blind",
    gettext_lazy("Blind"),
    ("blind",),
    gettext_lazy("blind or double, in the row of the declarer."),
)
ROLES: Final[Mapping[str, str]] = {
    **SHARED_ROLES,
    **dict.fromkeys(("chratze", "chratzt", "chratzer", "chratzerin", "c", "ch", "blind"), DECLARER),
    **dict.fromkeys(("metcho",), JOINER),
    **dict.fromkeys(("weg", "fort"), OUT),
}
BLINDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("blind", "b", "*", "1", "ja", "yes", "x"), "blind"),
    **dict.fromkeys(("double", "doppelt", "doppelblind", "doppelt blind", "**", "2"), "double"),
}
SAMPLE: Final = (
    ("Spiel", "Name", "Ansage", "Gemacht"),
    ("1", "Anna", "chratzt", "1"),
    ("1", "Beni", "weg", ""),
    ("1", "Carla", "metcho", "0"),
    ("2", "Anna", "weg", ""),
    ("2", "Beni", "weg", ""),
    ("2", "Carla", "weg", ""),
    ("3", "Anna", "metcho", "1"),
    ("3", "Beni", "chratzt", "0"),
    ("3", "Carla", "weg", ""),
)


def read(hand: HandRows, _start: Start) -> Record:
    """Return the record of a hand. Raises `Misread`."""
    wrong = Found()
    roles = [declared_role(row, ROLES, wrong) for row in hand.seats]
    one_declarer(hand, roles, wrong)
    tricks = [four_tricks(row, wrong) for row in hand.seats]
    record: Record = {} if wrong.remarks else declared(roles)
    if record and is_played(record):
        record |= _results(hand, record, tricks, wrong)
    blind = _blind(hand, roles, wrong)
    record |= {"blind": blind} if blind else {}
    if not wrong.remarks and not record.get("joiners"):
        no_tricks(hand, tricks, wrong)
    wrong.check()
    return record


def _results(hand: HandRows, record: Record, tricks: Sequence[int | None], wrong: Find) -> Record:
    """Return the tricks of a played hand, or the seats that made it where nobody counted them."""
    active = sorted({record["declarer"], *record["joiners"]})
    made = {seat: made_in(row, wrong) for seat, row in enumerate(hand.seats)}
    if any(count is not None for count in tricks):
        return {"tricks": counted(tricks, active)}
    if all(reached is None for reached in made.values()):
        uncounted(hand.seats[active[0]], wrong)
        return {}
    return {"made": [seat for seat, reached in made.items() if reached]}


def _blind(hand: HandRows, roles: Sequence[str], wrong: Find) -> str:
    chosen = ""
    for row, role in zip(hand.seats, roles, strict=True):
        text = row.cells.get("blind", "").casefold()
        said = row.cells.get("role", "").casefold() == "blind"
        if text in NO and not said:
            continue
        blind = BLINDS.get("blind" if text in NO else text)
        if blind is None:
            wrong(row, "blind", _("Write blind or double, or nothing."))
        elif role != DECLARER:
            wrong(row, "blind", _("Only the declarer plays blind."))
        chosen = blind or chosen
    return chosen


CELLS: Final = FileCells((ROLE, TRICKS, MADE, BLIND), (("role",), ("tricks", "made")), SAMPLE, read)
