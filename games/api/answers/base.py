"""Fields that several answers of the games' API share."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from league.api.shared_fields import SharedFields

from ...engine_bridge import GAMES

GAME_CHOICES = [(game, game.title()) for game in GAMES]


class Answer(SharedFields):
    """An answer that is made of plain data."""


def minor(**options: Any) -> serializers.IntegerField:
    """Return a field for an amount in whole Rappen; null if the client may not see it."""
    return serializers.IntegerField(allow_null=True, **options)


def seat(**options: Any) -> serializers.IntegerField:
    """Return a field for a seat, from 0 in the order of play."""
    return serializers.IntegerField(min_value=0, max_value=6, **options)


class PlayerName(Answer):
    player = serializers.IntegerField()
    name = serializers.CharField()
