"""API of a person's API keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import access_to, roles
from league.api_keys import services
from league.api_keys.creation import key_request
from league.errors import Refused
from league.models import ApiToken, Club

from .authentication import key_of
from .bodies import Body
from .paging import PositionPagination
from .permissions import Audience, OfAudience, SignedInRecently
from .views import ApiView, ApiViewSet


class KeyAnswer(serializers.Serializer[Any]):
    """An API key. `id` is its first letters; `club` is null if it is valid in every club of its owner."""

    id = serializers.CharField(source="token_key")
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=ApiToken.Scope.choices))
    club = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField(source="created")
    expires_at = serializers.DateTimeField(source="expiry", allow_null=True)
    expired = serializers.SerializerMethodField()
    used_at = serializers.DateTimeField(allow_null=True)

    def get_club(self, key: ApiToken) -> str | None:
        return key.club.slug if key.club else None

    def get_expired(self, key: ApiToken) -> bool:
        return key.expiry is not None and key.expiry <= timezone.now()


class NewKeyAnswer(KeyAnswer):
    """An API key with its text, which is shown only once."""

    key = serializers.SerializerMethodField()

    def get_key(self, key: ApiToken) -> str:
        return str(self.context["view"].text)


class KeyBody(Body):
    """A new API key."""

    name = serializers.CharField(max_length=60)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=ApiToken.Scope.choices), max_length=4, default=["read"]
    )
    club = serializers.SlugField(max_length=60, allow_null=True, default=None)
    days = serializers.IntegerField(min_value=1, max_value=services.MAX_DAYS, default=services.DAYS)


def check_manages(request: Request) -> None:
    """Check that the request may change the person's own things: from a browser, or by a key with the scope `manage`.

    Raises:
        PermissionDenied: by another key.
    """
    key = key_of(request)
    if key is not None and ApiToken.Scope.MANAGE not in key.scopes:
        raise PermissionDenied


class KeyViewSet(ListModelMixin, ApiViewSet):
    """The person's own API keys."""

    secret_actions = ("list", "create")
    rights = {"list": Audience.PERSON, "create": Audience.PERSON, "destroy": Audience.PERSON}
    bodies = {"create": KeyBody}
    refusals = (404, 409)
    serializer_class = KeyAnswer
    pagination_class = PositionPagination
    ordering = ("-created", "digest")
    lookup_url_kwarg = "token"
    lookup_value_converter = "str"
    text = ""

    def get_permissions(self) -> Sequence[Any]:
        return [OfAudience(), SignedInRecently()] if self.action == "create" else super().get_permissions()

    def get_queryset(self) -> QuerySet[ApiToken]:
        return services.keys_of(self.person, key_of(self.request))

    @extend_schema(operation_id="keys_list", summary=_("Your API keys"))
    def list(self, request: Request) -> Response:
        return super().list(request)

    @extend_schema(
        operation_id="keys_post",
        summary=_("Create an API key; it is shown only once"),
        description=_(
            "A key that creates another one needs the scope `manage`, and can give it only scopes of its own."
        ),
        responses=NewKeyAnswer,
    )
    def create(self, request: Request) -> Response:
        check_manages(request)
        sent = self.sent()
        club = None
        if sent["club"] is not None:
            club = Club.objects.filter(slug=sent["club"], memberships__user=self.person).first()
            if club is None:
                raise Refused(status=404, code="club", sentence=gettext("You are not in this club."), at="club")
        made = key_request(
            request._request,
            user=self.person,
            name=sent["name"],
            scopes=sent["scopes"],
            club=club,
            days=sent["days"],
            by=key_of(request),
        )
        self.text = made.text
        return self.created(made.key, NewKeyAnswer, Location=f"{request.path}/{made.key.token_key}")

    @extend_schema(operation_id="keyDetail_delete", summary=_("Revoke a key, at once"))
    def destroy(self, request: Request, token: str) -> Response:
        own = key_of(request)
        if own is None or own.token_key != token:
            # A program may revoke its own key, whatever its scopes.
            check_manages(request)
        services.key_revoke(user=self.person, token_key=token, by=own)
        return self.no_content()


class MyClubView(ApiView):
    """The person's own membership in a club."""

    rights = {"delete": Audience.PERSON}
    refusals = (409,)

    @extend_schema(operation_id="myClub_delete", summary=_("Leave a club"), responses={204: None})
    def delete(self, request: Request, club: str) -> Response:
        chosen_club = Club.objects.filter(slug=club).first()
        if chosen_club is None or access_to(request.user, chosen_club, key_of(request)).role is None:
            raise Http404
        check_manages(request)
        roles.role_take(club=chosen_club, user=self.person, actor=self.person)
        return self.no_content()
