"""Evenings: the list, beginning one, one as it stands; its sheets and its hands as files."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.core.validators import validate_slug
from django.db.models import QuerySet
from django.http import HttpResponse, StreamingHttpResponse
from django.urls import reverse
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.api.base import Op
from league.api.paging import page
from league.api.problems import wrong_field
from league.exports import download, file_name, taken_along
from league.models import Evening, Season
from league.selectors import night_totals

from .. import evenings, exports, recording
from ..errors import Refused
from ..paper import nights
from ..paper.sheet import SIZES, sheets_of
from . import answers, bodies, reading, shapes
from .base import NightView
from .examples import example
from .seeing import Eyes
from .tables import tables_of

REFUSALS = (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)


class Evenings(NightView):
    """The evenings of a club."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("A club's evenings, the newest first"),
            answers.EveningLine,
            paged=True,
            query={
                "season": {"type": "string", "description": gettext_lazy("The season's short name.")},
                "game": {"type": "string", "enum": list(recording.GAMES)},
                "state": {"type": "string", "enum": [str(state) for state in Evening.State.values]},
                "since": {
                    "type": "string",
                    "format": "date",
                    "description": gettext_lazy("Held on this day or later."),
                },
            },
            example=example("evening-line"),
        ),
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Begin an evening: who is here, who sits where, who deals first"),
            answers.EveningFull,
            status=HTTPStatus.CREATED,
            body=bodies.EveningBegin,
            refusals=REFUSALS,
            example=example("evening"),
            body_example=example("evening-begin"),
        ),
    }

    def get(self, request: Request, club: str) -> Response:
        found, following = page(request, self._asked(), ["-held_on", "-pk"])
        counts = reading.counts_of(found)
        told = []
        for evening in found:
            hands, players = counts.get(evening.pk, (0, 0))
            told.append(shapes.evening_head(evening) | {"hands": hands, "players": players})
        return self.told_items(told, following)

    def _asked(self) -> QuerySet[Evening]:
        asked = self.request.query_params
        found = Evening.objects.filter(club=self.access.club).select_related("season")
        if "season" in asked:
            found = found.filter(season__slug=_slug(asked["season"]))
        for name, known in (("game", recording.GAMES), ("state", Evening.State.values)):
            if name in asked:
                if asked[name] not in known:
                    raise wrong_field(name, "choice", _("“%(name)s” has no such value.") % {"name": name})
                found = found.filter(**{name: asked[name]})
        if "since" in asked:
            found = found.filter(held_on__gte=_day(asked["since"]))
        return found

    def post(self, request: Request, club: str) -> Response:
        body = self.sent()
        seating = [f"p{one['player']}" if "player" in one else f"g{one['guest']}" for one in body["seating"]]
        if body["first_dealer"] >= len(seating):
            sentence = _("Say who deals first; it must be one of those who are here.")
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
        )
        told = evening_told(self.evening(table.evening_id), self)
        return self.told(told, Location=f"{request.path}/{table.evening_id}")

    def _season(self, slug: str) -> Season:
        season = Season.objects.filter(club=self.access.club, slug=slug).first()
        if season is None:
            raise Refused(status=422, code="season", sentence=_("There is no such season in this club."), at="season")
        return season


def _slug(text: str) -> str:
    try:
        validate_slug(text)
    except Exception:
        raise wrong_field("season", "slug", _("“season” is a short name, such as 2026.")) from None
    return text


def _day(text: str) -> Any:
    try:
        day = parse_date(text)
    except ValueError:
        day = None
    if day is None:
        raise wrong_field("since", "date", _("“since” is a date, such as 2026-11-20."))
    return day


class EveningNow(NightView):
    """An evening as it stands."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("An evening: its tables, and everybody's night so far"),
            answers.EveningFull,
            example=example("evening"),
        )
    }

    def get(self, request: Request, club: str, evening: int) -> Response:
        return self.told(evening_told(self.evening(evening), self))


def evening_told(evening: Evening, view: NightView) -> dict[str, Any]:
    """An evening as the asker may see it. Five queries, however many hands."""
    eyes = view.of(evening)
    rules = view.access.may(Right.SEE_RULES)
    tables = list(evening.tables.order_by("number"))
    for table in tables:
        table.evening = evening
    return shapes.evening_head(evening) | {
        "currency": eyes.access.club.currency,
        "rules_version": evening.house_rules.version if rules else None,
        "rules": recording.house_rules(evening.game, evening.house_rules.values) if rules else None,
        "tables": tables_of(tables, view),
        "totals": _totals(evening, eyes),
    }


def _totals(evening: Evening, eyes: Eyes) -> list[dict[str, Any]]:
    told = [
        {
            "player": row["player_id"],
            "name": eyes.name(row["player_id"], row["nickname"]),
            "hands": row["hands"],
            "declared": row["declared"],
            "declared_made": row["declared_made"] + row["walkovers"],
            "joined": row["joined"],
            "joined_made": row["joined_made"],
            "musses": row["musses"],
            "musses_made": row["musses_made"],
            "change_minor": eyes.amount(row["change_minor"], row["player_id"]),
        }
        for row in night_totals(evening)
    ]
    # In the order of the amounts it would say who won how the evening went; that is for those who see them all.
    return told if eyes.all_money else sorted(told, key=lambda row: str(row["name"]).casefold())


class EveningHandsFile(NightView):
    """An evening's hands as CSV."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("An evening's hands as CSV, a row for each seat of each hand (docs/csv.md)"),
            media="text/csv",
            query={"for": {"type": "string", "enum": ["excel"]}},
        )
    }

    def get(self, request: Request, club: str, evening: int) -> StreamingHttpResponse:
        found = self.evening(evening)
        access = self.access.within(found.season)
        name = file_name(access, found.season.slug, "evening", found.number, "hands")
        taken_along(request._request, access, "hands", f"evening:{found.pk}")
        return download(request._request, name, exports.HANDS, lambda: exports.hand_rows(access, found))


class EveningSheet(NightView):
    """The paper twin."""

    ops = {
        "GET": Op(
            Right.RECORD,
            gettext_lazy("An evening's sheets to print, one a table"),
            media="application/pdf",
            query={"size": {"type": "string", "enum": list(SIZES), "default": "a4"}},
        )
    }

    def get(self, request: Request, club: str, evening: int) -> HttpResponse:
        size = request.query_params.get("size", "a4")
        found = self.evening(evening)
        tables = [table for table in found.tables.order_by("number") if not table.dissolved]
        where = {
            table.pk: request.build_absolute_uri(reverse("night", kwargs={"club": club, "code": nights.code(table.pk)}))
            for table in tables
        }
        body = sheets_of(self.access.club, found, tables, size=size, addresses=where)
        name = file_name(self.access, found.season.slug, "evening", found.number, "sheet", size)
        headers = {"Content-Disposition": f'inline; filename="{name}.pdf"'}
        return HttpResponse(body, content_type="application/pdf", headers=headers)
