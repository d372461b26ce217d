"""The form that begins an evening of the pot splitter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .. import engine_bridge

AMOUNT = re.compile(r"(\d{1,7})(?:[.,](\d{1,2}))?")


SHARED_RULES = ("coin", "pot_limit")


RULES = {
    engine_bridge.CHRATZE: ("stake", "rounding", "no_taker", "max_turns", "ante_on_redeal", "blinds", "susi"),
    engine_bridge.KRATZEN: ("unit", "remainder", "seven_muss", "split_over"),
}
"""The fields of the address for house rules that change amounts. They have the names of the rulebook, except `blinds`:
`blind` is a field of the entry."""


class Francs(forms.CharField):
    """An amount as people type it (`2`, `0.20`, `1,5`), in Rappen; None where the field is empty."""

    def __init__(self, label: Any, default: Any = "") -> None:
        super().__init__(label=label, required=False, max_length=12)
        self.widget.attrs |= {"inputmode": "decimal", "placeholder": default}

    def clean(self, value: Any) -> int | None:
        text = str(value or "").strip()
        if not text:
            return None
        found = AMOUNT.fullmatch(text)
        if found is None or not text.isascii():
            raise forms.ValidationError(_("This is no amount; write it like 2.40."))
        return 100 * int(found[1]) + int((found[2] or "0").ljust(2, "0"))


def _choice(label: Any, choices: Sequence[tuple[str, Any]]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=choices, required=False)


class SetupForm(forms.Form):
    """The settings of an evening, without the names. An empty field means the default of the rulebook."""

    game = _choice(gettext_lazy("Game"), [(game, game.title()) for game in engine_bridge.GAMES])
    dealer = _choice(gettext_lazy("Who deals first"), [(str(n), str(n)) for n in range(1, engine_bridge.MAX_SEATS + 1)])
    pot = Francs(gettext_lazy("In the pot already"), "0.00")
    stake = Francs(gettext_lazy("Stake"), "0.20")
    coin = Francs(gettext_lazy("Smallest coin"), "0.05")
    rounding = Francs(gettext_lazy("Two thirds are rounded up to"), gettext_lazy("the stake"))
    pot_limit = Francs(gettext_lazy("Penalties raise the pot to at most"), gettext_lazy("no limit"))
    no_taker = _choice(
        gettext_lazy("Nobody declares"),
        [("turn", gettext_lazy("the next card is turned")), ("redeal", gettext_lazy("the cards are dealt again"))],
    )
    max_turns = _choice(gettext_lazy("Maximum turned cards"), [(str(n), str(n)) for n in (3, 1, 2, 4, 5, 6, 7, 8)])
    ante_on_redeal = _choice(
        gettext_lazy("A new deal costs"),
        [("yes", gettext_lazy("a new ante")), ("no", gettext_lazy("nothing"))],
    )
    blinds = _choice(
        gettext_lazy("Blind"),
        [
            ("both", gettext_lazy("blind or double blind")),
            ("blind", gettext_lazy("blind only")),
            ("none", gettext_lazy("not allowed")),
        ],
    )
    susi = _choice(
        gettext_lazy("Susi"),
        [
            ("label", gettext_lazy("is the Susi")),
            ("forced", gettext_lazy("must join")),
            ("off", gettext_lazy("nobody is the Susi")),
        ],
    )

    unit = Francs(gettext_lazy("Unit"), "0.10")
    split_over = Francs(gettext_lazy("Half of the pot is played for above"), gettext_lazy("never"))
    remainder = _choice(
        gettext_lazy("Remainder"),
        [("pot", gettext_lazy("stays in the pot")), ("declarer", gettext_lazy("goes to the declarer"))],
    )
    seven_muss = _choice(
        "Siebenermuss",
        [
            ("deal", gettext_lazy("when the turned card is a seven")),
            ("any", gettext_lazy("when the turned card or the new trump is a seven")),
            ("off", gettext_lazy("is not known")),
        ],
    )

    def chosen_game(self) -> str:
        """The game of the evening; the form need not be valid."""
        sent = self.data.get("game")
        return str(sent) if sent in engine_bridge.GAMES else engine_bridge.GAME

    def rules(self) -> dict[str, Any]:
        """The house rules that were entered and differ from the defaults."""
        game = self.chosen_game()
        names = (*SHARED_RULES, *RULES[game])
        entered = {name: self.cleaned_data[name] for name in names if self.cleaned_data.get(name) not in (None, "")}
        if "max_turns" in entered:
            entered["max_turns"] = int(entered["max_turns"])
        if "ante_on_redeal" in entered:
            entered["ante_on_redeal"] = entered["ante_on_redeal"] == "yes"
        if "blinds" in entered:
            entered["blind"] = entered.pop("blinds")
        defaults = engine_bridge.house_rules(game, {})
        # The rounding follows the stake unless it is entered.
        return {name: value for name, value in entered.items() if name == "rounding" or value != defaults[name]}
