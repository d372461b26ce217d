"""A pot that went into the club's box and from there into a later evening: those coins cannot come back.

An evening that is opened again gets its pot back as long as the box holds all of it. Otherwise the pot stays where it
is, the tables begin with nothing in it, and the box never owes what it has not.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.models import Account, Closing, Evening, Posting
from league.templatetags.league_tags import format_price

from ..errors import Refused
from ..models import Happening
from . import pots


@dataclass(frozen=True)
class Gone:
    """What of an evening's pots is no longer in the box (Rappen), and the evening that began with it, where one did."""

    amount_minor: int
    taker: Evening | None
    currency: str

    def before_opening(self) -> str:
        """What opening the evening again would leave where it is."""
        if self.taker is None:
            said = _("%(amount)s are no longer in the box: opened again, this evening begins with an empty pot.")
        else:
            said = _("%(evening)s began with the %(amount)s. They stay there: opened again, this evening has none.")
        return said % self._values()

    def since(self) -> str:
        """The same of an evening that was opened again."""
        if self.taker is None:
            return _("%(amount)s of its pot were no longer in the box and stay away.") % self._values()
        return _("%(evening)s began with %(amount)s of its pot; they stay there.") % self._values()

    def _values(self) -> dict[str, str]:
        return {
            "amount": format_price(self.amount_minor, self.currency),
            "evening": evening_name(self.taker) if self.taker else "",
        }


def evening_name(evening: Evening) -> str:
    """An evening as a sentence begins with it."""
    values = {"number": evening.number, "date": date_format(evening.held_on, "DATE_FORMAT")}
    return _("Evening %(number)d of %(date)s") % values


def would_stay(closing: Closing | None) -> Gone | None:
    """What opening the evening again would not bring back; None where everything comes back. `closing` holds."""
    if closing is None or closing.posting is None or closing.pot != Closing.Pot.CARRY:
        return None
    evening = closing.evening
    amount = _amount(closing.posting)
    if pots.held(evening.club_id, Account.Kind.BOX) >= amount:
        return None
    return Gone(amount, _taker(closing), evening.club.currency)


def stayed(evening: Evening) -> Gone | None:
    """What stayed away when the evening was opened again; None where everything came back."""
    opened = evening.closings.filter(kind=Closing.Kind.REOPENED).values_list("number", flat=True)
    before = evening.closings.filter(number__in=[number - 1 for number in opened], posting__isnull=False)
    kept = [one for one in before.select_related("posting").order_by("number") if _stands(one.posting)]
    if not kept:
        return None
    return Gone(sum(_amount(one.posting) for one in kept), _taker(kept[-1]), evening.club.currency)


def check_box(evening: Evening, *, before_minor: int, after_minor: int) -> None:
    """Raises Refused (409) where a correction would take out of the box what is in another evening's pot by now."""
    if after_minor >= min(0, before_minor):
        return
    closed = evening.closings.filter(pot=Closing.Pot.CARRY).select_related("posting").order_by("-number").first()
    taker = _taker(closed) if closed else None
    values = {"amount": format_price(-after_minor, evening.club.currency)}
    if taker is None:
        said = _("%(amount)s would be missing from the box. This can be put right once so much lies in it again.")
    else:
        values["evening"] = evening_name(taker)
        said = _(
            "%(evening)s began with this pot; %(amount)s would be missing from the box. This can be put right once so"
            " much lies in it again."
        )
    raise Refused(status=409, code="box", sentence=said % values)


def _amount(posting: Posting | None) -> int:
    return sum(transfer.amount_minor for transfer in posting.transfers.all()) if posting else 0


def _stands(posting: Posting | None) -> bool:
    return posting is not None and not Posting.objects.filter(reverses=posting).exists()


def _taker(closing: Closing) -> Evening | None:
    """The first evening of the club that began with what lay in the box, once this one had been closed."""
    earlier = Closing.objects.filter(evening=closing.evening_id, number__lte=closing.number).order_by("-number")
    since = closing.created_at
    for one in earlier:
        if one.kind == Closing.Kind.REOPENED:
            break
        # A correction closes anew what lay in the box long before.
        since = one.created_at
    carried = Happening.objects.filter(
        kind=Happening.Kind.CARRIED, table__evening__club=closing.evening.club_id, created_at__gte=since
    )
    first = carried.exclude(table__evening=closing.evening_id).select_related("table__evening").order_by("created_at")
    found = first.first()
    return found.table.evening if found else None
