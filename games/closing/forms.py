"""The forms of the pages that close an evening, and their values for the services."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.http import QueryDict

from league.club_admin.services import MAX_CORRECTION_HOURS
from league.models import Closing, Club

from ..errors import Problem, form_outdated


class KeyedForm(forms.Form):
    """A form with the idempotency key of the page."""

    key = forms.UUIDField()

    def problem(self) -> Problem | None:
        """Return the reason of a refusal, or None."""
        if self.is_valid():
            return None
        return Problem.of(form_outdated())


class CloseForm(KeyedForm):
    """The destination of the pot, the players who get a part of it (`present`), and the way of settling up."""

    pot = forms.ChoiceField(choices=Closing.Pot.choices)
    settling = forms.ChoiceField(choices=Club.Settling.choices, required=False)

    def present(self) -> list[int]:
        """Ids of the ticked players; values that are not numbers are left out."""
        return numbers(self.data, "present")


class ReopenForm(KeyedForm):
    """The reason for which an evening is opened again."""

    reason = forms.CharField(max_length=200, required=False)


class LastHandForm(KeyedForm):
    """Announce the last hand for all, or take the announcement back (`off`)."""

    off = forms.BooleanField(required=False)


class PaidForm(KeyedForm):
    """Mark payments as paid (`paid` is yes) or as not paid; without `payment` all of the evening. `player` is sent by
    the page on which this player settles up."""

    player = forms.IntegerField(min_value=1, required=False)
    paid = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")])

    def payments(self) -> list[uuid.UUID] | None:
        """Ids of the payments that the form names; None where it names none."""
        sent = self.data.getlist("payment") if isinstance(self.data, QueryDict) else []
        found: list[uuid.UUID] = []
        for value in sent[:1000]:
            try:
                found.append(uuid.UUID(value))
            except ValueError:
                found.append(uuid.UUID(int=0))
        return found if sent else None


class CashOutForm(KeyedForm):
    """The player who gives or takes the coins (`other`), and the outstanding sum that the page showed."""

    other = forms.IntegerField(min_value=1)
    open_minor = forms.IntegerField()


class WindowForm(forms.Form):
    """The hours for which a closed evening is provisional."""

    correction_hours = forms.IntegerField(min_value=0, max_value=MAX_CORRECTION_HOURS)


def numbers(data: Any, name: str) -> list[int]:
    """Ids sent under a name; values that are not ids are left out."""
    sent = data.getlist(name) if isinstance(data, QueryDict) else []
    return [int(value) for value in sent[:100] if value.isascii() and value.isdecimal() and len(value) < 19]
