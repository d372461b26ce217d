"""The page of bank statements: a file is read, its payments are shown with the bills that they pay, then booked."""

from __future__ import annotations

import uuid
from dataclasses import astuple
from typing import Any

from django import forms
from django.contrib import messages
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.access import ClubAccess, Right, club_for
from league.money import format_count
from league.treasury.bank_file import payments_of
from league.treasury.bank_matching import NAMES, BankLine, State, match
from league.treasury.camt053 import BankPayment
from league.web.club_navigation import club_admin_context
from league.web.requests import actor_of, see

from ..errors import Refused, form_outdated
from ..hands.gate import signed_in
from .bank_booking import bank_book

VALID = 24 * 60 * 60
"""For so many seconds the payments of a shown file can be booked."""


MOST_MATCHED = 400
"""So many payments are shown to be booked at once: a form has at most 500 fields. The same file shows the next ones."""


class BookForm(forms.Form):
    """The payments of the file that was shown, signed, and the key of the request."""

    key = forms.UUIDField()
    shown = forms.CharField(max_length=1_000_000)


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def bank_statement(request: HttpRequest, club: str) -> HttpResponse:
    """Read a bank statement and show what each payment is for; then book those that fit a bill."""
    access = club_for(request.user, club, Right.KEEP_KITTY)
    if request.method != "POST":
        return _bank_page(request, access)
    if "shown" in request.POST:
        return _book(request, access)
    try:
        return _bank_page(request, access, payments_of(request.FILES.get("file")))
    except Refused as refused:
        return _bank_page(request, access, problem=refused.sentence, status=refused.status)


def _book(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    form = BookForm(request.POST)
    try:
        if not form.is_valid():
            raise form_outdated()
        bank_payments = _signed(request, access, form.cleaned_data["shown"])
        ticked = set(request.POST.getlist("payment"))
        chosen = [bank_payment for place, bank_payment in enumerate(bank_payments) if str(place) in ticked]
        key = form.cleaned_data["key"]
        booked = bank_book(club=access.club, author=actor_of(request), key=key, payments=chosen)
    except Refused as refused:
        return _bank_page(request, access, problem=refused.sentence, status=refused.status)
    sentence = ngettext("%(n)s payment is booked.", "%(n)s payments are booked.", booked.count)
    messages.success(request, sentence % {"n": format_count(booked.count)})
    return see(reverse("treasury-balances", kwargs={"club": access.club.slug}))


def _salt(request: HttpRequest, access: ClubAccess) -> str:
    return f"bank statement {access.club.pk} {request.user.pk}"


def _signed(request: HttpRequest, access: ClubAccess, text: str) -> list[BankPayment]:
    """Return the payments that this person was shown. Raises Refused (422) for others, or after a day."""
    try:
        return [BankPayment(*fields) for fields in signing.loads(text, salt=_salt(request, access), max_age=VALID)]
    except signing.BadSignature:
        raise form_outdated() from None


def _bank_page(
    request: HttpRequest,
    access: ClubAccess,
    bank_payments: list[BankPayment] | None = None,
    *,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    lines = match(access.club, bank_payments) if bank_payments else []
    matched = [line for line in lines if line.state == State.MATCHED][:MOST_MATCHED]
    signed = [astuple(line.payment) for line in matched]
    context: dict[str, Any] = club_admin_context(access) | {
        "book": "bank",
        "read": bank_payments is not None,
        "matched": list(enumerate(matched)),
        "matched_minor": sum(line.due_minor for line in matched),
        "others": [(line, NAMES[line.state], _amount(line)) for line in lines if line.state != State.MATCHED],
        "shown": signing.dumps(signed, salt=_salt(request, access), compress=True) if matched else "",
        "key": uuid.uuid4(),
        "problem": problem,
    }
    return render(request, "games/closing/bank.html", context, status=status)


def _amount(line: BankLine) -> str:
    """Return the amount with its currency as the bank wrote it; empty if it is not known."""
    amount = line.payment.amount_minor
    return "" if amount is None else f"{line.payment.currency} {amount // 100}.{amount % 100:02d}"
