"""The forms that recorders send, read into the arguments of the services. The rules are checked by the engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from .. import offered
from ..engine_bridge import Start
from ..game.hand_form import HandForm, SeatEntry
from ..models import MAX_NUMBER

__all__ = ["HandForm", "SeatEntry", "VoidForm", "hand_form"]


def hand_form(data: Mapping[str, Any], start: Start) -> HandForm:
    """The form of the next hand, by its game."""
    return offered.game_of(start.game).screen.form(data, start)


class VoidForm(forms.Form):
    """Void the last hand."""

    key = forms.UUIDField()
    number = forms.IntegerField(min_value=1, max_value=MAX_NUMBER)
