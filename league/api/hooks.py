"""A club's webhooks: programs that are told what happens."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.hooks import selectors, services
from league.models import Delivery, Webhook

from .base import ClubView, Op
from .bodies import Body, Patch

EVENTS = [(event.value, event.label) for event in services.EVENTS]
HOOK = {
    "id": "9a1e6f64-53f0-4c1f-8a33-1d7a4d2b3c44",
    "url": "https://scores.example/chratzete",
    "events": ["hand.stored", "evening.closed"],
    "active": True,
    "waiting": 0,
    "created_at": "2026-11-20T18:00:00+01:00",
    "failing_since": None,
    "off_at": None,
}
DELIVERY = {
    "id": "1c6c3a50-88aa-4d5c-9d8d-6a8f0f3f5d55",
    "event": "hand.stored",
    "subject": "hand:7b0a7f0e-2f7b-4f39-9a5e-2f1d4b7f6c22:1",
    "body": {
        "id": "1c6c3a50-88aa-4d5c-9d8d-6a8f0f3f5d55",
        "event": "hand.stored",
        "at": "2026-11-20T20:03:12+00:00",
        "club": "roessli",
        "data": {"kind": "entered", "evening": 7, "table": 9, "hands": [12], "revision": 1},
    },
    "created_at": "2026-11-20T21:03:12+01:00",
    "tries": 1,
    "next_at": None,
    "delivered_at": "2026-11-20T21:03:13+01:00",
    "status": 204,
    "error": "",
    "took_ms": 41,
    "replay_of": None,
}


class HookAnswer(serializers.Serializer[Any]):
    """A webhook. `failing_since`: nothing has arrived since then; `off_at`: it was switched off by itself."""

    id = serializers.UUIDField()
    url = serializers.CharField()
    events = serializers.ListField(child=serializers.ChoiceField(choices=EVENTS))
    active = serializers.BooleanField()
    waiting = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()
    failing_since = serializers.DateTimeField(allow_null=True)
    off_at = serializers.DateTimeField(allow_null=True)

    def get_waiting(self, hook: Webhook) -> int:
        return int(getattr(hook, "waiting", 0))


class NewHookAnswer(HookAnswer):
    """The same with the secret that signs its messages, which is shown now and never again."""

    secret = serializers.CharField()


class HookBody(Body):
    """A new webhook."""

    url = serializers.CharField(max_length=services.MAX_URL)
    events = serializers.ListField(child=serializers.ChoiceField(choices=EVENTS), min_length=1, max_length=3)


class HookChange(Patch):
    """What can be changed of a webhook."""

    url = serializers.CharField(max_length=services.MAX_URL)
    events = serializers.ListField(child=serializers.ChoiceField(choices=EVENTS), min_length=1, max_length=3)
    active = serializers.BooleanField()


class DeliveryAnswer(serializers.Serializer[Any]):
    """A message to a webhook and how its sending went. `status` is what the receiver answered."""

    id = serializers.UUIDField()
    event = serializers.CharField()
    subject = serializers.CharField()
    body = serializers.DictField()
    created_at = serializers.DateTimeField()
    tries = serializers.IntegerField()
    next_at = serializers.DateTimeField(allow_null=True)
    delivered_at = serializers.DateTimeField(allow_null=True)
    status = serializers.IntegerField(allow_null=True)
    error = serializers.CharField(allow_blank=True)
    took_ms = serializers.IntegerField(allow_null=True)
    replay_of = serializers.UUIDField(source="replay_of_id", allow_null=True)


class HookView(ClubView):
    """An address of one webhook."""

    def hook(self) -> Webhook:
        """The webhook of the address. Raises Http404."""
        found = selectors.hook_of(self.access.club, self.kwargs["hook"])
        if found is None:
            raise Http404
        return found


class Hooks(ClubView):
    """The webhooks of a club."""

    ops = {
        "GET": Op(Right.MANAGE, _("The webhooks of a club"), answer=HookAnswer, paged=True, example=HOOK),
        "POST": Op(
            Right.MANAGE,
            _("Add a webhook; its secret is shown this once"),
            answer=NewHookAnswer,
            status=201,
            body=HookBody,
            refusals=(409,),
            example={**HOOK, "secret": "chzs_…"},
            body_example={"url": "https://scores.example/chratzete", "events": ["hand.stored"]},
        ),
    }

    def get(self, request: Request, club: str) -> Response:
        return self.told_page(selectors.hooks_of(self.access.club), ["created_at", "pk"])

    def post(self, request: Request, club: str) -> Response:
        hook = services.hook_add(club=self.access.club, actor=self.person, **self.sent())
        return self.told(hook, Location=f"{request.path}/{hook.pk}")


class HookHome(HookView):
    """A webhook."""

    ops = {
        "GET": Op(Right.MANAGE, _("A webhook"), answer=HookAnswer, example=HOOK),
        "PATCH": Op(
            Right.MANAGE,
            _("Change a webhook, or switch it off and on"),
            answer=HookAnswer,
            body=HookChange,
            refusals=(409,),
            example=HOOK,
            body_example={"active": False},
        ),
        "DELETE": Op(Right.MANAGE, _("Remove a webhook"), status=204),
    }

    def get(self, request: Request, club: str, hook: UUID) -> Response:
        return self.told(self.hook())

    def patch(self, request: Request, club: str, hook: UUID) -> Response:
        services.hook_change(hook=self.hook(), actor=self.person, **self.sent())
        return self.told(self.hook())

    def delete(self, request: Request, club: str, hook: UUID) -> Response:
        services.hook_remove(hook=self.hook(), actor=self.person)
        return self.done()


class HookSecret(HookView):
    """A webhook's secret."""

    ops = {
        "POST": Op(
            Right.MANAGE,
            _("A new secret, shown this once; for a day the old one signs as well"),
            answer=NewHookAnswer,
            status=201,
            example={**HOOK, "secret": "chzs_…"},
        )
    }

    def post(self, request: Request, club: str, hook: UUID) -> Response:
        return self.told(services.hook_roll(hook=self.hook(), actor=self.person))


class Deliveries(HookView):
    """The messages to a webhook."""

    ops = {
        "GET": Op(
            Right.MANAGE, _("What was sent to a webhook, the newest first"), answer=DeliveryAnswer, paged=True,
            example=DELIVERY,
        ),
        "POST": Op(
            Right.MANAGE,
            _("Send a test, to see whether it arrives"),
            answer=DeliveryAnswer,
            status=201,
            refusals=(409,),
            example=DELIVERY,
        ),
    }  # fmt: skip

    def get(self, request: Request, club: str, hook: UUID) -> Response:
        return self.told_page(selectors.deliveries_of(self.hook()), ["-created_at", "-pk"])

    def post(self, request: Request, club: str, hook: UUID) -> Response:
        return self.told(services.hook_ping(hook=self.hook(), actor=self.person))


class DeliveryReplay(ClubView):
    """Sending a message again."""

    ops = {
        "POST": Op(
            Right.MANAGE,
            _("Send a message again, the same to the letter"),
            answer=DeliveryAnswer,
            status=201,
            refusals=(409,),
            example=DELIVERY,
        )
    }

    def post(self, request: Request, club: str, delivery: UUID) -> Response:
        found: Delivery | None = selectors.delivery_of(self.access.club, delivery)
        if found is None:
            raise Http404
        return self.told(services.delivery_replay(delivery=found, actor=self.person))
