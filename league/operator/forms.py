"""The forms of the operator's pages."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from ..models import Club
from ..web.described_form import DescribedForm
from .services import MAX_QUOTA

ACTS = ("suspend", "resume", "quotas", "name", "logo")


class ActForm(forms.Form):
    """Which of the buttons of a club's page was tapped."""

    act = forms.ChoiceField(choices=[(act, act) for act in ACTS])


class SuspendForm(DescribedForm):
    """Why a club is suspended."""

    reason = forms.CharField(
        label=_("A sentence for whoever opens the club (optional)"),
        required=False,
        max_length=Club._meta.get_field("suspended_because").max_length,
    )


class QuotaForm(DescribedForm):
    """The limits of a club."""

    hands_a_day = forms.IntegerField(
        label=_("Most hands a day"), required=False, min_value=1, max_value=MAX_QUOTA, help_text=_("Empty: no limit.")
    )
    most_players = forms.IntegerField(
        label=_("Most players in the roster"),
        required=False,
        min_value=1,
        max_value=MAX_QUOTA,
        help_text=_("Empty: no limit."),
    )
    most_file_mb = forms.IntegerField(
        label=_("Most megabytes of large files"),
        required=False,
        min_value=1,
        max_value=MAX_QUOTA,
        help_text=_("Empty: no limit. A file is kept for a day."),
    )
