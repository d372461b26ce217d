"""API of the planned evenings of a season."""

from __future__ import annotations

from typing import Any

import django_filters
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.models import PlannedEvening
from league.standings import plan, plan_services

from .bodies import Body, ClockTime, Patch
from .paging import PositionPagination
from .seasons import SeasonMixin
from .views import ClubViewSet

LEAST = dict(zip(("min_value", "max_value"), plan_services.LEAST_PLAYERS, strict=True))
"""The limits of the least number of players."""


class PlannedAnswer(serializers.Serializer[Any]):
    """A planned evening. `place` is empty for the usual place of the club. `least_players`: it takes place from so many
    players on; null if no number is set. A reader who is not of the club gets no number, and an empty text as `note`.
    `evening`: the evening that was opened in the season on that day, and so took its place."""

    id = serializers.IntegerField(source="pk")
    held_on = serializers.DateField()
    begins_at = ClockTime()
    place = serializers.CharField(allow_blank=True)
    note = serializers.SerializerMethodField()
    least_players = serializers.SerializerMethodField()
    cancelled_at = serializers.DateTimeField(allow_null=True)
    evening = serializers.IntegerField(allow_null=True)

    def get_note(self, planned_evening: PlannedEvening) -> str:
        return str(self.context["view"].access.names.free_text(planned_evening.note))

    def get_least_players(self, planned_evening: PlannedEvening) -> int | None:
        return planned_evening.least_players if self.context["view"].access.role is not None else None


class PlannedListAnswer(serializers.Serializer[Any]):
    """The evenings that were planned now, in the order of their days."""

    items = PlannedAnswer(many=True)


class PlanBody(Body):
    """Evenings on one or several days, at one time. A day on which one is planned already keeps it."""

    days = serializers.ListField(
        child=serializers.DateField(input_formats=["iso-8601"]), min_length=1, max_length=plan_services.MOST
    )
    begins_at = ClockTime()
    place = serializers.CharField(max_length=plan_services.TEXTS["place"], required=False, allow_blank=True, default="")
    note = serializers.CharField(max_length=plan_services.TEXTS["note"], required=False, allow_blank=True, default="")
    least_players = serializers.IntegerField(required=False, allow_null=True, default=None, **LEAST)  # type: ignore[arg-type]


class PlannedPatch(Patch):
    """The changes of a planned evening. `cancelled` cancels it, or takes that back."""

    held_on = serializers.DateField(input_formats=["iso-8601"])
    begins_at = ClockTime()
    place = serializers.CharField(max_length=plan_services.TEXTS["place"], allow_blank=True)
    note = serializers.CharField(max_length=plan_services.TEXTS["note"], allow_blank=True)
    least_players = serializers.IntegerField(allow_null=True, **LEAST)  # type: ignore[arg-type]
    cancelled = serializers.BooleanField()


class PlanFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Filters for planned evenings."""

    since = django_filters.DateFilter(field_name="held_on", lookup_expr="gte", label=_("From this day on."))

    class Meta:
        model = PlannedEvening
        fields = ["since"]


class PlannedEveningViewSet(SeasonMixin, ListModelMixin, ClubViewSet):
    """The planned evenings of a season."""

    rights = {"list": Right.READ, "create": Right.RECORD, "partial_update": Right.RECORD, "destroy": Right.RECORD}
    bodies = {"create": PlanBody, "partial_update": PlannedPatch}
    refusals = (409, 422)
    serializer_class = PlannedAnswer
    filterset_class = PlanFilter
    pagination_class = PositionPagination
    ordering = ("held_on", "pk")
    lookup_url_kwarg = "planned"

    def get_queryset(self) -> QuerySet[PlannedEvening]:
        rows = PlannedEvening.objects.filter(season=self.season()).select_related("season__club")
        return plan.with_evening(rows)

    @extend_schema(
        operation_id="plan_list",
        summary=_("The planned evenings of a season, by date"),
        description=_("In an unlisted club only for people of the club; everybody else gets none."),
    )
    def list(self, request: Request, club: str, season: str) -> Response:
        return super().list(request)

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.operation == "list" and not plan.sees_plan(self.access):
            queryset = queryset.none()
        return super().filter_queryset(queryset)

    @extend_schema(
        operation_id="plan_post",
        summary=_("Plan evenings"),
        description=_("409 if the season is closed, or if evenings are planned on all these days already."),
        responses={201: PlannedListAnswer},
    )
    def create(self, request: Request, club: str, season: str) -> Response:
        made = plan_services.evenings_plan(season=self.season(), actor=self.person, **self.sent())
        rows = self.get_queryset().filter(held_on__in=[planned_evening.held_on for planned_evening in made])
        return self.created({"items": rows.order_by("held_on")}, PlannedListAnswer)

    @extend_schema(
        operation_id="plannedDetail_change", summary=_("Change a planned evening, cancel it, or take that back")
    )
    def partial_update(self, request: Request, club: str, season: str, planned: int) -> Response:
        planned_evening, sent = self.get_object(), self.sent()
        cancelled = sent.pop("cancelled", None)
        if sent:
            plan_services.planned_change(planned=planned_evening, actor=self.person, changes=sent)
        if cancelled is not None:
            plan_services.planned_cancel(planned=planned_evening, actor=self.person, cancelled=cancelled)
        return self.answer(self.get_object())

    @extend_schema(
        operation_id="plannedDetail_delete", summary=_("Remove a planned evening that was entered by mistake")
    )
    def destroy(self, request: Request, club: str, season: str, planned: int) -> Response:
        plan_services.planned_remove(planned=self.get_object(), actor=self.person)
        return self.no_content()
