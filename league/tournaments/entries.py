"""Entries: entering, checking in, withdrawing, coming back, taking another player's place. Each call is one
transaction."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError
from django.db.models import Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from .. import audit, ledger
from ..audit import What
from ..errors import Refused, unknown_player
from ..ledger.idempotency import keyed
from ..locks import lock_club
from ..models import Entrant, Player, Round, Substitution, Tournament, User
from ..roster.services import MAX_NICKNAME, NameTaken, player_store
from . import tables
from .formats import MAX_ENTRANTS, Format
from .locking import DeskWrite, desk_write, must_be
from .slips import next_slip
from .texts import fits

State = Tournament.State
MAX_LABEL = 30
MAX_LABELS = 5
MAX_TEAM = 40


@dataclass(frozen=True)
class Newcomer:
    """A person to enter: a player of the roster by id, or a guest by nickname."""

    player_id: int | None = None
    nickname: str = ""
    labels: tuple[str, ...] = ()
    team: str = ""
    paid: bool = False
    here: bool = False
    name_hidden: bool = False


@contextmanager
def _readable_conflicts() -> Iterator[None]:
    """Return a sentence for a name that another request has just taken."""
    try:
        yield
    except (NameTaken, IntegrityError) as fault:
        if isinstance(fault, IntegrityError) and "nickname" not in str(fault):
            raise
        sentence = _("Somebody in the roster has this nickname. Choose another one.")
        raise Refused(status=409, code="nickname", sentence=sentence, at="nickname") from fault


@keyed(
    lambda first, *, tournament, people, **_given: list(
        Entrant.objects.filter(tournament=tournament, created_at__gte=first.created_at)
        .select_related("player")
        .order_by("number")[: len(people)]
    )
)
@_readable_conflicts()
def enter(
    *, tournament: Tournament, author: User | None, people: Sequence[Newcomer], key: uuid.UUID | None = None
) -> list[Entrant]:
    """Enter people, all or none of them. A nickname that the roster has enters that player, else a new guest.

    While the tournament runs they join with the next draw.

    Raises:
        Refused: 409 for somebody who is entered already (`details`: the start number) and before entries are open or
            after the end; 422 for an invalid nickname, a player of another club, or more than 2,000 entrants.
    """
    body = ("enter", [[p.player_id, p.nickname, list(p.labels), p.team, p.paid, p.here, p.name_hidden] for p in people])

    with desk_write(tournament, author, key, body) as desk:
        now = desk.now
        must_be(now, State.OPEN, State.RUNNING)
        lock_club(now.club_id)
        last = now.entrants.aggregate(last=Max("number"))["last"] or 0
        if now.entrants.count() + len(people) > MAX_ENTRANTS:
            sentence = _("A tournament takes at most %(most)d entrants.") % {"most": MAX_ENTRANTS}
            raise Refused(status=422, code="entrants", sentence=sentence)
        names = _Names(now.club_id)
        entered = [
            _enter_one(now, newcomer, last + 1 + place, author, place, names) for place, newcomer in enumerate(people)
        ]
        for entrant in entered:
            _log(now, author, "entered", entrant)
        return entered


def check_in(*, tournament: Tournament, author: User | None, number: int, here: bool = True) -> Entrant:
    """Note that an entrant is here, or not after all. Where the first round is by slips, a slip is drawn."""
    with _entrant_write(tournament, author, number) as (desk, entrant):
        if here != (entrant.checked_in_at is not None):
            entrant.checked_in_at = timezone.now() if here else None
            if here and Format.read(desk.now.format).slips and not desk.now.rounds.exists():
                entrant.slip = next_slip(desk.now, entrant)
            elif not here:
                entrant.slip = None
            # Not logged: it happens two hundred times a day, and the entrant says since when.
            entrant.save(update_fields=["checked_in_at", "slip"])
        return entrant


def check_in_all(*, tournament: Tournament, author: User | None) -> tuple[int, datetime]:
    """Note that everybody who is entered and missing is here, before the first draw. Return their number and the time,
    by which `check_in_taken_back` knows them.

    Raises:
        Refused: 409 once a round was drawn: who is missing then comes late.
    """
    with desk_write(tournament, author) as desk:
        now = desk.now
        must_be(now, State.OPEN)
        moment = timezone.now()
        rows = now.entrants.filter(struck=False, withdrawn_round=None, checked_in_at=None).order_by("number")
        if not Format.read(now.format).slips:
            return rows.update(checked_in_at=moment), moment
        missing = list(rows)
        for entrant in missing:
            entrant.checked_in_at, entrant.slip = moment, next_slip(now, entrant)
            entrant.save(update_fields=["checked_in_at", "slip"])
        return len(missing), moment


def check_in_taken_back(*, tournament: Tournament, author: User | None, at: datetime) -> int:
    """Take back one `check_in_all`: those who were checked in by it are missing again. Return their number."""
    with desk_write(tournament, author) as desk:
        now = desk.now
        must_be(now, State.OPEN)
        return now.entrants.filter(checked_in_at=at).update(checked_in_at=None, slip=None)


def mark_paid(*, tournament: Tournament, author: User | None, number: int, paid: bool = True) -> Entrant:
    """Tick that the entry fee was paid. No payment is taken or stored."""
    with _entrant_write(tournament, author, number) as (desk, entrant):
        if entrant.paid != paid:
            entrant.paid = paid
            _store_change(desk, entrant, "paid" if paid else "unpaid", "paid")
        return entrant


def hide_name(
    *,
    tournament: Tournament,
    author: User | None,
    number: int,
    hidden: bool = True,
    only: Collection[int] | None = None,
) -> Entrant:
    """Note that an entrant does not want the nickname shown in the hall, or agrees after all. `only`: the players for
    whom the author may choose; an entrant who is another player by now stays as it is."""
    with _entrant_write(tournament, author, number) as (desk, entrant):
        others = only is not None and entrant.player_id not in only
        if not others and hidden != (entrant.name_hidden_since is not None):
            entrant.name_hidden_since = timezone.now() if hidden else None
            _store_change(desk, entrant, "name_hidden" if hidden else "name_shown", "name_hidden_since")
        return entrant


def describe(
    *,
    tournament: Tournament,
    author: User | None,
    number: int,
    labels: Sequence[str] | None = None,
    team: str | None = None,
    fixed_table: int | str | None = "",
) -> Entrant:
    """Set labels, team or fixed table of an entrant; None takes the fixed table away, an empty text leaves it. A slip
    for another table than the fixed one is exchanged for one of that table.

    Raises:
        Refused: 422 for an invalid label, team or table number; 409 for a fixed table of another entrant.
    """
    with _entrant_write(tournament, author, number) as (desk, entrant):
        fields = []
        if labels is not None:
            entrant.labels = tidy_labels(labels)
            fields.append("labels")
        if team is not None:
            entrant.team = _team(team)
            fields.append("team")
        if fixed_table != "":
            entrant.fixed_table = _fixed_table(desk.now, entrant, fixed_table)
            fields.append("fixed_table")
            elsewhere = entrant.slip and entrant.slip[0] != entrant.fixed_table
            if entrant.fixed_table is not None and elsewhere and not desk.now.rounds.exists():
                entrant.slip = next_slip(desk.now, entrant)
                fields.append("slip")
        if fields:
            _store_change(desk, entrant, "described", *fields)
        return entrant


def withdraw(*, tournament: Tournament, author: User | None, number: int) -> Entrant:
    """Take an entrant out. One who has not played is struck; else the rounds played stay, and the entrant is left out
    of the next draw.

    An entrant seated in a drawn round that has not begun leaves it with the desk's next redraw.
    """
    with _entrant_write(tournament, author, number) as (desk, entrant):
        if entrant.struck or entrant.withdrawn_round is not None:
            return entrant
        begun = desk.now.rounds.exclude(state=Round.State.DRAWN).aggregate(last=Max("number"))["last"] or 0
        entrant.checked_in_at = None
        if entrant.joined_round is None or entrant.joined_round > begun:
            entrant.struck = True
        else:
            entrant.withdrawn_round = begun + 1
        _store_change(desk, entrant, "withdrawn", "struck", "withdrawn_round", "checked_in_at")
        return entrant


def come_back(*, tournament: Tournament, author: User | None, number: int) -> Entrant:
    """Take a withdrawal back: the entrant is here and joins with the next draw. Rounds missed stay missed."""
    with _entrant_write(tournament, author, number) as (desk, entrant):
        if entrant.struck or entrant.withdrawn_round is not None:
            _check_not_entered(entrant.player, desk.now.entrants.exclude(pk=entrant.pk).filter(struck=False))
            entrant.struck, entrant.withdrawn_round, entrant.checked_in_at = False, None, timezone.now()
            _store_change(desk, entrant, "back", "struck", "withdrawn_round", "checked_in_at")
        return entrant


@keyed(lambda _first, *, tournament, number, **_given: _entrant(tournament, number))
@_readable_conflicts()
def substitute(
    *, tournament: Tournament, author: User | None, number: int, newcomer: Newcomer, key: uuid.UUID | None = None
) -> Entrant:
    """Give number, table and results of an entrant to another player. Both names are shown from then on.

    The substitute takes the place in each open round, from the first one in which the entrant's table has neither a
    hand nor a sheet.

    Raises:
        Refused: 409 while the entrant's table plays in each open round, or in one after that first one; 409 for a
            player who is entered already; 422 as `enter`.
    """
    body = ("substitute", number, newcomer.player_id, newcomer.nickname)

    with desk_write(tournament, author, key, body) as desk:
        now = desk.now
        must_be(now, State.OPEN, State.RUNNING)
        entrant = _entrant(now, number)
        lock_club(now.club_id)
        player = _player(now, newcomer, author, 0, _Names(now.club_id))
        _check_not_entered(player, now.entrants.all())
        ledger.ensure_player_accounts(now.club_id, [player.pk])
        left, entrant.player = entrant.player, player
        first = _take_places(now, entrant, left, player)
        entrant.save(update_fields=["player"])
        Substitution.objects.create(entrant=entrant, left=left, came=player, from_round=first, author=author)
        _log(now, author, "substituted", entrant)
        return entrant


def _take_places(now: Tournament, entrant: Entrant, left: Player, came: Player) -> int:
    """Seat the substitute in the open rounds, and return the first round of the substitute."""
    taken: list[Round] = []
    waits: Refused | None = None
    for current in now.rounds.exclude(state=Round.State.FINISHED).select_related("draw", "evening").order_by("number"):
        begun = _begun_table(current, entrant.number)
        if begun is None:
            taken.append(current)
            continue
        waits = _must_wait(current, begun)
        if taken:
            raise waits
    for current in taken:
        try:
            tables.of_games().substitute(current.evening, left.pk, came.pk)
        except tables.TableBegun as begun_now:
            raise _must_wait(current, begun_now.number) from begun_now
    if taken:
        return taken[0].number
    if waits is not None:
        raise waits
    return (now.rounds.aggregate(last=Max("number"))["last"] or 0) + 1


def _begun_table(current: Round, number: int) -> int | None:
    """The table of a start number in a round if it has a hand or a sheet."""
    table = next(
        (drawn_table["number"] for drawn_table in current.draw.plan["tables"] if number in drawn_table["seats"]), None
    )
    if table is None:
        return None
    state = tables.of_games().states(current.evening).get(table)
    played = state is not None and state.hands > 0
    return table if played or current.sheets.filter(table_number=table).exists() else None


def _must_wait(current: Round, table: int) -> Refused:
    sentence = _("Table %(table)d of round %(round)d has begun. A substitute takes over once that round is finished.")
    values = {"table": table, "round": current.number}
    return Refused(status=409, code="playing", sentence=sentence % values)


def _enter_one(
    now: Tournament, newcomer: Newcomer, number: int, author: User | None, place: int, names: _Names
) -> Entrant:
    player = _player(now, newcomer, author, place, names)
    _check_not_entered(player, now.entrants.all())
    ledger.ensure_player_accounts(now.club_id, [player.pk])
    entrant = Entrant(
        tournament=now,
        number=number,
        player=player,
        labels=tidy_labels(newcomer.labels),
        team=_team(newcomer.team),
        paid=newcomer.paid,
        name_hidden_since=timezone.now() if newcomer.name_hidden else None,
    )
    entrant.save()
    if newcomer.here:
        entrant.checked_in_at = timezone.now()
        if Format.read(now.format).slips and not now.rounds.exists():
            entrant.slip = next_slip(now, entrant)
        entrant.save(update_fields=["checked_in_at", "slip"])
    return entrant


class _Names:
    """The players of a club by nickname, whatever the case. One query, at the first name."""

    def __init__(self, club_id: int) -> None:
        self._club_id = club_id
        self._known: dict[str, Player] | None = None

    def find(self, nickname: str) -> Player | None:
        if self._known is None:
            rows = Player.objects.filter(club=self._club_id, anonymised_at=None).select_related("main")
            self._known = {row.nickname.casefold(): row for row in rows}
        return self._known.get(nickname.casefold())

    def add(self, player: Player) -> None:
        if self._known is not None:
            self._known[player.nickname.casefold()] = player


def _player(now: Tournament, newcomer: Newcomer, author: User | None, place: int, names: _Names) -> Player:
    if newcomer.player_id is not None:
        player = Player.objects.filter(club=now.club_id, pk=newcomer.player_id).select_related("main").first()
        if player is None or player.anonymised_at is not None:
            raise unknown_player(newcomer.player_id, f"people[{place}].player")
        return player.main or player
    nickname = " ".join(newcomer.nickname.split())
    if not 0 < len(nickname) <= MAX_NICKNAME or not nickname.isprintable():
        sentence = _("A guest needs a nickname of at most %(max)d characters.") % {"max": MAX_NICKNAME}
        raise Refused(status=422, code="nickname", sentence=sentence, at=f"people[{place}].nickname")
    known = names.find(nickname)
    if known is not None:
        return known.main or known
    guest = player_store(Player(club=now.club, nickname=nickname, guest=True), author)
    names.add(guest)
    return guest


def _check_not_entered(player: Player, entrants: QuerySet[Entrant]) -> None:
    # A merged player is entered under the main player, or was entered before the merge.
    root = player.main_id or player.pk
    known = entrants.filter(Q(player=root) | Q(player__main=root)).order_by("number").first()
    if known is not None:
        sentence = _("%(name)s is entered already, under number %(number)d.")
        values = {"name": player.nickname, "number": known.number}
        details = {"number": known.number}
        raise Refused(status=409, code="entered", sentence=sentence % values, at="nickname", details=details)


@contextmanager
def _entrant_write(tournament: Tournament, author: User | None, number: int) -> Iterator[tuple[DeskWrite, Entrant]]:
    with desk_write(tournament, author) as desk:
        must_be(desk.now, State.OPEN, State.RUNNING)
        yield desk, _entrant(desk.now, number)


def _store_change(desk: DeskWrite, entrant: Entrant, did: str, *fields: str) -> None:
    entrant.save(update_fields=fields)
    _log(desk.now, desk.author, did, entrant)


def _entrant(tournament: Tournament, number: int) -> Entrant:
    entrant = Entrant.objects.filter(tournament=tournament, number=number).select_related("player").first()
    if entrant is None:
        sentence = _("There is no start number %(number)s here.") % {"number": number}
        raise Refused(status=404, code="entrant", sentence=sentence, at="number")
    return entrant


def tidy_labels(labels: Sequence[str]) -> list[str]:
    """Return labels without superfluous blanks, each once.

    Raises:
        Refused: 422 for too many, or one that is too long.
    """
    tidy = list(dict.fromkeys(" ".join(label.split()) for label in labels if label.strip()))
    if len(tidy) > MAX_LABELS or not all(fits(label, MAX_LABEL) for label in tidy):
        sentence = _("At most %(count)d labels of %(most)d characters.") % {"count": MAX_LABELS, "most": MAX_LABEL}
        raise Refused(status=422, code="labels", sentence=sentence, at="labels")
    return tidy


def _team(team: str) -> str:
    tidy = " ".join(team.split())
    if not fits(tidy, MAX_TEAM):
        sentence = _("At most %(most)d characters, please.") % {"most": MAX_TEAM}
        raise Refused(status=422, code="team", sentence=sentence, at="team")
    return tidy


def _fixed_table(now: Tournament, entrant: Entrant, wanted: Any) -> int | None:
    if wanted is None:
        return None
    if type(wanted) is not int or not 1 <= wanted <= 999:
        raise Refused(status=422, code="tables", sentence=_("Table numbers go from 1 to 999."), at="fixed_table")
    most = Format.read(now.format).most
    if now.entrants.filter(fixed_table=wanted).exclude(pk=entrant.pk).count() >= most:
        sentence = _("Table %(table)d is full of people with a fixed place.") % {"table": wanted}
        raise Refused(status=409, code="tables", sentence=sentence, at="fixed_table")
    return wanted


def _log(now: Tournament, author: User | None, did: str, entrant: Entrant) -> None:
    data: audit.Data = {"did": did, "number": entrant.number, "tournament": now.pk}
    audit.write(What.ENTRANT_CHANGED, club=now.club, actor=author, about=f"tournament:{now.pk}", data=data)


def take_out(*, tournament: Tournament, author: User | None, number: int) -> None:
    """Delete an entry that was a mistake, before the first draw. The start number stays free.

    Raises:
        Refused: 409 once a round was drawn: withdraw the entrant instead.
    """
    with desk_write(tournament, author) as desk:
        now = desk.now
        must_be(now, State.OPEN)
        entrant = _entrant(now, number)
        if now.rounds.exists() or entrant.substitutions.exists():
            sentence = _("The first round is drawn. Withdraw the entrant instead.")
            raise Refused(status=409, code="drawn", sentence=sentence)
        entrant.delete()
        _log(now, author, "taken_out", entrant)
