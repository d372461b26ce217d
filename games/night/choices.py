"""The choices on the page of two stories: correct the stored hands, or leave out those of the phone."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from league.ledger.idempotency import submit_once
from league.models import Player, Submission, User

from .. import engine_bridge
from ..corrections import replay
from ..corrections import services as corrections
from ..corrections.edits import ChangeSeveral, NewHand
from ..errors import Refused
from ..events import audit_log
from ..hands.selectors import newest_revisions
from ..hands.tally import CHAIN_FIELDS
from ..models import MAX_NUMBER, Correction, Revision, Table

Write = Mapping[str, Any]
PlayerOf = Callable[[Any], int | None]
"""The player whom a reference of a write names; None for one that the server does not know."""

MAX_HANDS = 500
MAX_SEATS = 7
CHANGES = ("come", "leave", "order", "dealer", "pause", "resume")


def correct(*, table: Table, author: User | None, key: uuid.UUID, write: Write, player_of: PlayerOf) -> Correction:
    """Replace stored hands of a table by those of a phone, as one correction. The same write with the same key gets the
    same answer.

    `write` is {"hands": [{"number", "revision", "players": [refs by seat], "record", "dealer": ref or None}],
    "hands_seen"}: `revision` is the one that the recorder saw and replaces, `hands_seen` the number of hands then.

    Raises:
        Refused: as `games.corrections.services.correct`; 409 `moved_on` if a hand has another revision or the table
            another number of hands by now; 422 for a malformed write or an unknown player.
    """
    digest = engine_bridge.body_hash(["correct several", table.pk, _plain(write)])
    stored = corrections.stored_correction(table=table, key=key, request_hash=digest)
    if stored is not None:
        return stored
    edit = _edit_of(write, player_of, keep=engine_bridge.has_cuts(table.evening.game))
    # The entries before the revisions: a change between the two is then found as another revision.
    seen = replay.fingerprint(replay.read(table))
    if not _as_seen(table, write):
        # The same write may have been stored since the look above.
        stored = corrections.stored_correction(table=table, key=key, request_hash=digest)
        if stored is None:
            raise _moved_on()
        return stored
    return corrections.correct(table=table, edit=edit, author=author, key=key, seen=seen, request_hash=digest)


def leave_out(*, table: Table, author: User | None, key: uuid.UUID, write: Write, player_of: PlayerOf) -> None:
    """Write the hands and changes of a phone that its recorder left out into the club's log. Nothing else changes, so
    the state of table and evening is ignored. The same write with the same key is logged once.

    `write` is {"hands": [{"number", "players": [refs by seat], "record"}], "changes": [{"kind", "players": [refs]}]}.

    Raises:
        Refused: 422 for a malformed write.
    """
    hands = [_left_out_hand(hand, f"hands[{n}]") for n, hand in enumerate(_list(write, "hands", MAX_HANDS))]
    changes = [_left_out_change(change, f"changes[{n}]") for n, change in enumerate(_list(write, "changes", MAX_HANDS))]
    refs = {ref for players, _hand in (*hands, *changes) for ref in players if isinstance(ref, int | str)}
    ids = {ref: player_of(ref) for ref in refs}
    of_club = Player.objects.filter(club_id=table.evening.club_id, pk__in=[pk for pk in ids.values() if pk])
    known = set(of_club.values_list("pk", flat=True))

    def name(ref: Any) -> int:
        player = ids.get(ref) if isinstance(ref, int | str) else None
        return player if player in known else 0

    def write_log(submission: Submission) -> None:
        audit_log.hands_left_out(
            table,
            author,
            [_hand_data([name(ref) for ref in players], hand) for players, hand in hands],
            [{"kind": change["kind"], "players": [str(name(ref)) for ref in players]} for players, change in changes],
        )

    submit_once(
        club_id=table.evening.club_id,
        key=key,
        body_hash=engine_bridge.body_hash(["leave out", table.pk, _plain(write)]),
        author=author,
        write=write_log,
        stored=lambda first: None,
    )


# --- Correct ---------------------------------------------------------------------------------------------


def _edit_of(write: Write, player_of: PlayerOf, *, keep: bool) -> ChangeSeveral:
    hands = []
    for place, hand in enumerate(_list(write, "hands", MAX_HANDS)):
        path = f"hands[{place}]"
        number = _number(hand, "number", path)
        record = hand.get("record")
        if not isinstance(record, Mapping):
            raise _malformed(f"{path}.record")
        players = tuple(_player(ref, player_of, path) for ref in _list(hand, "players", MAX_SEATS, path))
        dealer = None if hand.get("dealer") is None else _player(hand["dealer"], player_of, path)
        hands.append(NewHand(number, players, dict(record), dealer if dealer in players else None))
    if not hands or [hand.number for hand in hands] != sorted({hand.number for hand in hands}):
        raise _malformed("hands")
    if any(set(hand.sent) & set(CHAIN_FIELDS) for hand in hands):
        raise _malformed("hands")
    return ChangeSeveral(tuple(hands), keep)


def _as_seen(table: Table, write: Write) -> bool:
    """Return True if the hands to replace have the revisions that were seen, and the table as many hands. One query."""
    newest = newest_revisions().filter(hand__table=table).values_list("hand__number", "number", "kind")
    valid = {number: revision for number, revision, kind in newest if kind == Revision.Kind.ENTERED}
    if len(valid) != _number(write, "hands_seen", ""):
        return False
    return all(valid.get(hand["number"]) == hand.get("revision") for hand in write["hands"])


def _player(ref: Any, player_of: PlayerOf, path: str) -> int:
    player = player_of(ref) if isinstance(ref, int | str) and not isinstance(ref, bool) else None
    if player is None:
        sentence = _("Somebody in this hand is not known here yet. Send what was recorded before it first.")
        raise Refused(status=422, code="player", sentence=sentence, at=f"{path}.players")
    return player


def _moved_on() -> Refused:
    sentence = _("Somebody has recorded at this table meanwhile. Look at both stories again.")
    return Refused(status=409, code="moved_on", sentence=sentence)


# --- Leave out -------------------------------------------------------------------------------------------


def _left_out_hand(hand: Write, path: str) -> tuple[list[Any], Write]:
    _number(hand, "number", path)
    players, record = _list(hand, "players", MAX_SEATS, path, of=(int, str, type(None))), hand.get("record")
    if not isinstance(record, Mapping) or not _seats_fit(record, len(players)):
        raise _malformed(f"{path}.record")
    return players, hand


def _left_out_change(change: Write, path: str) -> tuple[list[Any], Write]:
    if change.get("kind") not in CHANGES:
        raise _malformed(f"{path}.kind")
    return _list(change, "players", MAX_SEATS, path, of=(int, str, type(None))), change


def _seats_fit(record: Write, seats: int) -> bool:
    """Return True if the record names only seats of this table: no more is needed for its sentence."""
    declarer, joiners, made = record.get("declarer"), record.get("joiners", []), record.get("made") or []
    tricks = record.get("tricks") or {}
    if not (isinstance(joiners, list) and isinstance(made, list) and isinstance(tricks, Mapping)):
        return False
    named = [*([] if declarer is None else [declarer]), *joiners, *made]
    by_seat = [int(seat) if str(seat).isascii() and str(seat).isdecimal() else -1 for seat in tricks]
    counts = all(type(count) is int for count in tricks.values())
    return counts and all(type(seat) is int and 0 <= seat < seats for seat in (*named, *by_seat))


def _hand_data(players: Sequence[int], hand: Write) -> dict[str, Any]:
    """The entry of a hand: ids and counts, no name and no amount."""
    record = hand["record"]
    data: dict[str, Any] = {"number": hand["number"]}
    if record.get("declarer") is None:
        return data
    data["declarer"] = players[record["declarer"]]
    for name in ("joiners", "made"):
        data[name] = [str(players[seat]) for seat in record.get(name) or ()]
    data["tricks"] = [f"{players[int(seat)]}:{count}" for seat, count in (record.get("tricks") or {}).items() if count]
    return data


# --- Reading a write -------------------------------------------------------------------------------------


def _list(data: Write, name: str, most: int, path: str = "", of: tuple[type, ...] | None = None) -> list[Any]:
    """The list in the field `name`, whose members are objects, or of the types `of`. A missing one is empty."""
    where = f"{path}.{name}" if path else name
    items = data.get(name, [])
    if not isinstance(items, list) or len(items) > most:
        raise _malformed(where)
    if name != "players" and not all(isinstance(item, of or Mapping) for item in items):
        raise _malformed(where)
    return items


def _number(data: Write, name: str, path: str) -> int:
    number = data.get(name)
    if type(number) is not int or not 0 <= number <= MAX_NUMBER:
        raise _malformed(f"{path}.{name}" if path else name)
    return number


def _malformed(path: str) -> Refused:
    return Refused(status=422, code="R1", sentence=_("This choice is not complete. Load the page again."), at=path)


def _plain(write: Write) -> Any:
    """The hashed fields of a write: all that affect the stored data."""
    return {name: write.get(name) for name in ("hands", "changes", "hands_seen")}
