"""What happens at the tables between two hands. Each call is one transaction: all of it is stored, or nothing."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league import ledger
from league.models import Evening, Player, Posting, Submission, Transfer, User
from league.roster.person import person_of
from league.roster.services import player_store
from league.submissions import Repeated, submit

from .. import chain as chains
from .. import recording
from ..errors import key_reused
from ..evenings import MAX_NICKNAME, table_open
from ..models import Happening, Place, Table
from .acts import NEWCOMER, Act, Arrive, At, Merge, Night, refused
from .reading import names_of, night_of


@dataclass(frozen=True)
class Guest:
    """Somebody whose nickname was typed: a player of the club who is called so, or else a guest who gets a player."""

    nickname: str


@dataclass(frozen=True)
class Plan:
    """What an act would do: the act, the tables before it, those that are different after it (the one that it is about
    first), and everybody's nickname."""

    act: Act
    before: Night
    after: tuple[At, ...]
    names: Mapping[int, str]


def plan(*, table: Table, act: Act, guest: Guest | None = None) -> Plan:
    """What an act would change. Nothing is stored.

    With a `guest` the act is an arrival, and it is this guest who comes.

    Raises:
        Refused: 409 where the evening is closed, the table was joined to another one, or somebody does not sit where
            the act has them; 422 for too many or too few at a table, and for a nickname that cannot be.
    """
    evening = Evening.objects.select_related("house_rules").get(pk=table.evening_id)
    act, newcomer = _met(evening, act, guest)
    rows = list(Table.objects.filter(evening=evening).order_by("pk"))
    night = night_of(evening, rows, table.pk)
    return Plan(act, night, _applied(evening, act, night), names_of(night) | newcomer)


def carry_out(*, table: Table, act: Act, author: User | None, key: uuid.UUID, guest: Guest | None = None) -> Happening:
    """Do it: one transaction, and asked again with its key the same answer. What is returned is the table's own
    happening; where another table is touched, it has one of its own.

    Raises:
        Refused: as `plan`, and 422 for a key that was used for something else.
    """
    asked = act.asked() | ({"guest": guest.nickname} if guest else {})
    digest = recording.body_hash(["night", table.pk, act.kind, asked])
    try:
        with transaction.atomic():
            claimed = submit(club_id=table.evening.club_id, key=key, body_hash=digest, author=author)
            evening = chains.lock_evening(table.evening_id)
            act, _newcomer = _met(evening, act, guest, partial(_new_guest, evening, author))
            rows = _locked(evening, table.pk, act)
            night = night_of(evening, rows, table.pk)
            return _store(evening, rows, Deed(act, night, _applied(evening, act, night), claimed, author))
    except Repeated as repeated:
        return _same(repeated, digest)


def _same(repeated: Repeated, digest: str) -> Happening:
    """What the first use of the key did. Raises Refused (422) where the request is another one."""
    happening = Happening.objects.filter(submission=repeated.submission).first()
    if happening is None or repeated.submission.body_hash != digest:
        raise key_reused()
    return happening


def _applied(evening: Evening, act: Act, night: Night) -> tuple[At, ...]:
    if evening.state != Evening.State.OPEN:
        raise refused(409, "closed", _("This evening is closed."))
    if night.here.dissolved:
        raise refused(409, "dissolved", _("This table was joined to another one; the evening goes on there."))
    return act.apply(night)


def _met(
    evening: Evening, act: Act, guest: Guest | None, new: Callable[[str], Player] | None = None
) -> tuple[Act, dict[int, str]]:
    """The act with the player who is meant, and the nickname of who is not at a table yet; `new` stores a guest."""
    if not isinstance(act, Arrive):
        return act, {}
    if guest is None:
        known = Player.objects.filter(club_id=evening.club_id, pk=act.player_id).select_related("main").first()
        if known is None:
            raise refused(422, "player", _("One of the players is not in this club."), "player")
        return _as_person(evening, act, known)
    nickname = guest.nickname
    if not 0 < len(nickname) <= MAX_NICKNAME or not nickname.isprintable():
        sentence = _("A guest needs a nickname of at most %(max)d characters.") % {"max": MAX_NICKNAME}
        raise refused(422, "player", sentence, "nickname")
    known = Player.objects.filter(club_id=evening.club_id, nickname__iexact=nickname).select_related("main").first()
    if known is None and new is not None:
        known = new(nickname)
    if known is None:
        return replace(act, player_id=NEWCOMER), {NEWCOMER: nickname}
    return _as_person(evening, act, known)


def _as_person(evening: Evening, act: Arrive, known: Player) -> tuple[Act, dict[int, str]]:
    """The act with the player for whom the one named counts. Raises Refused where that person sits there already, under
    another name."""
    person = known.main or known
    names = Player.objects.filter(person_of(person))
    sits = Place.objects.filter(table__evening=evening, table__dissolved=False, player__in=names)
    other = sits.exclude(player=person).select_related("player").first()
    if other is not None:
        said = _("%(name)s sits there already, as %(other)s.") % {
            "name": known.nickname,
            "other": other.player.nickname,
        }
        raise refused(409, "player", said, "player")
    return replace(act, player_id=person.pk), {person.pk: person.nickname}


def _new_guest(evening: Evening, author: User | None, nickname: str) -> Player:
    try:
        with transaction.atomic():
            return player_store(Player(club=evening.club, nickname=nickname, guest=True), author)
    except IntegrityError as fault:
        sentence = _("Somebody with this nickname was just added. Choose that player from the roster.")
        raise refused(409, "player", sentence, "nickname") from fault


def _locked(evening: Evening, table_id: int, act: Act) -> list[Table]:
    """The evening's tables, those locked that the act may change, in the order of their keys. The evening's row is
    locked before them, and everything that seats somebody takes that one."""
    wanted = sorted({table_id, *([act.into] if isinstance(act, Merge) else [])})
    own = {table.pk: table for table in Table.objects.filter(evening=evening).order_by("pk")}
    for pk in wanted:
        if pk in own:
            own[pk] = chains.lock(pk).table
    return list(own.values())


@dataclass(frozen=True)
class Deed:
    """An act that is being stored."""

    act: Act
    before: Night
    after: tuple[At, ...]
    submission: Submission
    author: User | None


def _store(evening: Evening, rows: Sequence[Table], deed: Deed) -> Happening:
    """Write the tables that changed, the coins that moved between their pots, and the story."""
    known = {table.pk: table for table in rows}
    was = {at.pk: at for at in (deed.before.here, *deed.before.others)}
    tables = []
    for at in deed.after:
        tables.append(known[at.pk] if at.pk else _opened(evening, at, known[deed.before.here.pk]))
    source = uuid.uuid4()
    change = [at.pot_minor - (was[at.pk].pot_minor if at.pk else 0) for at in deed.after]
    posting = _moved(evening, deed, source, tables, change)
    for table, at, coins in zip(tables, deed.after, change, strict=True):
        _settle(evening, table, was.get(at.pk), at, coins)
    told = deed.act.told(deed.before, deed.after)
    first, *others = [
        Happening(
            table=table,
            after=table.hands,
            kind=deed.act.kind,
            data=data,
            author=deed.author,
        )
        for table, data in zip(tables, told, strict=True)
    ]
    first.id, first.posting, first.submission = source, posting, deed.submission
    for happening in (first, *others):
        happening.save(force_insert=True)
    return first


def _opened(evening: Evening, at: At, beside: Table) -> Table:
    """The new table, with an empty pot as yet."""
    people = {player.pk: player for player in Player.objects.filter(pk__in=at.players)}
    table = table_open(
        evening=evening,
        players=[people[player] for player in at.players],
        first_dealer=people[at.dealer_id],
        number=at.number,
    )
    table.last_hand = beside.last_hand
    return table


def _moved(
    evening: Evening, deed: Deed, source: uuid.UUID, tables: Sequence[Table], change: Sequence[int]
) -> Posting | None:
    """Coins from the one pot that gives to the one that takes; None where no coin moves."""
    if sum(change) != 0:
        raise ledger.LedgerFault("coins came from nowhere or went there")
    giver = next((table for table, coins in zip(tables, change, strict=True) if coins < 0), None)
    taker = next((table for table, coins in zip(tables, change, strict=True) if coins > 0), None)
    if giver is None or taker is None:
        return None
    move = ledger.Move(giver.pot_account_id, taker.pot_account_id, max(change), Transfer.Kind.MOVED.value)
    return ledger.post(event=ledger.Event(evening, source, 1, deed.author), moves=[move])


def _settle(evening: Evening, table: Table, was: At | None, at: At, coins: int) -> None:
    """Make a table's row and its places what the act leaves."""
    if was is not None and was.players != at.players:
        ledger.purses(evening.club_id, at.players)
        table.places.all().delete()
        Place.objects.bulk_create(Place(table=table, seat=seat, player_id=one) for seat, one in enumerate(at.players))
    table.pot_minor += coins
    table.moved_minor += coins
    table.dealer_id, table.deal_number, table.dealer_set = at.dealer_id, at.deal_number, at.dealer_set
    if (table.paused_at is not None) != at.paused:
        table.paused_at = timezone.now() if at.paused else None
    table.dissolved = at.dissolved
    table.save(update_fields=[*chains.CHAIN_COLUMNS, "paused_at", "dissolved", "last_hand"])
