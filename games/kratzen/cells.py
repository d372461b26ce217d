"""A file of hands of Kratzen."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.imports.columns import Column
from league.imports.hand_preview import NO, YES
from league.imports.hands import HandRows

from .. import engine_bridge
from ..engine_bridge import Record, Start
from ..game.file_cells import (
    DECLARER,
    JOINER,
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
    everybody_plays,
    four_tricks,
    is_played,
    made_in,
    no_tricks,
    one_declarer,
    said,
    uncounted,
)
from .hand_form import CALLS, SCHLAGEN

GAME_TYPE = Column(
    "game_type",
    gettext_lazy("Call"),
    ("gametype", "spielart", "ruf"),
    gettext_lazy("schlagen, oder or weiter-oder."),
)
SEVEN = Column(
    "siebenermuss",
    gettext_lazy("Siebenermuss"),
    ("siebenermuss", "sieben", "seven"),
    gettext_lazy("1 where a seven decided the trump."),
)
CUTS = Column(
    "cuts",
    gettext_lazy("Cuts"),
    ("cuts", "abheben", "abgehoben"),
    gettext_lazy("The cards shown, with a space between two cuts: A, 7, W (the Weli), x (any other)."),
)
MUSS: Final = "muss"
ODER, WEITER_ODER = CALLS[1:]
ROLES: Final[Mapping[str, str]] = {
    **SHARED_ROLES,
    **dict.fromkeys(("schlagen", "schlägt", "schläger", "schlägerin", "s", "spielt"), DECLARER),
    **dict.fromkeys((ODER, "o", WEITER_ODER, "weiteroder", "wo"), DECLARER),
    **dict.fromkeys(("ohne", "weiter"), OUT),
    "muss": MUSS,
}
CALLED: Final[Mapping[str, str]] = {
    **dict.fromkeys((SCHLAGEN, "s"), SCHLAGEN),
    **dict.fromkeys((ODER, "o"), ODER),
    **dict.fromkeys((WEITER_ODER, "weiteroder", "wo"), WEITER_ODER),
}
CARDS: Final = re.compile(r"6d|[AKQJT987][shdc]|[A7Wx]")
NO_CUT: Final = [["x"]]
SAMPLE: Final = (
    ("Spiel", "Name", "Ansage", "Stiche"),
    ("1", "Anna", "muss", "2"),
    ("1", "Beni", "muss", "1"),
    ("1", "Carla", "muss", "1"),
    ("2", "Anna", "schlagen", "3"),
    ("2", "Beni", "mit", "1"),
    ("2", "Carla", "ohne", ""),
)


def read(hand: HandRows, start: Start) -> Record:
    """Return the record of a hand. Raises `Misread`."""
    wrong = Found()
    roles = [declared_role(row, ROLES, wrong) for row in hand.seats]
    one_declarer(hand, roles, wrong)
    tricks = [four_tricks(row, wrong) for row in hand.seats]
    record = _hand_cells(hand, wrong)
    _call(record, hand, roles, start)
    record |= {} if wrong.remarks else _played(record, roles, start)
    if not wrong.remarks and is_played(record):
        record |= _results(hand, record, tricks, wrong)
    if not wrong.remarks and not record.get("joiners"):
        no_tricks(hand, tricks, wrong)
    wrong.check()
    return record


def _played(record: Mapping[str, Any], roles: Sequence[str], start: Start) -> Record:
    """Return declarer and joiners. In a Muss, where the cells may be empty, the dealer after the cuts declares and all
    others join."""
    seats = range(len(roles))
    if DECLARER in roles:
        declarer = roles.index(DECLARER)
        others = [seat for seat in seats if roles[seat] == JOINER or (roles[seat] == MUSS and seat != declarer)]
        return {"declarer": declarer, "joiners": others}
    muss = MUSS in roles or record.get("seven") or everybody_plays(start)
    if muss and JOINER not in roles:
        try:
            dealer, _payments = engine_bridge.after_cuts(start, record["cuts"])
        except engine_bridge.Fault:
            dealer = start.dealer
        return {"declarer": dealer, "joiners": [seat for seat in seats if seat != dealer]}
    return declared(roles)


def _results(hand: HandRows, record: Record, tricks: Sequence[int | None], wrong: Find) -> Record:
    """Return the tricks of a played hand."""
    active = sorted({record["declarer"], *record["joiners"]})
    for row in hand.seats:
        made_in(row, wrong)
    if any(count is not None for count in tricks):
        return {"tricks": counted(tricks, active)}
    uncounted(hand.seats[active[0]], wrong)
    return {}


def _hand_cells(hand: HandRows, wrong: Find) -> Record:
    """Return the cuts and the seven of a hand of Kratzen, which any of its rows may have."""
    record: Record = {"cuts": NO_CUT}
    for row, text in said(hand, "cuts", wrong):
        cuts = [CARDS.findall(cut) for cut in text.split()]
        if ["".join(cut) for cut in cuts] != text.split():
            wrong(row, "cuts", _("A cut shows A, 7, W (the Weli) or x, such as: Ax x."))
        else:
            record["cuts"] = cuts
    for row, text in said(hand, "siebenermuss", wrong):
        if text.casefold() not in (*YES, *NO):
            wrong(row, "siebenermuss", _("Write 1 where a seven decided the trump."))
        elif text.casefold() in YES:
            record["seven"] = True
    for row, text in said(hand, "game_type", wrong):
        if text.casefold() not in CALLED:
            wrong(row, "game_type", _("This is no call: write schlagen, oder or weiter-oder."))
        else:
            record["game_type"] = CALLED[text.casefold()]
    return record


def _call(record: Record, hand: HandRows, roles: Sequence[str], start: Start) -> None:
    """Add the call of a free hand: the declarer's word, `schlagen` by default."""
    if "game_type" in record or DECLARER not in roles or everybody_plays(start) or record.get("seven"):
        return
    word = hand.seats[roles.index(DECLARER)].cells.get("role", "").casefold()
    record["game_type"] = CALLED.get(word, SCHLAGEN)


CELLS: Final = FileCells((ROLE, TRICKS, GAME_TYPE, SEVEN, CUTS), (("role",), ("tricks",)), SAMPLE, read)
