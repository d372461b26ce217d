"""API of tournaments: list, set-up, format, steps, desk, points for a season, ranking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Value
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin, RetrieveModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.errors import Refused
from league.models import DeskMember, Membership, Role, Season, Tournament
from league.played_games import GAMES
from league.tournaments import locking, outlook, results, services
from league.tournaments.formats import MAX_ENTRANTS, Format
from league.tournaments.presets import PRESETS
from league.tournaments.prizes import read_prizes, winners
from league.tournaments.ranking import Ranking
from league.tournaments.services import Basics

from ..paging import PositionPagination
from ..views import ClubView
from . import answers, bodies
from .base import OfTournament
from .bodies import MAX_TABLE

STEP_SERVICES = {
    "open": services.entries_open,
    "take_back": services.entries_close,
    "finish": services.tournament_finish,
}
ENTRANTS = gettext_lazy("The number of people; left out: those who are entered.")


class TournamentPresets(ClubView):
    """The formats to start from."""

    rights = {"get": Right.READ}
    serializer_class = answers.PresetsAnswer

    @extend_schema(operation_id="tournamentPresets_read", summary=gettext_lazy("Formats to start from"))
    def get(self, request: Request, club: str) -> Response:
        return self.answer({"items": PRESETS.values()})


@extend_schema_view(
    list=extend_schema(
        operation_id="tournaments_list", summary=gettext_lazy("The tournaments of a club, newest first")
    ),
    retrieve=extend_schema(operation_id="tournamentDetail_read", summary=gettext_lazy("A tournament")),
)
class TournamentViewSet(ListModelMixin, RetrieveModelMixin, OfTournament):
    """The tournaments of a club."""

    rights = {
        **dict.fromkeys(["list", "retrieve", "read_format", "outlook", "ranking"], Right.READ),
        **dict.fromkeys(["partial_update", "change_format", "state", "award", "desk"], Right.RECORD),
        **dict.fromkeys(["create", "add_to_desk", "take_from_desk"], Right.MANAGE),
    }
    bodies = {
        "create": bodies.NewTournamentBody,
        "partial_update": bodies.TournamentChangeBody,
        "change_format": bodies.TournamentFormatBody,
        "state": bodies.TournamentStepBody,
        "award": bodies.TournamentAwardBody,
    }
    queries = {
        "list": {"state": {"type": "string", "enum": Tournament.State.values}},
        "outlook": {
            "entrants": {"type": "integer", "minimum": 1, "maximum": MAX_ENTRANTS, "description": ENTRANTS},
        },
        "ranking": {
            "before": {
                "type": "integer",
                "minimum": 1,
                "description": gettext_lazy("Only by the rounds before this one."),
            }
        },
    }
    matched = ("partial_update", "change_format")
    pagination_class = PositionPagination
    ordering = ("-starts_on", "-pk")
    lookup_field = "slug"
    lookup_url_kwarg = "tournament"
    lookup_value_converter = "slug"

    def get_serializer_class(self) -> Any:
        return answers.TournamentLineAnswer if self.operation == "list" else answers.TournamentAnswer

    def get_queryset(self) -> QuerySet[Tournament]:
        mine: Any = Value(self.access.role == Role.OWNER)
        if not self.access.may(Right.RECORD):
            mine = Value(False)
        elif self.access.role != Role.OWNER:
            mine = Exists(DeskMember.objects.filter(tournament=OuterRef("pk"), user=self.person))
        tournaments = Tournament.objects.filter(club=self.access.club).annotate(runs=mine)
        if "state" in self.request.query_params:
            tournaments = tournaments.filter(state=self.request.query_params["state"])
        tournaments = tournaments.filter(~Q(state=Tournament.State.DRAFT) | Q(runs=True))
        return tournaments.annotate(there=Count("entrants", filter=Q(entrants__struck=False)))

    @extend_schema(operation_id="tournaments_post", summary=gettext_lazy("Prepare a tournament"))
    def create(self, request: Request, club: str) -> Response:
        sent = self.sent()
        code = sent.pop("preset", None)
        if code is not None and code not in PRESETS:
            raise Refused(status=422, code="preset", sentence=_("There is no such preset."), at="preset")
        game, format = (PRESETS[code].game, PRESETS[code].format) if code is not None else (next(iter(GAMES)), Format())
        format = format.changed(sent.pop("format", {}))
        basics = Basics(**{"game": game, **sent})
        made = services.tournament_create(
            club=self.access.club, author=self.person, basics=basics, format=format, key=self.key
        )
        return self.created(self.get_queryset().get(pk=made.pk), Location=f"{request.path}/{made.slug}")

    @extend_schema(operation_id="tournamentDetail_change", summary=gettext_lazy("Change a tournament"))
    def partial_update(self, request: Request, **names: Any) -> Response:
        changes = self.sent()
        locking.locked(self.tournament)
        self.check_match(self.get_object(), answers.TournamentAnswer)
        if "closed_tables" in changes:
            self.write(services.closed_tables_set, numbers=changes.pop("closed_tables"))
        if "names_shown" in changes:
            self.write(services.names_show, shown=changes.pop("names_shown"))
        if changes:
            self.write(services.tournament_change, changes=changes)
        return self.answer(self.get_object())

    @extend_schema(
        operation_id="tournamentFormat_read",
        summary=gettext_lazy("The format of a tournament"),
        responses=answers.FormatAnswer,
    )
    @action(detail=True, url_path="format", url_name="format")
    def read_format(self, request: Request, **names: Any) -> Response:
        return self.answer(self.tournament.format, answers.FormatAnswer)

    @extend_schema(
        operation_id="tournamentFormat_change",
        summary=gettext_lazy("Change parts of the format before the first draw is published"),
        responses=answers.FormatAnswer,
    )
    @read_format.mapping.patch
    def change_format(self, request: Request, **names: Any) -> Response:
        parts, now = self.sent(), locking.locked(self.tournament)
        self.check_match(now.format, answers.FormatAnswer)
        changed = services.format_change(tournament=now, author=self.person, parts=parts)
        return self.answer(changed.format, answers.FormatAnswer)

    @extend_schema(
        operation_id="tournamentOutlook_read",
        summary=gettext_lazy("The consequences of the format for a number of people"),
        responses=answers.OutlookAnswer,
    )
    @action(detail=True)
    def outlook(self, request: Request, **names: Any) -> Response:
        tournament, count = self.tournament, self.whole_number("entrants", most=MAX_ENTRANTS)
        if count is None:
            count = tournament.entrants.filter(struck=False, withdrawn_round=None).count()
        seen = outlook.outlook(Format.read(tournament.format), count, begins_at=tournament.begins_at)
        return self.answer(seen, answers.OutlookAnswer)

    @extend_schema(
        operation_id="tournamentState_post",
        summary=gettext_lazy("Take a tournament to its next state, or back"),
        description=gettext_lazy("Only an owner opens a finished tournament again."),
    )
    @action(detail=True, methods=["post"])
    def state(self, request: Request, **names: Any) -> Response:
        sent = self.sent()
        step = sent["step"]
        if step in STEP_SERVICES:
            self.write(STEP_SERVICES[step], key=self.key)
        elif step == "reopen":
            owner = self.access.role == Role.OWNER
            self.write(services.tournament_reopen, owner=owner, reason=sent["reason"], key=self.key)
        else:
            self.write(services.tournament_archive, archived=step == "archive")
        return self.answer(self.get_object())

    @extend_schema(
        operation_id="tournamentDesk_read",
        summary=gettext_lazy("The people whom an owner named for the desk"),
        responses=answers.DeskAnswer,
    )
    @action(detail=True)
    def desk(self, request: Request, **names: Any) -> Response:
        return self.answer({"people": self.tournament.desk.select_related("user").order_by("pk")}, answers.DeskAnswer)

    @extend_schema(
        operation_id="tournamentDeskMember_put",
        summary=gettext_lazy("Name a recorder for the desk"),
        responses={204: None},
    )
    @action(detail=True, methods=["put"], url_path="desk/<int:person>", url_name="desk-member")
    def add_to_desk(self, request: Request, **names: Any) -> Response:
        return self._set_desk_member(member=True)

    @extend_schema(
        operation_id="tournamentDeskMember_delete",
        summary=gettext_lazy("Take a person from the desk"),
        responses={204: None},
    )
    @add_to_desk.mapping.delete
    def take_from_desk(self, request: Request, **names: Any) -> Response:
        return self._set_desk_member(member=False)

    def _set_desk_member(self, *, member: bool) -> Response:
        people = Membership.objects.filter(club=self.access.club).select_related("user")
        user = get_object_or_404(people, user=self.kwargs["person"]).user
        self.write(services.desk_member_set, user=user, member=member)
        return self.no_content()

    @extend_schema(operation_id="tournamentAward_put", summary=gettext_lazy("Set the points of a season by place"))
    @action(detail=True, methods=["put"])
    def award(self, request: Request, **names: Any) -> Response:
        sent, season = self.sent(), None
        if sent["season"] is not None:
            season = Season.objects.filter(club=self.access.club, slug=sent["season"]).first()
            if season is None:
                sentence = _("There is no such season in this club.")
                raise Refused(status=422, code="season", sentence=sentence, at="season")
        self.write(services.award_set, season=season, points=sent["points"])
        return self.answer(self.get_object())

    @extend_schema(
        operation_id="tournamentRanking_read",
        summary=gettext_lazy("The ranking by the finished rounds, with the value of each round"),
        responses=answers.TournamentRankingAnswer,
    )
    @action(detail=True)
    def ranking(self, request: Request, **names: Any) -> Response:
        before = self.whole_number("before", most=MAX_TABLE)
        hidden = self.hides(Format.read(self.tournament.format).all_rounds)
        ranking = results.ranking_of(self.tournament, before=before, hide_last=hidden)
        shown = {
            "rounds": len({cell.round for line in ranking.lines for cell in line.cells}),
            "hidden": hidden,
            "items": ranking.lines,
            "teams": ranking.teams,
            "prizes": self._prizes(ranking),
        }
        return self.answer(shown, answers.TournamentRankingAnswer)

    def _prizes(self, ranking: Ranking) -> Sequence[dict[str, Any]]:
        """Return the prizes by place, with those who get them once the tournament is finished. They are free text."""
        tournament = self.tournament
        text = self.access.names.free_text(tournament.prizes)
        labels = dict(tournament.entrants.filter(struck=False).values_list("number", "labels")) if text else {}
        given = tournament.state in (Tournament.State.FINISHED, Tournament.State.ARCHIVED)
        return [
            {
                "label": prize.label,
                "first": prize.first,
                "last": prize.last,
                "prize": prize.text,
                "numbers": winners(prize, ranking.lines, labels) if given else [],
            }
            for prize in read_prizes(text, [label for some in labels.values() for label in some]).listed
        ]
