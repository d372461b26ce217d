"""The form of a hand of Kratzen: cuts, call, roles, tricks. The rules are checked by the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from django import forms
from django.utils.translation import gettext as _

from .. import engine_bridge
from ..engine_bridge import Record, Start
from ..errors import FormProblem
from ..game.cut_form import CutForm, after_shown
from ..game.hand_form import SeatEntry

SHOWN = "A7Wx"
SCHLAGEN, NEW_TRUMP = "schlagen", ("oder", "weiter-oder")
CALLS = (SCHLAGEN, *NEW_TRUMP)


def cuts_of(shown: str) -> list[list[str]]:
    """Turn the cards shown at the cuts, a letter each, into the cuts of a record.

    The letters are `A`, `7`, `W` for the Weli, and `x` for any other card. A cut has two
    cards. A record ends with a card without effect; the last `x` need not be typed.
    """
    ends = len(shown) % 2 == 1 and shown.endswith("x")
    pairs = shown[:-1] if ends else shown
    cuts = [list(pairs[place : place + 2]) for place in range(0, len(pairs), 2)]
    return cuts if pairs and len(cuts[-1]) == 1 else [*cuts, ["x"]]


def shown_of(cuts: Sequence[Sequence[str]]) -> str:
    """Turn cuts, as cards or letters, into letters; the card without effect at the end is left out."""
    letters = "".join(_letter(card) for cut in cuts for card in cut)
    return letters[:-1] if len(letters) % 2 else letters


def _letter(card: str) -> str:
    if card in ("6d", "W"):
        return "W"
    return card[0] if card[0] in "A7" else "x"


def dealer_shown(start: Start, shown: str) -> int:
    """The dealer after the cards shown so far."""
    return after_shown(start, cuts_of(shown))[0]


class KratzenForm(CutForm):
    """Beside the fields of `CutForm` (see `cuts_of`) there are `game_type` and `seven`.

    Where everybody plays, the roles that were sent do not count: the cuts decide them.
    """

    game_type = forms.ChoiceField(choices=[("", ""), *((call, call) for call in CALLS)], required=False)
    seven = forms.BooleanField(required=False)

    letters: ClassVar[Mapping[str, str]] = {letter: letter for letter in SHOWN} | {"a": "A", "w": "W", "X": "x"}

    def wrong_cuts(self) -> str:
        """The sentence about letters that are no cards of a cut."""
        return _("A cut shows A, 7, W (the Weli) or x.")

    @property
    def seven_entered(self) -> bool:
        """Return True if the entry says that a seven decided the trump."""
        return bool(getattr(self, "cleaned_data", {}).get("seven"))

    def call(self) -> str:
        """The call of the declarer."""
        return str(getattr(self, "cleaned_data", {}).get("game_type") or SCHLAGEN)

    def caller(self) -> int | None:
        """The seat whose call made a Siebenermuss (K5.3), or None."""
        if self.muss or not self.seven_entered or self.call() not in NEW_TRUMP:
            return None
        if engine_bridge.house_rules(self.start.game, self.start.rules)["seven_muss"] != "any":
            return None
        declarers = [seat for seat, entry in enumerate(super().entries()) if entry.role == "declarer"]
        return declarers[0] if len(declarers) == 1 else None

    def all_play(self) -> bool | None:
        """Return True in a Muss or a Siebenermuss: everybody plays."""
        return self.muss or self.seven_entered

    def entries(self) -> list[SeatEntry]:
        """The seats as sent; where everybody plays, with the roles that follow from the cuts."""
        sent = super().entries()
        if not self.all_play():
            return sent
        caller = self.caller()
        declarer = dealer_shown(self.start, self.shown()) if caller is None else caller
        return [replace(entry, role="declarer" if s == declarer else "joiner") for s, entry in enumerate(sent)]

    def problem(self) -> FormProblem | None:
        """Return the reason why the form has no complete record, or None."""
        if "cuts" in self.errors:
            return FormProblem(str(self.errors["cuts"][0]), at="cuts")
        last = cuts_of(self.shown())[-1]
        if len(last) == 1 and last != ["x"]:
            sentence = _("An ace, a seven or the Weli was shown: which card lies at the bottom of the pack?")
            return FormProblem(sentence, at="cuts")
        return super().problem()

    def roles_problem(self) -> FormProblem | None:
        """Return the reason why there is not exactly one declarer, or None (K5.2)."""
        declarers = self.declarers()
        if not declarers:
            return FormProblem(_("Who plays? Tap that player first, or “All weiter”."), at="declarer")
        if len(declarers) > 1:
            sentence = _("Only one call is played: the highest, and of equal ones the first.")
            return FormProblem(sentence, "K5.2", "declarer")
        return None

    def record(self) -> Record:
        """Build the tally record of the entry; `problem()` must be None."""
        cuts = cuts_of(self.shown())
        if self.cleaned_data["passed"]:
            return {"cuts": cuts, "declarer": None}
        record = super().record() | {"cuts": cuts}
        if self.seven_entered:
            record["seven"] = True
        if not self.all_play() or self.caller() is not None:
            record["game_type"] = self.call()
        return record
