"""The entry of a hand of Kratzen: cuts, what was called, who joined, tricks. Nothing here decides about the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from . import recording
from .forms import HandForm, Problem, SeatEntry
from .recording import Record, Start

SHOWN = "A7Wx"
MOST_SHOWN = 40
SCHLAGEN, NEW_TRUMP = "schlagen", ("oder", "weiter-oder")
CALLS = (SCHLAGEN, *NEW_TRUMP)


def hand_form(data: Mapping[str, Any], start: Start) -> HandForm:
    """The form of the next hand, by its game."""
    return KratzenForm(data, start=start) if start.game == recording.KRATZEN else HandForm(data, seats=start.seats)


def cuts_of(shown: str) -> list[list[str]]:
    """Cards shown at the cuts, a letter each (`A`, `7`, `W` for the Weli, `x` for any other), as the record has them.

    Two cards a cut; the last one, which ends every record with a card without effect, need not be typed.
    """
    ends = len(shown) % 2 == 1 and shown.endswith("x")
    pairs = shown[:-1] if ends else shown
    cuts = [list(pairs[place : place + 2]) for place in range(0, len(pairs), 2)]
    return cuts if pairs and len(cuts[-1]) == 1 else [*cuts, ["x"]]


def shown_of(cuts: list[list[str]]) -> str:
    """The other way round, for cuts with cards or letters; the card without effect at the end is left out."""
    letters = "".join(_letter(card) for cut in cuts for card in cut)
    return letters[:-1] if len(letters) % 2 else letters


def _letter(card: str) -> str:
    if card in ("6d", "W"):
        return "W"
    return card[0] if card[0] in "A7" else "x"


def dealer_shown(start: Start, shown: str) -> int:
    """Who deals after the cards shown so far; who had the pack where they are impossible."""
    try:
        return recording.dealer_after(start, cuts_of(shown))
    except recording.Fault:
        return start.dealer


class KratzenForm(HandForm):
    """Per seat `role-<seat>` and `tricks-<seat>`, as for Chratze; beside them `cuts` (see `cuts_of`), `game_type` and
    `seven`; `pack` and `muss` tell who had the pack and whether it was a Muss when the page was made.

    Where everybody plays, the roles that were sent do not count: they follow from the cuts.
    """

    cuts = forms.CharField(max_length=2 * MOST_SHOWN, required=False)
    game_type = forms.ChoiceField(choices=[("", ""), *((call, call) for call in CALLS)], required=False)
    seven = forms.BooleanField(required=False)

    def __init__(self, data: Mapping[str, Any] | None = None, *, start: Start) -> None:
        super().__init__(data, seats=start.seats)
        self.start, self.muss = start, recording.due(start).muss is True
        pack = str((data or {}).get("pack", ""))
        # A form that is sent again after the table has moved on must say the same as before: it is the same request.
        if data and len(pack) == 1 and pack in "0123456"[: start.seats]:
            self.start, self.muss = replace(start, dealer=int(pack)), bool(data.get("muss"))

    def clean_cuts(self) -> str:
        """The letters alone; anything else is no card of a cut."""
        typed = "".join(str(self.cleaned_data["cuts"]).replace(",", " ").split())
        shown = typed.replace("a", "A").replace("w", "W").replace("X", "x")
        if len(shown) > MOST_SHOWN or not set(shown) <= set(SHOWN):
            raise forms.ValidationError(_("A cut shows A, 7, W (the Weli) or x."))
        return shown

    def shown(self) -> str:
        """The letters of the cuts."""
        return str(getattr(self, "cleaned_data", {}).get("cuts") or "")

    @property
    def counting(self) -> bool:
        """Tricks are what Kratzen is paid by."""
        return True

    @property
    def seven_said(self) -> bool:
        """Whether a seven is said to have decided the trump."""
        return bool(getattr(self, "cleaned_data", {}).get("seven"))

    def call(self) -> str:
        """What the declarer called."""
        return str(getattr(self, "cleaned_data", {}).get("game_type") or SCHLAGEN)

    def caller(self) -> int | None:
        """Whose call made a Siebenermuss by K5.3; None where there is none."""
        if self.muss or not self.seven_said or self.call() not in NEW_TRUMP:
            return None
        if recording.house_rules(recording.KRATZEN, self.start.rules)["seven_muss"] != "any":
            return None
        declarers = [seat for seat, entry in enumerate(super().entries()) if entry.role == "declarer"]
        return declarers[0] if len(declarers) == 1 else None

    def all_play(self) -> bool:
        """Whether nobody is asked: a Muss or a Siebenermuss."""
        return self.muss or self.seven_said

    def entries(self) -> list[SeatEntry]:
        """The seats as sent; where everybody plays, with the roles that follow."""
        sent = super().entries()
        if not self.all_play():
            return sent
        caller = self.caller()
        declarer = dealer_shown(self.start, self.shown()) if caller is None else caller
        return [replace(entry, role="declarer" if s == declarer else "joiner") for s, entry in enumerate(sent)]

    def problem(self) -> Problem | None:
        """Why there is no record in this form, if so."""
        if "cuts" in self.errors:
            return Problem(str(self.errors["cuts"][0]), at="cuts")
        last = cuts_of(self.shown())[-1]
        if len(last) == 1 and last != ["x"]:
            said = _("An ace, a seven or the Weli was shown: which card lies at the bottom of the pack?")
            return Problem(said, at="cuts")
        problem = super().problem()
        if problem and problem.code == "C3.2":
            return Problem(_("Only one call is played: the highest, and of equal ones the first."), "K5.2", "declarer")
        if problem and problem.at == "declarer":
            return replace(problem, sentence=_("Who plays? Tap that player first, or “All weiter”."))
        return problem

    def record(self) -> Record:
        """The tally record of what was entered; `problem()` is None."""
        cuts = cuts_of(self.shown())
        if self.cleaned_data["passed"]:
            return {"cuts": cuts, "declarer": None}
        record = super().record() | {"cuts": cuts}
        if self.seven_said:
            record["seven"] = True
        if not self.all_play() or self.caller() is not None:
            record["game_type"] = self.call()
        return record
