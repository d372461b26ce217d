"""The columns of a file of hands, and its cells as fields of a tally: the parts that games share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.imports import values
from league.imports.columns import Column
from league.imports.hand_preview import NO, YES
from league.imports.hands import HandRows, Remark, SeatRow

from .. import engine_bridge
from ..engine_bridge import Record, Start

ROLE = Column(
    "role",
    gettext_lazy("What was said"),
    ("rolle", "role", "ansage", "gesagt", "said", "was", "annonce", "ruolo"),
    gettext_lazy("declarer, joiner or out; also chratzt, metcho, weg, and in Kratzen schlagen, oder, mit, ohne."),
)
TRICKS = Column(
    "tricks",
    gettext_lazy("Tricks"),
    ("stiche", "tricks", "anzahlstiche", "levees", "prese"),
    gettext_lazy("How many tricks this person took."),
)
MADE = Column(
    "made",
    gettext_lazy("Made it"),
    ("gemacht", "made", "geschafft", "erfullt", "reussi", "riuscito"),
    gettext_lazy("1 for each person who reached the goal, where nobody counted tricks."),
)

DECLARER, JOINER, OUT = "declarer", "joiner", "out"
SHARED_ROLES: Mapping[str, str] = {
    **dict.fromkeys(("declarer", "d"), DECLARER),
    **dict.fromkeys(("joiner", "mit", "mitgeher", "mitgeherin", "m", "j"), JOINER),
    **dict.fromkeys(("out", "draussen", "w", *values.NOTHING), OUT),
}
Find = Callable[[SeatRow, str, str], None]


@dataclass(frozen=True)
class FileCells:
    """How a file of hands is read in a game.

    `columns` are its columns beside those that every file has. A file needs one of each group of `needed`. `sample` is
    a file to begin with, without the date. `read` returns the record of a hand without the data that the earlier hands
    determine, and raises `Misread` for unknown words; `start` says if everybody has to play.
    """

    columns: Sequence[Column]
    needed: Sequence[Sequence[str]]
    sample: Sequence[Sequence[str]]
    read: Callable[[HandRows, Start], Record]


class Misread(Exception):
    """A hand with cells that cannot be read."""

    def __init__(self, remarks: Sequence[Remark]) -> None:
        super().__init__("cells that cannot be read")
        self.remarks = remarks


class Found:
    """The remarks on the cells of a hand; calling it adds one."""

    def __init__(self) -> None:
        self.remarks: list[Remark] = []

    def __call__(self, row: SeatRow, code: str, sentence: str) -> None:
        self.remarks.append(Remark(row.row, code, sentence))

    def check(self) -> None:
        """Raise `Misread` if there is a remark."""
        if self.remarks:
            raise Misread(self.remarks)


def role_of(row: SeatRow, roles: Mapping[str, str], words: str, wrong: Find) -> str:
    """The role in a row: `roles` by what may be written, `words` are the most important of these."""
    role = roles.get(row.cells.get("role", "").casefold())
    if role is None:
        wrong(row, "role", _("This is nothing that is said in this game: write %(words)s.") % {"words": words})
    return role or OUT


def declared_role(row: SeatRow, roles: Mapping[str, str], wrong: Find) -> str:
    """The role in a row of a game with a declarer."""
    return role_of(row, roles, _("declarer, joiner or out"), wrong)


def one_declarer(hand: HandRows, roles: Sequence[str], wrong: Find) -> None:
    """Refuse a second declarer."""
    declarers = [row for row, role in zip(hand.seats, roles, strict=True) if role == DECLARER]
    for row in declarers[1:]:
        values_of = {"name": declarers[0].name, "row": declarers[0].row}
        wrong(row, "role", _("Only one person declares: %(name)s does, in row %(row)d.") % values_of)


def tricks_of(row: SeatRow, most: int, sentence: str, wrong: Find) -> int | None:
    """The tricks in a row, None for an empty cell; `sentence` refuses a number above `most`."""
    text = row.cells.get("tricks", "")
    if text in values.NOTHING:
        return None
    count = values.whole(text)
    if count is None or not 0 <= count <= most:
        wrong(row, "tricks", sentence)
        return None
    return count


def counted(tricks: Sequence[int | None], active: Sequence[int]) -> dict[str, int]:
    """The tricks of those who play, and of any other row that has some, which the rules refuse."""
    return {str(seat): tricks[seat] or 0 for seat in range(len(tricks)) if seat in active or tricks[seat]}


def uncounted(row: SeatRow, wrong: Find) -> None:
    """Refuse a hand that was played, but has no result."""
    code = "tricks" if "tricks" in row.cells else "made"
    wrong(row, code, _("This hand was played: enter the tricks, or the persons who made it."))


def made_in(row: SeatRow, wrong: Find) -> bool | None:
    """True for a person who made it, None for an empty cell."""
    text = row.cells.get("made", "").casefold()
    if text in values.NOTHING:
        return None
    if text not in YES and text not in NO:
        wrong(row, "made", _("Write 1 for the persons who made it, 0 for the others."))
    return text in YES


def no_tricks(hand: HandRows, tricks: Sequence[int | None], wrong: Find) -> None:
    """Refuse tricks of a hand that was not played, which the record would not have."""
    for seat, row in enumerate(hand.seats):
        if tricks[seat]:
            wrong(row, "tricks", _("Nobody joined here, so there were no tricks."))


def said(hand: HandRows, code: str, wrong: Find) -> Iterator[tuple[SeatRow, str]]:
    """Yield the first row with a value; a different value in another row is a fault."""
    rows = [(row, row.cells.get(code, "")) for row in hand.seats]
    given = [(row, text) for row, text in rows if text not in values.NOTHING]
    for row, text in given[1:]:
        if text.casefold() != given[0][1].casefold():
            wrong(row, code, _("Row %(row)d says something else of this hand.") % {"row": given[0][0].row})
    yield from given[:1]


def everybody_plays(start: Start) -> bool:
    """True if everybody has to play the hand, as far as its start says."""
    try:
        return engine_bridge.due(start).muss is True
    except engine_bridge.Fault:
        return False


def four_tricks(row: SeatRow, wrong: Find) -> int | None:
    """The tricks in a row of a game with four of them."""
    return tricks_of(row, 4, _("A hand has four tricks: write a number from 0 to 4."), wrong)


def declared(roles: Sequence[str]) -> Record:
    """Declarer and joiners by the roles of a hand."""
    joiners = [seat for seat, role in enumerate(roles) if role == JOINER]
    if DECLARER in roles:
        return {"declarer": roles.index(DECLARER), "joiners": joiners}
    return {"declarer": None, **({"joiners": joiners} if joiners else {})}


def is_played(record: Mapping[str, Any]) -> bool:
    """True if somebody declared and somebody joined."""
    return bool(record.get("joiners")) and record["declarer"] is not None
