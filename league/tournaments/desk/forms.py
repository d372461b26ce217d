"""The forms of the set-up. The services check the values; the forms read them."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ...models import Season
from ...web.described_form import DAY, DescribedForm
from ..format_names import MISSED_NAMES, MODE_NAMES, ORDER_NAMES, POT_NAMES, RESULT_NAMES, TIE_BREAK_NAMES
from ..formats import MODES, TIE_BREAKS, Format
from ..presets import PRESETS
from ..services import Basics

TIME = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
NUMBER = {"inputmode": "numeric"}


class NewForm(DescribedForm):
    """A new tournament: its preset, its name, its beginning."""

    preset = forms.ChoiceField(label=_("Start from"), choices=[(code, code) for code in PRESETS], initial="evening")
    name = forms.CharField(label=_("Name"), max_length=80, widget=forms.TextInput({"autocomplete": "off"}))
    starts_on = forms.DateField(label=_("Day"), widget=DAY)
    begins_at = forms.TimeField(label=_("Begins at"), widget=TIME, required=False)
    names_shown = forms.BooleanField(
        label=_("Show names in the hall"),
        required=False,
        help_text=_("While it is played, its pages and its screen show nicknames to everybody. Each can say no."),
    )

    names = forms.CharField(
        label=_("Who plays, one on each line"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea({"rows": 5, "autocomplete": "off"}),
        help_text=_("A list can be pasted, from a spreadsheet too: name, club or family, team. Or enter them later."),
    )
    here = forms.BooleanField(label=_("They are here"), required=False)

    def basics(self) -> Basics:
        """Return the arguments of the service."""
        cleaned = self.cleaned_data
        return Basics(
            name=cleaned["name"],
            starts_on=cleaned["starts_on"],
            begins_at=cleaned["begins_at"],
            game=PRESETS[cleaned["preset"]].game,
            names_shown=cleaned["names_shown"],
        )


class BasicsForm(DescribedForm):
    """Name, days, begin, game, fee and prizes."""

    name = forms.CharField(label=_("Name"), max_length=80)
    starts_on = forms.DateField(label=_("Day"), widget=DAY)
    ends_on = forms.DateField(label=_("To"), widget=DAY, required=False, help_text=_("Empty: one day."))
    begins_at = forms.TimeField(label=_("Begins at"), widget=TIME, required=False)
    game = forms.ChoiceField(label=_("Game"), widget=forms.RadioSelect)
    fee = forms.CharField(
        label=_("Entry fee, in words"), max_length=120, required=False, help_text=_("No payment is taken here.")
    )
    prizes = forms.CharField(
        label=_("Prizes, in words"),
        max_length=1000,
        required=False,
        widget=forms.Textarea({"rows": 4}),
        help_text=_(
            "One a line. With a place it is listed with who gets it: “1. A ham”, “4–6. A sausage”; with a label before "
            "the place it is for the best of them: “Women 1. Flowers”."
        ),
    )

    def __init__(self, *args: Any, games: list[tuple[str, str]], **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["game"].choices = games  # type: ignore[attr-defined]


def _number(label: Any, least: int, most: int, help_text: Any = "") -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=least, max_value=most, help_text=help_text)


class FormatForm(DescribedForm):
    """The parts of a format."""

    rounds = _number(_("Rounds"), 1, 30, _("Without the final."))
    hands = _number(_("Hands a round"), 0, 200, _("0: the clock alone ends it."))
    minutes = _number(_("Minutes a round"), 0, 600, _("0: without a clock."))
    break_minutes = _number(_("Minutes between two rounds"), 0, 240)
    wished = _number(_("People at a table"), 3, 7)
    least = _number(_("At least"), 3, 7)
    most = _number(_("At most"), 3, 7)
    mode = forms.ChoiceField(
        label=_("The draw"), choices=[(mode, MODE_NAMES[mode]) for mode in MODES], widget=forms.RadioSelect
    )
    order = forms.ChoiceField(
        label=_("What comes first in a balanced draw"), choices=list(ORDER_NAMES.items()), widget=forms.RadioSelect
    )
    slips = forms.BooleanField(
        label=_("First round by slips"), required=False, help_text=_("Whoever checks in draws a table and a place.")
    )
    chips = _number(_("Chips at the beginning of a round, in antes"), 1, 10_000)
    result = forms.ChoiceField(
        label=_("A round is worth"), choices=list(RESULT_NAMES.items()), widget=forms.RadioSelect
    )
    pot = forms.ChoiceField(
        label=_("What is left in the pot"), choices=list(POT_NAMES.items()), widget=forms.RadioSelect
    )
    drop_worst = _number(_("Worst rounds that do not count"), 0, 30)
    missed = forms.ChoiceField(
        label=_("Rounds before somebody came are worth"),
        choices=list(MISSED_NAMES.items()),
        widget=forms.RadioSelect,
    )
    final_places = _number(_("Places in the final"), 0, 7, _("0: no final."))
    final_hands = _number(_("Hands in the final"), 1, 200)
    final_carries = forms.BooleanField(label=_("Finalists keep their totals"), required=False)
    team_size = forms.TypedChoiceField(
        label=_("People in a team"),
        coerce=int,
        choices=[(0, _("no teams")), (2, "2"), (3, "3"), (4, "4")],
    )
    team_best = _number(_("Of them count"), 0, 4, _("0: all."))
    hide_last = forms.BooleanField(label=_("Hide the last round until the prize giving"), required=False)
    two_sheets = forms.BooleanField(
        label=_("Each sheet is typed twice"),
        required=False,
        help_text=_("It counts once two are the same: that finds mistakes of typing."),
    )

    PLAY = ("rounds", "hands", "minutes", "break_minutes")
    TABLES = ("wished", "least", "most")
    DRAW = ("mode", "order", "slips")
    COUNT = ("result", "drop_worst", "missed")
    CHIPS = ("chips", "pot")
    FINAL = ("final_places", "final_hands", "final_carries", "hide_last")
    TEAMS = ("team_size", "team_best")
    SHEETS = ("two_sheets",)

    def parts(self) -> dict[str, Any]:
        """Return the parts of the format that were sent; tie-breaks in the order of their numbers."""
        cleaned = dict(self.cleaned_data)
        cleaned["tie_breaks"] = self.tie_breaks()
        return cleaned

    def tie_breaks(self) -> list[str]:
        """Return the tie-breaks in the order of the places that were sent with them; those without one are left out."""
        placed = []
        for tie_break in TIE_BREAKS:
            typed = str(self.data.get(f"tie-{tie_break}", "")).strip()
            if typed.isascii() and typed.isdecimal() and int(typed):
                placed.append((int(typed), TIE_BREAKS.index(tie_break), tie_break))
        return [tie_break for _place, _index, tie_break in sorted(placed)]

    def group(self, names: tuple[str, ...]) -> list[Any]:
        """Return the fields with these names."""
        return [self[name] for name in names]

    @property
    def groups(self) -> dict[str, list[Any]]:
        """The fields by part of the page."""
        parts = {
            "play": self.PLAY,
            "tables": self.TABLES,
            "draw": self.DRAW,
            "count": self.COUNT,
            "chips": self.CHIPS,
            "final": self.FINAL,
            "teams": self.TEAMS,
            "sheets": self.SHEETS,
        }
        return {name: self.group(fields) for name, fields in parts.items()}


def format_form(format: Format, data: Any = None) -> FormatForm:
    """Return the form with the parts of this format, or with the sent values."""
    return FormatForm(data, initial=format.stored())


def tie_break_rows(format: Format, data: Any = None) -> list[dict[str, Any]]:
    """Return code, name and place of each tie-break: those of the format in their order, then the others."""
    ordered = [*format.tie_breaks, *(tie_break for tie_break in TIE_BREAKS if tie_break not in format.tie_breaks)]
    rows = []
    for place, tie_break in enumerate(ordered, start=1):
        typed = place if tie_break in format.tie_breaks else ""
        rows.append(
            {
                "code": tie_break,
                "name": TIE_BREAK_NAMES[tie_break],
                "place": data.get(f"tie-{tie_break}", "") if data else typed,
            }
        )
    return rows


class AwardForm(DescribedForm):
    """The season that gets points by place, and the points."""

    season = forms.ModelChoiceField(
        label=_("Season"), queryset=Season.objects.none(), required=False, empty_label=_("none")
    )
    points = forms.CharField(
        label=_("Points by place"),
        max_length=400,
        required=False,
        help_text=_("For the first place, the second and so on, for example 10 8 6 5 4 3 2 1."),
    )


def numbers_in(text: str) -> list[int] | None:
    """Return the whole numbers in a text, `3-5` for all from 3 to 5; None otherwise."""
    numbers: list[int] = []
    for word in re.split(r"[\s,;]+", text.strip()):
        if not word:
            continue
        first, dash, last = word.replace("–", "-").partition("-")
        parts = [first, last] if dash else [first]
        if not all(part.isascii() and part.isdecimal() and len(part) < 6 for part in parts):
            return None
        low, high = int(first), int(parts[-1])
        if not low <= high <= low + 999:
            return None
        numbers += range(low, high + 1)
    return numbers
