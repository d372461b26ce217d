"""The day and the way of payments that a page fills in."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms

from ..models import PaymentDay


class PaidDayForm(forms.Form):
    """Day and way, from the page's address or from the form that was sent."""

    day = forms.DateField(required=False)
    way = forms.ChoiceField(choices=PaymentDay.Way.choices, required=False)

    def for_page(self, today: date) -> dict[str, Any]:
        """Return what the templates of the page read. Without a choice the day is today, the way cash."""
        self.is_valid()
        return {
            "paid_day": self.cleaned_data.get("day") or today,
            "paid_way": self.cleaned_data.get("way") or PaymentDay.Way.CASH,
            "ways": PaymentDay.Way.choices,
        }
