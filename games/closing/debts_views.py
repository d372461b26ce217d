"""The page of debts: all outstanding payments of a club, summed by pair, to be marked as paid, and as a CSV file."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from league.access import ClubAccess, Right, club_for
from league.models import Account, Evening, Payment, User
from league.payments import services as payments
from league.payments.forms import PaidDayForm
from league.web.csv_columns import register_columns
from league.web.csv_download import LongList, download, file_name, log_download
from league.web.report_table import Column, Kind
from league.web.requests import see

from .. import engine_bridge
from ..errors import FormProblem, Refused, form_outdated
from ..hands.gate import signed_in
from . import sentences, services
from .forms import PaidForm, of_day
from .selectors import PaymentLine, payment_lines

COLUMNS = (
    "payment_id", "season", "evening", "held_on", "evening_id", "payer_kind", "payer_id", "payer", "payee_kind",
    "payee_id", "payee", "amount_minor", "stage", "final_at", "fee",
)  # fmt: skip
register_columns(
    Column("payer_kind", pgettext_lazy("column", "Payer, kind")),
    Column("payer_id", pgettext_lazy("column", "Payer no."), Kind.NUMBER),
    Column("payer", pgettext_lazy("column", "Payer")),
    Column("payee_kind", pgettext_lazy("column", "Payee, kind")),
    Column("payee_id", pgettext_lazy("column", "Payee no."), Kind.NUMBER),
    Column("payee", pgettext_lazy("column", "Payee")),
    Column("stage", pgettext_lazy("column", "Stage")),
    Column("final_at", pgettext_lazy("column", "Final from")),
    codes={
        "payer_kind": dict(Account.Kind.choices),
        "payee_kind": dict(Account.Kind.choices),
        "stage": dict(Evening.Stage.choices),
    },
)

LATELY = timedelta(days=30)
"""For this long the page shows what was marked as paid."""
MOST_LATELY = 20


@dataclass(frozen=True)
class Debt:
    """The debt between two accounts over all evenings. `sentence` names the payment that settles it, `parties` is
    the same without the amount."""

    sentence: str
    parties: str
    amount_minor: int
    lines: tuple[tuple[Payment, str], ...]

    @property
    def key(self) -> uuid.UUID:
        """An idempotency key for the button of this debt."""
        return engine_bridge.new_key()


@signed_in
@never_cache
@require_GET
def debts(request: HttpRequest, club: str) -> HttpResponse:
    """Show all outstanding payments to the treasurer and the owners, their own payments to everybody else."""
    access = club_for(request.user, club, Right.SEE_RULES)
    return _debts_page(request, access)


@signed_in
@never_cache
@require_POST
def debts_paid(request: HttpRequest, club: str) -> HttpResponse:
    """Mark payments as paid, or take their marks back; return to this page, or to the treasurer's balances (`back`)."""
    access = club_for(request.user, club, Right.RECORD)
    form = PaidForm(request.POST)
    problem = form.problem()
    wanted = form.payments()
    if problem is None and not wanted:
        problem = FormProblem.of(form_outdated())
    if problem:
        return _debts_page(request, access, problem, status=422)
    author = request.user if isinstance(request.user, User) else None
    paid = form.cleaned_data.get("paid") == "yes"
    try:
        marked = services.debts_mark(
            club=access.club,
            author=author,
            key=form.cleaned_data["key"],
            numbers=wanted or [],
            paid=paid,
            day=form.cleaned_data["day"],
            way=form.way_noted,
        )
    except Refused as refused:
        return _debts_page(request, access, FormProblem.of(refused), status=refused.status)
    if marked.count:
        messages.success(request, _("Marked as paid.") if paid else _("Outstanding again."))
    return see(_back(request, club) + of_day(form.cleaned_data["day"], form.way_noted))


def _back(request: HttpRequest, club: str) -> str:
    """Return the address of the page that sent the form: the balances, a member fee (`back` is its id), or this one."""
    sent = request.POST.get("back", "")
    try:
        return reverse("member-fee", kwargs={"club": club, "fee": uuid.UUID(sent)})
    except ValueError:
        return reverse("treasury-balances" if sent == "balances" else "debts", kwargs={"club": club})


@signed_in
@never_cache
@require_GET
def debts_csv(request: HttpRequest, club: str) -> HttpResponseBase:
    """The outstanding payments as a CSV file, one row each."""
    access = club_for(request.user, club, Right.SEE_RULES)
    log_download(request, access, "debts", f"club:{access.club.pk}")
    return download(request, access, debts_list(access), lambda: rows(_visible_payments(access)))


def debts_list(access: ClubAccess) -> LongList:
    """Return the list of outstanding payments."""
    return LongList(file_name(access, "debts"), _("Outstanding payments"), COLUMNS, ("amount_minor",))


def _visible_payments(access: ClubAccess) -> list[Payment]:
    """The outstanding payments that the reader may see."""
    return list(payments.outstanding_payments(access.club, None if access.may(Right.SEE_MONEY) else access.player_ids))


def _debts_page(
    request: HttpRequest, access: ClubAccess, problem: FormProblem | None = None, status: int = 200
) -> HttpResponse:
    visible, today = _visible_payments(access), timezone.localdate()
    pairs = list(_pairs(visible, access.club.currency))
    lately = _lately_paid(access) if access.may(Right.RECORD) else []
    context = {
        "club": access.club,
        "debts": pairs,
        "total_minor": sum(payment.amount_minor for payment in visible),
        "net_minor": sum(debt.amount_minor for debt in pairs),
        "all_seen": access.may(Right.SEE_MONEY),
        "may_record": access.may(Right.RECORD),
        "sees_ledger": access.may(Right.SEE_LEDGER),
        "lately": lately,
        "lately_minor": sum(payment.amount_minor for payment, _line in lately),
        "problem": problem,
        "last_day": today,
    } | PaidDayForm(request.GET if request.method != "POST" else request.POST).for_page(today)
    return render(request, "games/closing/debts.html", context, status=status)


def _lately_paid(access: ClubAccess) -> list[tuple[Payment, PaymentLine]]:
    """The payments whose marks can be taken back on this page."""
    visible = None if access.may(Right.SEE_MONEY) else access.player_ids
    paid_lately = payments.lately_paid(access.club, timezone.now() - LATELY, visible)[:MOST_LATELY]
    return list(zip(paid_lately, payment_lines(paid_lately, access.club.currency), strict=True))


def _pairs(outstanding: Sequence[Payment], currency: str) -> Iterator[Debt]:
    """Sum the payments by pair, the largest sum first. The accounts of one person count as one."""
    by_pair: dict[tuple[str, ...], list[Payment]] = {}
    for payment in outstanding:
        ends = {payments.holder_key(payment.payer), payments.holder_key(payment.payee)}
        pair = sorted(ends) if len(ends) > 1 else [str(payment.payer_id), str(payment.payee_id)]
        by_pair.setdefault(tuple(pair), []).append(payment)
    yield from sorted(
        (_debt(both, currency) for both in by_pair.values()), key=lambda debt: (-debt.amount_minor, debt.sentence)
    )


def _debt(both: Sequence[Payment], currency: str) -> Debt:
    first: tuple[Account, Account] = (both[0].payer, both[0].payee)
    pays = payments.holder_key(first[0])
    net = sum(
        payment.amount_minor if payments.holder_key(payment.payer) == pays else -payment.amount_minor
        for payment in both
    )
    payer, payee = first if net >= 0 else first[::-1]
    if net:
        sentence = sentences.payment_sentence(payer, payee, abs(net), currency)
        parties = sentences.payment_parties(payer, payee, paid=False)
    else:
        sentence = parties = _("%(one)s and %(other)s are quits") % {
            "one": sentences.account_name(first[0]),
            "other": sentences.account_name(first[1]),
        }
    return Debt(
        sentence=sentence,
        parties=parties,
        amount_minor=abs(net),
        lines=tuple((payment, sentences.payment_parties(payment.payer, payment.payee, paid=False)) for payment in both),
    )


def rows(outstanding: Sequence[Payment]) -> Iterator[dict[str, Any]]:
    """Yield the rows of the CSV file."""
    for payment in outstanding:
        evening = payment.evening
        yield {
            "payment_id": payment.pk,
            "season": evening and evening.season.slug,
            "evening": evening and evening.number,
            "held_on": payment.owed_on,
            "evening_id": evening and evening.pk,
            "payer_kind": payment.payer.kind,
            "payer_id": payment.payer.player_id,
            "payer": str(payment.payer.player or ""),
            "payee_kind": payment.payee.kind,
            "payee_id": payment.payee.player_id,
            "payee": str(payment.payee.player or ""),
            "amount_minor": payment.amount_minor,
            "stage": evening and str(evening.stage()),
            "final_at": evening and evening.final_at,
            "fee": payment.fee_title,
        }
