"""The treasurer's list: what each person is to get or to pay, each outstanding payment, kitty and box."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import Sum
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ..access import ClubAccess
from ..models import Account, Balance, Payment
from ..money import format_count, format_price
from ..payments import services as payments
from ..standings import selectors
from ..web.csv_download import file_name
from ..web.report_table import Column, Kind, Row, Table
from .report import Fact, Report


def treasurer_list(access: ClubAccess) -> Report:
    """Return the list of a club, for a reader who may see the ledger. Three queries."""
    still = list(payments.outstanding_payments(access.club))
    persons = sorted(selectors.player_balances(access.club), key=lambda one: (-one["total_minor"], one["nickname"]))
    accounts = _club_accounts(access)
    owed = sum(payment.amount_minor for payment in still)
    currency = access.club.currency
    return Report(
        kind=_("Treasurer’s list"),
        title=_("as of %(day)s") % {"day": date_format(timezone.localdate(), "DATE_FORMAT")},
        about=ngettext("%(n)s outstanding payment", "%(n)s outstanding payments", len(still))
        % {"n": format_count(len(still))},
        file=file_name(access, "treasurer"),
        back=reverse("debts", kwargs={"club": access.club.slug}),
        back_text=_("Outstanding"),
        facts=[
            Fact(_("Outstanding"), format_price(owed, currency)),
            Fact(_("Kitty"), format_price(accounts.get(Account.Kind.KITTY, 0), currency)),
            Fact(_("Box"), format_price(accounts.get(Account.Kind.BOX, 0), currency)),
            Fact(_("In pots"), format_price(accounts.get(Account.Kind.POT, 0), currency)),
        ],
        tables=[_payments(still), _balances(access, persons, accounts)],
    )


def _club_accounts(access: ClubAccess) -> dict[str, int]:
    """Return the balance of kitty, box and all pots, as last counted. One query."""
    found = Balance.objects.filter(season__club=access.club, season__in_chips=False, season__points_only=False)
    kinds = found.exclude(account__kind=Account.Kind.PLAYER).order_by().values_list("account__kind")
    return dict(kinds.annotate(total=Sum("balance_minor")))


def _payments(still: Sequence[Payment]) -> Table:
    rows: list[Row] = [
        {
            "held_on": payment.closing.evening.held_on,
            "season": payment.closing.evening.season.name,
            "evening": payment.closing.evening.number,
            "payer": account_name(payment.payer),
            "payee": account_name(payment.payee),
            "stage": str(payment.closing.evening.stage().label),
            "amount": payment.amount_minor,
        }
        for payment in still
    ]
    columns = [
        Column("held_on", gettext_lazy("Date"), Kind.DATE),
        Column("season", gettext_lazy("Season")),
        Column("evening", gettext_lazy("Evening"), Kind.COUNT),
        Column("payer", gettext_lazy("pays")),
        Column("payee", gettext_lazy("gets")),
        Column("stage", gettext_lazy("Stage")),
        Column("amount", gettext_lazy("Amount"), Kind.AMOUNT, summed=True),
    ]
    return Table(
        "outstanding",
        _("Outstanding payments"),
        columns,
        rows,
        empty=_("All payments of closed evenings are marked as paid."),
        links=[payment.closing.evening.get_absolute_url() for payment in still],
    )


def account_name(account: Account) -> str:
    """Return the nickname of a player, or the name of the club's account."""
    if account.player is not None:
        return account.player.nickname
    names = {Account.Kind.KITTY.value: _("Kitty"), Account.Kind.BOX.value: _("Box")}
    return names.get(account.kind, _("Pot"))


def _balances(access: ClubAccess, persons: Sequence[Mapping[str, object]], accounts: Mapping[str, int]) -> Table:
    rows: list[Row] = [
        {"holder": str(one["nickname"]), "balance": int(str(one["total_minor"]))}
        for one in persons
        if one["total_minor"]
    ]
    links = [
        reverse("player", kwargs={"club": access.club.slug, "player": one["player_id"]})
        for one in persons
        if one["total_minor"]
    ]
    named = ((Account.Kind.KITTY, _("Kitty")), (Account.Kind.BOX, _("Box")), (Account.Kind.POT, _("In pots")))
    for kind, name in named:
        if accounts.get(kind):
            rows.append({"holder": name, "balance": accounts[kind]})
            links.append("")
    return Table(
        "balances",
        _("Balances"),
        [
            Column("holder", gettext_lazy("Who")),
            Column("balance", gettext_lazy("Balance"), Kind.AMOUNT, signed=True, summed=True),
        ],
        rows,
        note=_("What was won and lost, less what was paid. Below 0: has still to pay. The sum of all is 0."),
        empty=_("Nobody has won or lost anything yet."),
        links=links,
    )
