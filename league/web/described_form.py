"""Forms whose fields name the element with their help and errors, and the widget of a day."""

from __future__ import annotations

from typing import Any

from django import forms

DAY = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class DescribedForm(forms.Form):
    """A form whose fields refer to the element with their help and errors."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        for name, field in self.fields.items():
            field.widget.attrs["aria-describedby"] = f"{name}-help"
