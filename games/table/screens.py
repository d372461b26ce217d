"""The parts of the recording pages, built from the table, the entry so far and its preview by the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from .. import engine_bridge, offered
from ..engine_bridge import Record, Start
from ..errors import FormProblem
from ..game.cut_form import Cutting
from ..game.hand_form import HandForm, SeatEntry
from ..hands.preview import Preview
from ..hands.selectors import HandView, TableView

LONG_NAME = 13


@dataclass(frozen=True)
class Row:
    """A seat on the table screen: the player, the entry, and the sum of tonight in Rappen. `tonight_minor` has the ante
    that is in the pot, `balance_minor` also what the seat owes for the cuts."""

    seat: int
    nickname: str
    tonight_minor: int
    deals: bool
    entry: SeatEntry
    marked: bool
    cut_minor: int = 0

    @property
    def balance_minor(self) -> int:
        """The sum of tonight: the balances of all seats and the pot add up."""
        return self.tonight_minor - self.cut_minor

    @property
    def long(self) -> bool:
        """Return True if the name needs two lines beside its marks."""
        return len(self.nickname) > LONG_NAME


ROW_PATTERN = Row(
    seat="{seat}",  # type: ignore[arg-type]
    nickname="{name}",
    tonight_minor=0,
    deals=False,
    entry=SeatEntry(),
    marked=False,
)
"""The pattern of a row for the scripts, which put seat and name into it."""


def rows(
    view: TableView, entries: Sequence[SeatEntry], marked: Sequence[int] = (), cutting: Cutting | None = None
) -> list[Row]:
    """The seats in the order of play; `marked` are the seats that a refusal is about. With cuts the dealer is the one
    after them."""
    dealer = cutting.dealer if cutting else view.dealer_seat
    return [
        Row(
            seat=seat.seat,
            nickname=seat.nickname,
            tonight_minor=seat.tonight_minor,
            deals=seat.seat == dealer,
            entry=entries[seat.seat] if seat.seat < len(entries) else SeatEntry(),
            marked=seat.seat in marked,
            cut_minor=cutting.payments[seat.seat] if cutting else 0,
        )
        for seat in view.seats
    ]


def entries_of(hand: HandView) -> list[SeatEntry]:
    """The entry of a stored hand, to change it and enter it again."""
    active = engine_bridge.active_seats(hand.result)
    return [
        SeatEntry(
            role="declarer" if seat == hand.declarer else "joiner" if seat in active else "out",
            made=seat not in hand.failed if hand.outcome == "played" and seat in active else None,
            tricks=hand.tricks[seat] if hand.tricks and hand.outcome == "played" and seat in active else None,
        )
        for seat in range(len(hand.names))
    ]


def cutting_of(view: TableView, entry: HandForm | HandView | None) -> Cutting | None:
    """The parts of an entry that follow the cuts; None in a game without them."""
    return cutting(view.start, [seat.nickname for seat in view.seats], entry)


def cutting(start: Start, names: Sequence[str], entry: HandForm | HandView | None) -> Cutting | None:
    """The same from the start of the hand and the names by seat."""
    make = offered.game_of(start.game).screen.cutting
    if make is None:
        return None
    form, stored = (entry, None) if isinstance(entry, HandForm) else (None, entry)
    return make(start, names, form, stored)


def muss_entries(view: TableView) -> list[SeatEntry]:
    """The seats of a hand that everybody has to play, before anything is entered; the dealer declares, if anybody."""
    declares = engine_bridge.has_declarer(view.game)
    return [SeatEntry(role="declarer" if declares and seat.deals else "joiner") for seat in view.seats]


def seat_of(view: TableView, player: str) -> int | None:
    """The seat of a player who was named as declarer on the page before; None for anybody who does not sit here."""
    return next((seat.seat for seat in view.seats if str(seat.player_id) == player), None)


def refused_seats(path: str, form: HandForm) -> list[int]:
    """The seats that a refusal marks, by the place of the record that it names (`path`)."""
    active = form.active()
    declarers = [seat for seat in active if form.entries()[seat].role == "declarer"]
    if path.startswith(("made", "tricks", "players")):
        return active
    if path.startswith("joiners") and len(declarers) == 1 and len(active) == 1 and not form.last_may_be_alone:
        # The Susi: the last player to answer, who sits before the declarer.
        return [(declarers[0] - 1) % form.seats]
    if path.startswith("joiners"):
        return [seat for seat in active if seat not in declarers]
    if path == "seven_lost":
        return [seat for seat in active if str(seat) == form.cleaned_data.get(path)]
    if path.startswith(("declarer", "blind", "game_type", "seven")):
        return declarers
    return []


def preview_problem(preview: Preview, record: Record) -> FormProblem:
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
    return FormProblem(sentence=sentence, code=preview.clause, at=preview.at)
