"""What a body asks for, read into the acts and edits that the services take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from .. import chain as chains
from .. import recording
from ..errors import Refused
from ..mending.edits import Change, Edit, Move, PutIn, Reseat, TakeOut
from ..mending.program import CHAIN_FIELDS
from ..night.acts import NEWCOMER, Act, Arrive, Leave, Merge, NameDealer, Night, Order, Pause, Resume, Split
from ..night.services import Guest

Data = Mapping[str, Any]


@dataclass(frozen=True)
class Needs:
    """Which fields a kind of act or correction must have, and which it may have."""

    must: tuple[str, ...] = ()
    may: tuple[str, ...] = ()


ACT_NEEDS = {
    "arrive": Needs(may=("player", "guest", "after")),
    "leave": Needs(("player",)),
    "order": Needs(("players",)),
    "dealer": Needs(("player",)),
    "pause": Needs(),
    "resume": Needs(),
    "split": Needs(("players",), ("dealer", "pot")),
    "merge": Needs(("into",), ("after",)),
}
ALWAYS = ("act", "kind", "number", "reason", "seen")
EDIT_NEEDS = {
    "changed": Needs(("players", "record"), ("dealer", "keep")),
    "voided": Needs(may=("keep",)),
    "inserted": Needs(("players", "record"), ("dealer", "keep")),
    "moved": Needs(("to",), ("keep",)),
    "seats": Needs(("last", "who")),
}


def _check(kind: str, needs: Needs, data: Data) -> None:
    for name in data:
        if name not in (*ALWAYS, *needs.must, *needs.may):
            words = {"name": name, "kind": kind}
            raise _malformed(name, _("The field “%(name)s” does not belong to “%(kind)s”.") % words)
    for name in needs.must:
        if name not in data:
            raise _malformed(name, _("The field “%(name)s” is missing.") % {"name": name})


def _malformed(at: str, sentence: str) -> Refused:
    return Refused(status=422, code="R1", sentence=sentence, at=at)


def act_of(data: Data, night: Night) -> tuple[Act, Guest | None]:
    """An act between two hands, and the guest where one comes. Raises `Refused` (422, 409) for what cannot be read."""
    _check(data["act"], ACT_NEEDS[data["act"]], data)
    here = night.here
    match data["act"]:
        case "arrive":
            return _arrive(data, here.players)
        case "leave":
            return Leave(data["player"]), None
        case "order":
            return Order(tuple(data["players"])), None
        case "dealer":
            return NameDealer(data["player"]), None
        case "pause":
            return Pause(), None
        case "resume":
            return Resume(), None
        case "split":
            goes = tuple(data["players"])
            those = [player for player in here.players if player in goes]
            turn = chains.next_dealer(here.dealer_id, here.players, those or goes)
            return Split(goes, data.get("dealer") or turn, data.get("pot") == "heads"), None
    return Merge(data["into"], data.get("after") or night.other(data["into"]).players[-1]), None


def _arrive(data: Data, players: tuple[int, ...]) -> tuple[Act, Guest | None]:
    if ("player" in data) == ("guest" in data):
        raise _malformed("player", _("Name a player or a guest."))
    guest = Guest(" ".join(str(data["guest"]).split())) if "guest" in data else None
    return Arrive(data.get("player", NEWCOMER), data.get("after") or players[-1]), guest


def edit_of(data: Data, game: str, author_id: int | None) -> Edit:
    """A correction. Raises `Refused` (422) for a field too many or too few."""
    kind, number = data["kind"], data["number"]
    _check(kind, EDIT_NEEDS[kind], data)
    # In Kratzen the dealer has paid for dealing: it is likelier that everybody dealt as written down.
    keep = bool(data.get("keep", game == recording.KRATZEN))
    match kind:
        case "voided":
            return TakeOut(number, keep)
        case "moved":
            return Move(number, data["to"], keep)
        case "seats":
            return Reseat(number, data["last"], tuple((was, sat) for was, sat in data["who"]))
    sent = {name: value for name, value in data["record"].items() if name not in CHAIN_FIELDS}
    players = tuple(data["players"])
    if data.get("dealer") is not None and data["dealer"] not in players:
        sentence = _("Who deals must be one of those who sit there.")
        raise Refused(status=422, code="dealer", sentence=sentence, at="dealer")
    if kind == "changed":
        return Change(number, players, sent, data.get("dealer"), keep)
    return PutIn(number, players, sent, author_id, data.get("dealer"), keep)


def asked_by(edit: Edit) -> dict[str, Any]:
    """The body that asks for an edit."""
    kind = str(edit.kind)
    fields = {name: value for name, value in edit.details().items() if value is not None}
    return {"kind": kind, "number": edit.number, **fields}
