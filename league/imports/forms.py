"""Forms of an import: the file, the meaning of its columns, the players of its names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ..models import Club, ImportKind, Player, Season, Upload
from ..tournaments import tables
from ..web.described_form import DescribedForm
from .columns import needed, offered
from .matching import Proposal
from .plan import shown_cell, title_of
from .sheets import SheetColumns, SheetLine, values_of

NEW, NOBODY = "new", ""
ACCEPTED = ".csv,.xlsx,.txt,text/csv"
KINDS = (
    (ImportKind.SHEET, _("a row for each evening, a column for each person")),
    (ImportKind.TURNED, _("a row for each person, a column for each evening")),
    (ImportKind.TOTALS, _("a row for each person of an evening")),
    (ImportKind.HANDS, _("a row for each person in each hand")),
)
"""The layouts of a file, the commonest first."""
VALUES = {
    "amount": _("francs, with a minus for a loss"),
    "amount_minor": _("Rappen, with a minus for a loss"),
    "points": _("points"),
}


class UploadForm(DescribedForm):
    """A file, and the season into which it is imported."""

    season = forms.ModelChoiceField(
        label=_("Season"), queryset=Season.objects.none(), empty_label=None, to_field_name="slug"
    )
    game = forms.ChoiceField(label=_("Game"))
    file = forms.FileField(
        label=_("File"),
        max_length=200,
        help_text=_("XLSX or CSV, with a heading. You say what the columns are in the next step."),
        widget=forms.FileInput({"accept": ACCEPTED}),
    )
    field_order = ("file", "season", "game")

    def __init__(self, club: Club, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        fields: Any = self.fields
        fields["season"].queryset = Season.objects.filter(club=club, closed_at__isnull=True)
        fields["game"].choices = list(tables.of_games().games().items())


class AgainForm(forms.Form):
    """A corrected file in place of an upload."""

    file = forms.FileField(max_length=200, widget=forms.FileInput({"accept": ACCEPTED}))
    replaces = forms.UUIDField()


class LayoutForm(DescribedForm):
    """The sheet of a file with several, and its layout."""

    sheet = forms.ChoiceField(label=_("Sheet"), required=False)
    kind = forms.ChoiceField(label=_("What the file has"), choices=KINDS)

    def __init__(self, upload: Upload, *args: Any, **more: Any) -> None:
        super().__init__(*args, initial={"sheet": upload.sheet, "kind": upload.kind}, **more)
        fields: Any = self.fields
        names = [sheet["name"] for sheet in upload.sheets]
        fields["sheet"].choices = [(name, name) for name in names]
        if not names:
            del fields["sheet"]


class SheetForm(DescribedForm):
    """Of a sheet: the column of dates (of names, if it is turned), the meaning of its cells, and the lines of
    people."""

    first = forms.TypedChoiceField(label=_("Dates"), coerce=int)
    values = forms.ChoiceField(label=_("What the cells have"), widget=forms.RadioSelect)
    people = forms.TypedMultipleChoiceField(
        label=_("People"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(
        self, upload: Upload, begin: SheetColumns, lines: Sequence[SheetLine], *args: Any, **more: Any
    ) -> None:
        initial = {"first": begin.first, "values": begin.values, "people": list(begin.people)}
        super().__init__(*args, initial=initial, **more)
        fields: Any = self.fields
        heading = upload.rows[0]
        fields["first"].choices = [(place, shown_cell(title_of(heading, place))) for place in range(len(heading))]
        if upload.kind == ImportKind.TURNED:
            fields["first"].label = _("Names")
        offered = values_of(upload.season)
        fields["values"].choices = [(code, VALUES[code]) for code in offered]
        if len(offered) == 1:
            fields["values"].widget = forms.HiddenInput()
        fields["people"].choices = [(line.place, line.title or str(_("no title"))) for line in lines]
        self.lines = lines
        self.turned = upload.kind == ImportKind.TURNED

    def ticks(self) -> list[tuple[Any, SheetLine]]:
        """Return the box of each line beside the line."""
        return list(zip(self["people"], self.lines, strict=True))

    def chosen(self) -> SheetColumns:
        """Return the choice of a valid form."""
        data = self.cleaned_data
        people = [place for place in data["people"] if self.turned or place != data["first"]]
        return SheetColumns(data["first"], tuple(people), data["values"])


class ColumnsForm(DescribedForm):
    """For each meaning that a column can have, the column of the file."""

    def __init__(self, upload: Upload, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        heading: Sequence[str] = upload.rows[0]
        titles = [(str(place), title_of(heading, place)) for place in range(len(heading))]
        must = {group[0] for group in needed(upload.kind, upload.game) if len(group) == 1}
        for column in offered(upload.kind, upload.season, upload.game):
            self.fields[column.code] = forms.ChoiceField(
                label=str(column.label),
                help_text=str(column.help),
                required=False,
                choices=[("", _("choose") if column.code in must else _("not in the file")), *titles],
                widget=forms.Select({"aria-describedby": f"{column.code}-help"}),
            )

    def chosen(self) -> dict[str, int]:
        """Return the columns of a valid form."""
        return {code: int(place) for code, place in self.cleaned_data.items() if place != ""}


class NamesForm(forms.Form):
    """For each name of the file a player of the club, or a new one. The fields are numbered in the order of `names`."""

    def __init__(self, names: Sequence[str], people: Iterable[Player], *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.names = names
        listed = [(str(player.pk), player.nickname) for player in people if player.main_id is None]
        choices = [(NEW, _("new in the club")), (_("In the club"), listed)]
        for place, name in enumerate(names):
            self.fields[f"name-{place}"] = forms.ChoiceField(label=name, choices=choices)

    @staticmethod
    def initial_of(names: Sequence[str], proposals: Iterable[Proposal]) -> dict[str, str]:
        """Return the values with which the form begins."""
        by_name: Mapping[str, Proposal] = {proposal.name: proposal for proposal in proposals}
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
