"""API of who comes: the answers to a planned evening, and the reserves of a club."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import SCOPE_OF, Right
from league.attendance import reserves, selectors
from league.attendance.services import answer_set
from league.locks import lock_club
from league.models import Attendance, PlannedEvening, Player

from .bodies import MAX_ID, Body
from .seasons import SeasonMixin
from .views import ClubViewSet


class AttendanceAnswer(serializers.Serializer[Any]):
    """The answer of a player to a planned evening."""

    player = serializers.IntegerField(source="player_id")
    answer = serializers.ChoiceField(choices=Attendance.Answer.choices)
    answered_at = serializers.DateTimeField()


class AttendancesAnswer(serializers.Serializer[Any]):
    """Who comes to a planned evening: the number of those who come, and the number from which on it takes place (null
    if there is none). `to_ask`: the players who are asked now as reserves, the first one first. `items`: the answers by
    the names of the players; who left the roster has none."""

    coming = serializers.IntegerField()
    least_players = serializers.IntegerField(allow_null=True)
    to_ask = serializers.ListField(child=serializers.IntegerField())
    items = AttendanceAnswer(many=True)


class AttendanceBody(Body):
    """An answer."""

    answer = serializers.ChoiceField(choices=Attendance.Answer.choices)


class AttendanceViewSet(SeasonMixin, ClubViewSet):
    """The answers to a planned evening."""

    rights = {"list": Right.SEE_RULES, "update": Right.SEE_RULES}
    bodies = {"update": AttendanceBody}
    refusals = (409, 422)
    serializer_class = AttendanceAnswer

    def planned(self) -> PlannedEvening:
        """Return the planned evening of the address. Raises Http404."""
        rows = PlannedEvening.objects.select_related("season")
        return get_object_or_404(rows, season=self.season(), pk=self.kwargs["planned"])

    @extend_schema(
        operation_id="attendance_read", summary=_("Who comes to a planned evening"), responses=AttendancesAnswer
    )
    def list(self, request: Request, club: str, season: str, planned: int) -> Response:
        planned_evening = self.planned()
        answers = selectors.answers_to([planned_evening])[planned_evening.pk]
        rows = Attendance.objects.filter(planned_evening=planned_evening, player__active=True)
        shown = {
            "coming": len(answers.yes),
            "least_players": planned_evening.least_players,
            "to_ask": [] if selectors.why_closed(planned_evening) else [player.pk for player in answers.turns],
            "items": rows.order_by("player__nickname", "pk"),
        }
        return self.answer(shown, AttendancesAnswer)

    @extend_schema(
        operation_id="attendance_put",
        summary=_("Set if a player comes to a planned evening: the own answer, or as a recorder that of any player"),
        description=_(
            "409 once the evening is cancelled, over or opened, in a closed season, and for a reserve who is not asked "
            "yet, unless a recorder enters it."
        ),
    )
    def update(self, request: Request, club: str, season: str, planned: int, player: int) -> Response:
        recorder = self.access.may(Right.RECORD)
        asked = selectors.players_asked(self.access.club).select_related("club")
        planned_evening, known = self.planned(), get_object_or_404(asked, pk=player)
        if not recorder and not self._is_own(known):
            raise exceptions.PermissionDenied
        answer = self.sent()["answer"]
        return self.answer(
            answer_set(planned=planned_evening, player=known, answer=answer, actor=self.person, recorder=recorder)
        )

    def _is_own(self, player: Player) -> bool:
        """Return True if this is the client's own player. A key needs the scope of those that record."""
        scopes = self.access.scopes
        return player.pk in self.access.player_ids and (scopes is None or SCOPE_OF[Right.RECORD] in scopes)


class ReserveAnswer(serializers.Serializer[Any]):
    """A reserve."""

    player = serializers.IntegerField(source="pk")
    name = serializers.CharField(source="nickname")


class ReservesAnswer(serializers.Serializer[Any]):
    """The reserves of a club, the first to be asked first."""

    items = ReserveAnswer(many=True)


class ReservesBody(Body):
    """All reserves of a club, the first to be asked first."""

    players = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_ID), max_length=reserves.MOST
    )


class ReserveViewSet(ClubViewSet):
    """The reserves of a club."""

    rights = {"list": Right.RECORD, "update": Right.RECORD}
    bodies = {"update": ReservesBody}
    matched = ("update",)
    refusals = (409, 422)
    serializer_class = ReservesAnswer

    def shown(self) -> dict[str, list[Player]]:
        """Return the list as it is now."""
        return {"items": selectors.reserves_of([self.access.club.pk])}

    @extend_schema(operation_id="reserves_read", summary=_("The reserves of a club in their order"))
    def list(self, request: Request, club: str) -> Response:
        return self.answer(self.shown())

    @extend_schema(operation_id="reserves_put", summary=_("Set the reserves and their order"))
    @transaction.atomic
    def update(self, request: Request, club: str) -> Response:
        lock_club(self.access.club.pk)
        self.check_match(self.shown(), ReservesAnswer)
        players = self.sent()["players"]
        reserves.reserves_set(club=self.access.club, players=players, actor=self.person)
        return self.answer(self.shown())
