"""Close an evening, reopen it, mark payments as paid. Each call is one transaction. Rows are locked in one order
everywhere: the evening, its tables, the club, the season."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from league.ledger import club_accounts
from league.ledger.idempotency import submit_once
from league.locks import lock_club
from league.models import Account, Closing, Club, Evening, Payment, PaymentDay, Submission, User
from league.payments import days, fee_marks
from league.payments import services as payments
from league.player_messages import queue as messages
from league.standings import luck_queue
from league.standings.closed_seasons import check_evenings_open, lock_open

from .. import engine_bridge
from ..errors import Refused
from ..events import audit_log, webhooks
from ..hands import carried_pots
from ..hands import chain as chains
from ..hands.rounds import check_no_round
from ..models import Table
from . import payment_marks, pots, receipts, round_result
from .round_result import TableSheet

MAX_REASON = 200

Way = PaymentDay.Way


def valid_closing(evening: Evening) -> Closing | None:
    """The valid closing; None where the evening was never closed, or was reopened since."""
    ends = Closing.objects.filter(evening=evening).exclude(kind=Closing.Kind.CASHED)
    newest = ends.select_related("posting").order_by("-number").first()
    return newest if newest is not None and newest.kind != Closing.Kind.REOPENED else None


def paid_in_coins(evening: Evening, settling: str | None = None) -> bool:
    """True if closing the open evening marks its payments as paid: its coins moved after each hand, and no payment was
    outstanding when it was closed before. `settling` is the choice of the closing, None for the evening's; another one
    is valid for all of its payments.
    """
    if (settling or evening.settling) != Club.Settling.HANDS:
        return False
    if settling not in (None, evening.settling):
        return True
    closings = Closing.objects.filter(evening=evening, kind__in=[Closing.Kind.CLOSED, Closing.Kind.MENDED])
    before = closings.order_by("-number").first()
    return before is None or not payments.outstanding(before.payments.all()).exists()


def evening_close(
    *,
    evening: Evening,
    author: User | None,
    key: uuid.UUID,
    pot: str = Closing.Pot.CARRY,
    present: Sequence[int] = (),
    settling: str | None = None,
) -> Closing:
    """Close an evening: distribute its pots (`pot`; shared among the players of `present`), store the payments and the
    receipt, and begin the window for corrections. In a season of points alone nothing is settled: the pot ends.

    `settling` is how this evening settled up, None for its setting at the beginning. Coins that moved after each hand
    are paid:
    the payments are marked at once (see `paid_in_coins`).

    Raises:
        Refused: 409 where the evening is already closed; 422 for a pot shared among nobody or among players of another
            club, for an unknown `settling`, or for a key that was used for another request.
    """
    return submit_once(
        club_id=evening.club_id,
        key=key,
        body_hash=engine_bridge.body_hash(
            ["close", evening.pk, pot, sorted(present), *([settling] if settling else [])]
        ),
        author=author,
        write=lambda submission: _close_open_evening(
            evening, pot, present, settling=settling, author=author, submission=submission
        ),
        stored=_closing_of,
    )


def _close_open_evening(
    evening: Evening,
    pot: str,
    present: Sequence[int],
    *,
    settling: str | None,
    author: User | None,
    submission: Submission,
) -> Closing:
    locked = _locked(evening)
    check_no_round(locked)
    if locked.state != Evening.State.OPEN:
        raise Refused(status=409, code="closed", sentence=_("This evening is already closed."))
    people = pots.people(locked, pot, present)
    if settling is not None and settling not in Club.Settling.values:
        raise Refused(status=422, code="settling", sentence=_("Choose how you settled up."), at="settling")
    paid = paid_in_coins(locked, settling)
    closing = _close(locked, Closing.Kind.CLOSED, pot, people, author=author, submission=submission)
    locked.state = Evening.State.CLOSED
    locked.settling = settling or locked.settling
    locked.final_at = timezone.now() + timedelta(hours=locked.club.correction_hours)
    locked.save(update_fields=["state", "settling", "final_at"])
    audit_log.evening_closed(closing, locked)
    if paid:
        _mark(locked, author, True, None, in_coins=True)
    return closing


def evening_reopen(*, evening: Evening, author: User | None, key: uuid.UUID, owner: bool, reason: str = "") -> Closing:
    """Reopen a closed evening: its coins return to the pots, outstanding payments are dropped, paid ones still count.
    A pot that a later evening began with stays there.

    Raises:
        Refused: 409 where it is open, or its season closed; 403 where it is final and the author is no `owner`; 422
            where it is final and no reason is given, or for a key that was used for another request.
    """
    return submit_once(
        club_id=evening.club_id,
        key=key,
        body_hash=engine_bridge.body_hash(["reopen", evening.pk, reason]),
        author=author,
        write=lambda submission: _reopen(evening, author, submission, owner=owner, reason=reason),
        stored=_closing_of,
    )


def _reopen(evening: Evening, author: User | None, submission: Submission, *, owner: bool, reason: str) -> Closing:
    locked = _locked(evening)
    check_no_round(locked)
    check_evenings_open(locked.season)
    _check_reopen(locked, owner=owner, reason=reason)
    closed = valid_closing(locked)
    if closed is not None and carried_pots.missing_after_reopening(closed) is None:
        pots.refill_pots(closed, evening=locked, author=author, reason=reason[:MAX_REASON])
    reopening = _store_reopening(locked, author, submission, reason)
    # Nobody closes the season meanwhile.
    lock_open(locked.season_id)
    audit_log.evening_closed(reopening, locked)
    return reopening


def _store_reopening(evening: Evening, author: User | None, submission: Submission | None, reason: str) -> Closing:
    reopening = Closing.objects.create(
        evening=evening,
        number=_next_number(evening),
        kind=Closing.Kind.REOPENED,
        submission=submission,
        author=author,
        reason=reason[:MAX_REASON],
    )
    evening.state, evening.final_at = Evening.State.OPEN, None
    evening.save(update_fields=["state", "final_at"])
    luck_queue.ask(evening.club)
    return reopening


@contextmanager
def reclosing(evening: Evening, *, author: User | None) -> Iterator[None]:
    """Reverse the closing of the evening, run the body (a correction), then close the evening again in the same way. An
    open evening is left as it is. The caller holds the transaction and has locked the evening's row.

    Raises:
        Refused: 409 where more coins would be taken out of the box than it holds.
    """
    closed = valid_closing(evening) if evening.state != Evening.State.OPEN else None
    if closed is None:
        yield
        return
    _lock_rest(evening)
    if evening.season.in_chips:
        with _round_reclosing(evening, closed, author):
            yield
        return
    people = receipts.present_at(closed)
    before = club_accounts.held(evening.club_id, Account.Kind.BOX)
    pots.refill_pots(closed, evening=evening, author=author)
    yield
    _close(evening, Closing.Kind.MENDED, closed.pot, people, author=author)
    carried_pots.check_box(
        evening, before_minor=before, after_minor=club_accounts.held(evening.club_id, Account.Kind.BOX)
    )


@contextmanager
def _round_reclosing(evening: Evening, closed: Closing, author: User | None) -> Iterator[None]:
    """The same for a round, with the sheets that counted. Raises Refused (409) if the body stores a hand at a table
    that handed in a sheet."""
    sheets = receipts.sheets_of(closed)
    round_result.take_back(closed, evening=evening, author=author)
    yield
    tables = [sheet.table for sheet in sheets]
    begun = Table.objects.filter(evening=evening, number__in=tables, hands__gt=0).order_by("number").first()
    if begun is not None:
        sentence = _("Table %(number)d handed in a sheet: it takes no hands.") % {"number": begun.number}
        raise Refused(status=409, code="sheet", sentence=sentence)
    _close(evening, Closing.Kind.MENDED, closed.pot, (), author=author, sheets=sheets)


def round_close(*, evening: Evening, author: User | None, divided: bool, sheets: Sequence[TableSheet]) -> Closing:
    """Close a round of a tournament: post its sheets, divide its pots or leave them, store the receipt, and begin the
    window for corrections. The caller holds the transaction.

    Raises:
        Refused: 409 where the round is already closed.
        LedgerFault: a sheet that does not add up, or not of the players at its table.
    """
    locked = _locked(evening)
    if locked.state != Evening.State.OPEN:
        raise Refused(status=409, code="closed", sentence=_("This round is already finished."))
    pot = Closing.Pot.SHARE if divided else Closing.Pot.CARRY
    closing = _close(locked, Closing.Kind.CLOSED, pot, (), author=author, sheets=sheets)
    locked.state = Evening.State.CLOSED
    locked.final_at = timezone.now() + timedelta(hours=locked.club.correction_hours)
    locked.save(update_fields=["state", "final_at"])
    return closing


def round_reopen(*, evening: Evening, author: User | None, reason: str) -> Closing:
    """Reverse the closing of a round: its sheets and pots are as before. The caller holds the transaction.

    Raises:
        Refused: 409 where the round is open.
    """
    locked = _locked(evening)
    closed = valid_closing(locked) if locked.state != Evening.State.OPEN else None
    if closed is None:
        raise Refused(status=409, code="open", sentence=_("This round is open."))
    round_result.take_back(closed, evening=locked, author=author, reason=reason[:MAX_REASON])
    return _store_reopening(locked, author, None, reason)


def imported_close(*, evening: Evening, author: User | None, present: Sequence[int]) -> Closing:
    """Close an evening whose hands came from a file: its pots are shared among the players of `present`, its payments
    are paid, and it is final at once. The caller holds the transaction."""
    locked = _locked(evening)
    closing = _close(locked, Closing.Kind.CLOSED, Closing.Pot.SHARE, sorted(present), author=author)
    locked.state, locked.settling = Evening.State.CLOSED, Club.Settling.HANDS
    locked.save(update_fields=["state", "settling"])
    payment_marks.post_marks(locked, author, True, list(payments.with_paid(closing.payments.all())))
    return closing


def imported_reopen(*, evening: Evening, author: User | None) -> Closing:
    """Reverse the closing of an imported evening, with the marks of its payments. The caller holds the transaction."""
    locked = _locked(evening)
    paid = payments.only_paid(Payment.objects.filter(closing__evening=locked))
    payment_marks.post_marks(locked, author, False, list(paid))
    closed = valid_closing(locked)
    if closed is not None:
        pots.refill_pots(closed, evening=locked, author=author)
    return _store_reopening(locked, author, None, "")


@dataclass(frozen=True)
class Marked:
    """The number of payments that a request marked or unmarked."""

    count: int


def payments_mark(
    *,
    evening: Evening,
    author: User | None,
    key: uuid.UUID,
    paid: bool,
    numbers: Sequence[uuid.UUID] | None = None,
    day: date | None = None,
    way: str = Way.CASH,
) -> Marked:
    """Mark payments of a closed evening as paid, or take the mark back; without `numbers` all of its valid closing. A
    payment that already has the wanted state is left as it is. `day` is the day on which they were paid, None for
    today, `way` how.

    A mark taken back from a payment of an earlier closing settles the evening again. Of an open evening only marks of
    cash-outs can be taken back.

    Raises:
        Refused: 404 for a payment that is not of this evening; 409 where the evening is open, or where a payment of
            an earlier closing would be marked, or the day of a payment is one of a closed season; 422 for a day before
            the evening or to come, or for a key that was used for another request.
    """
    wanted = None if numbers is None else sorted(str(number) for number in numbers)
    return submit_once(
        club_id=evening.club_id,
        key=key,
        body_hash=engine_bridge.body_hash(["paid", evening.pk, paid, wanted, *_said(day, way)]),
        author=author,
        write=lambda _submission: Marked(
            _mark(chains.lock_evening(evening.pk), author, paid, numbers, day=day, way=way)
        ),
        stored=lambda _first: Marked(0),
    )


def debts_mark(
    *,
    club: Club,
    author: User | None,
    key: uuid.UUID,
    numbers: Sequence[uuid.UUID],
    paid: bool = True,
    day: date | None = None,
    way: str = Way.CASH,
) -> Marked:
    """Mark payments of several evenings, and member fees, as paid, or take the marks back: all or none. `day` is the
    day on which they were paid, None for today, `way` how.

    Raises:
        Refused: 404 for a payment that is not of this club; 409 for a payment of an earlier closing, a fee that was
            undone, or where the day of a payment is one of a closed season; 422 for a day before an evening or to come,
            or for a key that was used for another request.
    """
    return submit_once(
        club_id=club.pk,
        key=key,
        body_hash=engine_bridge.body_hash(
            ["debts", club.pk, sorted(str(number) for number in numbers), *([] if paid else ["not"]), *_said(day, way)]
        ),
        author=author,
        write=lambda _submission: mark_dated(club, author, dict.fromkeys(numbers, day), paid, way),
        stored=lambda _first: Marked(0),
    )


def _said(day: date | None, way: str) -> list[str]:
    """Return day and way of a request for its digest; what every request has by default is no part of it."""
    return [*([] if day is None else [day.isoformat()]), *([] if way == Way.CASH else [way])]


def mark_dated(
    club: Club, author: User | None, dated: Mapping[uuid.UUID, date | None], paid: bool = True, way: str = Way.CASH
) -> Marked:
    """Mark payments of a club as paid, each on its day, or take the marks back. Raises as `debts_mark` does. The caller
    holds the transaction."""
    numbers = list(dated)
    fees = fee_marks.fees_among(club, numbers)
    of_club = Payment.objects.filter(pk__in=numbers, closing__evening__club=club)
    wanted: dict[int, list[uuid.UUID]] = {}
    for payment, evening in of_club.values_list("pk", "closing__evening_id"):
        wanted.setdefault(evening, []).append(payment)
    known = {pk for some in wanted.values() for pk in some} | set(fees)
    for place, number in enumerate(numbers):
        if number not in known:
            raise payment_marks.no_payment(place)
    # All evenings in one order, before the first mark locks the season. Where a mark is taken back, an evening may be
    # closed again: that needs its tables and the club.
    evenings = [chains.lock_evening(pk) for pk in sorted(wanted)]
    if not paid:
        for night in evenings:
            pots.locked_tables(night)
    if fees or not paid:
        lock_club(club.pk)
    marked = 0
    for night in evenings:
        for day in sorted({dated[number] for number in wanted[night.pk]}, key=str):
            of_day = [number for number in wanted[night.pk] if dated[number] == day]
            marked += _mark(night, author, paid, of_day, day=day, way=way)
    if fees:
        of_fees = {number: dated[number] for number in fees}
        marked += fee_marks.mark_fees(club=club, author=author, dated=of_fees, paid=paid, way=way)
    return Marked(marked)


def _locked(evening: Evening) -> Evening:
    locked = chains.lock_evening(evening.pk)
    _lock_rest(locked)
    return locked


def _lock_rest(evening: Evening) -> None:
    pots.locked_tables(evening)
    lock_club(evening.club_id)


def _close(
    evening: Evening,
    kind: str,
    pot: str,
    present: Sequence[int],
    *,
    author: User | None,
    submission: Submission | None = None,
    sheets: Sequence[TableSheet] = (),
) -> Closing:
    closing_id = uuid.uuid4()
    settles = not evening.season.points_only
    posting = None
    if evening.season.in_chips:
        divided = pot == Closing.Pot.SHARE
        posting = round_result.post(
            evening=evening, closing_id=closing_id, sheets=sheets, divided=divided, author=author
        )
    elif settles:
        posting = pots.empty_pots(evening=evening, closing_id=closing_id, pot=pot, present=present, author=author)
    closing = Closing.objects.create(
        id=closing_id,
        evening=evening,
        number=_next_number(evening),
        kind=kind,
        pot=pot,
        posting=posting,
        submission=submission,
        author=author,
    )
    if settles:
        payments.store(closing, evening)
    receipts.seal(closing, evening=evening, present=present, sheets=sheets)
    if not evening.season.in_chips and not evening.is_imported:
        webhooks.evening_closed(evening, closing)
        messages.evening_closed(evening)
    luck_queue.ask(evening.club)
    return closing


def _next_number(evening: Evening) -> int:
    newest = Closing.objects.filter(evening=evening).order_by("-number").values_list("number", flat=True).first()
    return (newest or 0) + 1


def _check_reopen(evening: Evening, *, owner: bool, reason: str) -> None:
    stage = evening.stage()
    if stage == Evening.Stage.OPEN:
        raise Refused(status=409, code="open", sentence=_("This evening is open."))
    if evening.is_imported:
        sentence = _("This evening was imported. Undo the import, correct the file and import it again.")
        raise Refused(status=409, code="imported", sentence=sentence)
    if stage == Evening.Stage.PROVISIONAL:
        return
    if not owner:
        raise Refused(
            status=403,
            code="final",
            sentence=_("This evening is final. Only an owner of the club can reopen it."),
        )
    if not reason.strip():
        raise Refused(
            status=422,
            code="reason",
            sentence=_("Give a reason: a final evening is reopened only with one, and it is kept."),
            at="reason",
        )


def _mark(
    evening: Evening,
    author: User | None,
    paid: bool,
    wanted: Sequence[uuid.UUID] | None,
    *,
    day: date | None = None,
    way: str = Way.CASH,
    in_coins: bool = False,
) -> int:
    """Mark payments or take marks back, and return their number. Coins that moved after each hand (`in_coins`) were
    paid on the day of the evening."""
    closed = valid_closing(evening) if evening.state != Evening.State.OPEN else None
    chosen = payment_marks.chosen(evening, closed, wanted)
    if closed is None and (paid or not chosen):
        raise Refused(
            status=409,
            code="open",
            sentence=_("The evening is open: what is to be paid stands when it is closed."),
        )
    changing = [payment for payment in chosen if (payment.postings % 2 == 1) != paid]  # type: ignore[attr-defined]
    earlier = [payment for payment in changing if closed is not None and payment.closing_id != closed.pk]
    if earlier and (paid or evening.stage() == Evening.Stage.FINAL):
        raise Refused(
            status=409,
            code="superseded",
            sentence=_("The evening was settled again since; that payment no longer counts. Reload the page."),
        )
    paid_on = None if in_coins or not paid else day or days.default_day(evening.held_on)
    if paid_on is not None and changing:
        days.check_day(paid_on, evening.held_on)
    with reclosing(evening, author=author) if earlier else nullcontext():
        if not in_coins:
            days.lock_days(evening.club_id, payment_marks.days_of(evening, paid_on, changing))
        payment_marks.post_marks(evening, author, paid, changing, paid_on, way)
    if changing:
        audit_log.payments_marked(evening, author, paid, len(changing))
    return len(changing)


def _closing_of(submission: Submission) -> Closing:
    return Closing.objects.get(submission=submission)
