"""Fields that are null where the value is empty, or where the client may not see it."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class TextOrNull(serializers.CharField):
    """A text, null if it is empty."""

    def to_representation(self, value: Any) -> str | None:  # type: ignore[override]
        return str(value) or None


class ChoiceOrNull(serializers.ChoiceField):
    """A choice, null if it is empty."""

    def to_representation(self, value: Any) -> Any:
        return super().to_representation(value) or None


class FreeText(serializers.CharField):
    """Free text, or the name of an account; null if there is none, or for a visitor."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_null=True, **options)

    def to_representation(self, value: Any) -> Any:
        return self.context["view"].access.names.free_text(super().to_representation(value)) or None


class PlayerAmount(serializers.IntegerField):
    """An amount of the `player` of the same object, in whole Rappen; null if the client may not see it. The view has
    its `visibility`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_null=True, **options)

    def get_attribute(self, instance: Any) -> Any:
        siblings: Any = self.parent
        player = siblings.fields["player"].get_attribute(instance)
        return self.context["view"].visibility.amount(super().get_attribute(instance), player)
