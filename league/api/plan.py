"""API of the planned evenings of a season."""

from __future__ import annotations

from typing import Any

import django_filters
from django.http import Http404
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.models import PlannedEvening
from league.standings import plan, plan_services

from .base import Op
from .bodies import Body, ClockTime, Patch
from .seasons import SeasonView

REFUSALS = (409, 422)
PLANNED = {
    "id": 7,
    "held_on": "2026-11-27",
    "begins_at": "20:00",
    "place": "Restaurant Rössli",
    "note": "Bring coins",
    "cancelled_at": None,
    "evening": None,
}


class PlannedAnswer(serializers.Serializer[Any]):
    """A planned evening. `place` is empty for the usual place of the club. `note` is an empty text for a reader
    who is not of the club. `evening`: the evening that was opened in the season on that day, and so took its place."""

    id = serializers.IntegerField(source="pk")
    held_on = serializers.DateField()
    begins_at = ClockTime()
    place = serializers.CharField(allow_blank=True)
    note = serializers.SerializerMethodField()
    cancelled_at = serializers.DateTimeField(allow_null=True)
    evening = serializers.IntegerField(allow_null=True)

    def get_note(self, one: PlannedEvening) -> str:
        return str(self.context["view"].access.names.free_text(one.note))


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


class PlannedPatch(Patch):
    """The changes of a planned evening. `cancelled` cancels it, or takes that back."""

    held_on = serializers.DateField(input_formats=["iso-8601"])
    begins_at = ClockTime()
    place = serializers.CharField(max_length=plan_services.TEXTS["place"], allow_blank=True)
    note = serializers.CharField(max_length=plan_services.TEXTS["note"], allow_blank=True)
    cancelled = serializers.BooleanField()


class PlanFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Filters for planned evenings."""

    since = django_filters.DateFilter(field_name="held_on", lookup_expr="gte", label=_("From this day on."))

    class Meta:
        model = PlannedEvening
        fields = ["since"]


class Plan(SeasonView):
    """The planned evenings of a season."""

    ops = {
        "GET": Op(
            Right.READ,
            _("The planned evenings of a season, by date"),
            answer=PlannedAnswer,
            paged=True,
            filters=PlanFilter,
            example=PLANNED,
            about=_("In an unlisted club only for people of the club; everybody else gets none."),
        ),
        "POST": Op(
            Right.RECORD,
            _("Plan evenings"),
            answer=PlannedListAnswer,
            status=201,
            body=PlanBody,
            refusals=REFUSALS,
            example={"items": [PLANNED]},
            body_example={"days": ["2026-11-27", "2026-12-11"], "begins_at": "20:00", "place": "Restaurant Rössli"},
            about=_("409 if the season is closed, or if evenings are planned on all these days already."),
        ),
    }

    def get(self, request: Request, club: str, season: str) -> Response:
        rows = plan.with_evening(PlannedEvening.objects.filter(season=self.season()))
        return self.answer_page(rows if plan.sees_plan(self.access) else rows.none(), ["held_on", "pk"])

    def post(self, request: Request, club: str, season: str) -> Response:
        found, sent = self.season(), self.sent()
        made = plan_services.evenings_plan(season=found, actor=self.person, **sent)
        rows = plan.with_evening(PlannedEvening.objects.filter(season=found, held_on__in=[one.held_on for one in made]))
        return self.answer({"items": rows.order_by("held_on")})


class PlannedDetail(SeasonView):
    """A planned evening."""

    ops = {
        "PATCH": Op(
            Right.RECORD,
            _("Change a planned evening, cancel it, or take that back"),
            answer=PlannedAnswer,
            body=PlannedPatch,
            refusals=REFUSALS,
            example={**PLANNED, "cancelled_at": "2026-11-25T18:02:11+01:00"},
            body_example={"cancelled": True},
        ),
        "DELETE": Op(
            Right.RECORD,
            _("Remove a planned evening that was entered by mistake"),
            status=204,
            refusals=(409,),
        ),
    }

    def planned(self) -> PlannedEvening:
        """Return the planned evening that the address names. Raises Http404."""
        rows = PlannedEvening.objects.filter(season=self.season(), pk=self.kwargs["planned"])
        found = plan.with_evening(rows).select_related("season__club").first()
        if found is None:
            raise Http404
        return found

    def patch(self, request: Request, club: str, season: str, planned: int) -> Response:
        found, sent = self.planned(), dict(self.sent())
        cancelled = sent.pop("cancelled", None)
        if sent:
            plan_services.planned_change(planned=found, actor=self.person, changes=sent)
        if cancelled is not None:
            plan_services.planned_cancel(planned=found, actor=self.person, cancelled=cancelled)
        return self.answer(self.planned())

    def delete(self, request: Request, club: str, season: str, planned: int) -> Response:
        plan_services.planned_remove(planned=self.planned(), actor=self.person)
        return self.no_content()
