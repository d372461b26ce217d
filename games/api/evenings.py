"""API views of evenings: list, start, detail; the hands as CSV and the sheets as PDF."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse, StreamingHttpResponse
from django.urls import reverse
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.api.base import EXCEL_QUERY, Op
from league.api.bodies import SLUG_PATTERN
from league.api.paging import page
from league.api.problems import wrong_field
from league.models import Evening, Season
from league.standings.selectors import evening_totals, mark_backdated
from league.web.csv_download import download, file_name, log_download
from league.web.paper import SIZES

from .. import engine_bridge
from ..errors import Refused
from ..evening import exports
from ..evening import services as evenings
from ..paper import sheet_code
from . import answers, bodies, representations, selectors
from .base import GamesView
from .examples import example
from .tables import tables_of
from .visibility import Visibility

MAX_SLUG = 40
REFUSALS = (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)


class Evenings(GamesView):
    """The evenings of a club."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("The evenings of a club, newest first"),
            answers.EveningLine,
            paged=True,
            query={
                "season": {
                    "type": "string",
                    "pattern": SLUG_PATTERN,
                    "maxLength": MAX_SLUG,
                    "description": gettext_lazy("The season's short name."),
                },
                "game": {"type": "string", "enum": list(engine_bridge.GAMES)},
                "state": {"type": "string", "enum": [str(state) for state in Evening.State.values]},
                "since": {
                    "type": "string",
                    "format": "date",
                    "description": gettext_lazy("Evenings on this day or later."),
                },
            },
            example=example("evening-line"),
        ),
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Start an evening: players, order of play, first dealer"),
            answers.EveningDetail,
            status=HTTPStatus.CREATED,
            body=bodies.NewEveningBody,
            refusals=REFUSALS,
            example=example("evening"),
            body_example=example("new-evening-body"),
        ),
    }

    def get(self, request: Request, club: str) -> Response:
        found, following = page(request, self._filtered(), ["-held_on", "-pk"])
        mark_backdated(found)
        counts = selectors.counts_of(found)
        lines = []
        for evening in found:
            hands, players = counts.get(evening.pk, (0, 0))
            lines.append(representations.evening_head(evening) | {"hands": hands, "players": players})
        return self.answer_items(lines, following)

    def _filtered(self) -> QuerySet[Evening]:
        query = self.request.query_params
        found = Evening.nights.filter(club=self.access.club).select_related("season")
        if "season" in query:
            found = found.filter(season__slug=_slug(query["season"]))
        for name, known in (("game", engine_bridge.GAMES), ("state", Evening.State.values)):
            if name in query:
                if query[name] not in known:
                    raise wrong_field(name, "choice", _("“%(name)s” has no such value.") % {"name": name})
                found = found.filter(**{name: query[name]})
        if "since" in query:
            found = found.filter(held_on__gte=_day(query["since"]))
        return found

    def post(self, request: Request, club: str) -> Response:
        body = self.sent()
        seating = [f"p{one['player']}" if "player" in one else f"g{one['guest']}" for one in body["seating"]]
        if body["first_dealer"] >= len(seating):
            sentence = _("The first dealer must be one of the seats.")
            raise Refused(status=422, code="seating", sentence=sentence, at="first_dealer")
        table = evenings.evening_start(
            club=self.access.club,
            season=self._season(body["season"]),
            author=self.author,
            seating=seating,
            first_dealer=seating[body["first_dealer"]],
            held_on=body["held_on"],
            key=self.key,
            game=body["game"],
            carry=body["carry"],
            settling=body.get("settling"),
        )
        started = evening_detail(self.evening(table.evening_id), self)
        return self.answer(started, Location=f"{request.path}/{table.evening_id}")

    def _season(self, slug: str) -> Season:
        season = Season.objects.filter(club=self.access.club, slug=slug).first()
        if season is None:
            raise Refused(status=422, code="season", sentence=_("There is no such season in this club."), at="season")
        return season


def _slug(text: str) -> str:
    if not re.fullmatch(SLUG_PATTERN, text) or len(text) > MAX_SLUG:
        raise wrong_field("season", "slug", _("“season” is a short name, such as 2026."))
    return text


def _day(text: str) -> Any:
    try:
        day = parse_date(text)
    except ValueError:
        day = None
    if day is None:
        raise wrong_field("since", "date", _("“since” is a date, such as 2026-11-20."))
    return day


class EveningDetail(GamesView):
    """One evening."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("An evening: its tables, and each player's totals so far"),
            answers.EveningDetail,
            example=example("evening"),
        )
    }

    def get(self, request: Request, club: str, evening: int) -> Response:
        return self.answer(evening_detail(self.evening(evening), self))


def evening_detail(evening: Evening, view: GamesView) -> dict[str, Any]:
    """Return an evening as the client may see it. Five queries, for any number of hands."""
    visibility = view.visibility_of(evening)
    rules = view.access.may(Right.SEE_RULES)
    tables = list(evening.tables.order_by("number"))
    for table in tables:
        table.evening = evening
    return representations.evening_head(evening) | {
        "currency": visibility.access.club.currency,
        "rules_version": evening.house_rules.version if rules else None,
        "rules": engine_bridge.house_rules(evening.game, evening.house_rules.values) if rules else None,
        "tables": tables_of(tables, view),
        "totals": _totals(evening, visibility),
    }


def _totals(evening: Evening, visibility: Visibility) -> list[dict[str, Any]]:
    """Return the players of an evening, the best first. The rank is by points or by amounts, as the season ranks."""
    return [
        {
            "player": row["player_id"],
            "name": visibility.name(row["player_id"], row["nickname"]),
            "rank": row["rank"],
            "points": row["points"],
            "hands": row["hands"],
            "declared": row["declared"],
            "declared_made": row["declared_made"],
            "walkovers": row["walkovers"],
            "susi": row["susi"],
            "joined": row["joined"],
            "joined_made": row["joined_made"],
            "musses": row["musses"],
            "musses_made": row["musses_made"],
            "change_minor": visibility.amount(row["change_minor"], row["player_id"]),
        }
        for row in evening_totals(evening)
    ]


class EveningHandsFile(GamesView):
    """An evening's hands as CSV."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("An evening's hands as CSV, one row for each seat of each hand (docs/csv.md)"),
            media="text/csv",
            query=EXCEL_QUERY,
        )
    }

    def get(self, request: Request, club: str, evening: int) -> StreamingHttpResponse:
        found = self.evening(evening)
        access = self.access.within(found.season)
        log_download(request._request, access, "hands", f"evening:{found.pk}")
        wanted = exports.hands_list(access, found)
        return download(request._request, access, wanted, lambda: exports.hand_rows(access, found))


class EveningSheet(GamesView):
    """The printable sheets of an evening."""

    ops = {
        "GET": Op(
            Right.RECORD,
            gettext_lazy("An evening's sheets to print, one for each table"),
            media="application/pdf",
            query={"size": {"type": "string", "enum": list(SIZES), "default": "a4"}},
        )
    }

    def get(self, request: Request, club: str, evening: int) -> HttpResponse:
        from ..paper.sheet_pdf import sheets_of

        size = request.query_params.get("size", "a4")
        found = self.evening(evening)
        tables = [table for table in found.tables.order_by("number") if not table.dissolved]
        addresses = {
            table.pk: request.build_absolute_uri(
                reverse("sheet-code", kwargs={"club": club, "code": sheet_code.code(table.pk)})
            )
            for table in tables
        }
        body = sheets_of(self.access.club, found, tables, size=size, addresses=addresses)
        name = file_name(self.access, found.season.slug, "evening", found.number, "sheet", size)
        headers = {"Content-Disposition": f'inline; filename="{name}.pdf"'}
        return HttpResponse(body, content_type="application/pdf", headers=headers)
