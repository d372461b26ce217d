"""API of a club's webhooks and their messages."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.models import Delivery, Webhook
from league.webhooks import selectors, services

from .base import ClubView, Op
from .bodies import Body, Patch

EVENTS = [(event.value, event.label) for event in services.EVENTS]
WEBHOOK = {
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


class WebhookAnswer(serializers.Serializer[Any]):
    """A webhook. Nothing has arrived since `failing_since`; `off_at` is when it was switched off automatically."""

    id = serializers.UUIDField()
    url = serializers.CharField()
    events = serializers.ListField(child=serializers.ChoiceField(choices=EVENTS))
    active = serializers.BooleanField()
    waiting = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()
    failing_since = serializers.DateTimeField(allow_null=True)
    off_at = serializers.DateTimeField(allow_null=True)

    def get_waiting(self, webhook: Webhook) -> int:
        return int(getattr(webhook, "waiting", 0))


class NewWebhookAnswer(WebhookAnswer):
    """A webhook with the secret that signs its messages. It is shown only once."""

    secret = serializers.CharField()


class WebhookBody(Body):
    """A new webhook."""

    url = serializers.CharField(max_length=services.MAX_URL)
    events = serializers.ListField(child=serializers.ChoiceField(choices=EVENTS), min_length=1, max_length=len(EVENTS))


class WebhookChange(Patch):
    """The fields of a webhook that can be changed."""

    url = serializers.CharField(max_length=services.MAX_URL)
    events = serializers.ListField(child=serializers.ChoiceField(choices=EVENTS), min_length=1, max_length=len(EVENTS))
    active = serializers.BooleanField()


class DeliveryAnswer(serializers.Serializer[Any]):
    """A message to a webhook with the state of its sending. `status` is the status of the receiver's answer."""

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


class WebhookView(ClubView):
    """Base of the addresses of one webhook."""

    def webhook(self) -> Webhook:
        """Return the webhook that the address names. Raises Http404."""
        found = selectors.webhook_of(self.access.club, self.kwargs["webhook"])
        if found is None:
            raise Http404
        return found


class Webhooks(ClubView):
    """The webhooks of a club."""

    ops = {
        "GET": Op(Right.MANAGE, _("The webhooks of a club"), answer=WebhookAnswer, paged=True, example=WEBHOOK),
        "POST": Op(
            Right.MANAGE,
            _("Add a webhook; its secret is shown only once"),
            answer=NewWebhookAnswer,
            status=201,
            body=WebhookBody,
            refusals=(409,),
            example={**WEBHOOK, "secret": "chzs_…"},
            body_example={"url": "https://scores.example/chratzete", "events": ["hand.stored"]},
        ),
    }

    def get(self, request: Request, club: str) -> Response:
        return self.answer_page(selectors.webhooks_of(self.access.club), ["created_at", "pk"])

    def post(self, request: Request, club: str) -> Response:
        webhook = services.webhook_add(club=self.access.club, actor=self.person, **self.sent())
        return self.answer(webhook, Location=f"{request.path}/{webhook.pk}")


class WebhookDetail(WebhookView):
    """A webhook."""

    ops = {
        "GET": Op(Right.MANAGE, _("A webhook"), answer=WebhookAnswer, example=WEBHOOK),
        "PATCH": Op(
            Right.MANAGE,
            _("Change a webhook, or switch it off and on"),
            answer=WebhookAnswer,
            body=WebhookChange,
            refusals=(409,),
            example=WEBHOOK,
            body_example={"active": False},
        ),
        "DELETE": Op(Right.MANAGE, _("Remove a webhook"), status=204),
    }

    def get(self, request: Request, club: str, webhook: UUID) -> Response:
        return self.answer(self.webhook())

    def patch(self, request: Request, club: str, webhook: UUID) -> Response:
        services.webhook_change(webhook=self.webhook(), actor=self.person, **self.sent())
        return self.answer(self.webhook())

    def delete(self, request: Request, club: str, webhook: UUID) -> Response:
        services.webhook_remove(webhook=self.webhook(), actor=self.person)
        return self.no_content()


class WebhookSecret(WebhookView):
    """A webhook's secret."""

    ops = {
        "POST": Op(
            Right.MANAGE,
            _("Replace the secret; the new one is shown only once, the old one signs for another day"),
            answer=NewWebhookAnswer,
            status=201,
            example={**WEBHOOK, "secret": "chzs_…"},
        )
    }

    def post(self, request: Request, club: str, webhook: UUID) -> Response:
        return self.answer(services.webhook_roll(webhook=self.webhook(), actor=self.person))


class Deliveries(WebhookView):
    """The messages to a webhook."""

    ops = {
        "GET": Op(
            Right.MANAGE, _("The messages to a webhook, the newest first"), answer=DeliveryAnswer, paged=True,
            example=DELIVERY,
        ),
        "POST": Op(
            Right.MANAGE,
            _("Send a test message"),
            answer=DeliveryAnswer,
            status=201,
            refusals=(409,),
            example=DELIVERY,
        ),
    }  # fmt: skip

    def get(self, request: Request, club: str, webhook: UUID) -> Response:
        return self.answer_page(selectors.deliveries_of(self.webhook()), ["-created_at", "-pk"])

    def post(self, request: Request, club: str, webhook: UUID) -> Response:
        return self.answer(services.webhook_ping(webhook=self.webhook(), actor=self.person))


class DeliveryReplay(ClubView):
    """Sending a message again."""

    ops = {
        "POST": Op(
            Right.MANAGE,
            _("Send a message again, unchanged"),
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
        return self.answer(services.delivery_replay(delivery=found, actor=self.person))
