"""Fields that several answers of the games' API share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from rest_framework import serializers

from league.api.shared_fields import SharedFields

from ...engine_bridge import GAMES

GAME_CHOICES = [(game, game.title()) for game in GAMES]


class Answer(SharedFields):
    """An answer that is made of plain data: each field is an entry of a mapping."""

    @cached_property
    def _represent(self) -> Sequence[tuple[str, Callable[[Any], Any]]]:
        return [(name, field.to_representation) for name, field in self.fields.items()]

    def to_representation(self, instance: Mapping[str, Any]) -> dict[str, Any]:
        # As the base, which looks for attributes, defaults and related objects, too, and takes half as long again.
        return {
            name: None if (value := instance[name]) is None else represent(value) for name, represent in self._represent
        }


def minor(**options: Any) -> serializers.IntegerField:
    """Return a field for an amount in whole Rappen; null if the client may not see it."""
    return serializers.IntegerField(allow_null=True, **options)


def seat(**options: Any) -> serializers.IntegerField:
    """Return a field for a seat, from 0 in the order of play."""
    return serializers.IntegerField(min_value=0, max_value=6, **options)


class PlayerName(Answer):
    player = serializers.IntegerField()
    name = serializers.CharField()
