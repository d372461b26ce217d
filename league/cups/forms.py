"""The forms of cups."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..models import Cup
from ..web.described_form import DAY, DescribedForm
from . import services
from .services import Basics

MAX_TEXT = 400


class PlacePointsField(forms.CharField):
    """Whole numbers, with blanks, commas, hyphens or lines between them: `10-8-6`."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        parts = [part for part in re.split(r"[\s,;/-]+", text or "") if part]
        if any(not (part.isascii() and part.isdecimal() and len(part) <= 4) for part in parts):
            raise ValidationError(_("Whole numbers with a blank between them, such as 10 8 6 5 4 3 2 1."))
        return tuple(int(part) for part in parts)

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) else " ".join(str(item) for item in value or ())


class CupForm(DescribedForm):
    """What counts in a cup, and who reads it."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=80, widget=forms.TextInput({"autocomplete": "off"}))
    kind = forms.ChoiceField(
        label=gettext_lazy("What a result is worth"),
        choices=[
            (Cup.Kind.PLACES, gettext_lazy("the place: points from a table")),
            (Cup.Kind.CHIPS, gettext_lazy("the chips of each tournament")),
            (Cup.Kind.POINTS, gettext_lazy("the points of each tournament")),
        ],
        widget=forms.RadioSelect,
        initial=Cup.Kind.PLACES,
    )
    events = forms.ChoiceField(
        label=gettext_lazy("What counts"),
        choices=[
            (Cup.Events.TOURNAMENTS, gettext_lazy("tournaments")),
            (Cup.Events.EVENINGS, gettext_lazy("evenings")),
            (Cup.Events.BOTH, gettext_lazy("both")),
        ],
        widget=forms.RadioSelect,
        required=False,
        initial=Cup.Events.TOURNAMENTS,
    )
    place_points = PlacePointsField(
        label=gettext_lazy("Points by place"),
        max_length=MAX_TEXT,
        required=False,
        initial=services.PLACE_POINTS,
        help_text=gettext_lazy("The first place first. Further places get none."),
    )
    best_of = forms.IntegerField(
        label=gettext_lazy("Best results that count"),
        required=False,
        min_value=1,
        max_value=services.MAX_BEST_OF,
        help_text=gettext_lazy("Empty: all."),
    )
    qualifiers = forms.IntegerField(
        label=gettext_lazy("Places in the final"),
        required=False,
        min_value=2,
        max_value=services.MAX_QUALIFIERS,
        help_text=gettext_lazy("Empty: no final."),
    )
    public = forms.BooleanField(
        label=gettext_lazy("Everybody may read the cup"),
        required=False,
        help_text=gettext_lazy("Else the members of its clubs. Each club agrees to this when it joins."),
    )

    def clean_events(self) -> str:
        """Return what counts. By chips or by points the form says that only tournaments do, and offers no choice."""
        by_place = self.cleaned_data.get("kind") == Cup.Kind.PLACES
        return str((by_place and self.cleaned_data["events"]) or Cup.Events.TOURNAMENTS)

    def basics(self) -> Basics:
        """Return the fields of a valid form."""
        return Basics(**(self.cleaned_data | {"place_points": tuple(self.cleaned_data["place_points"] or ())}))


def form_of(cup: Cup, sent: Any = None) -> CupForm:
    """Return the form of a cup as it is now, or as it was sent."""
    fields = ("name", "events", "kind", "place_points", "best_of", "qualifiers", "public")
    return CupForm(sent, initial={name: getattr(cup, name) for name in fields})


class InviteForm(DescribedForm):
    """The club that is invited."""

    short_name = forms.CharField(
        label=gettext_lazy("Short name of the club"),
        max_length=60,
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}),
        help_text=gettext_lazy("The part of its address after /c/."),
    )


class CodeForm(DescribedForm):
    """The code that another club handed over."""

    code = forms.CharField(
        label=gettext_lazy("Code from the other club"),
        max_length=80,
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}),
    )


class FinalForm(DescribedForm):
    """The day of the final."""

    starts_on = forms.DateField(label=gettext_lazy("Day"), widget=DAY)
