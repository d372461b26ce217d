"""What the pages of an evening's end send, read into what the services take."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from league.clubs import MAX_CORRECTION_HOURS
from league.models import Closing

from ..forms import Problem


class Keyed(forms.Form):
    """A write with the page's key."""

    key = forms.UUIDField()

    def problem(self) -> Problem | None:
        """Why the form is not taken, if so."""
        if self.is_valid():
            return None
        return Problem(_("The page sent something that this form has not. Load the page again."), code="R1")


class CloseForm(Keyed):
    """What becomes of the pot, and who gets a part of it (`present`, players)."""

    pot = forms.ChoiceField(choices=Closing.Pot.choices)

    def present(self) -> list[int]:
        """The players ticked; what is no number is left out."""
        return numbers(self.data, "present")


class ReopenForm(Keyed):
    """Why an evening is opened again."""

    reason = forms.CharField(max_length=200, required=False)


class LastForm(Keyed):
    """The last hand for all, said or taken back."""

    off = forms.BooleanField(required=False)


class PaidForm(Keyed):
    """Payments marked as paid (`paid` is yes) or not; without `payment` all of the evening."""

    paid = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")])

    def payments(self) -> list[uuid.UUID] | None:
        """The payments named; None where the form names none."""
        sent = self.data.getlist("payment") if isinstance(self.data, QueryDict) else []
        found: list[uuid.UUID] = []
        for value in sent[:1000]:
            try:
                found.append(uuid.UUID(value))
            except ValueError:
                found.append(uuid.UUID(int=0))
        return found if sent else None


class WindowForm(forms.Form):
    """How long an evening is provisional."""

    correction_hours = forms.IntegerField(min_value=0, max_value=MAX_CORRECTION_HOURS)


def numbers(data: Any, name: str) -> list[int]:
    """Ids sent under a name; what is none is left out."""
    sent = data.getlist(name) if isinstance(data, QueryDict) else []
    return [int(value) for value in sent[:100] if value.isascii() and value.isdecimal() and len(value) < 19]
