"""The forms of the pages that close an evening, and their values for the services."""

from __future__ import annotations

import uuid
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from league.club_admin.services import MAX_CORRECTION_HOURS
from league.models import Closing, Club, PaymentDay

from ..errors import FormProblem, form_outdated


class KeyedForm(forms.Form):
    """A form with the idempotency key of the page."""

    key = forms.UUIDField()

    def problem(self) -> FormProblem | None:
        """Return the reason of a refusal, or None."""
        if self.is_valid():
            return None
        return FormProblem.of(form_outdated())


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
    the page on which this player settles up, `day` is the day on which they were paid."""

    player = forms.IntegerField(min_value=1, required=False)
    paid = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")])
    day = forms.DateField(required=False)
    way = forms.ChoiceField(choices=PaymentDay.Way.choices, required=False)

    def problem(self) -> FormProblem | None:
        """Return the reason of a refusal, or None."""
        if not self.is_valid() and set(self.errors) == {"day"}:
            return FormProblem(_("Give the date of the payment, such as 20.11.2026."), "day")
        return super().problem()

    @property
    def way_noted(self) -> str:
        """The way of paying, cash where the form names none."""
        return self.cleaned_data["way"] or PaymentDay.Way.CASH

    def payments(self) -> list[uuid.UUID] | None:
        """Ids of the payments that the form names; None where it names none."""
        sent = self.data.getlist("payment") if isinstance(self.data, QueryDict) else []
        uuids: list[uuid.UUID] = []
        for value in sent[:1000]:
            try:
                uuids.append(uuid.UUID(value))
            except ValueError:
                uuids.append(uuid.UUID(int=0))
        return uuids if sent else None


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


def of_day(day: date | None, way: str) -> str:
    """Return the query string of a page that fills in the same day and way again; empty for today and cash."""
    chosen = {}
    if day not in (None, timezone.localdate()):
        chosen["day"] = day.isoformat()
    if way != PaymentDay.Way.CASH:
        chosen["way"] = way
    return f"?{urlencode(chosen)}" if chosen else ""
