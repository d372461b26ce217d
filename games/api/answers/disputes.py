"""Answers about disputes of hands."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from ...models import Dispute
from .fields import ChoiceOrNull, TextOrNull


class DisputeLine(serializers.Serializer[Any]):
    """A dispute of a hand; `ended` is null while it is unsettled."""

    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField()
    text = serializers.CharField()
    at = serializers.DateTimeField()
    unsettled = serializers.BooleanField()
    ended = ChoiceOrNull(choices=[("withdrawn", "withdrawn"), ("settled", "settled")], allow_null=True)
    answer = serializers.CharField(allow_blank=True)
    answered_at = serializers.DateTimeField(allow_null=True)
    by = TextOrNull(allow_null=True)


class StoredDispute(serializers.Serializer[Any]):
    """A dispute, its withdrawal or its end, as it was stored."""

    player = serializers.IntegerField(source="dispute.player_id")
    name = serializers.CharField()
    id = serializers.UUIDField(source="dispute.pk")
    table = serializers.IntegerField()
    number = serializers.IntegerField()
    revision = serializers.IntegerField(
        source="dispute.revision", help_text=_("The revision of the hand that is disputed.")
    )
    kind = serializers.ChoiceField(source="dispute.kind", choices=Dispute.Kind.choices)
    text = serializers.CharField(source="dispute.text", allow_blank=True)
    at = serializers.DateTimeField(source="dispute.created_at")


class UnsettledDispute(serializers.Serializer[Any]):
    """An unsettled dispute, with the place of its hand."""

    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField(source="player.nickname")
    season = serializers.SlugField(source="hand.table.evening.season.slug")
    evening = serializers.IntegerField(source="hand.table.evening_id")
    table = serializers.IntegerField(source="hand.table_id")
    number = serializers.IntegerField(source="hand.number")
    text = serializers.CharField()
    at = serializers.DateTimeField(source="created_at")
