"""The hands of an evening as CSV. docs/csv.md describes the columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_safe

from league import keyset
from league.access import ClubAccess
from league.models import Evening
from league.web.csv_columns import register_columns
from league.web.csv_download import LongList, download, file_name, log_download
from league.web.report_table import Column, Kind

from .. import engine_bridge
from ..hands import selectors
from ..models import Revision, Seat
from ..offered import game_of
from .gate import evening_for

HANDS = (
    "evening", "held_on", "table", "hand", "hand_id", "revision", "state", "outcome", "seat", "player_id", "player",
    "role", "made", "tricks", "blind", "susi", "pot_minor", "change_minor", "pot_after_minor", "entered_at",
    "game", "muss", "game_type", "siebenermuss", "cuts", "dealer", "imported",
)  # fmt: skip
register_columns(
    Column("table", pgettext_lazy("column", "Table"), Kind.NUMBER),
    Column("hand", pgettext_lazy("column", "Hand"), Kind.NUMBER),
    Column("state", pgettext_lazy("column", "State")),
    Column("outcome", pgettext_lazy("column", "Outcome")),
    Column("pot_minor", pgettext_lazy("column", "Pot"), Kind.AMOUNT),
    Column("pot_after_minor", pgettext_lazy("column", "Pot after"), Kind.AMOUNT),
    Column("entered_at", pgettext_lazy("column", "Entered at")),
    Column("game_type", pgettext_lazy("column", "Game type")),
    Column("siebenermuss", pgettext_lazy("column", "Siebenermuss"), Kind.NUMBER),
    Column("cuts", pgettext_lazy("column", "Cuts")),
    Column("dealer", pgettext_lazy("column", "Dealer"), Kind.NUMBER),
    codes={
        "state": dict(Revision.Kind.choices),
        "outcome": {
            "played": pgettext_lazy("outcome", "played"),
            "walkover": gettext_lazy("walkover"),
            "passed_out": gettext_lazy("passed out"),
        },
    },
)


@require_safe
def hands_csv(request: HttpRequest, club: str, evening: int) -> StreamingHttpResponse:
    """A row for each seat of each hand, voided hands included."""
    access, night = evening_for(request, club, evening)
    if night is None:
        raise Http404("no such evening")
    log_download(request, access, "hands", f"evening:{night.pk}")
    return download(request, access, hands_list(access, night), lambda: hand_rows(access, night))


def hands_list(access: ClubAccess, evening: Evening) -> LongList:
    """Return the list of an evening's hands. It has no sums: voided hands are in it, and each pot several times."""
    name = file_name(access, evening.season.slug, "evening", evening.number, "hands")
    return LongList(name, _("Hands") + f" {date_format(evening.held_on, 'SHORT_DATE_FORMAT')}", HANDS)


def hand_rows(access: ClubAccess, evening: Evening) -> Iterator[dict[str, Any]]:
    """Yield the rows of the CSV file."""
    seats = Seat.objects.filter(revision__in=selectors.newest_revisions().filter(hand__table__evening=evening))
    order = ("revision__hand__table__number", "revision__hand__number", "number")
    for seat in keyset.each(seats.select_related("player", "revision__hand__table"), order):
        yield _hand_row(access, evening, seat)


def _hand_row(access: ClubAccess, evening: Evening, seat: Seat) -> dict[str, Any]:
    revision, number = seat.revision, seat.number
    result = revision.result
    row = {
        "evening": evening.number,
        "held_on": evening.held_on,
        "table": revision.hand.table.number,
        "hand": revision.hand.number,
        "hand_id": revision.hand_id,
        "revision": revision.number,
        "state": Revision.Kind(revision.kind).value,
        "outcome": result["outcome"],
        "seat": number,
        "player_id": seat.player_id,
        "player": access.names.show(seat.player_id, seat.player.nickname),
        "role": engine_bridge.shown_role(result, number),
        "made": engine_bridge.made_goal(revision.record, result, number),
        "tricks": result["tricks"][number] if result["tricks"] is not None and result["outcome"] == "played" else None,
        "blind": (result["blind"] or "") if number == result["declarer"] else "",
        "susi": number == result["susi"],
        "entered_at": revision.created_at,
        "game": revision.record["game"],
        "dealer": number == revision.record["dealer"],
        "imported": evening.is_imported,
        **game_of(revision.record["game"]).records.columns(revision.record, result, number),
    }
    if access.sees_money():
        row |= {"pot_minor": result["pot"], "pot_after_minor": result["pot_after"]}
    if access.sees_money(seat.player_id):
        row["change_minor"] = result["deltas"][number]
    return row
