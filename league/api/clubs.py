"""API of the signed-in person, and of the clubs that the person may see."""

from __future__ import annotations

from typing import Any

import django_filters
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import RIGHTS, SCOPE_OF, ClubAccess, Right, own_players, rights_of
from league.club_admin import services
from league.models import Club, Membership, Role

from .authentication import key_of
from .bodies import Body, Patch
from .paging import PositionPagination
from .permissions import Audience
from .views import ApiView, ApiViewSet, ClubView


class MyClubAnswer(serializers.Serializer[Any]):
    """One of the person's clubs, with the rights that the person has in all of it."""

    slug = serializers.CharField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=Role.choices)
    players = serializers.ListField(child=serializers.IntegerField())
    rights = serializers.ListField(child=serializers.ChoiceField(choices=[(r.value, r.value) for r in Right]))


class MeAnswer(serializers.Serializer[Any]):
    """The signed-in person. `key` is the name of the API key, null in a browser."""

    id = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    email = serializers.EmailField()
    key = serializers.CharField(allow_null=True)
    scopes = serializers.ListField(child=serializers.CharField(), allow_null=True)
    clubs = MyClubAnswer(many=True)


class MeView(ApiView):
    """The signed-in person."""

    rights = {"get": Audience.PERSON}
    serializer_class = MeAnswer

    @extend_schema(operation_id="me_read", summary=_("The signed-in person, with their clubs"))
    def get(self, request: Request) -> Response:
        key, person = key_of(request), self.person
        memberships = Membership.objects.filter(user=person).select_related("club").order_by("club__slug")
        if key is not None and key.club_id is not None:
            memberships = memberships.filter(club=key.club_id)
        own: dict[int, list[int]] = {}
        for club_id, pk in own_players(person).order_by("pk").values_list("club_id", "pk"):
            own.setdefault(club_id, []).append(pk)
        scopes = None if key is None else sorted(key.scopes)
        clubs = [
            {
                "slug": membership.club.slug,
                "name": membership.club.name,
                "role": membership.role,
                "players": own.get(membership.club_id, []),
                "rights": sorted(r for r in rights_of(membership.role) if scopes is None or SCOPE_OF[r] in scopes),
            }
            for membership in memberships
        ]
        me = {
            "id": person.pk,
            "name": person.get_full_name(),
            "email": person.email,
            "key": key.name if key else None,
            "scopes": scopes,
            "clubs": clubs,
        }
        return self.answer(me)


class ClubLine(serializers.Serializer[Any]):
    """A club in a list."""

    slug = serializers.CharField()
    name = serializers.CharField()
    place = serializers.CharField(allow_blank=True)
    visibility = serializers.ChoiceField(choices=Club.Visibility.choices)


class ClubAnswer(ClubLine):
    """A club as the person sees it. `role` is null for a visitor. `rights` are valid for the whole club; `players` are
    the person's own, for whom some further rights are valid."""

    currency = serializers.CharField()
    publishes_money = serializers.BooleanField()
    faces = serializers.ChoiceField(choices=Club.Faces.choices)
    counts_tricks = serializers.BooleanField()
    settling = serializers.ChoiceField(choices=Club.Settling.choices)
    publishes_rules = serializers.BooleanField()
    correction_hours = serializers.IntegerField()
    forget_after_months = serializers.IntegerField(allow_null=True)
    role = serializers.SerializerMethodField()
    rights = serializers.SerializerMethodField()
    players = serializers.SerializerMethodField()

    def get_role(self, club: Club) -> str | None:
        return self._access.role

    def get_rights(self, club: Club) -> list[str]:
        return sorted(right.value for right in RIGHTS.may["owner"] if self._access.may(right))

    def get_players(self, club: Club) -> list[int]:
        return sorted(self._access.player_ids)

    @property
    def _access(self) -> ClubAccess:
        access: ClubAccess = self.context["view"].access
        return access


class ClubBody(Patch):
    """The fields of a club that an owner may change."""

    name = serializers.CharField(max_length=120)
    place = serializers.CharField(max_length=120, allow_blank=True)
    visibility = serializers.ChoiceField(choices=Club.Visibility.choices)
    publishes_money = serializers.BooleanField()
    faces = serializers.ChoiceField(choices=Club.Faces.choices)
    counts_tricks = serializers.BooleanField()
    settling = serializers.ChoiceField(choices=Club.Settling.choices)
    publishes_rules = serializers.BooleanField()
    correction_hours = serializers.IntegerField(min_value=0, max_value=services.MAX_CORRECTION_HOURS)
    forget_after_months = serializers.IntegerField(min_value=1, max_value=services.MAX_FORGET_MONTHS, allow_null=True)


class NewClub(Body):
    """A new club. The person becomes its first owner."""

    slug = serializers.SlugField(max_length=60)
    name = serializers.CharField(max_length=120)
    place = serializers.CharField(max_length=120, allow_blank=True, default="")
    currency = serializers.ChoiceField(choices=services.CURRENCIES, default="CHF")


class ClubFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Filters for clubs."""

    mine = django_filters.ChoiceFilter(
        choices=[("true", "true"), ("false", "false")],
        method="of_mine",
        label=_("true: only your own clubs; false: only others."),
    )
    q = django_filters.CharFilter(
        field_name="name", lookup_expr="icontains", max_length=60, label=_("Part of the name.")
    )

    class Meta:
        model = Club
        fields = ["mine", "q"]

    def of_mine(self, clubs: QuerySet[Club], name: str, value: str) -> QuerySet[Club]:
        own = Q(memberships__user=self.request.user.pk)
        return clubs.filter(own) if value == "true" else clubs.exclude(own)


class ClubsViewSet(ListModelMixin, ApiViewSet):
    """The person's own clubs and the listed ones."""

    rights = {"list": Audience.ANYONE, "create": Audience.SERVER}
    bodies = {"create": NewClub}
    serializer_class = ClubLine
    filterset_class = ClubFilter
    pagination_class = PositionPagination
    ordering = ("slug",)

    def get_queryset(self) -> QuerySet[Club]:
        key = key_of(self.request)
        known = Q(visibility=Club.Visibility.LISTED)
        if self.request.user.is_authenticated:
            own = Q(pk__in=Membership.objects.filter(user=self.request.user).values("club"))
            known |= own if key is None or key.club_id is None else own & Q(pk=key.club_id)
        return Club.objects.filter(known)

    @extend_schema(operation_id="clubs_list", summary=_("Your clubs and those that are listed"))
    def list(self, request: Request) -> Response:
        return super().list(request)

    @extend_schema(operation_id="clubs_post", summary=_("Create a club; you are its first owner"))
    def create(self, request: Request) -> Response:
        club = services.club_create(owner=self.person, actor=self.person, **self.sent())
        return self.created(club, Location=f"{request.path}/{club.slug}")


class ClubDetailView(ClubView):
    """A club."""

    rights = {"get": Right.READ, "patch": Right.MANAGE}
    bodies = {"patch": ClubBody}
    matched = ("patch",)
    serializer_class = ClubAnswer

    @extend_schema(operation_id="clubDetail_read", summary=_("A club, and your rights in it"))
    def get(self, request: Request, club: str) -> Response:
        return self.answer(self.access.club)

    @extend_schema(operation_id="clubDetail_change", summary=_("Change a club"))
    def patch(self, request: Request, club: str) -> Response:
        changes = self.sent()
        locked = Club.objects.select_for_update().get(pk=self.access.club.pk)
        self.check_match(locked, ClubAnswer)
        return self.answer(services.club_change(club=locked, actor=self.person, changes=changes))
