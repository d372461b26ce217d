"""What can be done at the tables. Each call is one transaction: all of it is stored, or nothing."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league import ledger, results
from league.models import Evening, User
from league.submissions import Repeated, submit

from . import chain as chains
from . import logged, messages, recording, telling
from .chain import Chain
from .errors import Refused, key_reused
from .mending import away
from .models import Hand, Revision, Table
from .recording import Record, Result

MAX_REASON = 200


@dataclass(frozen=True)
class Answer:
    """What a write came to. `replayed`: the same request had been carried out before, and this is its answer."""

    status: int
    number: int
    revision: int
    result: Result
    replayed: bool = False


def hand_enter(*, table: Table, author: User | None, key: uuid.UUID, body: Mapping[str, Any]) -> Answer:
    """Store the next hand of a table with its transfers and result rows.

    `body` is {"number": of the hand, "players": [player ids by seat], "record": {…}}; what the chain knows (game,
    rules, seats, dealer, deal number, pot) may be left out of the record, and must agree where it is given.

    Raises:
        Refused: 422 for a record that the rulebook refuses, a body that is malformed, or a key that was used for
            another body; 409 where the hand number is taken, the seating changed or the evening is closed.
    """
    digest = recording.body_hash(["enter", table.pk, body])
    try:
        with transaction.atomic():
            claimed = submit(club_id=table.evening.club_id, key=key, body_hash=digest, author=author)
            chain = chains.lock(table.pk)
            sent = _sent(body)
            _check_turn(chain, sent)
            record, result = _replayed(chain, sent["record"])
            hand, number = _slot(chain)
            event = ledger.Event(evening=chain.table.evening, source=hand.pk, revision=number, author=author)
            accounts = ledger.player_accounts(chain.players)
            _check_pot(chain, result)
            posting = ledger.post(
                event=event,
                moves=recording.moves(result, [accounts[p] for p in chain.players], chain.table.pot_account_id),
                outcomes=recording.outcomes(record, result, chain.players),
            )
            revision = Revision.objects.create(
                hand=hand,
                number=number,
                kind=Revision.Kind.ENTERED,
                record=record,
                result=result,
                posting=posting,
                submission=claimed,
                dealer_set=chain.table.dealer_set,
                moved_minor=chain.table.moved_minor,
                author=author,
                recorder=author,
            )
            chains.seat(revision, chain.players)
            chains.advance(chain, result)
            telling.hand_stored(chain.table, hand.number, revision)
    except Repeated as repeated:
        return _same_answer(repeated, digest)
    except IntegrityError as fault:
        raise _raced(table, fault) from fault
    return Answer(status=201, number=hand.number, revision=number, result=result)


def hand_void_last(*, table: Table, author: User | None, key: uuid.UUID, number: int, reason: str = "") -> Answer:
    """Void the last hand of a table: its money goes back by mirrored transfers, its number is free again.

    Raises:
        Refused: 409 where `number` is not the table's last hand or the evening is closed; 422 for a key used for
        something else.
    """
    digest = recording.body_hash(["void", table.pk, number, reason])
    try:
        with transaction.atomic():
            claimed = submit(club_id=table.evening.club_id, key=key, body_hash=digest, author=author)
            locked = chains.lock(table.pk).table
            _check_open(locked.evening)
            _check_plays(locked)
            voided = _last(locked, number)
            event = ledger.Event(
                evening=locked.evening,
                source=voided.hand_id,
                revision=voided.number + 1,
                author=author,
                reason=reason[:MAX_REASON],
            )
            results.clear(source=voided.hand_id)
            posting = ledger.reverse(event=event, posting=voided.posting)
            revision = Revision.objects.create(
                hand_id=voided.hand_id,
                number=event.revision,
                kind=Revision.Kind.VOIDED,
                record=voided.record,
                result=voided.result,
                posting=posting,
                submission=claimed,
                dealer_set=voided.dealer_set,
                moved_minor=voided.moved_minor,
                author=author,
                recorder_id=voided.recorder_id,
                reason=event.reason,
            )
            chains.seat(revision, voided.seats.order_by("number").values_list("player_id", flat=True))
            chains.retreat(locked, voided)
            logged.hand_voided(voided.hand, locked, author)
            telling.hand_stored(locked, number, revision)
    except Repeated as repeated:
        return _same_answer(repeated, digest)
    return Answer(status=201, number=number, revision=revision.number, result=voided.result)


def _sent(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """The body, if it has the fields it must have. Raises Refused (R1)."""
    wanted = {"number": int, "players": list, "record": Mapping}
    for name in body:
        if name not in wanted:
            raise Refused(status=422, code="R1", sentence=_("There is no field “%(name)s”.") % {"name": name}, at=name)
    for name, kind in wanted.items():
        value = body.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise Refused(
                status=422,
                code="R1",
                sentence=_("The field “%(name)s” is missing.") % {"name": name},
                at=name,
            )
    return body


def _check_turn(chain: Chain, sent: Mapping[str, Any]) -> None:
    """The hand sent must be the next of the table, with the players who sit there, on an open evening."""
    _check_open(chain.table.evening)
    _check_plays(chain.table)
    number, due = sent["number"], chain.start.number
    if 1 <= number < due:
        raise _taken(chain.table, number)
    if number != due:
        raise Refused(
            status=409,
            code="number",
            sentence=_("Hand %(due)d comes before hand %(number)d.") % {"due": due, "number": number},
            at="number",
        )
    if tuple(sent["players"]) != chain.players:
        raise Refused(
            status=409,
            code="seating",
            sentence=_("The seating of this table has changed. Load the page again and enter the hand anew."),
            at="players",
        )


def _check_plays(table: Table) -> None:
    if table.dissolved:
        sentence = _("This table was joined to another one; the evening goes on there.")
        raise Refused(status=409, code="dissolved", sentence=sentence)


def _check_open(evening: Evening) -> None:
    if evening.state != Evening.State.OPEN:
        raise Refused(status=409, code="closed", sentence=_("This evening is closed."))


def _replayed(chain: Chain, sent: Mapping[str, Any]) -> tuple[Record, Result]:
    """The complete record and the engine's result. Raises Refused with the clause that is broken."""
    record, differs = recording.complete(chain.start, sent)
    if differs is not None:
        raise Refused(
            status=409,
            code="chain",
            sentence=_("The record says something else than this table about “%(name)s”.") % {"name": differs},
            at=differs,
            details={"due": chain.start.fields()[differs]},
        )
    result = recording.replay(record)
    if not result["ok"]:
        raise messages.refusal(result["error"])
    return record, result


def _check_pot(chain: Chain, result: Result) -> None:
    """The last look before the insert: what the seats win the pot loses."""
    if sum(result["deltas"]) + result["pot_after"] - chain.table.pot_minor != 0 or result["pot_after"] < 0:
        raise ledger.LedgerFault(f"hand {chain.start.number} of table {chain.table.pk} does not add up")


def _slot(chain: Chain) -> tuple[Hand, int]:
    """The hand's place in the chain (it is there already where it was voided) and the number of its next revision."""
    hand = Hand.objects.filter(table=chain.table, number=chain.start.number).first()
    if hand is None:
        return Hand.objects.create(table=chain.table, number=chain.start.number), 1
    last = hand.revisions.order_by("-number").values_list("number", flat=True)[0]
    return hand, last + 1


def _last(table: Table, number: int) -> Revision:
    """The standing revision of the table's last hand, if that is hand `number` and its coins are still here."""
    if table.hands == 0:
        raise Refused(status=409, code="number", sentence=_("This table has no hand that could be undone."))
    if number != table.hands:
        raise Refused(
            status=409,
            code="number",
            sentence=_("Only the last hand can be undone; that is hand %(number)d.") % {"number": table.hands},
            at="number",
        )
    revisions = Revision.objects.select_related("posting").filter(hand__table=table, hand__number=number)
    last = revisions.order_by("-number")[0]
    if last.record["pot_before"] + table.moved_minor < 0:
        raise away.gone(table, code="pot")
    return last


def _taken(table: Table, number: int) -> Refused:
    """409: somebody stored this hand number before; says who and what."""
    stored = (
        Revision.objects.select_related("author")
        .filter(hand__table=table, hand__number=number)
        .order_by("-number")
        .first()
    )
    if stored is None:
        raise ledger.LedgerFault(f"table {table.pk} counts a hand {number} that is not there")
    names = dict(stored.seats.values_list("number", "player__nickname"))
    told = messages.summary(stored.result, names)
    author = str(stored.author) if stored.author else _("somebody")
    return Refused(
        status=409,
        code="taken",
        sentence=_("Hand %(number)d is stored already, by %(author)s: %(told)s")
        % {"number": number, "author": author, "told": told},
        at="number",
        details={"number": number, "author": author, "record": stored.record, "told": told},
    )


def _same_answer(repeated: Repeated, digest: str) -> Answer:
    """The answer that the first use of the key got. Raises Refused (422) where the request is another one."""
    revision = Revision.objects.select_related("hand").filter(submission=repeated.submission).first()
    if revision is None or repeated.submission.body_hash != digest:
        raise key_reused()
    return Answer(
        status=201,
        number=revision.hand.number,
        revision=revision.number,
        result=revision.result,
        replayed=True,
    )


def _raced(table: Table, fault: IntegrityError) -> Exception:
    """Two at once for one hand number, where the database's unique constraint decided: 409. Anything else is a
    fault of ours."""
    if not any(
        name in str(fault) for name in ("hand_number_once", "games_hand.", "revision_number_once", "games_revision.")
    ):
        return fault
    fresh = Table.objects.get(pk=table.pk)
    return _taken(fresh, fresh.hands) if fresh.hands else fault
