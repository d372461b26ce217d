"""Pots that went into the club's box and from there into a later evening: those coins cannot come back.

A reopened evening gets its pot back if the box holds all of it. Otherwise the pot stays where it is, the tables begin
with empty pots, and the balance of the box never falls below 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.ledger import club_accounts
from league.models import Account, Closing, Evening, Posting
from league.money import format_price

from ..errors import Refused
from ..models import Happening


@dataclass(frozen=True)
class MissingCoins:
    """The coins of an evening's pots that are no longer in the box (Rappen). `taker` is the evening that began with
    them, if there is one."""

    amount_minor: int
    taker: Evening | None
    currency: str

    def before_reopening(self) -> str:
        """The sentence before the evening is reopened."""
        if self.taker is None:
            sentence = _("%(amount)s are no longer in the box: once reopened, this evening begins with an empty pot.")
        else:
            sentence = _(
                "%(evening)s began with the %(amount)s. They stay there: once reopened, this evening has none."
            )
        return sentence % self._values()

    def since(self) -> str:
        """The sentence once the evening is reopened."""
        if self.taker is None:
            return _("%(amount)s of its pot were no longer in the box and stay away.") % self._values()
        return _("%(evening)s began with %(amount)s of its pot; they stay there.") % self._values()

    def _values(self) -> dict[str, str]:
        return {
            "amount": format_price(self.amount_minor, self.currency),
            "evening": evening_name(self.taker) if self.taker else "",
        }


def evening_name(evening: Evening) -> str:
    """The name of an evening at the beginning of a sentence."""
    values = {"number": evening.number, "date": date_format(evening.held_on, "DATE_FORMAT")}
    return _("Evening %(number)d of %(date)s") % values


def missing_after_reopening(closing: Closing | None) -> MissingCoins | None:
    """The coins that would not come back if the evening were reopened; None if all come back. `closing` is valid."""
    if closing is None or closing.posting is None or closing.pot != Closing.Pot.CARRY:
        return None
    evening = closing.evening
    amount = _amount(closing.posting)
    if club_accounts.held(evening.club_id, Account.Kind.BOX) >= amount:
        return None
    return MissingCoins(amount, _taker(closing), evening.club.currency)


def missing_since_reopening(evening: Evening) -> MissingCoins | None:
    """The coins that did not come back when the evening was reopened; None if all came back."""
    reopenings = evening.closings.filter(kind=Closing.Kind.REOPENED).values_list("number", flat=True)
    before = evening.closings.filter(number__in=[number - 1 for number in reopenings], posting__isnull=False)
    missing = [closing for closing in before.select_related("posting").order_by("number") if _is_valid(closing.posting)]
    if not missing:
        return None
    return MissingCoins(
        sum(_amount(closing.posting) for closing in missing), _taker(missing[-1]), evening.club.currency
    )


def check_box(evening: Evening, *, before_minor: int, after_minor: int) -> None:
    """Raises Refused (409) where a correction would take coins from the box that another evening's pot has by now."""
    if after_minor >= min(0, before_minor):
        return
    closed = evening.closings.filter(pot=Closing.Pot.CARRY).select_related("posting").order_by("-number").first()
    taker = _taker(closed) if closed else None
    values = {"amount": format_price(-after_minor, evening.club.currency)}
    if taker is None:
        sentence = _("%(amount)s would be missing from the box. This can be corrected once it holds that much again.")
    else:
        values["evening"] = evening_name(taker)
        sentence = _(
            "%(evening)s began with this pot; %(amount)s would be missing from the box. This can be corrected "
            "once it holds that much again."
        )
    raise Refused(status=409, code="box", sentence=sentence % values)


def _amount(posting: Posting | None) -> int:
    return sum(transfer.amount_minor for transfer in posting.transfers.all()) if posting else 0


def _is_valid(posting: Posting | None) -> bool:
    return posting is not None and not Posting.objects.filter(reverses=posting).exists()


def _taker(closing: Closing) -> Evening | None:
    """The first evening of the club that began with coins of the box after this evening was closed."""
    earlier = Closing.objects.filter(evening=closing.evening_id, number__lte=closing.number).order_by("-number")
    since = closing.created_at
    for previous in earlier:
        if previous.kind == Closing.Kind.REOPENED:
            break
        # A correction closes the evening again, but its pot went into the box with the first closing.
        since = previous.created_at
    carried = Happening.objects.filter(
        kind=Happening.Kind.CARRIED, table__evening__club=closing.evening.club_id, created_at__gte=since
    )
    first = carried.exclude(table__evening=closing.evening_id).select_related("table__evening").order_by("created_at")
    happening = first.first()
    return happening.table.evening if happening else None
