"""The forms of a season's formula, and of penalties and bonuses."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..models import Player, Season, Team
from ..standings.formula import sentences
from ..standings.formula.parts import (
    CHOICES,
    MAX_POINTS,
    MAX_SEED,
    OPTIONAL,
    SWITCHES,
    TIES,
    WHOLE,
    Formula,
    Values,
    write,
)
from ..standings.formula.services import MAX_REASON, adjustment_days
from ..standings.formula.team_services import MAX_NAME
from ..web.described_form import DAY, DescribedForm

TIE_FIELDS = tuple(f"tie_{nth}" for nth in range(1, len(TIES) + 1))
HANDICAP = "handicap_"
SEED_DIGITS = 8
NO_TEAM = 0


def _whole(name: str, label: Any, help_text: Any = "") -> forms.IntegerField:
    least, most = WHOLE[name]
    return forms.IntegerField(label=label, min_value=least, max_value=most, required=False, help_text=help_text)


class FormulaForm(DescribedForm):
    """A formula, part by part. The services check the parts together."""

    counts = forms.ChoiceField(
        label=gettext_lazy("What counts"), choices=list(sentences.COUNTS.items()), widget=forms.RadioSelect
    )
    games = forms.ChoiceField(
        label=gettext_lazy("Games that count"),
        choices=list(sentences.GAMES.items()),
        required=False,
        help_text=gettext_lazy("Evenings of another game count neither here nor in statistics."),
    )
    places = forms.CharField(
        label=gettext_lazy("Points for the places of the night"),
        max_length=400,
        required=False,
        help_text=gettext_lazy("From the first place on, such as 10 8 6 5 4 3 2 1."),
    )
    places_by = forms.ChoiceField(
        label=gettext_lazy("The place of the night"), choices=list(sentences.PLACES_BY.items()), required=False
    )
    best = _whole("best", gettext_lazy("Best evenings that count"), gettext_lazy("Empty: all of them."))
    best_of = _whole(
        "best_of",
        gettext_lazy("Of so many planned evenings"),
        gettext_lazy("Such as the best 8 of 12. Empty: of all that are played."),
    )
    drop = _whole("drop", gettext_lazy("Worst evenings that are dropped"))
    drop_one_more_every = _whole(
        "drop_one_more_every",
        gettext_lazy("One more dropped for every so many evenings"),
        gettext_lazy("Beyond the least number of evenings. Empty: no more."),
    )
    absences = forms.ChoiceField(
        label=gettext_lazy("A missed evening"), choices=list(sentences.ABSENCES.items()), widget=forms.RadioSelect
    )
    hands_minimum_evening = _whole(
        "hands_minimum_evening",
        gettext_lazy("Hands from which an evening counts"),
        gettext_lazy("Whoever played fewer on an evening was not there."),
    )
    attendance_bonus = _whole(
        "attendance_bonus",
        gettext_lazy("Points for coming"),
        gettext_lazy("For each evening played. Not with amounts."),
    )
    attendance_minimum = _whole("attendance_minimum", gettext_lazy("Evenings from which a player is ranked"))
    hands_minimum = _whole("hands_minimum", gettext_lazy("Hands from which a player is ranked"))
    team_best = _whole(
        "team_best", gettext_lazy("Members of a team that count"), gettext_lazy("The best ones. Empty: all of them.")
    )
    guests = forms.BooleanField(label=gettext_lazy("Guests are ranked"), required=False)
    tournaments = forms.BooleanField(label=gettext_lazy("Points of tournaments count"), required=False)
    lot_seed = forms.CharField(
        label=gettext_lazy("Number for lots"),
        max_length=MAX_SEED,
        required=False,
        help_text=gettext_lazy("Lots are drawn from it, and anybody can repeat that: everybody may see it."),
    )

    def __init__(self, *args: Any, players: Iterable[Player] = (), **more: Any) -> None:
        super().__init__(*args, **more)
        choices = [("", "–"), *((tie, sentences.TIES[tie]) for tie in TIES)]
        for nth, name in enumerate(TIE_FIELDS, 1):
            self.fields[name] = forms.ChoiceField(
                label=_("Tie-break %(number)s") % {"number": nth}, choices=choices, required=False
            )
        for player in players:
            self.fields[f"{HANDICAP}{player.pk}"] = forms.IntegerField(
                label=player.nickname, min_value=-MAX_POINTS, max_value=MAX_POINTS, required=False
            )
        for name, field in self.fields.items():
            field.widget.attrs["aria-describedby"] = f"{name}-help"

    def clean_places(self) -> list[int]:
        """Return the points of the places."""
        words = re.split(r"[\s,;]+", self.cleaned_data["places"].strip())
        try:
            return [int(word) for word in words if word]
        except ValueError:
            raise ValidationError(_("These are whole numbers with spaces between them.")) from None

    def values(self) -> Values:
        """Return the values of the formula."""
        sent = self.cleaned_data
        ties = [sent[name] for name in TIE_FIELDS if sent[name]]
        values: Values = {name: sent[name] for name in ("counts", "games", "absences", "guests", "tournaments")}
        values |= {name: sent[name] if sent[name] is not None or name in OPTIONAL else 0 for name in WHOLE}
        values["places"] = sent["places"] if sent["counts"] == "places" else []
        values["places_by"] = sent["places_by"] or "points"
        values["ties"] = ties
        values["lot_seed"] = sent["lot_seed"] if "lot" in ties else ""
        values["handicap"] = {
            name.removeprefix(HANDICAP): points for name, points in sent.items() if name.startswith(HANDICAP) and points
        }
        return values

    def add_refusal(self, field: str, sentence: str) -> None:
        """Show a refusal at its field, or above the form."""
        name = TIE_FIELDS[0] if field == "ties" else field
        self.add_error(name if name in self.fields else None, sentence)

    def _named(self, *names: str) -> list[Any]:
        return [self[name] for name in names]

    @property
    def counting(self) -> list[Any]:
        """The fields of what counts."""
        return self._named("counts", "places", "places_by", "games")

    @property
    def dropping(self) -> list[Any]:
        """The fields of which evenings count."""
        return self._named("best", "best_of", "drop", "drop_one_more_every", "hands_minimum_evening")

    @property
    def ranked(self) -> list[Any]:
        """The fields of who is ranked."""
        return self._named("attendance_minimum", "hands_minimum")

    @property
    def extra(self) -> list[Any]:
        """The fields of points beside the evenings."""
        return self._named("attendance_bonus")

    @property
    def teams(self) -> list[Any]:
        """The fields of the teams."""
        return self._named("team_best")

    @property
    def ties(self) -> list[Any]:
        """The fields of the tie-breaks, in order."""
        return self._named(*TIE_FIELDS)

    @property
    def handicaps_set(self) -> bool:
        """Return True if a player has a handicap, or if a field of one is wrong."""
        return any(field.value() not in (None, "") or field.errors for field in self.handicaps)

    @property
    def handicaps(self) -> list[Any]:
        """The fields of the handicaps, one for each player."""
        return [self[name] for name in self.fields if name.startswith(HANDICAP)]


def initial_of(formula: Formula) -> dict[str, Any]:
    """Return the values of the form for a formula."""
    values = write(formula)
    initial = {name: values[name] for name in (*CHOICES, *SWITCHES, *WHOLE)}
    initial["places"] = " ".join(map(str, formula.places))
    initial |= dict(zip(TIE_FIELDS, formula.ties, strict=False))
    initial |= {f"{HANDICAP}{player}": points for player, points in formula.handicap}
    initial["lot_seed"] = formula.lot_seed or new_seed()
    return initial


def new_seed() -> str:
    """Return a random number from which lots are drawn."""
    return str(secrets.randbelow(9 * 10 ** (SEED_DIGITS - 1)) + 10 ** (SEED_DIGITS - 1))


class AdjustmentForm(DescribedForm):
    """A penalty or a bonus."""

    player = forms.ModelChoiceField(
        label=gettext_lazy("Player"), queryset=Player.objects.none(), empty_label=gettext_lazy("choose")
    )
    points = forms.IntegerField(
        label=gettext_lazy("Points"),
        min_value=-MAX_POINTS,
        max_value=MAX_POINTS,
        help_text=gettext_lazy("Below 0 for a penalty."),
    )
    day = forms.DateField(
        label=gettext_lazy("Day"),
        widget=DAY,
        required=False,
        help_text=gettext_lazy(
            "The day of the evening that it is for. It counts from then on, for the team of that day."
        ),
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=MAX_REASON,
        # The service asks for it: a preview needs none.
        required=False,
        help_text=gettext_lazy("People in the club read it beside the sum."),
        widget=forms.TextInput({"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, season: Season, **more: Any) -> None:
        first, last = adjustment_days(season)
        super().__init__(*args, initial={"day": last}, **more)
        players = Player.objects.filter(club=season.club_id, main=None).order_by("nickname")
        self.fields["player"].queryset = players  # type: ignore[attr-defined]
        self.fields["day"].widget.attrs |= {"min": first.isoformat(), "max": last.isoformat()}


class TeamForm(DescribedForm):
    """The name of a team."""

    name = forms.CharField(
        label=gettext_lazy("Name of the team"),
        max_length=MAX_NAME,
        help_text=gettext_lazy("People in the club read it; visitors read a number."),
        widget=forms.TextInput({"autocomplete": "off"}),
    )


class StayForm(DescribedForm):
    """The team of a player from a day on."""

    player = forms.ModelChoiceField(
        label=gettext_lazy("Player"), queryset=Player.objects.none(), empty_label=gettext_lazy("choose")
    )
    team = forms.TypedChoiceField(label=gettext_lazy("Team"), coerce=int)
    since = forms.DateField(
        label=gettext_lazy("From this day on"), widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d")
    )

    def __init__(self, *args: Any, season: Season, **more: Any) -> None:
        super().__init__(*args, initial={"since": season.starts_on}, **more)
        players = Player.objects.filter(club=season.club_id, main=None).order_by("nickname")
        self.fields["player"].queryset = players  # type: ignore[attr-defined]
        self.teams = {team.number: team for team in Team.objects.filter(season=season).order_by("number")}
        named = [(number, _team_label(team)) for number, team in self.teams.items()]
        choices = [("", _("choose")), *named, (NO_TEAM, _("in no team any more"))]
        self.fields["team"].choices = choices  # type: ignore[attr-defined]

    def clean_team(self) -> Team | None:
        """Return the team, None for no team."""
        return self.teams.get(self.cleaned_data["team"])


def _team_label(team: Team) -> str:
    return team.name or _("Team %(number)s") % {"number": team.number}
