"""What somebody chooses on the night's page, read into an act. Nothing here decides whether it can be."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from .. import chain as chains
from ..recording import MAX_SEATS
from .acts import NEWCOMER, Act, Arrive, Leave, Merge, NameDealer, Night, Order, Pause, Resume, Split, refused
from .services import Guest

KEYS = 2**53
ACTS = ("come", "leave", "order", "dealer", "pause", "resume", "split", "merge")


def _id() -> forms.IntegerField:
    return forms.IntegerField(required=False, min_value=1, max_value=KEYS)


class NightForm(forms.Form):
    """One act: `do` says which, the other fields what it needs.

    `player` is who comes, goes or deals, `name` a nickname that was typed for who comes, `after` whom they sit down
    after, `order` all players by seat (a comma between them), `goes` those who go to a new table, `dealer` who deals
    first there, `pot` whether it stays there or goes by heads, `into` the table that this one is joined to.
    """

    do = forms.ChoiceField(choices=[(act, act) for act in ACTS])
    player = _id()
    name = forms.CharField(required=False, max_length=80)
    after = _id()
    order = forms.CharField(required=False, max_length=200)
    dealer = _id()
    pot = forms.ChoiceField(choices=[("stays", "stays"), ("heads", "heads")], required=False)
    into = _id()
    key = forms.UUIDField(required=False)

    def key_sent(self) -> uuid.UUID:
        """The page's key. Raises `Refused` (422) where there is none."""
        sent: uuid.UUID | None = self.cleaned_data["key"]
        if sent is None:
            raise unread()
        return sent

    def guest(self) -> Guest | None:
        """Who comes, where a nickname was typed."""
        typed = " ".join(str(self.cleaned_data["name"]).split())
        return Guest(typed) if self.cleaned_data["do"] == "come" and not self.cleaned_data["player"] else None

    def act(self, night: Night) -> Act:
        """The act that was chosen, on these tables. Raises `Refused` (422) for what cannot be read."""
        if not self.is_valid():
            raise unread()
        sent, here = self.cleaned_data, night.here
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
                return self._split(night)
            case "merge":
                into = sent["into"] or 0
                return Merge(into, sent["after"] or night.other(into).players[-1])
        if not sent["player"]:
            raise refused(422, "player", _("Choose somebody."), "player")
        return Leave(sent["player"]) if sent["do"] == "leave" else NameDealer(sent["player"])

    def _split(self, night: Night) -> Split:
        getlist = getattr(self.data, "getlist", None)
        goes = _ids(getlist("goes")[: MAX_SEATS + 1] if getlist else [])
        if not goes:
            raise refused(422, "players", _("Tick those who go to the new table."), "players")
        here = night.here
        # Nobody was named: it goes on with the one whose turn it is among those who go.
        turn = chains.next_dealer(here.dealer_id, here.players, [one for one in here.players if one in goes] or goes)
        return Split(goes, self.cleaned_data["dealer"] or turn, self.cleaned_data["pot"] == "heads")


def _ids(parts: list[str]) -> tuple[int, ...]:
    if not all(part.isascii() and part.isdecimal() and len(part) < 16 for part in parts):
        raise unread()
    return tuple(int(part) for part in parts)


def unread() -> Exception:
    """422: what was sent cannot come from the page."""
    return refused(422, "R1", _("The page sent something that this form has not. Load the page again."))


def fields_of(act: Act, guest: Guest | None) -> list[tuple[str, Any]]:
    """An act as the fields that choose it again: name and value."""
    fields: Mapping[str, Any]
    match act:
        case Arrive():
            fields = {"do": "come", "after": act.after_id}
            fields |= {"name": guest.nickname} if guest else {"player": act.player_id}
        case Leave():
            fields = {"do": "leave", "player": act.player_id}
        case NameDealer():
            fields = {"do": "dealer", "player": act.player_id}
        case Order():
            fields = {"do": "order", "order": ",".join(map(str, act.players))}
        case Split():
            fields = {"do": "split", "dealer": act.dealer_id, "pot": "heads" if act.by_heads else "stays"}
            return [*fields.items(), *(("goes", player) for player in act.players)]
        case Merge():
            fields = {"do": "merge", "into": act.into, "after": act.after_id}
        case Resume():
            fields = {"do": "resume"}
        case _:
            fields = {"do": "pause"}
    return list(fields.items())
