"""The pages of member fees: all of them, a new one with its preview, and who has paid of one."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ..access import ClubAccess, Right, club_for
from ..errors import Refused
from ..features import uses
from ..models import MemberFee, PaymentDay
from ..money import format_money
from ..payments.forms import PaidDayForm
from ..player_messages.fee_rule import in_words, rule_of, rule_set
from ..web.club_navigation import club_admin_context, show_refusal
from ..web.csv_columns import register_columns
from ..web.csv_download import LongList, download, file_name, log_download
from ..web.report_table import Column, Kind
from ..web.requests import actor_of, see
from . import selectors
from .forms import FeeForm, RemindersForm, UndoForm
from .services import check_fee, fee_book, fee_undo

COLUMNS = (
    "year", "fee", "day", "player_id", "player", "amount_minor", "fee_state", "paid_on", "way", "payment_id",
)  # fmt: skip
register_columns(
    Column("year", pgettext_lazy("column", "Year"), Kind.NUMBER),
    Column("day", pgettext_lazy("column", "Date"), Kind.DATE),
    Column("fee_state", pgettext_lazy("column", "State")),
    Column("way", pgettext_lazy("column", "Way of paying")),
    codes={
        "fee_state": {
            "owed": pgettext_lazy("fee", "outstanding"),
            "paid": pgettext_lazy("fee", "paid"),
            "undone": pgettext_lazy("fee", "undone"),
        },
        "way": dict(PaymentDay.Way.choices),
    },
)
RULE = ("first_days", "every_days", "most")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def fee_list(request: HttpRequest, club: str) -> HttpResponse:
    """Show the booked member fees with their sums: booked, paid, outstanding. POST stores when to remind of them."""
    access = club_for(request.user, club, Right.KEEP_KITTY if request.method == "POST" else Right.SEE_LEDGER)
    rule = rule_of(access.club)
    initial = {"on": rule is not None} | ({name: getattr(rule, name) for name in RULE} if rule else {})
    form = RemindersForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_bound and form.is_valid():
        rule_set(club=access.club, actor=actor_of(request), rule=form.rule())
        messages.success(request, _("Saved."))
        return see(request.path)
    fees = selectors.fees_of(access.club)
    context = club_admin_context(access) | {
        "book": "fees",
        "fees": fees,
        "booked_minor": sum(fee_sums.booked_minor for fee_sums in fees),
        "paid_minor": sum(fee_sums.paid_minor for fee_sums in fees),
        "open_minor": sum(fee_sums.open_minor for fee_sums in fees),
        "may_keep": access.may(Right.KEEP_KITTY),
        "reminds": uses(access.club, "own-messages"),
        "rule": in_words(rule),
        "form": form,
    }
    return render(request, "league/member_fees/list.html", context, status=422 if form.is_bound else 200)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def fee_new(request: HttpRequest, club: str) -> HttpResponse:
    """Enter a new member fee; POST shows who would owe what, and with `do=book` books it."""
    access = club_for(request.user, club, Right.KEEP_KITTY)
    if request.method != "POST":
        return _form_page(request, access, _new_form(access))
    # The year that was sent says who has a fee already; without one the form is refused anyway.
    sent = request.POST.get("year", "")
    year = int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 5 else timezone.localdate().year
    form = FeeForm(request.POST, candidates=selectors.candidates(access.club, year))
    if not form.is_valid():
        return _form_page(request, access, form, status=422)
    if request.POST.get("do") == "change":
        return _form_page(request, access, form)
    return _book(request, access, form) if request.POST.get("do") == "book" else _preview(request, access, form)


def _new_form(access: ClubAccess) -> FeeForm:
    """Return the form for this year, or for the next one if all members have a fee of this year, with the amount of the
    newest fee."""
    year = timezone.localdate().year
    candidates = selectors.candidates(access.club, year)
    if candidates and all(candidate.has_fee or candidate.player.guest for candidate in candidates):
        year += 1
        candidates = selectors.candidates(access.club, year)
    newest = MemberFee.objects.filter(club=access.club).first()
    initial: dict[str, Any] = {"key": uuid.uuid4(), "year": year, "name": _("Member fee")}
    if newest is not None:
        initial["amount_minor"] = format_money(newest.amount_minor)
    return FeeForm(initial=initial, candidates=candidates)


def _preview(request: HttpRequest, access: ClubAccess, form: FeeForm) -> HttpResponse:
    fee = form.fee()
    try:
        check_fee(fee)
    except Refused as refused:
        show_refusal(form, refused)
        return _form_page(request, access, form, status=refused.status)
    context = club_admin_context(access) | {
        "book": "fees",
        "form": form,
        "fee": fee,
        "preview": selectors.preview(access.club, fee),
        "amounts": [(f"amount-{player}", format_money(amount)) for player, amount in fee.amounts.items()],
        "amount": format_money(fee.amount_minor),
    }
    return render(request, "league/member_fees/preview.html", context)


def _book(request: HttpRequest, access: ClubAccess, form: FeeForm) -> HttpResponse:
    try:
        key = form.cleaned_data["key"]
        fee = fee_book(club=access.club, author=actor_of(request), key=key, fee=form.fee())
    except Refused as refused:
        show_refusal(form, refused)
        return _form_page(request, access, form, status=refused.status)
    count = fee.shares.count()
    booked = ngettext("Booked for %(n)d person.", "Booked for %(n)d people.", count)
    messages.success(request, booked % {"n": count})
    return see(_page_of(access, fee))


def _form_page(request: HttpRequest, access: ClubAccess, form: FeeForm, status: int = 200) -> HttpResponse:
    context = club_admin_context(access) | {"book": "fees", "form": form}
    return render(request, "league/member_fees/new.html", context, status=status)


@login_required
@never_cache
@require_safe
def fee(request: HttpRequest, club: str, fee: uuid.UUID) -> HttpResponse:
    """Show one member fee: who has paid and who has not."""
    access = club_for(request.user, club, Right.SEE_LEDGER)
    return _fee_page(request, access, _fee_of(access, fee))


@login_required
@never_cache
@require_POST
def undo(request: HttpRequest, club: str, fee: uuid.UUID) -> HttpResponse:
    """Undo a member fee, or the share of one person."""
    access = club_for(request.user, club, Right.KEEP_KITTY)
    member_fee = _fee_of(access, fee)
    form = UndoForm(request.POST)
    try:
        players = form.players()
        key = form.cleaned_data["key"]
        fee_undo(club=access.club, author=actor_of(request), key=key, fee_id=member_fee.pk, players=players)
    except Refused as refused:
        return _fee_page(request, access, member_fee, refused.sentence, status=refused.status)
    messages.success(request, _("Undone. What was booked and what undid it stay in the ledger."))
    return see(_page_of(access, member_fee))


@login_required
@never_cache
@require_safe
def fees_csv(request: HttpRequest, club: str) -> HttpResponseBase:
    """All shares of all member fees as a CSV file."""
    access = club_for(request.user, club, Right.SEE_LEDGER)
    log_download(request, access, "member_fees", f"club:{access.club.pk}")
    wanted = LongList(file_name(access, "member-fees"), _("Member fees"), COLUMNS, ("amount_minor",))
    return download(request, access, wanted, lambda: selectors.file_rows(access.club))


def _fee_of(access: ClubAccess, pk: uuid.UUID) -> MemberFee:
    member_fee = MemberFee.objects.filter(club=access.club, pk=pk).first()
    if member_fee is None:
        raise Http404("no such member fee")
    return member_fee


def _page_of(access: ClubAccess, fee: MemberFee) -> str:
    return reverse("member-fee", kwargs={"club": access.club.slug, "fee": fee.pk})


def _fee_page(
    request: HttpRequest, access: ClubAccess, fee: MemberFee, problem: str = "", status: int = 200
) -> HttpResponse:
    lines = selectors.shares_of(access.club, fee)
    by_state = {state: [line for line in lines if line.state == state] for state in ("owed", "paid", "undone")}
    today = timezone.localdate()
    context = (
        club_admin_context(access)
        | {
            "book": "fees",
            "fee": fee,
            "sums": selectors.fee_sums(fee),
            "may_keep": access.may(Right.KEEP_KITTY),
            "may_record": access.may(Right.RECORD),
            "key": uuid.uuid4(),
            "undo_key": uuid.uuid4(),
            "today": today,
            "problem": problem,
        }
        | by_state
        | PaidDayForm(request.GET).for_page(today)
    )
    return render(request, "league/member_fees/fee.html", context, status=status)
