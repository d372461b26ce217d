"""Closing an evening, opening it again, and what follows: payments, marks, the receipt. Each call is one transaction.

Rows are locked in one order everywhere: the evening, its tables, the club, the season.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league import payments
from league.models import Account, Closing, Club, Evening, Payment, Player, Submission, User
from league.submissions import Repeated, submit

from .. import chain as chains
from .. import logged, recording, telling
from ..errors import Refused, key_reused
from ..models import Happening, Table
from . import carried, pots, receipts

MAX_REASON = 200


def standing(evening: Evening) -> Closing | None:
    """The closing that holds: None where the evening was never closed, or was opened again since."""
    newest = Closing.objects.filter(evening=evening).select_related("posting").order_by("-number").first()
    return newest if newest is not None and newest.kind != Closing.Kind.REOPENED else None


def evening_close(
    *,
    evening: Evening,
    author: User | None,
    key: uuid.UUID,
    pot: str = Closing.Pot.CARRY,
    present: Sequence[int] = (),
) -> Closing:
    """End an evening: its pots go where `pot` says (shared among the players of `present`), payments and a receipt are
    stored, and the window for corrections begins. In a season of points alone nothing is settled: the pot ends.

    Raises:
        Refused: 409 where the evening is closed already; 422 for a pot to be shared among nobody, or among people who
            were not there, or a key that was used for something else.
    """
    digest = recording.body_hash(["close", evening.pk, pot, sorted(present)])
    try:
        with transaction.atomic():
            claimed = submit(club_id=evening.club_id, key=key, body_hash=digest, author=author)
            locked = _locked(evening)
            if locked.state != Evening.State.OPEN:
                raise Refused(status=409, code="closed", sentence=_("This evening is closed already."))
            people = _people(locked, pot, present)
            closing = _close(locked, Closing.Kind.CLOSED, pot, people, author=author, submission=claimed)
            locked.state = Evening.State.CLOSED
            locked.final_at = timezone.now() + timedelta(hours=locked.club.correction_hours)
            locked.save(update_fields=["state", "final_at"])
            logged.evening_closed(closing, locked)
    except Repeated as repeated:
        return _same(repeated, digest)
    return closing


def evening_reopen(*, evening: Evening, author: User | None, key: uuid.UUID, owner: bool, reason: str = "") -> Closing:
    """Open a closed evening again: the pots lie on their tables as before, open payments fall away, paid ones count.
    A pot that a later evening began with stays there.

    Raises:
        Refused: 409 where it is open; 403 where it is final and nobody who may do that asks (`owner`); 422 where it is
            final and no reason is given, or for a key that was used for something else.
    """
    digest = recording.body_hash(["reopen", evening.pk, reason])
    try:
        with transaction.atomic():
            claimed = submit(club_id=evening.club_id, key=key, body_hash=digest, author=author)
            locked = _locked(evening)
            _check_reopen(locked, owner=owner, reason=reason)
            closed = standing(locked)
            if closed is not None and carried.would_stay(closed) is None:
                pots.give_back(closed, evening=locked, author=author, reason=reason[:MAX_REASON])
            opened = Closing.objects.create(
                evening=locked,
                number=_next_number(locked),
                kind=Closing.Kind.REOPENED,
                submission=claimed,
                author=author,
                reason=reason[:MAX_REASON],
            )
            locked.state, locked.final_at = Evening.State.OPEN, None
            locked.save(update_fields=["state", "final_at"])
            logged.evening_closed(opened, locked)
    except Repeated as repeated:
        return _same(repeated, digest)
    return opened


@contextmanager
def lifted(evening: Evening, *, author: User | None) -> Iterator[None]:
    """The evening as if it had not been closed, while one of its hands is put right; then it is closed as before, with
    what came of it. The caller holds the transaction and the evening's row.

    Raises:
        Refused: 409 where more would be taken out of the box than lies in it.
    """
    closed = standing(evening) if evening.state != Evening.State.OPEN else None
    if closed is None:
        yield
        return
    _lock_rest(evening)
    people = receipts.present_at(closed)
    before = pots.held(evening.club_id, Account.Kind.BOX)
    pots.give_back(closed, evening=evening, author=author)
    yield
    _close(evening, Closing.Kind.MENDED, closed.pot, people, author=author)
    carried.check_box(evening, before_minor=before, after_minor=pots.held(evening.club_id, Account.Kind.BOX))


@dataclass(frozen=True)
class Marked:
    """What came of a mark: how many payments are different now."""

    count: int


def payments_mark(
    *, evening: Evening, author: User | None, key: uuid.UUID, paid: bool, numbers: Sequence[uuid.UUID] | None = None
) -> Marked:
    """Mark payments of a closed evening as paid, or take the mark back; without `numbers` all that are open. One that
    is so already stays as it is.

    A mark taken back from a payment of an earlier closing settles the evening anew.

    Raises:
        Refused: 404 for a payment that is not of this evening; 409 where the evening is open, or where a payment that
            no longer stands would be marked; 422 for a key that was used for something else.
    """
    wanted = None if numbers is None else sorted(str(number) for number in numbers)
    digest = recording.body_hash(["paid", evening.pk, paid, wanted])
    try:
        with transaction.atomic():
            submit(club_id=evening.club_id, key=key, body_hash=digest, author=author)
            locked = chains.lock_evening(evening.pk)
            return Marked(_mark(locked, author, paid, numbers))
    except Repeated as repeated:
        if repeated.submission.body_hash != digest:
            raise key_reused() from None
        return Marked(0)


def debts_mark(*, club: Club, author: User | None, key: uuid.UUID, numbers: Sequence[uuid.UUID]) -> Marked:
    """Mark payments of several evenings of a club as paid, all of them or none.

    Raises:
        Refused: 404 for a payment that is not of this club; 409 for one that no longer stands; 422 for a key that was
            used for something else.
    """
    digest = recording.body_hash(["debts", club.pk, sorted(str(number) for number in numbers)])
    try:
        with transaction.atomic():
            submit(club_id=club.pk, key=key, body_hash=digest, author=author)
            of_club = Payment.objects.filter(pk__in=numbers, closing__evening__club=club)
            wanted: dict[int, list[uuid.UUID]] = {}
            for payment, evening in of_club.values_list("pk", "closing__evening_id"):
                wanted.setdefault(evening, []).append(payment)
            if sum(len(some) for some in wanted.values()) < len(set(numbers)):
                raise _no_payment()
            # One order for whoever locks several.
            return Marked(
                sum(_mark(chains.lock_evening(pk), author, True, some) for pk, some in sorted(wanted.items()))
            )
    except Repeated as repeated:
        if repeated.submission.body_hash != digest:
            raise key_reused() from None
        return Marked(0)


def last_hand(*, evening: Evening, author: User | None, key: uuid.UUID, on: bool = True) -> None:
    """Say that the next hand is the last one and all play in it, at every table of the evening; or take that back.

    Raises:
        Refused: 409 where the evening is closed; 422 for a key that was used for something else.
    """
    digest = recording.body_hash(["last", evening.pk, on])
    try:
        with transaction.atomic():
            submit(club_id=evening.club_id, key=key, body_hash=digest, author=author)
            locked = chains.lock_evening(evening.pk)
            if locked.state != Evening.State.OPEN:
                raise Refused(status=409, code="closed", sentence=_("This evening is closed."))
            for table in pots.locked_tables(locked):
                if table.last_hand != on and not table.dissolved:
                    _last(table, author, on)
    except Repeated as repeated:
        if repeated.submission.body_hash != digest:
            raise key_reused() from None


def _last(table: Table, author: User | None, on: bool) -> None:
    table.last_hand = on
    table.save(update_fields=["last_hand"])
    Happening.objects.create(
        table=table,
        after=table.hands,
        kind=Happening.Kind.LAST,
        data={} if on else {"off": True},
        author=author,
    )


def _locked(evening: Evening) -> Evening:
    locked = chains.lock_evening(evening.pk)
    _lock_rest(locked)
    return locked


def _lock_rest(evening: Evening) -> None:
    pots.locked_tables(evening)
    pots.lock_club(evening.club_id)


def _close(
    evening: Evening,
    kind: str,
    pot: str,
    present: Sequence[int],
    *,
    author: User | None,
    submission: Submission | None = None,
) -> Closing:
    closing_id = uuid.uuid4()
    settles = not evening.season.points_only
    posting = None
    if settles:
        posting = pots.dispose(evening=evening, closing_id=closing_id, pot=pot, present=present, author=author)
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
    receipts.seal(closing, evening=evening, present=present)
    telling.evening_closed(evening, closing)
    return closing


def _next_number(evening: Evening) -> int:
    newest = Closing.objects.filter(evening=evening).order_by("-number").values_list("number", flat=True).first()
    return (newest or 0) + 1


def _people(evening: Evening, pot: str, present: Sequence[int]) -> list[int]:
    """Among whom the pot is shared: players of this club, each once."""
    if pot not in Closing.Pot.values:
        raise Refused(status=422, code="pot", sentence=_("Say what becomes of the pot."), at="pot")
    if pot != Closing.Pot.SHARE:
        return []
    people = sorted(set(present))
    if not people:
        raise Refused(
            status=422, code="present", sentence=_("Tick at least one who gets a part of the pot."), at="present"
        )
    if Player.objects.filter(club_id=evening.club_id, pk__in=people).count() < len(people):
        raise Refused(status=422, code="present", sentence=_("One of the players is not in this club."), at="present")
    return people


def _check_reopen(evening: Evening, *, owner: bool, reason: str) -> None:
    stands = evening.standing()
    if stands == Evening.Standing.OPEN:
        raise Refused(status=409, code="open", sentence=_("This evening is open."))
    if stands == Evening.Standing.PROVISIONAL:
        return
    if not owner:
        raise Refused(
            status=403,
            code="final",
            sentence=_("This evening is final. Only an owner of the club can open it again."),
        )
    if not reason.strip():
        raise Refused(
            status=422,
            code="reason",
            sentence=_("Say why: a final evening is opened again only with a reason, which is kept."),
            at="reason",
        )


def _mark(evening: Evening, author: User | None, paid: bool, wanted: Sequence[uuid.UUID] | None) -> int:
    closed = standing(evening) if evening.state != Evening.State.OPEN else None
    if closed is None:
        raise Refused(
            status=409,
            code="open",
            sentence=_("The evening is open: what is to be paid stands when it is closed."),
        )
    of_evening = Payment.objects.filter(closing__evening=evening)
    if wanted is None:
        chosen = list(payments.with_paid(of_evening.filter(closing=closed)))
    else:
        chosen = list(payments.with_paid(of_evening.filter(pk__in=wanted)))
        if len(chosen) < len(set(wanted)):
            raise _no_payment()
    changing = [payment for payment in chosen if (payment.postings % 2 == 1) != paid]  # type: ignore[attr-defined]
    earlier = [payment for payment in changing if payment.closing_id != closed.pk]
    if earlier and (paid or evening.standing() == Evening.Standing.FINAL):
        raise Refused(
            status=409,
            code="superseded",
            sentence=_("The evening was settled anew since; that payment no longer stands. Load the page again."),
        )
    if earlier:
        with lifted(evening, author=author):
            _post_marks(evening, author, paid, changing)
    else:
        _post_marks(evening, author, paid, changing)
    if changing:
        logged.payments_marked(evening, author, paid, len(changing))
    return len(changing)


def _no_payment() -> Refused:
    return Refused(status=404, code="payment", sentence=_("There is no such payment here."))


def _post_marks(evening: Evening, author: User | None, paid: bool, changing: Sequence[Payment]) -> None:
    for payment in changing:
        made = payment.postings  # type: ignore[attr-defined]
        if paid:
            payments.mark(payment, evening=evening, author=author, made=made)
        else:
            payments.unmark(payment, evening=evening, author=author, made=made)


def _same(repeated: Repeated, digest: str) -> Closing:
    """What the first use of the key came to. Raises Refused (422) where the request is another one."""
    closing = Closing.objects.filter(submission=repeated.submission).first()
    if closing is None or repeated.submission.body_hash != digest:
        raise key_reused()
    return closing
