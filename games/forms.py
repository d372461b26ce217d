"""What recorders send from the pages, read into what the services take. Nothing here decides about the rules."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.models import Player, Season

from .recording import GAME, GAMES, MAX_SEATS, Record

TRICKS = 4
GUEST_LINES = 3
MAX_GUESTS = MAX_SEATS


@dataclass(frozen=True)
class Problem:
    """Why a form is not taken: a sentence, the clause or word of ours, and the place in the record."""

    sentence: str
    code: str = "form"
    at: str = ""


@dataclass(frozen=True)
class SeatEntry:
    """A seat as the form has it; `tricks` is None where nothing was counted."""

    role: str = "out"
    made: bool = True
    tricks: int | None = None


class HandForm(forms.Form):
    """The entry of one hand: a role a seat, and who made it or the tricks.

    Per seat there are `role-<seat>` (out, declarer, joiner), `made-<seat>` (yes, no), `tricks-<seat>` (empty, 0 to 4);
    `mode` says which of the two last counts. `number` and `players` tell for which hand the page was made.
    """

    key = forms.UUIDField()
    number = forms.IntegerField(min_value=1, max_value=1_000_000)
    players = forms.CharField(max_length=200)
    passed = forms.BooleanField(required=False)
    mode = forms.ChoiceField(choices=[("made", "made"), ("tricks", "tricks")], required=False)
    blind = forms.ChoiceField(choices=[("", ""), ("blind", "blind"), ("double", "double")], required=False)

    def __init__(self, data: Mapping[str, Any] | None = None, *, seats: int) -> None:
        super().__init__(data)
        self.seats = seats
        roles = [("out", "out"), ("declarer", "declarer"), ("joiner", "joiner")]
        counts = [("", "")] + [(str(n), str(n)) for n in range(TRICKS + 1)]
        for seat in range(seats):
            self.fields[f"role-{seat}"] = forms.ChoiceField(choices=roles, required=False)
            self.fields[f"made-{seat}"] = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")], required=False)
            self.fields[f"tricks-{seat}"] = forms.ChoiceField(choices=counts, required=False)

    def clean_players(self) -> list[int]:
        """Ids by seat, comma between them."""
        parts = str(self.cleaned_data["players"]).split(",")
        if not all(part.isascii() and part.isdecimal() and len(part) < 19 for part in parts):
            raise forms.ValidationError(_("This is no seating."))
        return [int(part) for part in parts]

    def entries(self) -> list[SeatEntry]:
        """The seats as they were sent; what cannot be read counts as not said."""
        clean = getattr(self, "cleaned_data", {})
        shown = []
        for seat in range(self.seats):
            tricks = clean.get(f"tricks-{seat}") or ""
            shown.append(
                SeatEntry(
                    role=clean.get(f"role-{seat}") or "out",
                    made=clean.get(f"made-{seat}") != "no",
                    tricks=int(tricks) if tricks else None,
                )
            )
        return shown

    @property
    def counting(self) -> bool:
        """Whether tricks are counted."""
        return getattr(self, "cleaned_data", {}).get("mode") == "tricks"

    def problem(self) -> Problem | None:
        """Why there is no record in this form, if so; what the rules say of a record comes after that."""
        if not self.is_valid():
            return Problem(_("The page sent something that this form has not. Load the page again."), code="R1")
        if self.cleaned_data["passed"]:
            return None
        entries = self.entries()
        declarers = [seat for seat, entry in enumerate(entries) if entry.role == "declarer"]
        if not declarers:
            return Problem(_("Who said chratze? Tap that player first, or “Nobody declares”."), at="declarer")
        if len(declarers) > 1:
            return Problem(_("Only one player can chratze in a hand."), code="C3.2", at="declarer")
        left = TRICKS - sum(count for count in self.tricks().values() if count is not None)
        if self.counting and left > 0 and len(self.active()) > 1 and None in self.tricks().values():
            said = ngettext("%(n)d trick is still to be given out.", "%(n)d tricks are still to be given out.", left)
            return Problem(said % {"n": left}, at="tricks")
        return None

    def active(self) -> list[int]:
        """Seats that play."""
        return [seat for seat, entry in enumerate(self.entries()) if entry.role != "out"]

    def tricks(self) -> dict[int, int | None]:
        """Tricks of the active seats; what four tricks leave no choice about is filled in."""
        entries = self.entries()
        counts = {seat: entries[seat].tricks for seat in self.active()}
        known = sum(count for count in counts.values() if count is not None)
        open_seats = [seat for seat, count in counts.items() if count is None]
        if known == TRICKS:
            counts.update(dict.fromkeys(open_seats, 0))
        elif len(open_seats) == 1 and known < TRICKS:
            counts[open_seats[0]] = TRICKS - known
        return counts

    def record(self) -> Record:
        """The tally record of what was entered; `problem()` is None."""
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
            record["tricks"] = {str(seat): count for seat, count in self.tricks().items() if count is not None}
        else:
            record["made"] = [seat for seat in self.active() if entries[seat].made]
        return record

    def body(self) -> dict[str, Any]:
        """What `hand_enter` takes."""
        return {
            "number": self.cleaned_data["number"],
            "players": self.cleaned_data["players"],
            "record": self.record(),
        }


class VoidForm(forms.Form):
    """Taking the last hand back."""

    key = forms.UUIDField()
    number = forms.IntegerField(min_value=1, max_value=1_000_000)


@dataclass(frozen=True)
class Candidate:
    """Somebody who may sit down tonight. `key` is the entry of the seating: p and an id, or g and a nickname."""

    key: str
    nickname: str
    here: bool = False
    order: int | None = None


class EveningForm(forms.Form):
    """A new evening.

    With scripts the page sends `seating` in the order of play; without, ticks and order numbers say the same.
    """

    game = forms.ChoiceField(
        choices=[(game, game.title()) for game in GAMES],
        required=False,
        error_messages={"invalid_choice": gettext_lazy("There is no such game.")},
    )
    season = forms.ModelChoiceField(
        queryset=Season.objects.none(),
        label=gettext_lazy("Season"),
        empty_label=None,
        error_messages={
            "required": gettext_lazy("Choose a season."),
            "invalid_choice": gettext_lazy("This club has no such season."),
        },
    )
    held_on = forms.DateField(
        label=gettext_lazy("Date"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        input_formats=["%Y-%m-%d", "%d.%m.%Y"],
        localize=False,
        error_messages={
            "required": gettext_lazy("Say on which date you play."),
            "invalid": gettext_lazy("This is no date; write it like 20.11.2026."),
        },
    )
    carry = forms.BooleanField(required=False, initial=True)

    def __init__(
        self, data: Any = None, *, seasons: Any, roster: Sequence[Player], initial: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(data, initial=dict(initial or {}))
        self.fields["season"].queryset = seasons  # type: ignore[attr-defined]
        self.roster = roster

    def chosen_game(self) -> str:
        """The game that is chosen, or the one that the page begins with."""
        sent = self.data.get("game") if self.is_bound else self.initial.get("game")
        return str(sent) if sent in GAMES else GAME

    def key(self) -> uuid.UUID | None:
        """The page's key, if it sent one."""
        try:
            return uuid.UUID(str(self.data.get("key", "")))
        except ValueError:
            return None

    def _sent(self, name: str) -> list[str]:
        getlist = getattr(self.data, "getlist", None)
        return [str(value) for value in getlist(name)] if getlist else []

    def guests(self) -> list[str]:
        """Nicknames typed for guests, in the order of the page."""
        typed = [" ".join(name.split())[:80] for name in self._sent("guest")]
        from_seating = [entry[1:].strip()[:80] for entry in self._sent("seating") if entry.startswith("g")]
        return list(dict.fromkeys(name for name in [*typed, *from_seating] if name))[:MAX_GUESTS]

    def seating(self) -> list[str]:
        """Who sits down, in the order of play: as sent by the script, or from ticks and order numbers."""
        ready = self._sent("seating")
        if ready:
            return ready[: 4 * MAX_SEATS]
        ticked = [f"p{pk}" for pk in self._sent("player")] + [f"g{name}" for name in self.guests()]
        numbers = {key: self._order(key) for key in ticked}
        # Who has no number sits after those who have one, in the order of the page.
        return sorted(ticked, key=lambda key: numbers[key] or MAX_SEATS + 1)

    def _order(self, key: str) -> int | None:
        if key.startswith("g"):
            typed = [" ".join(name.split())[:80] for name in self._sent("guest")]
            if key[1:] not in typed:
                return None
            name = f"order-g{typed.index(key[1:])}"
        else:
            name = f"order-{key}"
        sent = str(self.data.get(name, ""))
        return int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 3 else None

    def first_dealer(self) -> str:
        """The seating entry of who deals first; `g#<line>` names the guest of a line of the page."""
        sent = str(self.data.get("first_dealer", ""))
        if sent.startswith("g#") and sent[2:].isdecimal() and len(sent) < 5:
            typed = self._sent("guest")
            line = int(sent[2:])
            return f"g{' '.join(typed[line].split())[:80]}" if line < len(typed) else ""
        return sent

    def candidates(self) -> list[Candidate]:
        """The roster, with who is ticked and where they sit."""
        seating = self.seating()
        return [
            Candidate(
                key=f"p{player.pk}",
                nickname=player.nickname,
                here=f"p{player.pk}" in seating,
                order=seating.index(f"p{player.pk}") + 1 if f"p{player.pk}" in seating else None,
            )
            for player in self.roster
        ]

    def sitting(self) -> list[Candidate]:
        """The seating order as sent, with names; entries that nobody knows are left out."""
        names = {f"p{player.pk}": player.nickname for player in self.roster}
        shown = []
        for place, key in enumerate(self.seating(), start=1):
            name = names.get(key) or (key[1:] if key.startswith("g") else "")
            if name:
                shown.append(Candidate(key=key, nickname=name, here=True, order=place))
        return shown

    def guest_lines(self) -> list[Candidate]:
        """The lines for guests of a page without scripts: what was typed, and empty ones up to three."""
        seating = self.seating()
        typed: Iterable[str] = self.guests()
        lines = [
            Candidate(key=f"g{name}", nickname=name, here=True, order=seating.index(f"g{name}") + 1)
            if f"g{name}" in seating
            else Candidate(key=f"g{name}", nickname=name)
            for name in typed
        ]
        return lines + [Candidate(key="", nickname="")] * (GUEST_LINES - len(lines))
