"""The three forms of opening a club."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.club_admin.services import CURRENCIES
from league.models import Club, Player

from ..engine_bridge import GAME
from ..offered import GAMES

MAX_NAMES = 60
MAX_STAKE = 10_000


class NameForm(forms.Form):
    """The name of the club, its game and its currency, which never changes."""

    name = forms.CharField(
        label=gettext_lazy("Name of the club"),
        max_length=Club._meta.get_field("name").max_length,
        error_messages={"required": gettext_lazy("Type the club's name.")},
    )
    game = forms.ChoiceField(
        label=gettext_lazy("You play"),
        choices=[(game.name, game.title) for game in GAMES.values()],
        initial=GAME,
        widget=forms.RadioSelect,
    )
    currency = forms.ChoiceField(
        label=gettext_lazy("For"),
        choices=list(zip(CURRENCIES, (gettext_lazy("Francs"), gettext_lazy("Euros")), strict=True)),
        initial=CURRENCIES[0],
        widget=forms.RadioSelect,
    )


class ReadersForm(forms.Form):
    """Who may read the club."""

    visibility = forms.ChoiceField(
        label=gettext_lazy("Who may read it?"),
        choices=[
            (Club.Visibility.PRIVATE, gettext_lazy("Only your members")),
            (Club.Visibility.UNLISTED, gettext_lazy("Whoever has its link: points, no amounts")),
            (
                Club.Visibility.LISTED,
                gettext_lazy("Everybody: the first page of this server shows it, points, no amounts"),
            ),
        ],
        initial=Club.Visibility.PRIVATE,
        widget=forms.RadioSelect,
    )


class PlayersForm(forms.Form):
    """Who plays, a name on each line, and the stake."""

    names = forms.CharField(
        label=gettext_lazy("Names, one under the other"),
        help_text=gettext_lazy("In the order of play; the first one deals first."),
        widget=forms.Textarea(
            attrs={"rows": 6, "autocomplete": "off", "autocapitalize": "words", "spellcheck": "false"}
        ),
        error_messages={"required": gettext_lazy("Type at least two names.")},
    )
    stake = forms.IntegerField(
        label=gettext_lazy("Stake of each hand, in Rappen or cents"),
        min_value=1,
        max_value=MAX_STAKE,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    players_shown = forms.ChoiceField(
        label=gettext_lazy("Names for visitors"),
        help_text=gettext_lazy(
            "If others may read the standings. You always see the nicknames; whoever has an account chooses alone."
        ),
        choices=[
            (Club.PlayersShown.NICKNAME, gettext_lazy("Nicknames")),
            (Club.PlayersShown.INITIALS, gettext_lazy("Initials")),
            (Club.PlayersShown.NOBODY, gettext_lazy("Nobody: “Player 3”")),
        ],
        initial=Club.PlayersShown.NICKNAME,
    )

    def clean_names(self) -> list[str]:
        """Return the names without empty lines. Raises ValidationError."""
        names = [" ".join(line.split()) for line in str(self.cleaned_data["names"]).splitlines() if line.strip()]
        most = Player._meta.get_field("nickname").max_length or 0
        long = next((name for name in names if len(name) > most), None)
        if long:
            said = _("“%(name)s” is too long: at most %(max)d characters.") % {"name": long, "max": most}
        elif len(names) < 2:
            said = _("Type at least two names.")
        elif len(names) > MAX_NAMES:
            said = _("At most %(max)d names here; you can add more later.") % {"max": MAX_NAMES}
        elif twice := _twice(names):
            said = _("“%(name)s” is there twice. Give one of them another nickname.") % {"name": twice}
        else:
            return names
        raise forms.ValidationError(said)


def _twice(names: list[str]) -> str | None:
    """Return the first name that stands there a second time."""
    seen: set[str] = set()
    for name in names:
        if name.casefold() in seen:
            return name
        seen.add(name.casefold())
    return None


STEPS: dict[str, Any] = {"name": NameForm, "readers": ReadersForm, "players": PlayersForm}
