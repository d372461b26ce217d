"""API of a club's webhooks and their messages."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.models import Delivery, Webhook
from league.webhooks import selectors, services

from .bodies import Body, Patch
from .paging import PositionPagination
from .views import ClubViewSet

EVENTS = [(event.value, event.label) for event in services.EVENTS]


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


class WebhookViewSet(ListModelMixin, ClubViewSet):
    """The webhooks of a club."""

    secret_actions = ("list", "retrieve", "secret")
    rights = dict.fromkeys(("list", "create", "retrieve", "partial_update", "destroy", "secret"), Right.MANAGE)
    bodies = {"create": WebhookBody, "partial_update": WebhookChange}
    refusals = (409,)
    serializer_class = WebhookAnswer
    pagination_class = PositionPagination
    ordering = ("created_at", "pk")
    lookup_url_kwarg = "webhook"
    lookup_value_converter = "uuid"

    def get_queryset(self) -> QuerySet[Webhook]:
        return selectors.webhooks_of(self.access.club)

    @extend_schema(operation_id="webhooks_list", summary=_("The webhooks of a club"))
    def list(self, request: Request, club: str) -> Response:
        return super().list(request)

    @extend_schema(
        operation_id="webhooks_post",
        summary=_("Add a webhook; its secret is shown only once"),
        responses=NewWebhookAnswer,
    )
    def create(self, request: Request, club: str) -> Response:
        webhook = services.webhook_add(club=self.access.club, actor=self.person, **self.sent())
        return self.created(webhook, NewWebhookAnswer, Location=f"{request.path}/{webhook.pk}")

    @extend_schema(operation_id="webhookDetail_read", summary=_("A webhook"))
    def retrieve(self, request: Request, club: str, webhook: UUID) -> Response:
        return self.answer(self.get_object())

    @extend_schema(operation_id="webhookDetail_change", summary=_("Change a webhook, or switch it off and on"))
    def partial_update(self, request: Request, club: str, webhook: UUID) -> Response:
        services.webhook_change(webhook=self.get_object(), actor=self.person, **self.sent())
        return self.answer(self.get_object())

    @extend_schema(operation_id="webhookDetail_delete", summary=_("Remove a webhook"))
    def destroy(self, request: Request, club: str, webhook: UUID) -> Response:
        services.webhook_remove(webhook=self.get_object(), actor=self.person)
        return self.no_content()

    @extend_schema(
        operation_id="webhookSecret_post",
        summary=_("Replace the secret; the new one is shown only once, the old one signs for another day"),
        responses={201: NewWebhookAnswer},
    )
    @action(detail=True, methods=["post"])
    def secret(self, request: Request, club: str, webhook: UUID) -> Response:
        return self.created(services.webhook_roll(webhook=self.get_object(), actor=self.person), NewWebhookAnswer)


class DeliveryViewSet(ListModelMixin, ClubViewSet):
    """The messages to a webhook."""

    rights = {"list": Right.MANAGE, "create": Right.MANAGE, "replay": Right.MANAGE}
    refusals = (409,)
    serializer_class = DeliveryAnswer
    pagination_class = PositionPagination
    ordering = ("-created_at", "-pk")

    def webhook(self) -> Webhook:
        """Return the webhook that the address names. Raises Http404."""
        return get_object_or_404(selectors.webhooks_of(self.access.club), pk=self.kwargs["webhook"])

    def get_queryset(self) -> QuerySet[Delivery]:
        return selectors.deliveries_of(self.webhook())

    @extend_schema(operation_id="deliveries_list", summary=_("The messages to a webhook, the newest first"))
    def list(self, request: Request, club: str, webhook: UUID) -> Response:
        return super().list(request)

    @extend_schema(operation_id="deliveries_post", summary=_("Send a test message"))
    def create(self, request: Request, club: str, webhook: UUID) -> Response:
        return self.created(services.webhook_ping(webhook=self.webhook(), actor=self.person))

    @extend_schema(
        operation_id="deliveryReplay_post",
        summary=_("Send a message again, unchanged"),
        responses={201: DeliveryAnswer},
    )
    def replay(self, request: Request, club: str, delivery: UUID) -> Response:
        original = selectors.delivery_of(self.access.club, delivery)
        if original is None:
            raise Http404
        return self.created(services.delivery_replay(delivery=original, actor=self.person))
