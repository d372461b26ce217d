"""A person's keys for programs."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from league import roles
from league.access import access_to
from league.keys import services
from league.keys.making import key_ask
from league.models import ApiToken, Club

from .authentication import key_of
from .base import ApiView, Op, Who
from .bodies import Body

KEY = {
    "id": "chz_4f1d0c2b9a7",
    "name": "Scoreboard",
    "scopes": ["read"],
    "club": "roessli",
    "created_at": "2026-11-20T18:00:00+01:00",
    "expires_at": "2027-02-18T18:00:00+01:00",
    "expired": False,
    "used_at": None,
}


class KeyAnswer(serializers.Serializer[Any]):
    """A key. `id` are its first letters; `club` is null where it holds in every club of its owner."""

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
    """The same with the key itself, which is shown now and never again."""

    key = serializers.SerializerMethodField()

    def get_key(self, key: ApiToken) -> str:
        return str(self.context["view"].text)


class KeyBody(Body):
    """A new key."""

    name = serializers.CharField(max_length=60)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=ApiToken.Scope.choices), max_length=4, default=["read"]
    )
    club = serializers.SlugField(max_length=60, allow_null=True, default=None)
    days = serializers.IntegerField(min_value=1, max_value=services.MOST_DAYS, default=services.DAYS)


def manages(request: Request) -> None:
    """Whether the asker may change what is the person's own: in a browser, or by a key for that.

    Raises:
        PermissionDenied: by another key.
    """
    key = key_of(request)
    if key is not None and ApiToken.Scope.MANAGE not in key.scopes:
        raise PermissionDenied


class Keys(ApiView):
    """One's own keys."""

    text = ""
    ops = {
        "GET": Op(Who.PERSON, _("Your keys for programs"), answer=KeyAnswer, paged=True, example=KEY),
        "POST": Op(
            Who.PERSON,
            _("Make a key; it is shown this once"),
            answer=NewKeyAnswer,
            status=201,
            body=KeyBody,
            recent=True,
            refusals=(404, 409),
            about=_("A key that asks for another can hand on no more than it has, and needs the scope `manage`."),
            example={**KEY, "key": "chz_4f1d0c2b9a7…"},
            body_example={"name": "Scoreboard", "scopes": ["read"], "club": "roessli", "days": 90},
        ),
    }

    def get(self, request: Request) -> Response:
        return self.told_page(services.keys_of(self.person, key_of(request)), ["-created", "digest"])

    def post(self, request: Request) -> Response:
        manages(request)
        sent = self.sent()
        club = None
        if sent["club"] is not None:
            club = Club.objects.filter(slug=sent["club"], memberships__user=self.person).first()
            if club is None:
                raise Http404
        made = key_ask(
            request._request,
            user=self.person,
            name=sent["name"],
            scopes=sent["scopes"],
            club=club,
            days=sent["days"],
            by=key_of(request),
        )
        self.text = made.text
        return self.told(made.key, Location=f"{request.path}/{made.key.token_key}")


class KeyHome(ApiView):
    """A key of one's own."""

    ops = {"DELETE": Op(Who.PERSON, _("Revoke a key, at once"), status=204)}

    def delete(self, request: Request, token: str) -> Response:
        own = key_of(request)
        if own is None or own.token_key != token:
            # A program may throw its own key away, whatever its scopes.
            manages(request)
        services.key_revoke(user=self.person, token_key=token, by=own)
        return self.done()


class MyClub(ApiView):
    """One's own place in a club."""

    ops = {"DELETE": Op(Who.PERSON, _("Leave a club"), status=204, refusals=(409,))}

    def delete(self, request: Request, club: str) -> Response:
        found = Club.objects.filter(slug=club).first()
        if found is None or access_to(request.user, found, key_of(request)).role is None:
            raise Http404
        manages(request)
        roles.role_take(club=found, user=self.person, actor=self.person)
        return self.done()
