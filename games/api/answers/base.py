"""What all answers of the nights share."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from ...recording import GAMES

Answer = serializers.Serializer[dict[str, Any]]
GAME_CHOICES = [(game, game.title()) for game in GAMES]


def minor(**options: Any) -> serializers.IntegerField:
    """An amount in whole Rappen, or null where it is not for the asker."""
    return serializers.IntegerField(allow_null=True, **options)


def seat(**options: Any) -> serializers.IntegerField:
    """A seat, from 0 in the order of play."""
    return serializers.IntegerField(min_value=0, max_value=6, **options)


class PlayerName(Answer):
    player = serializers.IntegerField()
    name = serializers.CharField()
