"""Turn request bodies into the seating changes and corrections that the services take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from ..corrections.edits import Change, Edit, Move, PutIn, Reseat, TakeOut
from ..errors import Refused
from ..hands import chain as chains
from ..hands.tally import CHAIN_FIELDS
from ..offered import game_of
from ..seating import changes
from ..seating.services import Guest

Data = Mapping[str, Any]


@dataclass(frozen=True)
class KindFields:
    """The fields of one kind of seating change or correction."""

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


SEATING_FIELDS = {
    "arrive": KindFields(optional=("player", "guest", "after")),
    "leave": KindFields(("player",)),
    "order": KindFields(("players",)),
    "dealer": KindFields(("player",)),
    "pause": KindFields(),
    "resume": KindFields(),
    "split": KindFields(("players",), ("dealer", "pot")),
    "merge": KindFields(("into",), ("after",)),
}
COMMON_FIELDS = ("kind", "number", "reason", "fingerprint")
CORRECTION_FIELDS = {
    "changed": KindFields(("players", "record"), ("dealer", "keep")),
    "voided": KindFields(optional=("keep",)),
    "inserted": KindFields(("players", "record"), ("dealer", "keep")),
    "moved": KindFields(("to",), ("keep",)),
    "seats": KindFields(("last", "who")),
}


def _check_fields(kind: str, fields: KindFields, data: Data) -> None:
    for name in data:
        if name not in (*COMMON_FIELDS, *fields.required, *fields.optional):
            sentence = _("The field “%(name)s” does not belong to “%(kind)s”.") % {"name": name, "kind": kind}
            raise _malformed(name, sentence)
    for name in fields.required:
        if name not in data:
            raise _malformed(name, _("The field “%(name)s” is missing.") % {"name": name})


def _malformed(path: str, sentence: str) -> Refused:
    return Refused(status=422, code="R1", sentence=sentence, at=path)


def seating_change_of(data: Data, tables: changes.EveningTables) -> tuple[changes.SeatingChange, Guest | None]:
    """Return a seating change, and the guest if one arrives.

    Raises:
        Refused: 422 for a missing or surplus field, 409 if it does not fit the tables.
    """
    _check_fields(data["kind"], SEATING_FIELDS[data["kind"]], data)
    here = tables.here
    match data["kind"]:
        case "arrive":
            return _arrive(data, here.players)
        case "leave":
            return changes.Leave(data["player"]), None
        case "order":
            return changes.Order(tuple(data["players"])), None
        case "dealer":
            return changes.NameDealer(data["player"]), None
        case "pause":
            return changes.Pause(), None
        case "resume":
            return changes.Resume(), None
        case "split":
            goes = tuple(data["players"])
            those = [player for player in here.players if player in goes]
            turn = chains.next_dealer(here.dealer_id, here.players, those or goes)
            return changes.Split(goes, data.get("dealer") or turn, data.get("pot") == "heads"), None
    return changes.Merge(data["into"], data.get("after") or tables.other(data["into"]).players[-1]), None


def _arrive(data: Data, players: tuple[int, ...]) -> tuple[changes.SeatingChange, Guest | None]:
    if ("player" in data) == ("guest" in data):
        raise _malformed("player", _("Name a player or a guest."))
    guest = Guest(" ".join(str(data["guest"]).split())) if "guest" in data else None
    return changes.Arrive(data.get("player", changes.NEWCOMER), data.get("after") or players[-1]), guest


def correction_of(data: Data, game: str, author_id: int | None) -> Edit:
    """Return the edit of a correction. Raises `Refused` (422) for a missing or surplus field, or a wrong dealer."""
    kind, number = data["kind"], data["number"]
    _check_fields(kind, CORRECTION_FIELDS[kind], data)
    keep = bool(data.get("keep", game_of(game).records.keeps_dealers))
    match kind:
        case "voided":
            return TakeOut(number, keep)
        case "moved":
            return Move(number, data["to"], keep)
        case "seats":
            return Reseat(number, data["last"], tuple((recorded, actual) for recorded, actual in data["who"]))
    sent = {name: value for name, value in data["record"].items() if name not in CHAIN_FIELDS}
    players = tuple(data["players"])
    if data.get("dealer") is not None and data["dealer"] not in players:
        sentence = _("The dealer must be one of the players of the hand.")
        raise Refused(status=422, code="dealer", sentence=sentence, at="dealer")
    if kind == "changed":
        return Change(number, players, sent, data.get("dealer"), keep)
    return PutIn(number, players, sent, author_id, data.get("dealer"), keep)


def body_of(edit: Edit) -> dict[str, Any]:
    """Return the request body for an edit: the reverse of `correction_of`."""
    kind = str(edit.kind)
    fields = {name: value for name, value in edit.details().items() if value is not None}
    return {"kind": kind, "number": edit.number, **fields}
