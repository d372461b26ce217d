"""The form of a hand, as far as it is the same in every game. The rules are checked by the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..engine_bridge import Record
from ..errors import FormProblem, form_outdated
from ..models import MAX_NUMBER
from . import goals


@dataclass(frozen=True)
class SeatEntry:
    """The entry of one seat; `made` and `tricks` are None where nothing was chosen."""

    role: str = "out"
    made: bool | None = None
    tricks: int | None = None


class HandForm(forms.Form):
    """The entry of one hand: the role of each seat, and the goals made or the tricks of each.

    The fields of a seat are `role-<seat>` (out, declarer, joiner), `made-<seat>` (empty, yes, no) and
    `tricks-<seat>` (empty, 0 to 4); `mode` names the one of the last two that counts. Empty results are those of
    `goals`: a form that leaves them undecided is refused. `number` and `players` identify the hand that the page is
    for. Each game has a form of its own (`games.game.screen`).
    """

    key = forms.UUIDField()
    number = forms.IntegerField(min_value=1, max_value=MAX_NUMBER)
    players = forms.CharField(max_length=200)
    passed = forms.BooleanField(required=False)
    mode = forms.ChoiceField(choices=[("made", "made"), ("tricks", "tricks")], required=False)
    blind = forms.ChoiceField(choices=[("", ""), ("blind", "blind"), ("double", "double")], required=False)

    tricks_in_all: ClassVar[int] = goals.TRICKS
    """The tricks of a hand."""
    last_may_be_alone: ClassVar[bool] = True
    """False where a refusal of an empty list of joiners is about the last player to answer."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, seats: int) -> None:
        super().__init__(data)
        self.seats = seats
        roles = [("out", "out"), ("declarer", "declarer"), ("joiner", "joiner")]
        made = [("", ""), ("yes", "yes"), ("no", "no")]
        counts = [("", "")] + [(str(n), str(n)) for n in range(self.tricks_in_all + 1)]
        for seat in range(seats):
            self.fields[f"role-{seat}"] = forms.ChoiceField(choices=roles, required=False)
            self.fields[f"made-{seat}"] = forms.ChoiceField(choices=made, required=False)
            self.fields[f"tricks-{seat}"] = forms.ChoiceField(choices=counts, required=False)

    def clean_players(self) -> list[int]:
        """Parse the ids by seat, separated by commas."""
        parts = str(self.cleaned_data["players"]).split(",")
        if not all(part.isascii() and part.isdecimal() and len(part) < 19 for part in parts):
            raise forms.ValidationError(_("This is no seating."))
        return [int(part) for part in parts]

    def entries(self) -> list[SeatEntry]:
        """The seats as they were sent; a value that cannot be read counts as missing."""
        clean = getattr(self, "cleaned_data", {})
        shown = []
        for seat in range(self.seats):
            tricks = clean.get(f"tricks-{seat}") or ""
            shown.append(
                SeatEntry(
                    role=clean.get(f"role-{seat}") or "out",
                    made={"yes": True, "no": False}.get(clean.get(f"made-{seat}") or ""),
                    tricks=int(tricks) if tricks else None,
                )
            )
        return shown

    @property
    def counting(self) -> bool:
        """Return True if tricks are counted."""
        return getattr(self, "cleaned_data", {}).get("mode") == "tricks"

    def all_play(self) -> bool | None:
        """Return True if everybody plays without being asked, None in a game where that never happens."""
        return None

    def declarers(self) -> list[int]:
        """The seats that were entered as declarer."""
        return [seat for seat, entry in enumerate(self.entries()) if entry.role == "declarer"]

    def problem(self) -> FormProblem | None:
        """Return the reason why the form has no complete record, or None. The rules are checked after that."""
        if not self.is_valid():
            return FormProblem.of(form_outdated())
        if self.cleaned_data["passed"]:
            return None
        return self.roles_problem() or self.results_problem()

    def roles_problem(self) -> FormProblem | None:
        """Return the reason why nobody, or too many, were entered as playing; or None."""
        raise NotImplementedError

    def results_problem(self) -> FormProblem | None:
        """Return the question about results that are missing, or None."""
        left = self.tricks_in_all - sum(count for count in self.tricks().values() if count is not None)
        if self.counting and left > 0 and len(self.active()) > 1 and None in self.tricks().values():
            text = ngettext("%(n)d trick is still to be assigned.", "%(n)d tricks are still to be assigned.", left)
            return FormProblem(text % {"n": left}, at="tricks")
        return None if self.counting else self._undecided(self.declarers()[0])

    def _undecided(self, declarer: int) -> FormProblem | None:
        """The question about results that are neither chosen nor decided by the rules, or None."""
        made = self.made()
        if len(made) == 1 and self.entries()[declarer].made is False:
            return FormProblem(_("The declarer failed: who joined and made it?"), at="made")
        return FormProblem(goals.question(), at="made") if goals.is_undecided(made) else None

    def active(self) -> list[int]:
        """The seats that play."""
        return [seat for seat, entry in enumerate(self.entries()) if entry.role != "out"]

    def made(self) -> dict[int, bool | None]:
        """The results of the active seats, the declarer first; None where they are undecided (`goals`)."""
        entries = self.entries()
        declarer = next(seat for seat, entry in enumerate(entries) if entry.role == "declarer")
        joiners = [seat for seat, entry in enumerate(entries) if entry.role == "joiner"]
        chosen = {seat: made for seat in self.active() if (made := entries[seat].made) is not None}
        return goals.results(declarer, joiners, chosen)

    def tricks(self) -> dict[int, int | None]:
        """Tricks of the active seats; a count that follows from the tricks of a hand is filled in."""
        entries = self.entries()
        counts = {seat: entries[seat].tricks for seat in self.active()}
        known = sum(count for count in counts.values() if count is not None)
        uncounted = [seat for seat, count in counts.items() if count is None]
        if known == self.tricks_in_all:
            counts.update(dict.fromkeys(uncounted, 0))
        elif len(uncounted) == 1 and known < self.tricks_in_all:
            counts[uncounted[0]] = self.tricks_in_all - known
        return counts

    def counted(self) -> dict[str, int]:
        """The field `tricks` of the record."""
        return {str(seat): count for seat, count in self.tricks().items() if count is not None}

    def record(self) -> Record:
        """Build the tally record of the entry; `problem()` must be None."""
        if self.cleaned_data["passed"]:
            return {"declarer": None}
        entries = self.entries()
        record: Record = {
            "declarer": next(seat for seat, entry in enumerate(entries) if entry.role == "declarer"),
            "joiners": [seat for seat, entry in enumerate(entries) if entry.role == "joiner"],
        }
        if self.cleaned_data["blind"]:
            record["blind"] = self.cleaned_data["blind"]
        if not record["joiners"]:
            return record
        if self.counting:
            record["tricks"] = self.counted()
        else:
            record["made"] = sorted(seat for seat, made in self.made().items() if made)
        return record

    def body(self) -> dict[str, Any]:
        """The body for `hand_enter`."""
        return {
            "number": self.cleaned_data["number"],
            "players": self.cleaned_data["players"],
            "record": self.record(),
        }
