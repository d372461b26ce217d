"""What is still open in a club from all its evenings: by pair, to be marked as paid, and as a file."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from league import payments
from league.access import ClubAccess, Right, club_for
from league.exports import download, file_name, taken_along
from league.models import Account, Payment, User

from .. import recording
from ..errors import Refused
from ..forms import Problem
from ..views import see, signed_in
from . import services, words
from .forms import PaidForm

COLUMNS = (
    "payment_id", "season", "evening", "held_on", "evening_id", "payer_kind", "payer_id", "payer", "payee_kind",
    "payee_id", "payee", "amount_minor", "standing", "final_at",
)  # fmt: skip


@dataclass(frozen=True)
class Debt:
    """What two purses owe each other over all evenings: `told` is what makes them quits, empty where they are."""

    told: str
    amount_minor: int
    lines: tuple[tuple[Payment, str], ...]

    @property
    def key(self) -> uuid.UUID:
        """A key for its button."""
        return recording.new_key()


@signed_in
@never_cache
@require_GET
def debts(request: HttpRequest, club: str) -> HttpResponse:
    """All that is open, for the treasurer and the owners; their own for everybody else."""
    access = club_for(request.user, club, Right.SEE_RULES)
    return _page(request, access)


@signed_in
@never_cache
@require_POST
def debts_paid(request: HttpRequest, club: str) -> HttpResponse:
    """Mark what two purses owe each other as paid."""
    access = club_for(request.user, club, Right.RECORD)
    form = PaidForm(request.POST)
    problem = form.problem()
    wanted = form.payments()
    if problem is None and not wanted:
        problem = Problem(_("The page sent something that this form has not. Load the page again."), code="R1")
    if problem:
        return _page(request, access, problem, status=422)
    author = request.user if isinstance(request.user, User) else None
    try:
        marked = services.debts_mark(
            club=access.club, author=author, key=form.cleaned_data["key"], numbers=wanted or []
        )
    except Refused as refused:
        return _page(request, access, Problem(refused.sentence, refused.code, refused.at), status=refused.status)
    if marked.count:
        messages.success(request, _("Marked as paid."))
    return see(reverse("debts", kwargs={"club": club}))


@signed_in
@never_cache
@require_GET
def debts_csv(request: HttpRequest, club: str) -> HttpResponseBase:
    """The open payments as a file, a row each."""
    access = club_for(request.user, club, Right.SEE_RULES)
    taken_along(request, access, "debts", f"club:{access.club.pk}")
    return download(request, file_name(access, "debts"), COLUMNS, lambda: rows(_seen(access)))


def _seen(access: ClubAccess) -> list[Payment]:
    """The open payments that the person may see."""
    return list(payments.debts(access.club, None if access.may(Right.SEE_MONEY) else access.player_ids))


def _page(request: HttpRequest, access: ClubAccess, problem: Problem | None = None, status: int = 200) -> HttpResponse:
    seen = _seen(access)
    found = list(_pairs(seen, access.club.currency))
    context = {
        "club": access.club,
        "debts": found,
        "total_minor": sum(payment.amount_minor for payment in seen),
        "net_minor": sum(debt.amount_minor for debt in found),
        "all_seen": access.may(Right.SEE_MONEY),
        "may_record": access.may(Right.RECORD),
        "problem": problem,
    }
    return render(request, "league/debts.html", context, status=status)


def _pairs(open_payments: Sequence[Payment], currency: str) -> Iterator[Debt]:
    """By pair, the largest sum first. Two players who are one person owe and get together."""
    by_pair: dict[tuple[str, ...], list[Payment]] = {}
    for payment in open_payments:
        ends = {payments.whose(payment.payer), payments.whose(payment.payee)}
        pair = sorted(ends) if len(ends) > 1 else [str(payment.payer_id), str(payment.payee_id)]
        by_pair.setdefault(tuple(pair), []).append(payment)
    yield from sorted(
        (_debt(both, currency) for both in by_pair.values()), key=lambda debt: (-debt.amount_minor, debt.told)
    )


def _debt(both: Sequence[Payment], currency: str) -> Debt:
    first: tuple[Account, Account] = (both[0].payer, both[0].payee)
    pays = payments.whose(first[0])
    net = sum(one.amount_minor if payments.whose(one.payer) == pays else -one.amount_minor for one in both)
    payer, payee = first if net >= 0 else first[::-1]
    if net:
        told = words.told(payer, payee, abs(net), currency)
    else:
        told = _("%(one)s and %(other)s are quits") % {
            "one": words.purse_name(first[0]),
            "other": words.purse_name(first[1]),
        }
    return Debt(
        told=told,
        amount_minor=abs(net),
        lines=tuple((one, words.told(one.payer, one.payee, one.amount_minor, currency)) for one in both),
    )


def rows(open_payments: Sequence[Payment]) -> Iterator[dict[str, Any]]:
    """The file's rows."""
    for payment in open_payments:
        evening = payment.closing.evening
        yield {
            "payment_id": payment.pk,
            "season": evening.season.slug,
            "evening": evening.number,
            "held_on": evening.held_on,
            "evening_id": evening.pk,
            "payer_kind": payment.payer.kind,
            "payer_id": payment.payer.player_id,
            "payer": str(payment.payer.player or ""),
            "payee_kind": payment.payee.kind,
            "payee_id": payment.payee.player_id,
            "payee": str(payment.payee.player or ""),
            "amount_minor": payment.amount_minor,
            "standing": str(evening.standing()),
            "final_at": evening.final_at,
        }
