"""Sheets: the result of a table whose hands were not recorded, handed in once or more often."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext as _

from .. import audit
from ..audit import What
from ..errors import Refused
from ..ledger.idempotency import keyed
from ..models import Round, Sheet, Tournament, User
from . import messages, rounds, tables
from .differing_sheets import MAX_REASON, counting, round_of
from .formats import Format
from .locking import desk_write, must_be

MAX_CHIPS = 1_000_000_000


@keyed(lambda first, **_given: Sheet.objects.get(submission=first))
def hand_in(
    *,
    tournament: Tournament,
    author: User | None,
    number: int,
    table: int,
    chips: Mapping[int, int],
    pot: int,
    at_table: bool = False,
    decides: bool = False,
    reason: str = "",
    key: uuid.UUID | None = None,
) -> Sheet:
    """Store a sheet of a table in round `number`: the net chips of each start number, and the chips left in the pot.

    In a finished round only a sheet of the desk that `decides` is taken, with a reason: the round's results are posted
    again with it.

    Raises:
        Refused: 422 for chips that with the pot do not add up to zero (`details`: the difference), for people who do
            not sit there, or a missing reason; 404 for no such table; 409 where hands were recorded, where points
            count, or where the round is finished and the sheet does not decide.
    """
    body = ("sheet", number, table, sorted(chips.items()), pot, at_table, decides, reason)

    with desk_write(tournament, author, key, body) as desk:
        now = desk.now
        must_be(now, Tournament.State.RUNNING)
        current = round_of(now, number)
        seats = _seats(current, table)
        _check_counted(now)
        _check_sums(seats, chips, pot)
        _check_moment(current, table, decides, reason)
        last = current.sheets.filter(table_number=table).aggregate(last=Max("number"))["last"] or 0
        sheet = Sheet.objects.create(
            round=current,
            table_number=table,
            number=last + 1,
            chips={str(seat): chips[seat] for seat in seats},
            pot=pot,
            at_table=at_table,
            decides=decides,
            reason=reason[:MAX_REASON],
            submission=desk.submission,
            author=author,
        )
        current.sheets_in += 1
        current.save(update_fields=["sheets_in"])
        if decides:
            data: audit.Data = {"did": "decided", "round": number, "table": table}
            audit.write(What.ROUND_CHANGED, club=now.club, actor=author, about=f"tournament:{now.pk}", data=data)
        if current.state == Round.State.FINISHED:
            rounds.post_again(now, current, author=author, reason=reason)
            messages.round_finished(now, current, "corrected")
        elif _differ(now, current, table):
            messages.sheet_disagrees(now, current, sheet)
        return sheet


def _differ(now: Tournament, current: Round, table: int) -> bool:
    handed_in = list(current.sheets.filter(table_number=table).order_by("number"))
    return counting(handed_in, Format.read(now.format)).state == "disagree"


def _seats(current: Round, table: int) -> list[int]:
    for drawn_table in current.draw.plan["tables"]:
        if drawn_table["number"] == table:
            seats: list[int] = drawn_table["seats"]
            return seats
    sentence = _("There is no table %(table)s in this round.") % {"table": table}
    raise Refused(status=404, code="table", sentence=sentence, at="table")


def _check_counted(now: Tournament) -> None:
    """Refuse a sheet where points count: they come from the hands, and a sheet has chips alone."""
    if Format.read(now.format).result == "points":
        sentence = _("This tournament counts points, which come from the hands. Record the hands of this table.")
        raise Refused(status=409, code="points", sentence=sentence)


def _check_sums(seats: Sequence[int], chips: Mapping[int, int], pot: int) -> None:
    if set(chips) != set(seats):
        sentence = _("A sheet has one number for each person at the table: %(numbers)s.")
        values = {"numbers": ", ".join(str(seat) for seat in seats)}
        raise Refused(status=422, code="seats", sentence=sentence % values, at="chips")
    amounts: list[Any] = [*chips.values(), pot]
    if any(type(amount) is not int or abs(amount) > MAX_CHIPS for amount in amounts) or pot < 0:
        sentence = _("Chips are whole numbers, and a pot is not below 0.")
        raise Refused(status=422, code="chips", sentence=sentence, at="chips")
    total = sum(amounts)
    if total:
        sentence = (
            _("The sheet does not add up: %(difference)d chips too many.")
            if total > 0
            else _("The sheet does not add up: %(difference)d chips are missing.")
        )
        values = {"difference": abs(total)}
        raise Refused(status=422, code="sum", sentence=sentence % values, at="chips", details={"difference": total})


def _check_moment(current: Round, table: int, decides: bool, reason: str) -> None:
    if current.state == Round.State.FINISHED:
        if not decides:
            sentence = _("Round %(round)d is finished. Ask the desk to correct it.") % {"round": current.number}
            raise Refused(status=409, code="finished", sentence=sentence)
        if not reason.strip():
            sentence = _("Give a reason: a finished round is corrected only with one, and it is kept.")
            raise Refused(status=422, code="reason", sentence=sentence, at="reason")
    state = tables.of_games().states(current.evening).get(table)
    if state is not None and state.hands:
        sentence = _("Hands were recorded at table %(table)d: they are its result. Correct the hand instead.")
        raise Refused(status=409, code="hands", sentence=sentence % {"table": table})
