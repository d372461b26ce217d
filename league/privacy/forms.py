"""What the pages of privacy send."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext as _


class ConfirmForm(forms.Form):
    """A name, typed again by whoever is about to do what cannot be undone."""

    name = forms.CharField(max_length=254, required=False, strip=True)

    def problem(self, wanted: str) -> str:
        """Why nothing is done; empty where the name is the one that was `wanted`, whatever the capitals."""
        if self.is_valid() and self.cleaned_data["name"].casefold() == wanted.strip().casefold():
            return ""
        return _("This does not match: type “%(name)s” to confirm.") % {"name": wanted}
