"""The form that begins an evening of the pot splitter."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from .. import engine_bridge
from ..game.splitter import Francs, Splitter, choice
from ..offered import GAMES, game_of

RULES = {name: rule for game in GAMES.values() for name, rule in game.records.splitter.rules.items()}
"""The house rules that change amounts, by the name of their field in the address."""


def games_with(name: str) -> list[str]:
    """The games that have a field."""
    return [game.name for game in GAMES.values() if name in game.records.splitter.rules]


SHARED_RULES = [name for name in RULES if len(games_with(name)) > 1]
"""The fields that several games have."""


class SetupForm(forms.Form):
    """The settings of an evening, without the names. An empty field means the default of the rulebook."""

    game = choice(gettext_lazy("Game"), [(game.name, game.title) for game in GAMES.values()])
    dealer = choice(gettext_lazy("Who deals first"), [(str(n), str(n)) for n in range(1, engine_bridge.MAX_SEATS + 1)])
    pot = Francs(gettext_lazy("In the pot already"), "0.00")

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields |= {name: rule.make() for name, rule in RULES.items()}

    def chosen_game(self) -> str:
        """The game of the evening; the form need not be valid."""
        sent = self.data.get("game")
        return str(sent) if sent in engine_bridge.GAMES else engine_bridge.GAME

    def splitter(self) -> Splitter:
        """The pot splitter of this game."""
        return game_of(self.chosen_game()).records.splitter

    def kept(self) -> dict[str, Any]:
        """The house rules that were entered and differ from the defaults, by the name of their field."""
        splitter, defaults = self.splitter(), engine_bridge.house_rules(self.chosen_game(), {})
        entered = {name: self.cleaned_data.get(name) for name in splitter.rules}
        values = {
            name: splitter.rules[name].read(chosen) for name, chosen in entered.items() if chosen not in (None, "")
        }
        return {
            name: value
            for name, value in values.items()
            if name in splitter.always_kept or value != defaults[splitter.rule_of(name)]
        }

    def rules(self) -> dict[str, Any]:
        """The same by the names of the rulebook."""
        return {self.splitter().rule_of(name): value for name, value in self.kept().items()}
