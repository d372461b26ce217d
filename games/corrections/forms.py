"""Forms of the pages of corrections, and their fields as parts of edits. The rules are checked elsewhere."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from ..engine_bridge import MAX_SEATS
from ..hands.selectors import HandView
from ..hands.tally import tally_of
from ..offered import game_of
from ..table.screens import entries_of
from .services import MAX_REASON

CARRIED_FIELDS = (
    "passed",
    "mode",
    "blind",
    "cuts",
    "game_type",
    "seven",
    "seven_lost",
    "players",
    "number",
    "dealer",
    "to",
    "from",
    "last",
)
"""Fields that each step passes on to the next one, beside the fields of seats and players."""
BY_SEAT = ("role-", "made-", "tricks-", "sat-")


class SaveForm(forms.Form):
    """The fields of saving a correction: a key, the fingerprint of the hands that were seen, and the reason."""

    key = forms.UUIDField(required=False)
    seen = forms.CharField(max_length=64, required=False)
    reason = forms.CharField(max_length=MAX_REASON, required=False)

    def values(self) -> tuple[uuid.UUID | None, str, str]:
        """Key (None where the page sent none), fingerprint, and reason."""
        clean = self.cleaned_data if self.is_valid() else {}
        return clean.get("key"), clean.get("seen") or "", " ".join(str(clean.get("reason") or "").split())


def carried_fields(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The fields of a correction that the next step needs, as name and value."""
    kept = [name for name in data if name in CARRIED_FIELDS or name.startswith(BY_SEAT)]
    return [(name, str(data[name])[:200]) for name in kept]


def keeps_dealers(data: Mapping[str, Any], game: str) -> bool:
    """True if the later hands keep their dealers. The default depends on the game."""
    chosen = str(data.get("keep", ""))
    return chosen == "1" if chosen in ("0", "1") else game_of(game).records.keeps_dealers


def whole_number(data: Mapping[str, Any], name: str) -> int | None:
    """A number from 0 up; None for anything else."""
    sent = str(data.get(name, "")).strip()
    return int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 16 else None


def players_of(data: Mapping[str, Any]) -> tuple[int, ...] | None:
    """The players of the page's rows, by seat; None if the field cannot be read."""
    parts = str(data.get("players", "")).split(",")
    if len(parts) > MAX_SEATS or not all(p.isascii() and p.isdecimal() and len(p) < 16 for p in parts):
        return None
    return tuple(int(part) for part in parts)


def seated(data: Mapping[str, Any]) -> tuple[tuple[int, ...], list[int]]:
    """The players chosen for the seats, and the row in which each of them was before. Empty choices have no seat."""
    chosen = [(row, whole_number(data, f"player-{row}")) for row in range(MAX_SEATS)]
    taken = [(row, player) for row, player in chosen if player]
    return tuple(player for _row, player in taken), [row for row, _player in taken]


def moved_rows(data: Mapping[str, Any], rows: Sequence[int]) -> dict[str, str]:
    """The fields of the page, with those of each seat in its new row."""
    fields = {name: str(value) for name, value in data.items() if not name.startswith(("role-", "made-", "tricks-"))}
    for seat, row in enumerate(rows):
        for name in ("role", "made", "tricks"):
            if f"{name}-{row}" in data:
                fields[f"{name}-{seat}"] = str(data[f"{name}-{row}"])
    return fields


def fields_of(hand: HandView) -> dict[str, str]:
    """The fields of the form for a stored hand."""
    counting = bool(hand.tricks) and hand.outcome == "played"
    fields = {"mode": "tricks" if counting else "made", "blind": hand.blind or ""}
    if hand.outcome == "passed_out":
        fields["passed"] = "1"
    for seat, entry in enumerate(entries_of(hand)):
        fields[f"role-{seat}"] = entry.role
        fields[f"made-{seat}"] = "" if entry.made is None else "yes" if entry.made else "no"
        fields[f"tricks-{seat}"] = "" if entry.tricks is None else str(entry.tricks)
    return fields | game_of(hand.game).records.entry_fields(tally_of(hand))


def pairs_of(data: Mapping[str, Any], written: Iterable[int], together: set[int]) -> tuple[tuple[int, int], ...]:
    """Pairs of (recorded player, player who sat there). If a player of `together` takes the seat of another one, and
    nothing was chosen for that one, the two change seats."""
    chosen = {player: whole_number(data, f"sat-{player}") or player for player in written}
    pairs = {player: sat for player, sat in chosen.items() if sat != player}
    for player, sat in list(pairs.items()):
        if sat in together and sat not in pairs:
            pairs[sat] = player
    return tuple(sorted(pairs.items()))


def fields_of_record(sent: Mapping[str, Any], seats: int, game: str) -> dict[str, str]:
    """The fields of the form for a tally record."""
    records = game_of(game).records
    roles = records.roles_of(sent, seats)
    active = [seat for seat, role in enumerate(roles) if role != "out"]
    tricks = sent.get("tricks")
    fields = {"mode": "made" if tricks is None else "tricks", "blind": sent.get("blind") or ""}
    if not active:
        fields["passed"] = "1"
    for seat, role in enumerate(roles):
        fields[f"role-{seat}"] = role
        if "made" in sent and seat in active and len(active) > 1:
            fields[f"made-{seat}"] = "yes" if seat in sent["made"] else "no"
        if tricks is not None and seat in active:
            fields[f"tricks-{seat}"] = str(tricks.get(str(seat), 0))
    return fields | records.entry_fields(sent)


AMOUNT = re.compile(r"(?P<sign>[+\-−–]?)\s*(?P<whole>\d{1,9})(?:[.,](?P<cents>\d{1,2}))?\s*")


def rappen(typed: str) -> int | None:
    """Read a typed amount in francs ("4.20", "−1.4", "12") as Rappen; None if it is not an amount."""
    match = AMOUNT.fullmatch(typed.replace("'", "").replace("’", "").strip())
    if match is None:
        return None
    amount = int(match["whole"]) * 100 + int((match["cents"] or "").ljust(2, "0") or 0)
    return -amount if match["sign"] in ("-", "−", "–") and match["sign"] else amount


class CountedForm(forms.Form):
    """The coins that somebody counted, in francs: the pot, or the gain or loss of a player, or both."""

    pot = forms.CharField(max_length=20, required=False)
    player = forms.IntegerField(min_value=1, max_value=10**15, required=False)
    gain = forms.CharField(max_length=20, required=False)
    antes = forms.ChoiceField(choices=[("1", "1"), ("0", "0")], required=False)

    def _amount(self, name: str) -> int | None:
        typed = str(self.cleaned_data[name]).strip()
        amount = rappen(typed)
        if typed and amount is None:
            raise forms.ValidationError(_("Write an amount like 4.20."))
        return amount

    def clean_pot(self) -> int | None:
        """Rappen, or None."""
        amount = self._amount("pot")
        if amount is not None and amount < 0:
            raise forms.ValidationError(_("There is nothing below 0 in a pot."))
        return amount

    def clean_gain(self) -> int | None:
        """Rappen, or None."""
        return self._amount("gain")
