"""Putting a stored hand right: changed, taken out, put in, moved, or with other people in its seats.

Nothing is overwritten. Each hand that comes out differently gets two revisions more, one that takes it back and one
that enters it anew, and one `Correction` holds them together.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from itertools import zip_longest

from django.db import transaction
from django.db.models import Sum
from django.utils.translation import gettext as _

from league import ledger, results
from league.models import Account, Closing, Evening, Player, User
from league.submissions import Repeated, submit

from .. import chain as chains
from .. import logged, recording, telling
from ..closing import carried, pots
from ..closing.services import lifted, standing
from ..errors import Refused, key_reused
from ..models import Correction, Hand, Place, Revision, Table
from . import away, program
from .edits import Change, Edit, PutIn, Reseat
from .program import Entry, Played

MAX_REASON = 200


@dataclass(frozen=True)
class HandChange:
    """A hand that comes out differently; `before` or `after` is None where it was not there, or no longer is.

    `number` is where it stands afterwards, or stood where it is gone; `before` knows its own.
    """

    number: int
    before: Played | None
    after: Played | None


@dataclass(frozen=True)
class Plan:
    """What a correction would do: the hands that come out differently (`told`), each player's sum at this table before
    and after (Rappen, by player), and the pot that lies there before and after. `played` are all hands then,
    `left_minor` the coins that came into the pot after the last of them. `seated` are those who sit down for the next
    hand, where that changes; `keep`: whose turn it is to deal stays as it is. `seen` is the fingerprint of the hands as
    they were.

    `rows` is what is written: rows go by number, so a hand that only has another number is in two of them.
    """

    rows: tuple[HandChange, ...] = field(repr=False)
    told: tuple[HandChange, ...]
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
        """Those whose sum changes: player, before, after; who gains most first."""
        ids = sorted(self.before.keys() | self.after.keys())
        both = [(player, self.before.get(player, 0), self.after.get(player, 0)) for player in ids]
        return sorted((one for one in both if one[1] != one[2]), key=lambda one: one[1] - one[2])

    @property
    def renumbered(self) -> list[tuple[int, int]]:
        """The hands that have another number then: before, after."""
        both = ((one.entry.number, one.number) for one in self.played)
        return [(was, number) for was, number in both if was not in (0, number)]


def plan(*, table: Table, edit: Edit) -> Plan:
    """What the edit would change. Nothing is stored.

    Raises:
        Refused: 404 for a hand that is not there; 422 where the engine refuses the new hand; 409 `later` where a later
            hand becomes impossible, `same` where nothing would change, `box` where the pot was carried and a later
            evening has it by now; 422 `seating` for people who cannot sit there.
    """
    planned = _plan(opened(table), program.read(table), edit)
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
    asked: str = "",
) -> Correction:
    """Carry an edit out: one transaction, all of it or nothing; asked again with its key, the same answer.

    `seen` is the fingerprint of the hands for which the edit was meant, '' for whatever they are; `asked` a digest of
    what was asked for, where that can say the same with another edit, as the hands were others then. A provisional
    evening is closed anew with what came of it; its old receipt then no longer agrees.

    Raises:
        Refused: as `plan`; also 409 `final` for an evening that only an owner may open, 409 `moved_on` where the
            hands are others than those `seen`, 422 for a key used for something else.
    """
    digest = asked or recording.body_hash(["correct", table.pk, edit.kind, edit.number, edit.details(), reason])
    try:
        with transaction.atomic():
            claimed = submit(club_id=table.evening.club_id, key=key, body_hash=digest, author=author)
            evening = chains.lock_evening(table.evening_id)
            _check_not_final(evening)
            with lifted(evening, author=author):
                # Where the evening was closed, its pots are back on their tables now.
                locked = chains.lock(table.pk).table
                entries = program.read(locked)
                if seen and seen != program.fingerprint(entries):
                    raise Refused(
                        status=409,
                        code="moved_on",
                        sentence=_("Somebody has written at this table meanwhile. Look once more at what changes."),
                    )
                planned = _plan(locked, entries, edit)
                correction = Correction.objects.create(
                    table=locked,
                    kind=edit.kind,
                    number=edit.number,
                    details=edit.details() | _story(edit, entries),
                    before={str(player): amount for player, amount in planned.before.items()},
                    after={str(player): amount for player, amount in planned.after.items()},
                    submission=claimed,
                    author=author,
                    reason=reason[:MAX_REASON],
                )
                _write(locked, planned, correction)
            logged.hand_corrected(correction, evening)
            telling.hands_corrected(evening, correction, [change.number for change in planned.rows])
    except Repeated as repeated:
        return _same(repeated, digest)
    return correction


def _story(edit: Edit, entries: Sequence[Entry]) -> dict[str, bool]:
    """Whether a hand that is put in stands ahead of what happened at its place: where no hand follows, or where those
    sat in it who sat in the hand before and no longer in the one after. Coins that came in there lay before it."""
    if not isinstance(edit, PutIn):
        return {}
    place = edit.number - 1
    if place >= len(entries):
        return {"ahead": True}
    before = set(entries[place - 1].players) if place else set()
    follows = entries[place]
    ahead = set(edit.players) == before != set(follows.players) and not follows.moved_minor
    return {"ahead": True} if ahead else {}


def stored_as(*, table: Table, key: uuid.UUID, asked: str) -> Correction | None:
    """The correction of this table that was stored under a key for what is `asked` again; None where there is none."""
    found = Correction.objects.filter(table=table, submission__key=key, submission__body_hash=asked)
    return found.select_related("submission").first()


def _same(repeated: Repeated, digest: str) -> Correction:
    """The correction that the first use of the key made. Raises Refused (422) where the request is another one."""
    correction = Correction.objects.filter(submission=repeated.submission).first()
    if correction is None or repeated.submission.body_hash != digest:
        raise key_reused()
    return correction


def opened(table: Table) -> Table:
    """The table as it lay before its evening was closed; itself where that is open."""
    closed = standing(table.evening) if table.evening.state != Evening.State.OPEN else None
    if closed is None or closed.posting is None:
        return table
    taken = closed.posting.transfers.filter(from_account=table.pot_account_id).aggregate(s=Sum("amount_minor"))["s"]
    lay = copy(table)
    lay.moved_minor += taken or 0
    lay.pot_minor += taken or 0
    return lay


def _check_box(evening: Evening, planned: Plan) -> None:
    """A closed evening's pot lies in the box, or is in a later evening's."""
    closed = standing(evening) if evening.state != Evening.State.OPEN else None
    if closed is not None and closed.pot == Closing.Pot.CARRY and not evening.season.points_only:
        lies = pots.held(evening.club_id, Account.Kind.BOX)
        change = planned.pot_after_minor - planned.pot_before_minor
        carried.check_box(evening, before_minor=lies, after_minor=lies + change)


def _check_not_final(evening: Evening) -> None:
    if evening.standing() == Evening.Standing.FINAL:
        raise Refused(
            status=409,
            code="final",
            sentence=_("This evening is final. Only an owner of the club can open it again."),
        )


def _plan(table: Table, old: Sequence[Entry], edit: Edit) -> Plan:
    new = edit.apply(old)
    _check_people(table, new)
    before, after = program.play(table, old), program.play(table, new)
    pairs = [
        HandChange(number, was, becomes)
        for number, (was, becomes) in enumerate(zip_longest(before, after), start=1)
        if _differs(was, becomes)
    ]
    if not pairs:
        raise Refused(status=409, code="same", sentence=_("That is how it is written down already."))
    # Coins that came in before a hand which is gone, and which no hand after it took up, wait for the next one.
    left = table.moved_minor + sum(e.moved_minor for e in old) - sum(e.moved_minor for e in new)
    pot_before, pot_after = _pot(before) + table.moved_minor, _pot(after) + left
    if pot_after < 0:
        raise away.gone(table, code="later")
    return Plan(
        rows=tuple(pairs),
        told=tuple(_told(edit, before, after)),
        played=tuple(after),
        before=_sums(before),
        after=_sums(after),
        pot_before_minor=pot_before,
        pot_after_minor=pot_after,
        left_minor=left,
        seated=_seated_now(table, old, edit),
        keep=bool(getattr(edit, "keep", False)),
        seen=program.fingerprint(old),
    )


def _seated_now(table: Table, old: Sequence[Entry], edit: Edit) -> tuple[int, ...] | None:
    """Who sits down for the next hand, where people sit otherwise than written down up to the last hand."""
    if not isinstance(edit, Reseat) or edit.last != len(old):
        return None
    now = chains.seating(table)
    # A seating that was changed since the last hand has been put right, or is about something else.
    return edit.seated(now) if now == old[-1].players and edit.seated(now) != now else None


def _check_people(table: Table, entries: Sequence[Entry]) -> None:
    """Everybody is of this club and sits once. One query."""
    people = {player for entry in entries for player in entry.players}
    of_club = Player.objects.filter(club_id=table.evening.club_id, pk__in=people).values_list("pk", "main_id")
    # Two players may be one person, who sits once as well.
    person = {player: main or player for player, main in of_club}
    twice = any(len({person.get(one, one) for one in entry.players}) < len(entry.players) for entry in entries)
    if not all(len(entry.players) in range(recording.MIN_SEATS, recording.MAX_SEATS + 1) for entry in entries):
        raise Refused(
            status=422,
            code="seating",
            sentence=_("Two to seven sit at a table."),
            at="players",
        )
    if people != person.keys() or twice:
        sentence = _("Somebody would sit there twice.") if twice else _("One of the players is not in this club.")
        raise Refused(status=422, code="seating", sentence=sentence, at="players")


def _differs(before: Played | None, after: Played | None) -> bool:
    if before is None or after is None:
        return True
    return (
        before.record != after.record
        or before.entry.players != after.entry.players
        or before.entry.dealer_id != after.entry.dealer_id
        or before.entry.moved_minor != after.entry.moved_minor
    )


def _told(edit: Edit, before: Sequence[Played], after: Sequence[Played]) -> list[HandChange]:
    """The hands that come out differently, each beside what itself was before, whatever number it had."""
    gone = {one.number: one for one in before}
    told = []
    for one in after:
        own = edit.number if isinstance(edit, Change) and one.number == edit.number else one.entry.number
        was = gone.pop(own, None)
        if was is None or was.record != one.record or was.entry.players != one.entry.players:
            told.append(HandChange(one.number, was, one))
    told += [HandChange(number, one, None) for number, one in gone.items()]
    return sorted(told, key=lambda change: (change.number, change.after is not None))


def _pot(played: Sequence[Played]) -> int:
    return int(played[-1].result["pot_after"]) if played else 0


def _sums(played: Sequence[Played]) -> dict[int, int]:
    sums: dict[int, int] = {}
    for one in played:
        for player, change in zip(one.entry.players, one.result["deltas"], strict=True):
            sums[player] = sums.get(player, 0) + change
    return sums


def _write(table: Table, planned: Plan, correction: Correction) -> None:
    """Take the changed hands back, last one first, and enter them anew, first one first."""
    hands = {hand.number: hand for hand in table.hand_set.all()}
    accounts = ledger.purses(table.evening.club_id, sorted(planned.after.keys()))
    for change in reversed(planned.rows):
        if change.before is not None:
            _take_back(table, hands[change.number], correction)
    for change in planned.rows:
        if change.after is not None:
            hand = hands.get(change.number) or Hand.objects.create(table=table, number=change.number)
            _enter(table, hand, change.after, correction, accounts)
    _settle(table, planned)


def _event(table: Table, hand: Hand, revision: int, correction: Correction) -> ledger.Event:
    return ledger.Event(
        evening=table.evening,
        source=hand.pk,
        revision=revision,
        author=correction.author,
        reason=correction.reason,
    )


def _take_back(table: Table, hand: Hand, correction: Correction) -> None:
    standing = hand.revisions.select_related("posting").order_by("-number")[0]
    event = _event(table, hand, standing.number + 1, correction)
    results.clear(source=hand.pk)
    revision = Revision.objects.create(
        hand=hand,
        number=event.revision,
        kind=Revision.Kind.VOIDED,
        record=standing.record,
        result=standing.result,
        posting=ledger.reverse(event=event, posting=standing.posting),
        correction=correction,
        dealer_set=standing.dealer_set,
        moved_minor=standing.moved_minor,
        author=correction.author,
        recorder_id=standing.recorder_id,
        reason=correction.reason,
    )
    chains.seat(revision, standing.seats.order_by("number").values_list("player_id", flat=True))


def _enter(table: Table, hand: Hand, played: Played, correction: Correction, accounts: Mapping[int, int]) -> None:
    players = played.entry.players
    last = hand.revisions.order_by("-number").values_list("number", flat=True).first() or 0
    posting = ledger.post(
        event=_event(table, hand, last + 1, correction),
        moves=recording.moves(played.result, [accounts[p] for p in players], table.pot_account_id),
        outcomes=recording.outcomes(played.record, played.result, players),
    )
    revision = Revision.objects.create(
        hand=hand,
        number=last + 1,
        kind=Revision.Kind.ENTERED,
        record=played.record,
        result=played.result,
        posting=posting,
        correction=correction,
        dealer_set=played.entry.dealer_id is not None,
        moved_minor=played.entry.moved_minor,
        author=correction.author,
        recorder_id=played.entry.recorder_id,
        reason=correction.reason,
    )
    chains.seat(revision, players)


def _settle(table: Table, planned: Plan) -> None:
    """Move the table on to what its hands leave now."""
    last = program.after(planned.played[-1]) if planned.played else program.beginning(table)
    seated = chains.seating(table)
    if planned.seated is not None:
        # Who was named to deal deals from the same seat.
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
