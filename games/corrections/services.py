"""Correct stored hands: change, take out, insert, move or reseat.

Nothing is overwritten. Each hand that changes gets two more revisions, one that voids it and one that enters it again.
One `Correction` refers to all of them.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from itertools import zip_longest

from django.db.models import Sum
from django.utils.translation import gettext as _

from league import ledger
from league.ledger import club_accounts
from league.ledger.idempotency import submit_once
from league.models import Account, Closing, Evening, Player, Submission, User
from league.standings.closed_seasons import check_evenings_open, lock_open

from .. import engine_bridge
from ..closing.services import reclosing, valid_closing
from ..errors import Refused, unknown_player
from ..events import audit_log, webhooks
from ..hands import carried_pots, moved_coins, rounds, storage
from ..hands import chain as chains
from ..models import Correction, Hand, Place, Table
from . import replay
from .edits import Change, ChangeSeveral, Edit, PutIn, Reseat, place_of
from .replay import Entry, Played

MAX_REASON = 200


@dataclass(frozen=True)
class HandChange:
    """A hand that changes; `before` is None for an inserted hand, `after` for one that is taken out.

    `number` is its number after the correction, or its last one if it is taken out.
    """

    number: int
    before: Played | None
    after: Played | None


@dataclass(frozen=True)
class Plan:
    """The effect of a correction: the hands that change (`changed`), each player's sum at this table before and after
    (Rappen, by player), and the pot before and after. `played` are all hands after it, `left_minor` the coins that came
    into the pot after the last of them. `seated` are the players of the next hand, if they change; `keep`: the next
    dealer stays. `seen` is the fingerprint of the hands before it.

    `rows` are the changes by hand number, as they are stored: a hand that only gets another number is in two of them.
    """

    rows: tuple[HandChange, ...] = field(repr=False)
    changed: tuple[HandChange, ...]
    played: tuple[Played, ...] = field(repr=False)
    before: Mapping[int, int]
    after: Mapping[int, int]
    pot_before_minor: int
    pot_after_minor: int
    left_minor: int
    seated: tuple[int, ...] | None = None
    keep: bool = False
    seen: str = ""

    @property
    def players(self) -> list[tuple[int, int, int]]:
        """The players whose sum changes, as (player, before, after); the largest gain first."""
        ids = sorted(self.before.keys() | self.after.keys())
        both = [(player, self.before.get(player, 0), self.after.get(player, 0)) for player in ids]
        return sorted((row for row in both if row[1] != row[2]), key=lambda row: row[1] - row[2])

    @property
    def renumbered(self) -> list[tuple[int, int]]:
        """The hands that get another number, as (before, after)."""
        both = ((hand.entry.number, hand.number) for hand in self.played)
        return [(was, number) for was, number in both if was not in (0, number)]


def plan(*, table: Table, edit: Edit) -> Plan:
    """Return the effect of the edit. Nothing is stored.

    Raises:
        Refused: 404 if there is no such hand; 422 if the engine refuses the new hand; 409 `later` if a later hand
            becomes impossible, `same` for an edit without effect, `box` if a later evening has the carried pot by now;
            422
            `seating` for players who cannot sit there.
    """
    planned = _plan(before_closing(table), replay.read(table), edit)
    _check_box(table.evening, planned)
    return planned


def correct(
    *,
    table: Table,
    edit: Edit,
    author: User | None,
    key: uuid.UUID,
    reason: str = "",
    seen: str = "",
    request_hash: str = "",
) -> Correction:
    """Carry an edit out in one transaction. The same request with the same key gets the same answer.

    `seen` is the fingerprint of the hands that the author saw, '' to skip that check. `request_hash` is a hash of the
    request, for callers whose request makes another edit once the hands have changed. A provisional evening is closed
    again afterwards; its old receipt then no longer agrees.

    Raises:
        Refused: as `plan`; also 409 `season_closed` in a closed season, 409 `final` for a final evening, 409 `moved_on`
            if the hands are not those `seen`, 422 for a key that was used for another request.
    """
    digest = request_hash or engine_bridge.body_hash(
        ["correct", table.pk, edit.kind, edit.number, edit.details(), reason]
    )
    return submit_once(
        club_id=table.evening.club_id,
        key=key,
        body_hash=digest,
        author=author,
        write=lambda submission: _correct(table, edit, submission, author, reason, seen),
        stored=lambda first: Correction.objects.get(submission=first),
    )


def _correct(
    table: Table, edit: Edit, submission: Submission, author: User | None, reason: str, seen: str
) -> Correction:
    rounds.lock_tournament(table.evening)
    evening = chains.lock_evening(table.evening_id)
    _check_not_final(evening)
    with reclosing(evening, author=author):
        # Where the evening was closed, its pots are back on their tables now.
        locked = chains.lock(table.pk).table
        locked.evening.season = evening.season
        entries = replay.read(locked)
        if seen and seen != replay.fingerprint(entries):
            raise Refused(
                status=409,
                code="moved_on",
                sentence=_("Somebody has recorded at this table meanwhile. Check again what changes."),
            )
        planned = _plan(locked, entries, edit)
        correction = Correction.objects.create(
            table=locked,
            kind=edit.kind,
            number=edit.number,
            details=edit.details() | _ahead(edit, entries),
            before={str(player): amount for player, amount in planned.before.items()},
            after={str(player): amount for player, amount in planned.after.items()},
            submission=submission,
            author=author,
            reason=reason[:MAX_REASON],
        )
        _write(locked, planned, correction)
    if evening.state != Evening.State.OPEN:
        # Nobody closes the season meanwhile.
        lock_open(evening.season_id)
    audit_log.hand_corrected(correction, evening)
    if not evening.season.in_chips:
        webhooks.hands_corrected(evening, correction, [change.number for change in planned.rows])
    return correction


def _ahead(edit: Edit, entries: Sequence[Entry]) -> dict[str, bool]:
    """The detail `ahead`: an inserted hand comes before the happenings at its place. This is the case if no hand
    follows, or if
    its players are those of the hand before it and not those of the hand after it. Coins that came into the pot at that
    place came before the inserted hand, so then it is not ahead."""
    if not isinstance(edit, PutIn):
        return {}
    place = edit.number - 1
    if place >= len(entries):
        return {"ahead": True}
    before = set(entries[place - 1].players) if place else set()
    follows = entries[place]
    ahead = set(edit.players) == before != set(follows.players) and not follows.moved_minor
    return {"ahead": True} if ahead else {}


def stored_correction(*, table: Table, key: uuid.UUID, request_hash: str) -> Correction | None:
    """The correction of this table that the same request stored under this key; None if there is none."""
    corrections = Correction.objects.filter(table=table, submission__key=key, submission__body_hash=request_hash)
    return corrections.select_related("submission").first()


def before_closing(table: Table) -> Table:
    """The table as it was before its evening was closed; the table itself if the evening is open."""
    closed = valid_closing(table.evening) if table.evening.state != Evening.State.OPEN else None
    if closed is None or closed.posting is None:
        return table
    taken = closed.posting.transfers.filter(from_account=table.pot_account_id).aggregate(s=Sum("amount_minor"))["s"]
    earlier = copy(table)
    earlier.moved_minor += taken or 0
    earlier.pot_minor += taken or 0
    return earlier


def _check_box(evening: Evening, planned: Plan) -> None:
    """Check that the box has the coins that a correction of a closed evening takes from it."""
    closed = valid_closing(evening) if evening.state != Evening.State.OPEN else None
    if closed is not None and closed.pot == Closing.Pot.CARRY and not evening.season.points_only:
        box_minor = club_accounts.held(evening.club_id, Account.Kind.BOX)
        change = planned.pot_after_minor - planned.pot_before_minor
        carried_pots.check_box(evening, before_minor=box_minor, after_minor=box_minor + change)


def _check_not_final(evening: Evening) -> None:
    check_evenings_open(evening.season)
    why = rounds.why_final(evening)
    if why:
        raise Refused(status=409, code="final", sentence=why)


def _plan(table: Table, old: Sequence[Entry], edit: Edit) -> Plan:
    new = edit.apply(old)
    _check_round(table, old, new)
    _check_people(table, new, edit)
    before, after = replay.play(table, old), replay.play(table, new)
    pairs = [
        HandChange(number, was, becomes)
        for number, (was, becomes) in enumerate(zip_longest(before, after), start=1)
        if _differs(was, becomes)
    ]
    if not pairs:
        raise Refused(status=409, code="same", sentence=_("It is already written down like that."))
    # Coins that came in before a removed last hand go to the next hand.
    left = table.moved_minor + sum(e.moved_minor for e in old) - sum(e.moved_minor for e in new)
    pot_before, pot_after = _pot(before) + table.moved_minor, _pot(after) + left
    if pot_after < 0:
        raise moved_coins.refusal(table, code="later")
    return Plan(
        rows=tuple(pairs),
        changed=tuple(_changed_hands(edit, before, after)),
        played=tuple(after),
        before=_sums(before),
        after=_sums(after),
        pot_before_minor=pot_before,
        pot_after_minor=pot_after,
        left_minor=left,
        seated=_seated_now(table, old, edit),
        keep=bool(getattr(edit, "keep", False)),
        seen=replay.fingerprint(old),
    )


def _check_round(table: Table, old: Sequence[Entry], new: Sequence[Entry]) -> None:
    """Check that in a round of a tournament all hands have players whom the draw seated, and no more than its number of
    hands."""
    current_round = rounds.round_at(table.evening)
    if current_round is None:
        return
    drawn = set(chains.seating(table))
    if any(set(entry.players) != drawn for entry in new):
        raise rounds.seats_are_drawn()
    if len(new) > len(old) and current_round.all_played(len(old)):
        sentence = current_round.all_played_sentence()
        raise Refused(status=409, code="hands", sentence=sentence, details={"hands": current_round.limit})


def _seated_now(table: Table, old: Sequence[Entry], edit: Edit) -> tuple[int, ...] | None:
    """The players of the next hand if an edit reseats the last hand; None if they do not change."""
    if not isinstance(edit, Reseat) or edit.last != len(old):
        return None
    now = chains.seating(table)
    # A seating that changed since the last hand stays as it is.
    return edit.seated(now) if now == old[-1].players and edit.seated(now) != now else None


def _check_people(table: Table, entries: Sequence[Entry], edit: Edit) -> None:
    """Check that all players are of this club and sit once. One query."""
    people = {player for entry in entries for player in entry.players}
    of_club = Player.objects.filter(club_id=table.evening.club_id, pk__in=people).values_list("pk", "main_id")
    # Two players may be one person, who also sits once only.
    person = {player: main or player for player, main in of_club}
    twice = any(len({person.get(member, member) for member in entry.players}) < len(entry.players) for entry in entries)
    if not all(len(entry.players) in range(engine_bridge.MIN_SEATS, engine_bridge.MAX_SEATS + 1) for entry in entries):
        raise Refused(
            status=422,
            code="seating",
            sentence=_("Two to seven sit at a table."),
            at="players",
        )
    for unknown in sorted(people - person.keys()):
        raise unknown_player(unknown, place_of(edit, unknown), code="seating")
    if twice:
        raise Refused(status=422, code="seating", sentence=_("Somebody would sit there twice."), at="players")


def _differs(before: Played | None, after: Played | None) -> bool:
    if before is None or after is None:
        return True
    return (
        before.record != after.record
        or before.entry.players != after.entry.players
        or before.entry.dealer_id != after.entry.dealer_id
        or before.entry.moved_minor != after.entry.moved_minor
    )


def _changed_hands(edit: Edit, before: Sequence[Played], after: Sequence[Played]) -> list[HandChange]:
    """The hands that change, each with its own state before it, independent of its number."""
    gone = {played.number: played for played in before}
    replaced = edit.numbers if isinstance(edit, ChangeSeveral) else (edit.number,) if isinstance(edit, Change) else ()
    changes = []
    for played in after:
        own = played.number if played.number in replaced else played.entry.number
        was = gone.pop(own, None)
        if was is None or was.record != played.record or was.entry.players != played.entry.players:
            changes.append(HandChange(played.number, was, played))
    changes += [HandChange(number, gone_hand, None) for number, gone_hand in gone.items()]
    return sorted(changes, key=lambda change: (change.number, change.after is not None))


def _pot(played: Sequence[Played]) -> int:
    return int(played[-1].result["pot_after"]) if played else 0


def _sums(played: Sequence[Played]) -> dict[int, int]:
    sums: dict[int, int] = {}
    for hand in played:
        for player, change in zip(hand.entry.players, hand.result["deltas"], strict=True):
            sums[player] = sums.get(player, 0) + change
    return sums


def _write(table: Table, planned: Plan, correction: Correction) -> None:
    """Void the changed hands, the last one first, and enter them again, the first one first."""
    cause = storage.Cause(correction.author, correction=correction, reason=correction.reason)
    hands = {hand.number: hand for hand in table.hand_set.all()}
    accounts = ledger.ensure_player_accounts(table.evening.club_id, sorted(planned.after.keys()))
    for change in reversed(planned.rows):
        if change.before is not None:
            revisions = hands[change.number].revisions.select_related("posting")
            storage.void(table, revisions.order_by("-number")[0], cause)
    for change in planned.rows:
        if change.after is not None:
            hand = hands.get(change.number) or Hand.objects.create(table=table, number=change.number)
            storage.enter(table, hand, storage.next_number(hand), _content(change.after), accounts, cause)
    _settle(table, planned)


def _content(played: Played) -> storage.Content:
    return storage.Content(
        record=played.record,
        result=played.result,
        players=played.entry.players,
        dealer_set=played.entry.dealer_id is not None,
        moved_minor=played.entry.moved_minor,
        recorder_id=played.entry.recorder_id,
    )


def _settle(table: Table, planned: Plan) -> None:
    """Set the table to the state after its last hand."""
    last = replay.after(planned.played[-1]) if planned.played else replay.beginning(table)
    seated = chains.seating(table)
    if planned.seated is not None:
        # The seat of the named dealer keeps the deal.
        table.dealer_id = planned.seated[seated.index(table.dealer_id)]
        _sit_down(table, planned.seated)
        seated = planned.seated
    if not (table.dealer_set and table.dealer_id in seated):
        turn = chains.next_dealer(last.dealer_id, last.players, seated)
        table.dealer_set = planned.keep and table.dealer_id in seated and table.dealer_id != turn
        table.dealer_id = table.dealer_id if table.dealer_set else turn
        table.deal_number = last.deal_number if table.dealer_id == last.dealer_id else 1
    table.hands = len(planned.played)
    table.moved_minor = planned.left_minor
    table.pot_minor = last.pot_minor + table.moved_minor
    table.save(update_fields=["hands", "pot_minor", "moved_minor", "dealer", "deal_number", "dealer_set"])


def _sit_down(table: Table, players: Sequence[int]) -> None:
    table.places.all().delete()
    Place.objects.bulk_create(Place(table=table, seat=seat, player_id=p) for seat, p in enumerate(players))
