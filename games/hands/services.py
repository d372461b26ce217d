"""Enter a hand, void the last one. Each call is one transaction: all of it is stored, or nothing."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league import ledger, measures
from league.ledger.idempotency import submit_once
from league.models import Evening, Submission, User

from .. import engine_bridge
from ..engine_bridge import Result
from ..errors import Refused
from ..events import audit_log, webhooks
from ..models import Hand, Revision, Table
from . import chain as chains
from . import clause_sentences, moved_coins, rounds, storage
from .chain import Chain
from .quota import check_hands_a_day
from .replaying import replayed
from .selectors import HandView, view_of

MAX_REASON = 200


@dataclass(frozen=True)
class Answer:
    """The answer to a write. `repeated`: the request was carried out before, and this is the answer from then. `view`:
    the hand that this request entered."""

    number: int
    revision: int
    result: Result
    repeated: bool = False
    view: HandView | None = None


def hand_enter(
    *, table: Table, author: User | None, key: uuid.UUID, body: Mapping[str, Any], request_hash: str = ""
) -> Answer:
    """Store the next hand of a table with its transfers and result rows.

    `body` is {"number": of the hand, "players": [player ids by seat], "record": {…}}. The record may leave out the
    fields of the chain (game, rules, seats, dealer, deal number, pot); where it has these fields, they must agree.
    `request_hash` is a hash of the request, for callers whose request makes another body later; empty for that of the
    body.

    Raises:
        Refused: 422 for a record that breaks a clause, a malformed body, or a key that was used for another body; 409
            where the hand number is taken, the seating has changed, the evening is closed, the table has played all
            hands of its round or the club all that the operator allows a day.
    """
    try:
        return submit_once(
            club_id=table.evening.club_id,
            key=key,
            body_hash=request_hash or hash_of(table, body),
            author=author,
            write=lambda submission: _enter(table, body, storage.Cause(author, submission)),
            stored=_answer_of,
        )
    except IntegrityError as fault:
        raise _integrity_refusal(table, fault) from fault


def hash_of(table: Table, body: Mapping[str, Any]) -> str:
    """The hash of a request to `hand_enter`."""
    return engine_bridge.body_hash(["enter", table.pk, body])


def _enter(table: Table, body: Mapping[str, Any], cause: storage.Cause) -> Answer:
    chain = chains.lock(table.pk)
    sent = _checked(body)
    _check_turn(chain, sent)
    rounds.check_hands_left(chain.round_id, chain.start.number)
    check_hands_a_day(chain)
    record, result = replayed(chain, sent["record"])
    hand, number = _hand_row(chain)
    _check_pot(chain, result)
    content = storage.Content(
        record=record,
        result=result,
        players=chain.players,
        dealer_set=chain.table.dealer_set,
        moved_minor=chain.table.moved_minor,
        recorder_id=cause.author.pk if cause.author else None,
    )
    revision = storage.enter(chain.table, hand, number, content, _accounts(chain), cause)
    chains.advance(chain, result)
    transaction.on_commit(measures.count_hands)
    if chain.has_webhooks and chain.round_id is None:
        webhooks.hand_stored(chain.table, hand.number, revision)
    view = view_of(revision, list(zip(chain.players, chain.names, strict=True)))
    return Answer(number=hand.number, revision=number, result=result, view=view)


def hand_void_last(*, table: Table, author: User | None, key: uuid.UUID, number: int, reason: str = "") -> Answer:
    """Void the last hand of a table: its transfers are reversed, its number is free again.

    Raises:
        Refused: 409 where `number` is not the table's last hand or the evening is closed; 422 for a key that was used
            for another request.
    """
    return submit_once(
        club_id=table.evening.club_id,
        key=key,
        body_hash=engine_bridge.body_hash(["void", table.pk, number, reason]),
        author=author,
        write=lambda submission: _void(table, number, storage.Cause(author, submission, reason=reason[:MAX_REASON])),
        stored=_answer_of,
    )


def _void(table: Table, number: int, cause: storage.Cause) -> Answer:
    chain = chains.lock(table.pk)
    locked = chain.table
    _check_open(locked.evening)
    _check_not_dissolved(locked)
    last = _last(locked, number)
    revision = storage.void(locked, last, cause)
    chains.retreat(locked, last)
    audit_log.hand_voided(last.hand, locked, cause.author)
    if chain.round_id is None:
        webhooks.hand_stored(locked, number, revision)
    return Answer(number=number, revision=revision.number, result=last.result)


def _checked(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the body if it has the right fields. Raises Refused (R1)."""
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
    """Check that the hand is the next one of the table, with its players, in an open evening."""
    _check_open(chain.table.evening)
    _check_not_dissolved(chain.table)
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
            sentence=_("The seating of this table has changed. Reload the page and enter the hand again."),
            at="players",
            details={"expected": list(chain.players)},
        )


def _check_not_dissolved(table: Table) -> None:
    if table.dissolved:
        sentence = _("This table was joined to another one; the evening continues there.")
        raise Refused(status=409, code="dissolved", sentence=sentence)


def _check_open(evening: Evening) -> None:
    if evening.state != Evening.State.OPEN:
        raise Refused(status=409, code="closed", sentence=_("This evening is closed."))


def _check_pot(chain: Chain, result: Result) -> None:
    """Check before the insert that the seats gain what the pot loses."""
    if sum(result["deltas"]) + result["pot_after"] - chain.table.pot_minor != 0 or result["pot_after"] < 0:
        raise ledger.LedgerFault(f"hand {chain.start.number} of table {chain.table.pk} does not add up")


def _hand_row(chain: Chain) -> tuple[Hand, int]:
    """The row of the next hand and the number of its next revision. The row exists already if that hand was voided."""
    if chain.voided is None:
        return Hand.objects.create(table=chain.table, number=chain.start.number), 1
    hand = Hand(pk=chain.voided, table=chain.table, number=chain.start.number)
    return hand, storage.next_number(hand)


def _accounts(chain: Chain) -> dict[int, int]:
    """Player → account. Raises LedgerFault if a player has none: it is created with the first seat."""
    accounts = {player: account for player, account in zip(chain.players, chain.accounts, strict=True) if account}
    if len(accounts) != len(chain.players):
        raise ledger.LedgerFault(f"players without an account at table {chain.table.pk}")
    return accounts


def _last(table: Table, number: int) -> Revision:
    """The valid revision of the table's last hand. Raises Refused (409) if that is not hand `number`, or if its coins
    have left the pot."""
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
        raise moved_coins.refusal(table, code="pot")
    return last


def _taken(table: Table, number: int) -> Refused:
    """409: this hand number is stored already; with the author and the hand in one line."""
    stored = (
        Revision.objects.select_related("author")
        .filter(hand__table=table, hand__number=number)
        .order_by("-number")
        .first()
    )
    if stored is None:
        raise ledger.LedgerFault(f"table {table.pk} counts a hand {number} that is not there")
    names = dict(stored.seats.values_list("number", "player__nickname"))
    line = clause_sentences.summary(stored.record["game"], stored.result, names)
    author = str(stored.author) if stored.author else _("somebody")
    return Refused(
        status=409,
        code="taken",
        sentence=_("Hand %(number)d is already stored, by %(author)s: %(sentence)s")
        % {"number": number, "author": author, "sentence": line},
        at="number",
        details={"number": number, "author": author, "record": stored.record, "sentence": line},
    )


def _answer_of(submission: Submission) -> Answer:
    """The answer that the first use of a key got."""
    revision = Revision.objects.select_related("hand").get(submission=submission)
    return Answer(
        number=revision.hand.number,
        revision=revision.number,
        result=revision.result,
        repeated=True,
    )


def _integrity_refusal(table: Table, fault: IntegrityError) -> Exception:
    """The exception for an IntegrityError: 409 where a unique constraint refused the second of two hands with one
    number; the fault itself for anything else."""
    if not any(
        name in str(fault) for name in ("hand_number_once", "games_hand.", "revision_number_once", "games_revision.")
    ):
        return fault
    fresh = Table.objects.get(pk=table.pk)
    return _taken(fresh, fresh.hands) if fresh.hands else fault
