"""The form of the seating page, and its fields as seating changes. The rules are checked elsewhere."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from ..engine_bridge import MAX_SEATS
from ..errors import form_outdated
from ..hands import chain as chains
from .changes import (
    NEWCOMER,
    Arrive,
    EveningTables,
    Leave,
    Merge,
    NameDealer,
    Order,
    Pause,
    Resume,
    SeatingChange,
    Split,
    refused,
)
from .services import Guest

KEYS = 2**53
CHANGES = ("come", "leave", "order", "dealer", "pause", "resume", "split", "merge")


def _id() -> forms.IntegerField:
    return forms.IntegerField(required=False, min_value=1, max_value=KEYS)


class SeatingForm(forms.Form):
    """One seating change: `do` is its kind, the other fields are its data.

    `player` comes, leaves or deals; `name` is the typed nickname of a guest; `after` the player on the seat before;
    `order` all players by seat, separated by commas; `goes` the players who go to a new table; `dealer` the first
    dealer there; `pot` is `stays` or `heads`; `into` the table that this one is merged into.
    """

    do = forms.ChoiceField(choices=[(change, change) for change in CHANGES])
    player = _id()
    name = forms.CharField(required=False, max_length=80)
    after = _id()
    order = forms.CharField(required=False, max_length=200)
    dealer = _id()
    pot = forms.ChoiceField(choices=[("stays", "stays"), ("heads", "heads")], required=False)
    into = _id()
    key = forms.UUIDField(required=False)

    def key_sent(self) -> uuid.UUID:
        """The key of the page. Raises `Refused` (422) if there is none."""
        sent: uuid.UUID | None = self.cleaned_data["key"]
        if sent is None:
            raise form_outdated()
        return sent

    def guest(self) -> Guest | None:
        """The guest who comes, if a nickname was typed."""
        typed = " ".join(str(self.cleaned_data["name"]).split())
        return Guest(typed) if self.cleaned_data["do"] == "come" and not self.cleaned_data["player"] else None

    def change(self, tables: EveningTables) -> SeatingChange:
        """The chosen change of these tables. Raises `Refused` (422) if the form cannot be read."""
        if not self.is_valid():
            raise form_outdated()
        sent, here = self.cleaned_data, tables.here
        match sent["do"]:
            case "come":
                return Arrive(sent["player"] or NEWCOMER, sent["after"] or here.players[-1])
            case "order":
                return Order(_ids(sent["order"].split(",")))
            case "pause":
                return Pause()
            case "resume":
                return Resume()
            case "split":
                return self._split(tables)
            case "merge":
                into = sent["into"] or 0
                return Merge(into, sent["after"] or tables.other(into).players[-1])
        if not sent["player"]:
            raise refused(422, "player", _("Choose somebody."), "player")
        return Leave(sent["player"]) if sent["do"] == "leave" else NameDealer(sent["player"])

    def _split(self, tables: EveningTables) -> Split:
        getlist = getattr(self.data, "getlist", None)
        goes = _ids(getlist("goes")[: MAX_SEATS + 1] if getlist else [])
        if not goes:
            raise refused(422, "players", _("Tick those who go to the new table."), "players")
        here = tables.here
        # Without a named dealer the next one in turn among those who go deals.
        turn = chains.next_dealer(
            here.dealer_id, here.players, [player for player in here.players if player in goes] or goes
        )
        return Split(goes, self.cleaned_data["dealer"] or turn, self.cleaned_data["pot"] == "heads")


def _ids(parts: list[str]) -> tuple[int, ...]:
    if not all(part.isascii() and part.isdecimal() and len(part) < 16 for part in parts):
        raise form_outdated()
    return tuple(int(part) for part in parts)


def fields_of(change: SeatingChange, guest: Guest | None) -> list[tuple[str, Any]]:
    """The form fields of a change, as name and value."""
    fields: Mapping[str, Any]
    match change:
        case Arrive():
            fields = {"do": "come", "after": change.after_id}
            fields |= {"name": guest.nickname} if guest else {"player": change.player_id}
        case Leave():
            fields = {"do": "leave", "player": change.player_id}
        case NameDealer():
            fields = {"do": "dealer", "player": change.player_id}
        case Order():
            fields = {"do": "order", "order": ",".join(map(str, change.players))}
        case Split():
            fields = {"do": "split", "dealer": change.dealer_id, "pot": "heads" if change.by_heads else "stays"}
            return [*fields.items(), *(("goes", player) for player in change.players)]
        case Merge():
            fields = {"do": "merge", "into": change.into, "after": change.after_id}
        case Resume():
            fields = {"do": "resume"}
        case _:
            fields = {"do": "pause"}
    return list(fields.items())
