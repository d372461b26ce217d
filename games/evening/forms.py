"""The form of a new evening: game, season, date, the players in the order of play, the first dealer."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from league.models import Club, Player, Season

from ..engine_bridge import GAME, MAX_SEATS
from ..offered import GAMES

GUEST_LINES = 3


MAX_GUESTS = MAX_SEATS


@dataclass(frozen=True)
class Candidate:
    """A player or guest who may take a seat. `key` is the entry of the seating: p and an id, or g and a nickname."""

    key: str
    nickname: str
    here: bool = False
    order: int | None = None


class EveningForm(forms.Form):
    """A new evening.

    With scripts the page sends `seating` in the order of play; without scripts it sends ticks and order numbers. A page
    that seats people from the start has `seating` and `first_dealer` in `initial`.
    """

    game = forms.ChoiceField(
        choices=[(game.name, game.title) for game in GAMES.values()],
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
            "required": gettext_lazy("Choose the date."),
            "invalid": gettext_lazy("This is no date; write it like 20.11.2026."),
        },
    )
    settling = forms.ChoiceField(
        label=gettext_lazy("You settle up"), choices=Club.Settling.choices, required=False, widget=forms.RadioSelect
    )
    carry = forms.BooleanField(required=False, initial=True)

    def __init__(
        self, data: Any = None, *, seasons: Any, roster: Sequence[Player], initial: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(data, initial=dict(initial or {}))
        self.fields["season"].queryset = seasons  # type: ignore[attr-defined]
        self.roster = roster

    def chosen_game(self) -> str:
        """The chosen game, or the one preselected on the page."""
        sent = self.data.get("game") if self.is_bound else self.initial.get("game")
        return str(sent) if sent in GAMES else GAME

    def key(self) -> uuid.UUID | None:
        """The idempotency key of the page, if it sent one."""
        try:
            return uuid.UUID(str(self.data.get("key", "")))
        except ValueError:
            return None

    def _sent(self, name: str) -> list[str]:
        if not self.is_bound:
            return list(self.initial.get(name, ()))
        getlist = getattr(self.data, "getlist", None)
        return [str(value) for value in getlist(name)] if getlist else []

    def guests(self) -> list[str]:
        """The nicknames typed for guests, in the order of the page."""
        typed = [" ".join(name.split())[:80] for name in self._sent("guest")]
        from_seating = [entry[1:].strip()[:80] for entry in self._sent("seating") if entry.startswith("g")]
        return list(dict.fromkeys(name for name in [*typed, *from_seating] if name))[:MAX_GUESTS]

    def seating(self) -> list[str]:
        """The entries of the seating in the order of play: as sent by the script, or from ticks and order numbers."""
        ready = self._sent("seating")
        if ready:
            return ready[: 4 * MAX_SEATS]
        ticked = [f"p{pk}" for pk in self._sent("player")] + [f"g{name}" for name in self.guests()]
        numbers = {key: self._order(key) for key in ticked}
        # Entries without a number come after those with one, in the order of the page.
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
        """The seating entry of the first dealer; `g#<line>` is the guest of this line of the page."""
        sent = str((self.data if self.is_bound else self.initial).get("first_dealer", ""))
        if sent.startswith("g#") and sent[2:].isdecimal() and len(sent) < 5:
            typed = self._sent("guest")
            line = int(sent[2:])
            return f"g{' '.join(typed[line].split())[:80]}" if line < len(typed) else ""
        return sent

    def candidates(self) -> list[Candidate]:
        """The roster, each player with tick and place in the order of play."""
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
        """The seating order as sent, with names; unknown entries are left out."""
        names = {f"p{player.pk}": player.nickname for player in self.roster}
        shown = []
        for place, key in enumerate(self.seating(), start=1):
            name = names.get(key) or (key[1:] if key.startswith("g") else "")
            if name:
                shown.append(Candidate(key=key, nickname=name, here=True, order=place))
        return shown

    def guest_lines(self) -> list[Candidate]:
        """The lines for guests on a page without scripts: the typed nicknames, and empty lines up to three."""
        seating = self.seating()
        typed: Iterable[str] = self.guests()
        lines = [
            Candidate(key=f"g{name}", nickname=name, here=True, order=seating.index(f"g{name}") + 1)
            if f"g{name}" in seating
            else Candidate(key=f"g{name}", nickname=name)
            for name in typed
        ]
        return lines + [Candidate(key="", nickname="")] * (GUEST_LINES - len(lines))
