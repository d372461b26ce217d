"""The form of a hand of Zwicken: cuts, who plays, tricks, who lost Belli. The rules are checked by the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext as _

from .. import engine_bridge
from ..engine_bridge import Record, Start
from ..errors import FormProblem
from ..game.cut_form import CutForm
from ..game.hand_form import SeatEntry

TRICKS = engine_bridge.tricks_of("zwicken")
NO_EFFECT = "x"


def cuts_of(shown: str) -> list[str]:
    """Turn the cards shown at the cuts, a letter each, into the cuts of a record. The letters are `A`, `7`, and `B` for
    Belli (♦7); a record ends with a card without effect, `x`, which need not be typed."""
    return [*shown.removesuffix(NO_EFFECT), NO_EFFECT]


def shown_of(cuts: Sequence[str]) -> str:
    """Turn cuts, as cards or letters, into letters; the card without effect at the end is left out."""
    return "".join(_letter(card) for card in cuts).removesuffix(NO_EFFECT)


def _letter(card: str) -> str:
    if card in ("7d", "B"):
        return "B"
    return card[0] if card[0] in "A7" else NO_EFFECT


class ZwickenForm(CutForm):
    """Beside the fields of `CutForm` there is `seven_lost`: the seat that lost Belli to the trump ace, or empty.

    Each seat is out or joins; in a forced hand the roles that were sent do not count, because everybody plays.
    """

    tricks_in_all: ClassVar[int] = TRICKS
    letters: ClassVar[Mapping[str, str]] = {letter: letter.upper() for letter in "AaBb7"} | {"x": "x", "X": "x"}

    def __init__(self, data: Mapping[str, Any] | None = None, *, start: Start) -> None:
        super().__init__(data, start=start)
        seats = [("", ""), *((str(seat), str(seat)) for seat in range(self.seats))]
        self.fields["seven_lost"] = forms.ChoiceField(choices=seats, required=False)

    def wrong_cuts(self) -> str:
        """The sentence about letters that are no cards of a cut."""
        return _("A cut shows A, 7, B (Belli) or x.")

    def all_play(self) -> bool | None:
        """Return True in a forced hand (Z4.1)."""
        return self.muss

    def entries(self) -> list[SeatEntry]:
        """The seats as sent; nobody declares, and in a forced hand all play."""
        return [
            replace(entry, role="joiner" if self.muss or entry.role != "out" else "out") for entry in super().entries()
        ]

    def seven_lost(self) -> int | None:
        """The seat that lost Belli, or None."""
        sent = str(getattr(self, "cleaned_data", {}).get("seven_lost") or "")
        return int(sent) if sent else None

    def problem(self) -> FormProblem | None:
        """Return the reason why the form has no complete record, or None."""
        if "cuts" in self.errors:
            return FormProblem(str(self.errors["cuts"][0]), at="cuts")
        return super().problem()

    def roles_problem(self) -> FormProblem | None:
        """Return the question who plays, or None."""
        if self.active():
            return None
        return FormProblem(_("Who plays? Tap who says mit, or “Nobody plays”."), at="players")

    def record(self) -> Record:
        """Build the tally record of the entry; `problem()` must be None."""
        rules = engine_bridge.house_rules(self.start.game, self.start.rules)
        record: Record = {"cuts": cuts_of(self.shown())} if rules["cut_moves"] or self.shown() else {}
        if self.cleaned_data["passed"] and not self.muss:
            return record | {"players": []}
        active = self.active()
        if not self.muss:
            record["players"] = active
        if len(active) > 1:
            record["tricks"] = self.counted()
            if self.seven_lost() is not None:
                record["seven_lost"] = self.seven_lost()
        return record
