"""Plan and store seating changes. Each call is one transaction: all of it is stored, or nothing."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league import ledger
from league.access.persons import person_of
from league.ledger.idempotency import submit_once
from league.locks import lock_club
from league.models import Evening, Player, Posting, Submission, Transfer, User
from league.roster.services import MAX_NICKNAME, check_name, free_nickname, player_called, player_store

from .. import engine_bridge
from ..errors import unknown_player
from ..hands import chain as chains
from ..hands import rounds
from ..hands.tables import table_create
from ..models import Happening, Place, Table
from .changes import NEWCOMER, Arrive, EveningTables, Merge, SeatingChange, TableState, refused
from .loading import evening_tables, names_of

SEATS_STAY = (Happening.Kind.DEALER, Happening.Kind.PAUSED, Happening.Kind.RESUMED)
"""The changes after which everybody sits where they sat."""


@dataclass(frozen=True)
class Guest:
    """A typed nickname: of a player of the club, or else of a guest, who gets a new player.

    With `numbered` a nickname that only looks like another one gets a number behind it: the guest sits there already.
    """

    nickname: str
    numbered: bool = False


@dataclass(frozen=True)
class Plan:
    """The effect of a change: the tables before it, the tables that change (`after`, first the one that it is about),
    and all nicknames."""

    change: SeatingChange
    before: EveningTables
    after: tuple[TableState, ...]
    names: Mapping[int, str]


def plan(*, table: Table, change: SeatingChange, guest: Guest | None = None) -> Plan:
    """Return the effect of a change. Nothing is stored.

    With a `guest` the change is an arrival, and this guest comes.

    Raises:
        Refused: 409 if the evening is closed, the table is dissolved, or a player does not have the seat of the change;
            422 for too many or too few players at a table, and for an invalid nickname.
    """
    evening = Evening.objects.select_related("house_rules", "season").get(pk=table.evening_id)
    change, newcomer = _resolved(evening, change, guest)
    rows = list(Table.objects.filter(evening=evening).order_by("pk"))
    tables = evening_tables(evening, rows, table.pk)
    return Plan(change, tables, _applied(evening, change, tables), names_of(tables) | newcomer)


def carry_out(
    *,
    table: Table,
    change: SeatingChange,
    author: User | None,
    key: uuid.UUID,
    guest: Guest | None = None,
    request_hash: str = "",
) -> Happening:
    """Store a change in one transaction. The same request with the same key gets the same answer. Return the happening
    of this table; another table that changes gets one of its own. `request_hash` as in `hand_enter`.

    Raises:
        Refused: as `plan`, and 422 for a key that was used for another request.
    """
    return submit_once(
        club_id=table.evening.club_id,
        key=key,
        body_hash=request_hash or hash_of(table, change, guest),
        author=author,
        write=lambda submission: _carry_out(table, change, guest, author, submission),
        stored=lambda first: Happening.objects.get(submission=first),
    )


def hash_of(table: Table, change: SeatingChange, guest: Guest | None = None) -> str:
    """The hash of a request to `carry_out`."""
    requested = change.requested() | ({"guest": guest.nickname} if guest else {})
    return engine_bridge.body_hash(["night", table.pk, change.kind, requested])


def _carry_out(
    table: Table, change: SeatingChange, guest: Guest | None, author: User | None, submission: Submission
) -> Happening:
    evening = chains.lock_evening(table.evening_id)
    rows = _locked(evening, table.pk, change)
    if guest is not None:
        # After the tables, as a closing does. Whom another request adds now is found below.
        lock_club(evening.club_id)
    change, _newcomer = _resolved(evening, change, guest, partial(_new_guest, evening, author))
    tables = evening_tables(evening, rows, table.pk)
    return _store(evening, rows, StoredChange(change, tables, _applied(evening, change, tables), submission, author))


def _applied(evening: Evening, change: SeatingChange, tables: EveningTables) -> tuple[TableState, ...]:
    if evening.state != Evening.State.OPEN:
        raise refused(409, "closed", _("This evening is closed."))
    if tables.here.dissolved:
        raise refused(409, "dissolved", _("This table was joined to another one; the evening continues there."))
    if evening.season.in_chips and change.kind not in SEATS_STAY:
        raise rounds.seats_are_drawn()
    return change.apply(tables)


def _resolved(
    evening: Evening, change: SeatingChange, guest: Guest | None, new: Callable[[str], Player] | None = None
) -> tuple[SeatingChange, dict[int, str]]:
    """The change with the real player of an arrival, and that player's nickname. `new` stores a guest."""
    if not isinstance(change, Arrive):
        return change, {}
    if guest is None:
        known = Player.objects.filter(club_id=evening.club_id, pk=change.player_id).select_related("main").first()
        if known is None:
            raise unknown_player(change.player_id, "player")
        return _as_person(evening, change, known)
    nickname = guest.nickname
    if not 0 < len(nickname) <= MAX_NICKNAME or not nickname.isprintable():
        sentence = _("A guest needs a nickname of at most %(max)d characters.") % {"max": MAX_NICKNAME}
        raise refused(422, "player", sentence, "nickname")
    known = player_called(evening.club_id, nickname)
    if known is None and new is not None:
        known = new(free_nickname(evening.club_id, nickname) if guest.numbered else nickname)
    if known is None:
        check_name(evening.club_id, nickname, "nickname")
        return replace(change, player_id=NEWCOMER), {NEWCOMER: nickname}
    return _as_person(evening, change, known)


def _as_person(evening: Evening, change: Arrive, known: Player) -> tuple[SeatingChange, dict[int, str]]:
    """The change with the main player of `known`. Raises Refused (409) if that person already sits there under another
    name."""
    person = known.main or known
    names = Player.objects.filter(person_of(person))
    sits = Place.objects.filter(table__evening=evening, table__dissolved=False, player__in=names)
    other = sits.exclude(player=person).select_related("player").first()
    if other is not None:
        sentence = _("%(name)s already sits there, as %(other)s.") % {
            "name": known.nickname,
            "other": other.player.nickname,
        }
        raise refused(409, "player", sentence, "player")
    return replace(change, player_id=person.pk), {person.pk: person.nickname}


def _new_guest(evening: Evening, author: User | None, nickname: str) -> Player:
    try:
        with transaction.atomic():
            return player_store(Player(club=evening.club, nickname=nickname, guest=True), author)
    except IntegrityError as fault:
        sentence = _("Somebody with this nickname was just added. Choose that player from the roster.")
        raise refused(409, "player", sentence, "nickname") from fault


def _locked(evening: Evening, table_id: int, change: SeatingChange) -> list[Table]:
    """The tables of the evening. Those that the change concerns are locked, in the order of their ids. The evening's
    row is locked before them by every service that seats a player."""
    wanted = sorted({table_id, *([change.into] if isinstance(change, Merge) else [])})
    own = {table.pk: table for table in Table.objects.filter(evening=evening).order_by("pk")}
    for pk in wanted:
        if pk in own:
            own[pk] = chains.lock(pk).table
    return list(own.values())


@dataclass(frozen=True)
class StoredChange:
    """A change while it is stored."""

    change: SeatingChange
    before: EveningTables
    after: tuple[TableState, ...]
    submission: Submission
    author: User | None


def _store(evening: Evening, rows: Sequence[Table], stored: StoredChange) -> Happening:
    """Store the tables that changed, the coins that moved between their pots, and the happenings."""
    known = {table.pk: table for table in rows}
    was = {state.pk: state for state in (stored.before.here, *stored.before.others)}
    tables = []
    for state in stored.after:
        tables.append(known[state.pk] if state.pk else _created(evening, state, known[stored.before.here.pk]))
    source = uuid.uuid4()
    coin_changes = [state.pot_minor - (was[state.pk].pot_minor if state.pk else 0) for state in stored.after]
    posting = _moved(evening, stored, source, tables, coin_changes)
    for table, state, coins in zip(tables, stored.after, coin_changes, strict=True):
        _settle(evening, table, was.get(state.pk), state, coins)
    data_of_tables = stored.change.happening_data(stored.before, stored.after)
    first, *others = [
        Happening(
            table=table,
            after=table.hands,
            kind=stored.change.kind,
            data=data,
            author=stored.author,
        )
        for table, data in zip(tables, data_of_tables, strict=True)
    ]
    first.id, first.posting, first.submission = source, posting, stored.submission
    for happening in (first, *others):
        happening.save(force_insert=True)
    return first


def _created(evening: Evening, state: TableState, beside: Table) -> Table:
    """Create the new table, with an empty pot."""
    people = {player.pk: player for player in Player.objects.filter(pk__in=state.players)}
    table = table_create(
        evening=evening,
        players=[people[player] for player in state.players],
        first_dealer=people[state.dealer_id],
        number=state.number,
    )
    table.last_hand = beside.last_hand
    return table


def _moved(
    evening: Evening, stored: StoredChange, source: uuid.UUID, tables: Sequence[Table], coin_changes: Sequence[int]
) -> Posting | None:
    """Post the coins that go from one pot to the other; None if none do."""
    if sum(coin_changes) != 0:
        raise ledger.LedgerFault("coins came from nowhere or went there")
    giver = next((table for table, coins in zip(tables, coin_changes, strict=True) if coins < 0), None)
    taker = next((table for table, coins in zip(tables, coin_changes, strict=True) if coins > 0), None)
    if giver is None or taker is None:
        return None
    move = ledger.Move(giver.pot_account_id, taker.pot_account_id, max(coin_changes), Transfer.Kind.MOVED.value)
    return ledger.post(event=ledger.Event(evening, source, 1, stored.author), moves=[move])


def _settle(evening: Evening, table: Table, was: TableState | None, state: TableState, coins: int) -> None:
    """Set a table's row and places to the state after the change."""
    if was is not None and was.players != state.players:
        ledger.ensure_player_accounts(evening.club_id, state.players)
        table.places.all().delete()
        Place.objects.bulk_create(
            Place(table=table, seat=seat, player_id=player) for seat, player in enumerate(state.players)
        )
    table.pot_minor += coins
    table.moved_minor += coins
    table.dealer_id, table.deal_number, table.dealer_set = state.dealer_id, state.deal_number, state.dealer_set
    if (table.paused_at is not None) != state.paused:
        table.paused_at = timezone.now() if state.paused else None
    table.dissolved = state.dissolved
    table.save(update_fields=[*chains.CHAIN_COLUMNS, "paused_at", "dissolved", "last_hand"])
