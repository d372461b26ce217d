"""The parts of the recording pages, built from the table, the entry so far and its preview by the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from .. import engine_bridge
from ..engine_bridge import Record
from ..errors import Problem
from ..hands.preview import Preview
from ..hands.selectors import HandView, TableView
from .forms import HandForm, SeatEntry
from .kratzen_form import SCHLAGEN, KratzenForm, dealer_shown, shown_of

LONG_NAME = 13


@dataclass(frozen=True)
class Row:
    """A seat on the table screen: the player, the entry, and the sum of tonight in Rappen, with the ante in the pot."""

    seat: int
    nickname: str
    balance_minor: int
    deals: bool
    entry: SeatEntry
    marked: bool

    @property
    def long(self) -> bool:
        """Return True if the name needs two lines beside its marks."""
        return len(self.nickname) > LONG_NAME


def rows(view: TableView, entries: Sequence[SeatEntry], marked: Sequence[int] = ()) -> list[Row]:
    """The seats in the order of play; `marked` are the seats that a refusal is about."""
    return [
        Row(
            seat=seat.seat,
            nickname=seat.nickname,
            balance_minor=seat.tonight_minor,
            deals=seat.deals,
            entry=entries[seat.seat] if seat.seat < len(entries) else SeatEntry(),
            marked=seat.seat in marked,
        )
        for seat in view.seats
    ]


def entries_of(hand: HandView) -> list[SeatEntry]:
    """The entry of a stored hand, to change it and enter it again."""
    active = [hand.declarer, *hand.joiners]
    return [
        SeatEntry(
            role="declarer" if seat == hand.declarer else "joiner" if seat in active else "out",
            made=seat not in hand.failed,
            tricks=hand.tricks[seat] if hand.tricks and hand.outcome == "played" and seat in active else None,
        )
        for seat in range(len(hand.names))
    ]


@dataclass(frozen=True)
class KratzenEntry:
    """The parts of an entry that only Kratzen has: the cards shown at the cuts (a letter each), the
    dealer after them, the call, and whether a seven made a Siebenermuss (`sevens` is the house rule for that)."""

    shown: str
    dealer: int
    call: str
    seven: bool
    sevens: str


def kratzen_of(view: TableView, entry: HandForm | HandView | None) -> KratzenEntry | None:
    """The parts of an entry that only Kratzen has; None for another game."""
    if view.game != engine_bridge.KRATZEN:
        return None
    shown, call, seven = "", SCHLAGEN, False
    if isinstance(entry, KratzenForm):
        shown, call, seven = entry.shown(), entry.call(), entry.seven_entered
    elif isinstance(entry, HandView):
        shown, call, seven = shown_of(entry.record["cuts"]), entry.game_type or SCHLAGEN, entry.siebenermuss
    return KratzenEntry(
        shown=shown,
        dealer=dealer_shown(view.start, shown),
        call=call,
        seven=seven,
        sevens=str(view.rules["seven_muss"]),
    )


def muss_entries(view: TableView) -> list[SeatEntry]:
    """The seats of a Muss before anything is entered: everybody plays."""
    return [SeatEntry(role="declarer" if seat.deals else "joiner") for seat in view.seats]


def refused_seats(at: str, form: HandForm) -> list[int]:
    """The seats that a refusal marks, by the place of the record that it names (`at`)."""
    active = form.active()
    declarers = [seat for seat in active if form.entries()[seat].role == "declarer"]
    if at.startswith(("made", "tricks")):
        return active
    if at.startswith("joiners") and len(declarers) == 1 and len(active) == 1 and not isinstance(form, KratzenForm):
        # The Susi: the last player to answer, who sits before the declarer.
        return [(declarers[0] - 1) % form.seats]
    if at.startswith("joiners"):
        return [seat for seat in active if seat not in declarers]
    if at.startswith(("declarer", "blind", "game_type", "seven")):
        return declarers
    return []


def preview_problem(preview: Preview, record: Record) -> Problem:
    """The problem of a refused preview, with a more exact sentence than the clause has where that is possible."""
    sentence = preview.sentence
    # An empty `made` counts as absent; the engine then reports that `tricks` is missing.
    if preview.clause == "R5" and "made" in record:
        declarer, made = record["declarer"], record["made"]
        if declarer in made:
            sentence = _("Beside a declarer with two tricks at most two can have made one: there are four in all.")
        elif not made:
            sentence = _("Somebody took the four tricks: if the declarer failed, a joiner has made it.")
        else:
            sentence = _("There are four tricks: at most four joiners can have made one.")
    return Problem(sentence=sentence, code=preview.clause, at=preview.at)
