"""The forms of the club admin. The services check the values for a club, a season or a player."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from ..models import Club, Player, Role, Season
from ..roster.services import MAX_NICKNAME, OWN
from ..standings.seasons import CHANGEABLE as SEASON_FIELDS
from ..standings.seasons import MAX_POINTS, POINTS
from ..web.described_form import DAY, DescribedForm
from .services import MAX_FORGET_MONTHS


class PlayerForm(DescribedForm):
    """A player; with `own` only the fields that persons may change of their own players."""

    nickname = forms.CharField(
        label=_("Nickname"), max_length=MAX_NICKNAME, widget=forms.TextInput({"autocomplete": "off"})
    )
    guest = forms.BooleanField(label=_("Guest: comes now and then"), required=False)
    active = forms.BooleanField(
        label=_("In the roster"),
        required=False,
        help_text=_("Whoever is not in the roster is not offered for a new evening. Everything played stays."),
    )
    publicity = forms.ChoiceField(
        label=_("Shown in public as"),
        choices=Player.Publicity.choices,
        widget=forms.RadioSelect,
        help_text=_("For those who are not in the club. People in the club see the nickname."),
    )
    pseudonym = forms.CharField(label=_("Other name"), max_length=MAX_NICKNAME, required=False)

    def __init__(self, *args: Any, own: bool = False, **more: Any) -> None:
        super().__init__(*args, **more)
        if own:
            for name in [name for name in self.fields if name not in OWN]:
                del self.fields[name]


class NewPlayerForm(DescribedForm):
    """A new player."""

    nickname = forms.CharField(
        label=_("Nickname"), max_length=MAX_NICKNAME, widget=forms.TextInput({"autocomplete": "off"})
    )
    guest = forms.BooleanField(label=_("Guest: comes now and then"), required=False)


class ClubForm(DescribedForm):
    """Name and place of a club."""

    name = forms.CharField(label=_("Name"), max_length=120)
    place = forms.CharField(label=_("Where it plays"), max_length=120, required=False)


class ClubTableForm(DescribedForm):
    """What a club does at its tables."""

    settling = forms.ChoiceField(
        label=_("You settle up"),
        choices=Club.Settling.choices,
        widget=forms.RadioSelect,
        help_text=_("Each evening begins with this and can differ."),
    )
    counts_tricks = forms.BooleanField(
        label=_("Tricks are counted"),
        required=False,
        help_text=_("A hand of Chratze is entered with everybody's tricks, not only with who made it."),
    )


class ClubVisibilityForm(DescribedForm):
    """Who reads a club, and what of it. `publishes` is True where amounts are public already: then `sure` is not asked.

    Raises:
        ValidationError: amounts would become public, and the warning was not read.
    """

    visibility = forms.ChoiceField(label=_("Who may see it"), choices=Club.Visibility.choices, widget=forms.RadioSelect)
    publishes_rules = forms.BooleanField(
        label=_("Public pages show the house rules"),
        required=False,
        help_text=_("Visitors read the house rules, with antes in place of amounts unless amounts are public."),
    )
    forget_after_months = forms.IntegerField(
        label=_("Months until players are forgotten"),
        required=False,
        min_value=1,
        max_value=MAX_FORGET_MONTHS,
        help_text=_(
            "Whoever has left the roster and has not played for so long loses the name. Empty: never by itself."
        ),
    )
    publishes_money = forms.BooleanField(label=_("Public pages show amounts"), required=False)
    sure = forms.BooleanField(label=_("I have read this, and the people in the club agree."), required=False)

    def __init__(self, *args: Any, publishes: bool = True, **more: Any) -> None:
        super().__init__(*args, **more)
        if publishes:
            del self.fields["sure"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "sure" in self.fields and not cleaned.pop("sure", False) and cleaned.get("publishes_money"):
            self.add_error("sure", _("Read the warning and tick the box, or do not show amounts."))
        return cleaned


class SeasonForm(DescribedForm):
    """A season: dates, games that count, ranking and points."""

    name = forms.CharField(label=_("Name"), max_length=80)
    starts_on = forms.DateField(label=_("From"), widget=DAY)
    ends_on = forms.DateField(
        label=_("To"), widget=DAY, required=False, help_text=_("Empty: until the next one begins.")
    )
    planned_evenings = forms.IntegerField(label=_("Planned evenings"), min_value=1, max_value=1000, required=False)
    games = forms.ChoiceField(label=_("Games that count"), choices=Season.GAMES, required=False)
    ranking = forms.ChoiceField(label=_("Ranking"), choices=Season.Ranking.choices, widget=forms.RadioSelect)
    points_only = forms.BooleanField(
        label=_("Points only"),
        required=False,
        help_text=_("Amounts are shown to nobody and settled with nobody; only points count."),
    )
    best_evenings = forms.IntegerField(
        label=_("Best evenings that count"),
        min_value=1,
        max_value=1000,
        required=False,
        help_text=_("Empty: all of them."),
    )
    points_declared = forms.IntegerField(label=_("Declared and made"), min_value=-MAX_POINTS, max_value=MAX_POINTS)
    points_declared_failed = forms.IntegerField(
        label=_("Declared and failed"), min_value=-MAX_POINTS, max_value=MAX_POINTS
    )
    points_joined = forms.IntegerField(label=_("Joined and made"), min_value=-MAX_POINTS, max_value=MAX_POINTS)
    points_joined_failed = forms.IntegerField(label=_("Joined and failed"), min_value=-MAX_POINTS, max_value=MAX_POINTS)
    points_walkover = forms.IntegerField(label=_("Nobody joined"), min_value=-MAX_POINTS, max_value=MAX_POINTS)

    POINTS: ClassVar = POINTS

    def leave_to_formula(self, fields: Iterable[str]) -> None:
        """Turn off the fields that the formula of the season sets."""
        for name in fields:
            self.fields[name].disabled = True
            self.fields[name].help_text = _("The formula says this.")

    def values(self) -> dict[str, Any]:
        """Return the values of the season's fields."""
        return {name: self.cleaned_data[name] for name in SEASON_FIELDS}

    @property
    def plain(self) -> list[Any]:
        """The fields without the points."""
        return [self[name] for name in self.fields if name not in POINTS]

    @property
    def points(self) -> list[Any]:
        """The fields for the points of each outcome of a hand."""
        return [self[name] for name in self.fields if name in POINTS]


class PersonForm(forms.Form):
    """An action on a person of the club: another role, removal, a player tied or untied."""

    do = forms.ChoiceField(choices=[(word, word) for word in ("role", "out", "tie", "untie")])
    user = forms.IntegerField(min_value=1)
    role = forms.ChoiceField(choices=Role.choices, required=False)
    player = forms.IntegerField(min_value=1, required=False)


class InviteForm(DescribedForm):
    """An invitation: role, player and note."""

    role = forms.ChoiceField(label=_("Role"), choices=Role.choices[::-1], initial=Role.MEMBER)
    player = forms.ModelChoiceField(
        label=_("Plays as"),
        queryset=Player.objects.none(),
        required=False,
        empty_label=_("nobody yet"),
        help_text=_("Whoever accepts the invitation is this player from then on."),
    )
    note = forms.CharField(
        label=_("For whom"), max_length=80, required=False, help_text=_("A note for the owners; nobody else sees it.")
    )


class MergeForm(DescribedForm):
    """A merge: the main player and the reason."""

    main = forms.ModelChoiceField(
        label=_("Is the same person as"), queryset=Player.objects.none(), empty_label=_("choose")
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        required=False,
        help_text=_("Kept with it, for the owners."),
    )
