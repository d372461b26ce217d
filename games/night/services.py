"""Store one write of a phone through the service that its form uses, and return the result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import structlog
from django.utils.translation import gettext as _

from league.ledger.idempotency import submit_once
from league.models import Club, Season, Submission, User

from ..engine_bridge import Result
from ..errors import Refused
from ..evening.services import BegunOnPhone, evening_start
from ..hands import services as hands
from ..hands.clause_sentences import clause_of
from ..models import FirstSeat, Happening, Table
from ..seating import services as seating
from ..seating.changes import NEWCOMER, Arrive, Leave, NameDealer, Order, Pause, Resume, SeatingChange
from ..seating.services import Guest
from . import choices
from .references import Named, as_seated, names_of, players_named, with_known_ids
from .writes import (
    BeginWrite,
    ChoiceWrite,
    ComeWrite,
    DealerWrite,
    Expected,
    HandWrite,
    LeaveWrite,
    OrderWrite,
    PauseWrite,
    Ref,
    Write,
)

log = structlog.get_logger(__name__)

SeatWrite = ComeWrite | LeaveWrite | OrderWrite | DealerWrite | PauseWrite


@dataclass(frozen=True)
class Difference:
    """A difference between the stored amounts and those of the phone: a sentence, the stored change of each seat, the
    pot, in Rappen."""

    sentence: str
    deltas: tuple[int, ...] = ()
    pot_after: int = 0


@dataclass(frozen=True)
class Stored:
    """The result of a write: its table, the number of its hand if it is one, and the players that it names by a key, or
    by an id that is another one here."""

    table: Table
    number: int | None = None
    players: Mapping[str, Named] = field(default_factory=dict)
    difference: Difference | None = None


def store(*, write: Write, table: Table, author: User | None) -> Stored:
    """Store a write at its table. The same write with the same key gets the same answer, also once references that were
    keys are ids.

    Raises:
        Refused: as the service of its kind; 409 `reference` where an earlier write has to arrive first.
    """
    body = write.body
    if isinstance(body, HandWrite):
        return _hand(write, body, table, author)
    if isinstance(body, ChoiceWrite):
        return _choice(write, body, table, author)
    if isinstance(body, BeginWrite):
        raise Refused(status=422, code="write", sentence=_("This evening begins with a table of its own."), at="kind")
    return _seats(write, body, table, author)


# --- A hand ----------------------------------------------------------------------------------------------


def _hand(write: Write, body: HandWrite, table: Table, author: User | None) -> Stored:
    named = players_named(table.evening.club, {f"players[{n}]": ref for n, ref in enumerate(body.players)})
    players = [named[ref] for ref in body.players]
    sent: dict[str, Any] = {"number": body.number, "players": players, "record": dict(body.record)}
    sits = as_seated(table, players)
    try:
        answer = hands.hand_enter(
            table=table,
            author=author,
            key=write.key,
            body=sent | {"players": [sits[player] for player in players]},
            request_hash=hands.hash_of(table, sent),
        )
    except Refused as refused:
        _log_refusal(table, body, refused)
        raise
    difference = _difference(table, answer.number, body.expected, answer.result)
    return Stored(table, answer.number, _named(named, sits), difference)


def _log_refusal(table: Table, body: HandWrite, refused: Refused) -> None:
    """Log a hand that breaks a clause here, although the phone accepted it by its own rules."""
    if clause_of(refused) and body.expected is not None:
        log.warning("night_refused", table=table.pk, number=body.number, clause=refused.code, at=refused.at)


def _difference(table: Table, number: int, expected: Expected | None, result: Result) -> Difference | None:
    """Return the difference between server and phone, None if there is none; log it, because the two must agree."""
    deltas, pot_after = tuple(result["deltas"]), int(result["pot_after"])
    if expected is None or (expected.deltas, expected.pot_after) == (deltas, pot_after):
        return None
    log.warning(
        "night_difference",
        table=table.pk,
        number=number,
        phone=[list(expected.deltas), expected.pot_after],
        server=[list(deltas), pot_after],
    )
    sentence = _("Hand %(number)d comes to something else here than on the phone. What is stored here is what counts.")
    return Difference(sentence % {"number": number}, deltas, pot_after)


# --- Seating ---------------------------------------------------------------------------------------------


def _seats(write: Write, body: SeatWrite, table: Table, author: User | None) -> Stored:
    named = players_named(table.evening.club, _refs_of(body))
    sits = as_seated(table, named.values()) if named else {}
    # The arriving player may sit there already, as another player of the same person: the service refuses that.
    same = {pk: pk for pk in named.values()}
    come = named[body.player] if isinstance(body, ComeWrite) and body.player is not None else None
    seated = sits | ({come: come} if come is not None else {})
    guest = Guest(body.guest, numbered=True) if isinstance(body, ComeWrite) and body.guest is not None else None
    digest = seating.hash_of(table, _change(body, named, same), guest)
    try:
        happening = seating.carry_out(
            table=table,
            change=_change(body, named, seated),
            author=author,
            key=write.key,
            guest=guest,
            request_hash=digest,
        )
    except Refused as refused:
        if not _is_unchanged(refused, write, table, digest, author):
            raise
        return Stored(table, None, _named(named, seated))
    players = _named(named, seated)
    if isinstance(body, ComeWrite):
        came: int = happening.data["player"]
        players |= names_of({str(write.key): came} | ({str(come): came} if come not in (None, came) else {}))
    return Stored(table, None, players)


def _refs_of(body: SeatWrite) -> dict[str, Ref]:
    if isinstance(body, ComeWrite):
        return {"after": body.after} | ({"player": body.player} if body.player is not None else {})
    if isinstance(body, OrderWrite):
        return {f"players[{n}]": ref for n, ref in enumerate(body.players)}
    return {} if isinstance(body, PauseWrite) else {"player": body.player}


def _change(body: SeatWrite, named: Mapping[Ref, int], seated: Mapping[int, int]) -> SeatingChange:
    def player(ref: Ref) -> int:
        return seated[named[ref]]

    match body:
        case ComeWrite():
            return Arrive(NEWCOMER if body.player is None else player(body.player), player(body.after))
        case LeaveWrite():
            return Leave(player(body.player))
        case OrderWrite():
            return Order(tuple(player(ref) for ref in body.players))
        case DealerWrite():
            return NameDealer(player(body.player))
    return Resume() if body.ends else Pause()


def _is_unchanged(refused: Refused, write: Write, table: Table, digest: str, author: User | None) -> bool:
    """Return True if the table already has the state of the write. Its key is kept, so that it changes nothing later
    either: a pause that another phone began must not begin again when the answer was lost."""
    kept = Submission.objects.filter(club_id=table.evening.club_id, key=write.key, body_hash=digest, happening=None)
    if refused.code == "key_reused":
        return kept.exists()
    if refused.code != "same":
        return False
    submit_once(
        club_id=table.evening.club_id,
        key=write.key,
        body_hash=digest,
        author=author,
        write=lambda submission: None,
        stored=lambda first: None,
    )
    return True


# --- A new evening ---------------------------------------------------------------------------------------


def begin(*, write: Write, body: BeginWrite, club: Club, author: User | None) -> Stored:
    """Begin the evening of a write, with the house rules by which the phone played.

    Raises:
        Refused: as `evening_start`; 409 `season` if the season does not exist any more.
    """
    season = Season.objects.filter(club=club, pk=body.season).first()
    if season is None:
        sentence = _("The season of this evening does not exist any more. The evening stays on the phone.")
        raise Refused(status=409, code="season", sentence=sentence, at="season")
    entries = [f"p{person}" if isinstance(person, int) else f"g{person}" for person in body.seating]
    table = evening_start(
        club=club,
        season=season,
        author=author,
        seating=entries,
        first_dealer=entries[body.first_dealer],
        held_on=body.held_on,
        key=write.key,
        game=body.game,
        carry=body.carry,
        settling=body.settling,
        begun_on_phone=BegunOnPhone(rules_version=body.rules_version),
    )
    table = Table.objects.select_related("evening__season", "evening__house_rules", "evening__club").get(pk=table.pk)
    sat = dict(FirstSeat.objects.filter(table=table).values_list("seat", "player_id"))
    players = {f"{write.key}:{place}": pk for place, pk in sat.items()}
    players |= {str(person): sat[place] for place, person in enumerate(body.seating) if isinstance(person, int)}
    changed = {ref: pk for ref, pk in players.items() if ref != str(pk)}
    return Stored(table, None, names_of(changed), _empty_box(body, season, table))


def _empty_box(body: BeginWrite, season: Season, table: Table) -> Difference | None:
    if not body.carry or season.points_only:
        return None
    if Happening.objects.filter(table=table, kind=Happening.Kind.CARRIED).exists():
        return None
    sentence = _("What was left from the last evening is in another pot by now. The pot of this evening began empty.")
    return Difference(sentence)


# --- Two stories -----------------------------------------------------------------------------------------


def _choice(write: Write, body: ChoiceWrite, table: Table, author: User | None) -> Stored:
    """`correct` and `leave-out`, with ids in place of the keys that are known: their hash is that of the ids."""
    fields = with_known_ids(table.evening.club, body.fields)
    store_choice = choices.correct if write.kind == "correct" else choices.leave_out
    store_choice(table=table, author=author, key=write.key, write=fields, player_of=_id_or_none)
    return Stored(table)


def _id_or_none(ref: Any) -> int | None:
    return ref if type(ref) is int else None


def _named(named: Mapping[Ref, int], seated: Mapping[int, int]) -> dict[str, Named]:
    """The players of a write whom it names by a key, or by an id that is another one here."""
    now = {str(ref): seated.get(pk, pk) for ref, pk in named.items()}
    return names_of({ref: pk for ref, pk in now.items() if ref != str(pk)})
