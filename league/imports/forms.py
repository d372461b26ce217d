"""Forms of an import: the file, what its columns have, who is meant by its names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ..models import Club, Player, Season, Upload
from ..tournaments import tables
from ..web.described_form import DescribedForm
from .columns import NEEDED, offered
from .matching import Proposal

NEW, NOBODY = "new", ""


class UploadForm(DescribedForm):
    """A file, and the season into which it is imported."""

    season = forms.ModelChoiceField(
        label=_("Season"), queryset=Season.objects.none(), empty_label=None, to_field_name="slug"
    )
    game = forms.ChoiceField(label=_("Game"))
    file = forms.FileField(
        label=_("File"),
        max_length=200,
        help_text=_("XLSX or CSV. The first row is the heading; each row below is one person on one evening."),
        widget=forms.FileInput({"accept": ".csv,.xlsx,.txt,text/csv"}),
    )

    def __init__(self, club: Club, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        fields: Any = self.fields
        fields["season"].queryset = Season.objects.filter(club=club, closed_at__isnull=True)
        fields["game"].choices = list(tables.of_games().games().items())


class ColumnsForm(DescribedForm):
    """For each thing that a column can have, the column of the file."""

    def __init__(self, upload: Upload, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        heading: Sequence[str] = upload.rows[0]
        titles = [
            (str(place), title or str(_("Column %(n)d")) % {"n": place + 1}) for place, title in enumerate(heading)
        ]
        for one in offered(upload.kind, upload.season):
            needed = one.code in NEEDED[upload.kind]
            self.fields[one.code] = forms.ChoiceField(
                label=str(one.label),
                help_text=str(one.help),
                required=False,
                choices=[("", _("choose") if needed else _("not in the file")), *titles],
                widget=forms.Select({"aria-describedby": f"{one.code}-help"}),
            )

    def chosen(self) -> dict[str, int]:
        """Return the columns of a valid form."""
        return {code: int(place) for code, place in self.cleaned_data.items() if place != ""}


class NamesForm(forms.Form):
    """For each name of the file a player of the club, or a new one. The fields are numbered in the order of `names`."""

    def __init__(self, names: Sequence[str], people: Iterable[Player], *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.names = names
        listed = [(str(one.pk), one.nickname) for one in people if one.main_id is None]
        choices = [(NEW, _("new in the club")), (_("In the club"), listed)]
        for place, name in enumerate(names):
            self.fields[f"name-{place}"] = forms.ChoiceField(label=name, choices=choices)

    @staticmethod
    def initial_of(names: Sequence[str], found: Iterable[Proposal]) -> dict[str, str]:
        """Return the values with which the form begins."""
        by_name: Mapping[str, Proposal] = {one.name: one for one in found}
        return {
            f"name-{place}": str(by_name[name].player_id or NEW) for place, name in enumerate(names) if name in by_name
        }

    def meant(self) -> dict[str, int | None]:
        """Return the players of a valid form by name, None for a new one."""
        values = (self.cleaned_data[f"name-{place}"] for place in range(len(self.names)))
        return {name: None if value == NEW else int(value) for name, value in zip(self.names, values, strict=True)}


class StoreForm(forms.Form):
    """The idempotency key of an import."""

    key = forms.UUIDField()
