"""API of tournaments: list, set-up, format, steps, desk, points for a season, ranking."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Count, Q
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.errors import Refused
from league.models import DeskMember, Membership, Role, Season, Tournament
from league.tournaments import locking, outlook, results, services
from league.tournaments.formats import MAX_ENTRANTS, Format
from league.tournaments.gate import TournamentAccess
from league.tournaments.presets import PRESETS
from league.tournaments.services import Basics

from .. import idempotency
from ..base import ClubView, Op
from ..paging import page
from . import answers, bodies, representations
from .base import TournamentView, is_hidden
from .examples import DESK, FORMAT, OUTLOOK, PRESET, RANKING, TOURNAMENT, TOURNAMENT_LINE

STEP_SERVICES = {
    "open": services.entries_open,
    "take_back": services.entries_close,
    "finish": services.tournament_finish,
}


class Tournaments(ClubView):
    """The tournaments of a club."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("The tournaments of a club, newest first"),
            answers.TournamentLineAnswer,
            paged=True,
            query={"state": {"type": "string", "enum": [str(state) for state in Tournament.State.values]}},
            example=TOURNAMENT_LINE,
        ),
        "POST": Op(
            Right.MANAGE,
            gettext_lazy("Prepare a tournament"),
            answers.TournamentAnswer,
            status=201,
            body=bodies.NewTournamentBody,
            example=TOURNAMENT,
            body_example={"name": "Klausturnier", "starts_on": "2026-12-05", "game": "chratze", "preset": "evening"},
        ),
    }

    def get(self, request: Request, club: str) -> Response:
        found = Tournament.objects.filter(club=self.access.club)
        if "state" in request.query_params:
            found = found.filter(state=request.query_params["state"])
        at_desk = self._at_desk()
        if at_desk is not None:
            found = found.filter(~Q(state=Tournament.State.DRAFT) | Q(pk__in=at_desk))
        found = found.annotate(there=Count("entrants", filter=Q(entrants__struck=False)))
        items, following = page(request, found, ["-starts_on", "-pk"])
        lines = [
            representations.tournament_line(one, entrants=one.there, runs=at_desk is None or one.pk in at_desk)
            for one in items
        ]
        return self.answer_items(lines, following)

    def _at_desk(self) -> set[int] | None:
        """Return the tournaments that the reader runs; None for an owner, who runs all."""
        if not self.access.may(Right.RECORD):
            return set()
        if self.access.role == Role.OWNER:
            return None
        rows = DeskMember.objects.filter(tournament__club=self.access.club, user=self.person)
        return set(rows.values_list("tournament_id", flat=True))

    def post(self, request: Request, club: str) -> Response:
        sent = self.sent()
        preset = _preset(sent.pop("preset", None))
        parts = sent.pop("format", {})
        format = (preset.format if preset else Format()).changed(parts)
        game = sent.pop("game", preset.game if preset else "chratze")
        made = services.tournament_create(
            club=self.access.club,
            author=self.person,
            basics=Basics(game=game, **sent),
            format=format,
            key=idempotency.key_sent(request),
        )
        found = TournamentAccess(self.access, made, runs=True)
        return self.answer(representations.tournament_detail(found), Location=f"{request.path}/{made.slug}")


def _preset(code: str | None) -> Any:
    if code is None:
        return None
    if code not in PRESETS:
        raise Refused(status=422, code="preset", sentence=_("There is no such preset."), at="preset")
    return PRESETS[code]


class TournamentPresets(ClubView):
    """The formats to start from."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("Formats to start from"),
            answers.PresetsAnswer,
            example={"items": [PRESET]},
        )
    }

    def get(self, request: Request, club: str) -> Response:
        return self.answer({"items": [representations.preset(one) for one in PRESETS.values()]})


class TournamentDetail(TournamentView):
    """A tournament."""

    ops = {
        "GET": Op(Right.READ, gettext_lazy("A tournament"), answers.TournamentAnswer, example=TOURNAMENT),
        "PATCH": Op(
            Right.RECORD,
            gettext_lazy("Change a tournament"),
            answers.TournamentAnswer,
            body=bodies.TournamentChangeBody,
            match=True,
            refusals=(409,),
            example=TOURNAMENT,
            body_example={"fee": "CHF 15, without a meal", "closed_tables": [7]},
        ),
    }

    def get(self, request: Request, club: str, tournament: str) -> Response:
        return self.answer(representations.tournament_detail(self.tournament()))

    @transaction.atomic
    def patch(self, request: Request, club: str, tournament: str) -> Response:
        found, changes = self.desk(), self.sent()
        self.check_match_of(found)
        closed = changes.pop("closed_tables", None)
        if closed is not None:
            services.closed_tables_set(tournament=found.tournament, author=self.person, numbers=closed)
        if changes:
            services.tournament_change(tournament=found.tournament, author=self.person, changes=changes)
        return self.answer(representations.tournament_detail(self.tournament()))

    def check_match_of(self, found: TournamentAccess) -> None:
        """Lock the tournament and compare its state with `If-Match`. Raises Problem (412, 428)."""
        now = TournamentAccess(found.access, locking.locked(found.tournament), found.runs)
        self.check_match(representations.tournament_detail(now), answers.TournamentAnswer)


class TournamentFormat(TournamentView):
    """The format of a tournament."""

    ops = {
        "GET": Op(Right.READ, gettext_lazy("The format of a tournament"), answers.FormatAnswer, example=FORMAT),
        "PATCH": Op(
            Right.RECORD,
            gettext_lazy("Change parts of the format before the first draw is published"),
            answers.FormatAnswer,
            body=bodies.TournamentFormatBody,
            match=True,
            refusals=(409,),
            example=FORMAT,
            body_example={"rounds": 4, "drop_worst": 1},
        ),
    }

    def get(self, request: Request, club: str, tournament: str) -> Response:
        return self.answer(Format.read(self.tournament().tournament.format).stored())

    @transaction.atomic
    def patch(self, request: Request, club: str, tournament: str) -> Response:
        found, parts = self.desk(), self.sent()
        now = locking.locked(found.tournament)
        self.check_match(Format.read(now.format).stored(), answers.FormatAnswer)
        changed = services.format_change(tournament=now, author=self.person, parts=parts)
        return self.answer(Format.read(changed.format).stored())


class TournamentOutlook(TournamentView):
    """The consequences of a format."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("The consequences of the format for a number of people"),
            answers.OutlookAnswer,
            query={
                "entrants": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": MAX_ENTRANTS,
                    "description": gettext_lazy("The number of people; left out: those who are entered."),
                }
            },
            example=OUTLOOK,
        )
    }

    def get(self, request: Request, club: str, tournament: str) -> Response:
        found = self.tournament().tournament
        count = self.whole_number("entrants", most=MAX_ENTRANTS)
        if count is None:
            count = found.entrants.filter(struck=False, withdrawn_round=None).count()
        seen = outlook.outlook(Format.read(found.format), count, begins_at=found.begins_at)
        return self.answer(representations.outlook_of(seen))


class TournamentState(TournamentView):
    """The steps of a tournament's life."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Take a tournament to its next state, or back"),
            answers.TournamentAnswer,
            body=bodies.TournamentStepBody,
            refusals=(409,),
            example=TOURNAMENT,
            body_example={"step": "open"},
            about=gettext_lazy("Only an owner opens a finished tournament again."),
        )
    }

    def post(self, request: Request, club: str, tournament: str) -> Response:
        found, sent = self.desk(), self.sent()
        step, one = sent["step"], found.tournament
        if step in STEP_SERVICES:
            STEP_SERVICES[step](tournament=one, author=self.person, key=self.key)
        elif step == "reopen":
            owner = self.access.role == Role.OWNER
            services.tournament_reopen(
                tournament=one, author=self.person, owner=owner, reason=sent["reason"], key=self.key
            )
        else:
            services.tournament_archive(tournament=one, author=self.person, archived=step == "archive")
        return self.answer(representations.tournament_detail(self.tournament()))


class TournamentDesk(TournamentView):
    """The people at the desk."""

    ops = {
        "GET": Op(
            Right.RECORD,
            gettext_lazy("The people whom an owner named for the desk"),
            answers.DeskAnswer,
            example=DESK,
        )
    }

    def get(self, request: Request, club: str, tournament: str) -> Response:
        rows = self.desk().tournament.desk.select_related("user").order_by("pk")
        return self.answer({"people": [{"person": row.user_id, "name": str(row.user)} for row in rows]})


class TournamentDeskMember(TournamentView):
    """A person at the desk."""

    ops = {
        "PUT": Op(Right.MANAGE, gettext_lazy("Name a recorder for the desk"), status=204),
        "DELETE": Op(Right.MANAGE, gettext_lazy("Take a person from the desk"), status=204),
    }

    def put(self, request: Request, club: str, tournament: str, person: int) -> Response:
        return self._set(person, member=True)

    def delete(self, request: Request, club: str, tournament: str, person: int) -> Response:
        return self._set(person, member=False)

    def _set(self, person: int, *, member: bool) -> Response:
        found = self.desk().tournament
        row = Membership.objects.filter(club=self.access.club, user=person).select_related("user").first()
        if row is None:
            raise Http404("no such person")
        services.desk_member_set(tournament=found, author=self.person, user=row.user, member=member)
        return self.no_content()


class TournamentAward(TournamentView):
    """Points of a season for the places of a tournament."""

    ops = {
        "PUT": Op(
            Right.RECORD,
            gettext_lazy("Set the points of a season by place"),
            answers.TournamentAnswer,
            body=bodies.TournamentAwardBody,
            refusals=(409,),
            example=TOURNAMENT,
            body_example={"season": "2026", "points": [10, 6, 3]},
        )
    }

    def put(self, request: Request, club: str, tournament: str) -> Response:
        found, sent = self.desk(), self.sent()
        season = None
        if sent["season"] is not None:
            season = Season.objects.filter(club=self.access.club, slug=sent["season"]).first()
            if season is None:
                sentence = _("There is no such season in this club.")
                raise Refused(status=422, code="season", sentence=sentence, at="season")
        services.award_set(tournament=found.tournament, author=self.person, season=season, points=sent["points"])
        return self.answer(representations.tournament_detail(self.tournament()))


class TournamentRanking(TournamentView):
    """The ranking of a tournament."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("The ranking by the finished rounds, with the value of each round"),
            answers.TournamentRankingAnswer,
            query={
                "before": {
                    "type": "integer",
                    "minimum": 1,
                    "description": gettext_lazy("Only by the rounds before this one."),
                }
            },
            example=RANKING,
        )
    }

    def get(self, request: Request, club: str, tournament: str) -> Response:
        found = self.tournament()
        before = self.whole_number("before", most=bodies.MAX_TABLE)
        hidden = is_hidden(found, Format.read(found.tournament.format).all_rounds)
        ranking = results.ranking_of(found.tournament, before=before, hide_last=hidden)
        rounds = {cell.round for line in ranking.lines for cell in line.cells}
        shown = representations.ranking(ranking, self.people(found), rounds=len(rounds), hidden=hidden)
        return self.answer(shown)
