"""The forms of planned evenings."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ..standings.plan_services import LEAST_PLAYERS, TEXTS
from ..web.described_form import DAY, DescribedForm

REPEATS = (
    ("", _("once")),
    ("1", _("every week")),
    ("2", _("every two weeks")),
    ("3", _("every three weeks")),
    ("4", _("every four weeks")),
)
TIME = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")


class PlannedForm(DescribedForm):
    """One planned evening. `asks`: the club asks who comes, so the form has the least number of players."""

    held_on = forms.DateField(label=_("Day"), widget=DAY)
    begins_at = forms.TimeField(label=_("Begins at"), widget=TIME)
    place = forms.CharField(
        label=_("Place"),
        max_length=TEXTS["place"],
        required=False,
        help_text=_("Empty: where the club plays. In a club that anybody finds, everybody reads day, time and place."),
    )
    note = forms.CharField(
        label=_("Note"), max_length=TEXTS["note"], required=False, help_text=_("Only people of the club read it.")
    )
    least_players = forms.IntegerField(
        label=_("Takes place from how many players on?"),
        min_value=LEAST_PLAYERS[0],
        max_value=LEAST_PLAYERS[1],
        required=False,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        help_text=_("Empty: however many come."),
    )

    def __init__(self, *args: Any, asks: bool, **more: Any) -> None:
        super().__init__(*args, **more)
        if not asks:
            del self.fields["least_players"]


class PlanForm(PlannedForm):
    """One evening, or a series."""

    weeks = forms.ChoiceField(label=_("Repeated"), choices=REPEATS, required=False)
    until = forms.DateField(
        label=_("Until"), widget=DAY, required=False, help_text=_("The last day of the series; not for a single one.")
    )

    field_order = ("held_on", "begins_at", "weeks", "until", "place", "note", "least_players")

    def clean(self) -> dict[str, Any]:
        """Ask for the last day of a series."""
        sent = super().clean() or {}
        if sent.get("weeks") and not sent.get("until") and "until" not in self.errors:
            self.add_error("until", _("Until when is the evening repeated?"))
        return sent

    @property
    def series(self) -> tuple[date, int, date] | None:
        """The first day, the weeks and the last day of a series; None for a single evening. The form is valid."""
        sent = self.cleaned_data
        return (sent["held_on"], int(sent["weeks"]), sent["until"]) if sent["weeks"] else None
