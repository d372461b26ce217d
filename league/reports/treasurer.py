"""The treasurer's list: each person's balance, each outstanding payment, kitty and box."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ..access import ClubAccess
from ..models import Account, Payment, Player
from ..money import format_count, format_price
from ..payments.on_day import CLUB_KINDS, DaySums, held_on, outstanding_on, sums_on
from ..web.csv_download import file_name
from ..web.report_table import Column, Kind, Row, Table
from .report import Figure, Report


def treasurer_list(access: ClubAccess, day: date | None = None) -> Report:
    """Return the list of a club at the end of a day (today), for a reader who may see the ledger. Its number of queries
    is fixed."""
    club = access.club
    day = day or timezone.localdate()
    still = outstanding_on(club, day)
    sums = sums_on(club, day)
    owed = sum(payment.amount_minor for payment in still)
    currency = club.currency
    return Report(
        kind=_("Treasurer’s list"),
        title=_("as of %(day)s") % {"day": date_format(day, "DATE_FORMAT")},
        about=ngettext("%(n)s outstanding payment", "%(n)s outstanding payments", len(still))
        % {"n": format_count(len(still))},
        file=file_name(access, "treasurer", day.isoformat()),
        back=reverse("debts", kwargs={"club": club.slug}),
        back_text=_("Outstanding"),
        figures=[
            Figure(_("Outstanding"), format_price(owed, currency)),
            Figure(_("Kitty"), format_price(held_on(club, Account.Kind.KITTY, day), currency)),
            Figure(_("Box"), format_price(held_on(club, Account.Kind.BOX, day), currency)),
            Figure(_("In pots"), format_price(sum(sums.pots.values()), currency)),
        ],
        tables=[_payments(still), _balances(access, sums)],
    )


def _payments(still: Sequence[Payment]) -> Table:
    rows: list[Row] = [
        {
            "held_on": payment.owed_on,
            "season": payment.evening.season.name if payment.evening else payment.fee_title,
            "evening": payment.evening.number if payment.evening else None,
            "payer": account_name(payment.payer),
            "payee": account_name(payment.payee),
            "stage": str(payment.evening.stage().label) if payment.evening else "",
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
        links=[payment.evening.get_absolute_url() if payment.evening else "" for payment in still],
    )


def account_name(account: Account) -> str:
    """Return the nickname of a player, or the name of the club's account."""
    if account.player is not None:
        return account.player.nickname
    names = {Account.Kind.KITTY.value: _("Kitty"), Account.Kind.BOX.value: _("Box")}
    return names.get(account.kind, _("Pot"))


def _balances(access: ClubAccess, sums: DaySums) -> Table:
    totals = {player: sums.persons.get(player, 0) + sums.running.get(player, 0) for player in _both(sums)}
    names = dict(Player.objects.filter(club=access.club, pk__in=totals).values_list("pk", "nickname"))
    persons = sorted((-amount, names.get(player, ""), player) for player, amount in totals.items() if amount)
    rows: list[Row] = [{"holder": name, "balance": -below} for below, name, _player in persons]
    links = [reverse("player", kwargs={"club": access.club.slug, "player": player}) for *_rest, player in persons]
    club = {kind: sums.accounts.get(kind, 0) + sums.running_accounts.get(kind, 0) for kind in CLUB_KINDS}
    named = (
        (_("Kitty"), club[Account.Kind.KITTY]),
        (_("Box"), club[Account.Kind.BOX]),
        (_("outside the club"), club[Account.Kind.OUTSIDE]),
        (_("In pots"), sum(sums.pots.values())),
    )
    for name, amount in named:
        if amount:
            rows.append({"holder": name, "balance": amount})
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


def _both(sums: DaySums) -> set[int]:
    return {*sums.persons, *sums.running}
