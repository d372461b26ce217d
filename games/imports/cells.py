"""The columns that a file of hands has for a game, and its cells as fields of a tally."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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
BLIND = Column(
    "blind",
    gettext_lazy("Blind"),
    ("blind",),
    gettext_lazy("blind or double, in the row of the declarer."),
)
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
COLUMNS: Mapping[str, Sequence[Column]] = {
    engine_bridge.CHRATZE: (ROLE, TRICKS, MADE, BLIND),
    engine_bridge.KRATZEN: (ROLE, TRICKS, GAME_TYPE, SEVEN, CUTS),
}
NEEDED: Mapping[str, Sequence[Sequence[str]]] = {
    engine_bridge.CHRATZE: (("role",), ("tricks", "made")),
    engine_bridge.KRATZEN: (("role",), ("tricks",)),
}
SAMPLES: Mapping[str, Sequence[Sequence[str]]] = {
    engine_bridge.CHRATZE: (
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
    ),
    engine_bridge.KRATZEN: (
        ("Spiel", "Name", "Ansage", "Stiche"),
        ("1", "Anna", "schlagen", "3"),
        ("1", "Beni", "mit", "1"),
        ("1", "Carla", "weg", ""),
    ),
}
"""A file of hands to begin with, without the date."""

DECLARER, JOINER, OUT, MUSS = "declarer", "joiner", "out", "muss"
SCHLAGEN, ODER, WEITER_ODER = "schlagen", "oder", "weiter-oder"
BOTH_GAMES: Mapping[str, str] = {
    **dict.fromkeys(("declarer", "d"), DECLARER),
    **dict.fromkeys(("joiner", "mit", "mitgeher", "mitgeherin", "m", "j"), JOINER),
    **dict.fromkeys(("out", "draussen", "w", *values.NOTHING), OUT),
}
ROLES: Mapping[str, Mapping[str, str]] = {
    engine_bridge.CHRATZE: {
        **BOTH_GAMES,
        **dict.fromkeys(("chratze", "chratzt", "chratzer", "chratzerin", "c", "ch", "blind"), DECLARER),
        **dict.fromkeys(("metcho",), JOINER),
        **dict.fromkeys(("weg", "fort"), OUT),
    },
    engine_bridge.KRATZEN: {
        **BOTH_GAMES,
        **dict.fromkeys(("schlagen", "schlägt", "schläger", "schlägerin", "s", "spielt"), DECLARER),
        **dict.fromkeys((ODER, "o", WEITER_ODER, "weiteroder", "wo"), DECLARER),
        **dict.fromkeys(("ohne", "weiter"), OUT),
        "muss": MUSS,
    },
}
CALLS: Mapping[str, str] = {
    **dict.fromkeys((SCHLAGEN, "s"), SCHLAGEN),
    **dict.fromkeys((ODER, "o"), ODER),
    **dict.fromkeys((WEITER_ODER, "weiteroder", "wo"), WEITER_ODER),
}
BLINDS: Mapping[str, str] = {
    **dict.fromkeys(("blind", "b", "*", "1", "ja", "yes", "x"), "blind"),
    **dict.fromkeys(("double", "doppelt", "doppelblind", "doppelt blind", "**", "2"), "double"),
}
CARDS = re.compile(r"6d|[AKQJT987][shdc]|[A7Wx]")
NO_CUT = [["x"]]
Words = Mapping[str, str | bool]
Find = Callable[[SeatRow, str, str], None]


class Misread(Exception):
    """A hand with cells that cannot be read."""

    def __init__(self, remarks: Sequence[Remark]) -> None:
        super().__init__("cells that cannot be read")
        self.remarks = remarks


def read_hand(game: str, hand: HandRows, start: Start) -> Record:
    """Return the record of a hand, without the data that the earlier hands determine. `start` says if it is a Muss.

    Raises:
        Misread: unknown words.
    """
    found: list[Remark] = []

    def wrong(row: SeatRow, code: str, sentence: str) -> None:
        found.append(Remark(row.row, code, sentence))

    kratzen = game == engine_bridge.KRATZEN
    roles = [_role(game, row, wrong) for row in hand.seats]
    _one_declarer(hand, roles, wrong)
    tricks = [_tricks(row, wrong) for row in hand.seats]
    record: Record = {}
    if kratzen:
        record = _hand_cells(hand, wrong)
        _call(record, hand, roles, start)
    played = _played(record, roles, start) if not found else {}
    record |= played
    if not found and record.get("joiners") and record["declarer"] is not None:
        record |= _results(hand, record, tricks, wrong, kratzen=kratzen)
    if not kratzen:
        blind = _blind(hand, roles, wrong)
        record |= {"blind": blind} if blind else {}
    if not found:
        _nobody_else(hand, record, tricks, wrong)
    if found:
        raise Misread(found)
    return record


def _role(game: str, row: SeatRow, wrong: Find) -> str:
    text = row.cells.get("role", "").casefold()
    role = ROLES[game].get(text)
    if role is None:
        words = _("declarer, joiner or out")
        wrong(row, "role", _("This is nothing that is said in this game: write %(words)s.") % {"words": words})
    return role or OUT


def _one_declarer(hand: HandRows, roles: Sequence[str], wrong: Find) -> None:
    declarers = [row for row, role in zip(hand.seats, roles, strict=True) if role == DECLARER]
    for row in declarers[1:]:
        values_of = {"name": declarers[0].name, "row": declarers[0].row}
        wrong(row, "role", _("Only one person declares: %(name)s does, in row %(row)d.") % values_of)


def _tricks(row: SeatRow, wrong: Find) -> int | None:
    """Return the tricks in a row, None for an empty cell."""
    text = row.cells.get("tricks", "")
    if text in values.NOTHING:
        return None
    found = values.whole(text)
    if found is None or not 0 <= found <= 4:
        wrong(row, "tricks", _("A hand has four tricks: write a number from 0 to 4."))
        return None
    return found


def _played(record: Mapping[str, Any], roles: Sequence[str], start: Start) -> Record:
    """Return declarer and joiners. In a Muss, where the cells may be empty, the dealer after the cuts declares and all
    others join."""
    seats = range(len(roles))
    if DECLARER in roles:
        declarer = roles.index(DECLARER)
        others = [seat for seat in seats if roles[seat] == JOINER or (roles[seat] == MUSS and seat != declarer)]
        return {"declarer": declarer, "joiners": others}
    muss = start.game == engine_bridge.KRATZEN and (MUSS in roles or record.get("seven") or _is_muss(start))
    if muss and JOINER not in roles:
        try:
            dealer, _payments = engine_bridge.after_cuts(start, record["cuts"])
        except engine_bridge.Fault:
            dealer = start.dealer
        return {"declarer": dealer, "joiners": [seat for seat in seats if seat != dealer]}
    joiners = [seat for seat in seats if roles[seat] == JOINER]
    return {"declarer": None, **({"joiners": joiners} if joiners else {})}


def _is_muss(start: Start) -> bool:
    try:
        return engine_bridge.due(start).muss is True
    except engine_bridge.Fault:
        return False


def _results(
    hand: HandRows, record: Mapping[str, Any], tricks: Sequence[int | None], wrong: Find, *, kratzen: bool
) -> Record:
    """Return the tricks of a played hand, or the seats that made it where nobody counted them."""
    active = sorted({record["declarer"], *record["joiners"]})
    made = {seat: _made(row, wrong) for seat, row in enumerate(hand.seats)}
    if any(count is not None for count in tricks):
        counted = {str(seat): tricks[seat] or 0 for seat in range(len(tricks)) if seat in active or tricks[seat]}
        return {"tricks": counted}
    if kratzen or all(one is None for one in made.values()):
        first = hand.seats[active[0]]
        code = "tricks" if "tricks" in first.cells else "made"
        wrong(first, code, _("This hand was played: enter the tricks, or the persons who made it."))
        return {}
    return {"made": [seat for seat, one in made.items() if one]}


def _made(row: SeatRow, wrong: Find) -> bool | None:
    text = row.cells.get("made", "").casefold()
    if text in values.NOTHING:
        return None
    if text not in YES and text not in NO:
        wrong(row, "made", _("Write 1 for the persons who made it, 0 for the others."))
    return text in YES


def _blind(hand: HandRows, roles: Sequence[str], wrong: Find) -> str:
    found = ""
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
        found = blind or found
    return found


def _nobody_else(hand: HandRows, record: Record, tricks: Sequence[int | None], wrong: Find) -> None:
    """Refuse tricks of a hand that was not played, which the record would not have."""
    if record.get("joiners"):
        return
    for seat, row in enumerate(hand.seats):
        if tricks[seat]:
            wrong(row, "tricks", _("Nobody joined here, so there were no tricks."))


# --- Kratzen -----------------------------------------------------------------------------------------------


def _hand_cells(hand: HandRows, wrong: Find) -> Record:
    """Return the cuts and the seven of a hand of Kratzen, which any of its rows may have."""
    record: Record = {"cuts": NO_CUT}
    for row, text in _said(hand, "cuts", wrong):
        cuts = [CARDS.findall(cut) for cut in text.split()]
        if ["".join(cut) for cut in cuts] != text.split():
            wrong(row, "cuts", _("A cut shows A, 7, W (the Weli) or x, such as: Ax x."))
        else:
            record["cuts"] = cuts
    for row, text in _said(hand, "siebenermuss", wrong):
        if text.casefold() not in (*YES, *NO):
            wrong(row, "siebenermuss", _("Write 1 where a seven decided the trump."))
        elif text.casefold() in YES:
            record["seven"] = True
    for row, text in _said(hand, "game_type", wrong):
        if text.casefold() not in CALLS:
            wrong(row, "game_type", _("This is no call: write schlagen, oder or weiter-oder."))
        else:
            record["game_type"] = CALLS[text.casefold()]
    return record


def _said(hand: HandRows, code: str, wrong: Find) -> Iterator[tuple[SeatRow, str]]:
    """Yield the first row with a value; a different value in another row is a fault."""
    rows = [(row, row.cells.get(code, "")) for row in hand.seats]
    given = [(row, text) for row, text in rows if text not in values.NOTHING]
    for row, text in given[1:]:
        if text.casefold() != given[0][1].casefold():
            wrong(row, code, _("Row %(row)d says something else of this hand.") % {"row": given[0][0].row})
    yield from given[:1]


def _call(record: Record, hand: HandRows, roles: Sequence[str], start: Start) -> None:
    """Add the call of a free hand: the declarer's word, `schlagen` by default."""
    if "game_type" in record or DECLARER not in roles or _is_muss(start) or record.get("seven"):
        return
    said = hand.seats[roles.index(DECLARER)].cells.get("role", "").casefold()
    record["game_type"] = CALLS.get(said, SCHLAGEN)
