"""The pages of cups that are read: the list of a club, the standing, its file and its feed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.translation import pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ..access import Right, club_for
from ..models import Cup, Evening, Player
from ..web.csv_columns import register_columns
from ..web.csv_download import LongList, download, file_name
from ..web.report_table import Column, Kind
from .atom import TYPE, feed_of
from .gate import CupAccess, cup_for
from .selectors import CupView, Row, cup_view, cups_of, invitations_to

COLUMNS = (
    "rank", "name", "clubs", "points", "qualified", "club", "tournament", "held_on", "place", "result_points", "counts",
    "evening",
)  # fmt: skip
register_columns(
    Column("name", pgettext_lazy("column", "Name")),
    Column("clubs", pgettext_lazy("column", "Clubs")),
    Column("qualified", pgettext_lazy("column", "In the final"), Kind.NUMBER),
    Column("club", pgettext_lazy("column", "Club")),
    Column("tournament", pgettext_lazy("column", "Tournament")),
    Column("place", pgettext_lazy("column", "Place"), Kind.NUMBER),
    Column("result_points", pgettext_lazy("column", "Points there"), Kind.POINTS),
    Column("counts", pgettext_lazy("column", "Counts"), Kind.NUMBER),
)


MOST_COLUMNS = 12
"""With more results than this the table has none of them as a column; each person's are in a line under the name."""


@never_cache
@require_safe
def cups(request: HttpRequest, club: str) -> HttpResponse:
    """List the cups of the club."""
    access = club_for(request.user, club)
    may_manage = access.may(Right.MANAGE)
    context = {
        "club": access.club,
        "cups": cups_of(access),
        "invitations": invitations_to(access.club) if may_manage else [],
        "may_manage": may_manage,
    }
    return render(request, "league/cups/list.html", context)


@never_cache
@require_safe
def cup(request: HttpRequest, club: str, cup: str) -> HttpResponse:
    """Show the standing of a cup. Members read the nickname of their own club's player beside another cup name."""
    access = cup_for(request.user, club, cup)
    view = cup_view(access.cup)
    context: dict[str, Any] = {
        "club": access.club,
        "cup": access.cup,
        "view": view,
        "rows": _with_own_names(access, view),
        "many": len(view.counting) > MOST_COLUMNS,
        "own": access.club.pk,
        "owns": access.owns,
        "may_manage": access.access.may(Right.MANAGE),
        "final": _final(access),
    }
    return render(request, "league/cups/cup.html", context)


def _with_own_names(access: CupAccess, view: CupView) -> list[tuple[Row, str]]:
    """Return each line with the nickname of the own club's player, where it differs. One query for members."""
    own = {
        row.line.person: player.player
        for row in view.rows
        for player in row.person.players
        if player.club == access.club.pk
    }
    members = access.access.role is not None
    players = Player.objects.filter(pk__in=own.values()) if members else Player.objects.none()
    names = dict(players.values_list("pk", "nickname"))
    rows = []
    for row in view.rows:
        nickname = names.get(own.get(row.line.person, 0), "")
        rows.append((row, nickname if nickname != row.name else ""))
    return rows


def _final(access: CupAccess) -> Any:
    """Return the tournament of the final for readers of the club that runs it; others read its name alone."""
    final = access.cup.final
    return final if final is not None and final.state != final.State.DRAFT else None


@require_safe
def cup_csv(request: HttpRequest, club: str, cup: str) -> StreamingHttpResponse:
    """Send the standing: a row for each person and result."""
    access = cup_for(request.user, club, cup)
    wanted = LongList(file_name(access.access, access.cup.slug), access.cup.name, COLUMNS)
    return download(request, access.access, wanted, lambda: _csv_rows(access.cup))


def _csv_rows(cup: Cup) -> Iterator[dict[str, Any]]:
    view = cup_view(cup)
    for row in view.rows:
        for counted, cell in zip(view.counting, row.cells, strict=True):
            if cell is None:
                continue
            yield {
                "rank": row.line.rank,
                "name": row.name,
                "clubs": ", ".join(row.clubs),
                "points": row.line.points,
                "qualified": row.line.qualified,
                "club": counted.club.name,
                "tournament": "" if isinstance(counted.event, Evening) else counted.name,
                "held_on": counted.day,
                "place": cell.rank,
                "result_points": cell.points,
                "counts": cell.counts,
                "evening": counted.event.number if isinstance(counted.event, Evening) else None,
            }


@require_safe
def cup_atom(request: HttpRequest, club: str, cup: str) -> HttpResponse:
    """Send the feed of a cup: an entry for each tournament and each evening that counts."""
    access = cup_for(request.user, club, cup)
    body = feed_of(access.club, cup_view(access.cup), request.build_absolute_uri, request.get_host().partition(":")[0])
    return HttpResponse(body, content_type=TYPE)
