"""Forms of the privacy pages."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext as _


class ConfirmForm(forms.Form):
    """Confirms an action that cannot be undone: the person types a name or mail address again."""

    name = forms.CharField(max_length=254, required=False, strip=True)

    def problem(self, expected: str) -> str:
        """Return a sentence if the typed name differs from the expected one, ignoring case; else an empty text."""
        if self.is_valid() and self.cleaned_data["name"].casefold() == expected.strip().casefold():
            return ""
        return _("This does not match: type “%(name)s” to confirm.") % {"name": expected}
