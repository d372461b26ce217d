"""Coins that left a table's pot after its last hand: that hand cannot be voided while its pot would fall below 0."""

from __future__ import annotations

from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from league.models import Transfer
from league.money import format_price

from ..errors import Refused
from ..models import Happening, Table
from . import carried_pots


def refusal(table: Table, *, code: str) -> Refused:
    """409: the last hand cannot change, with the reason and the step to do first. `details["table"]` is the table that
    has
    the coins, if it can be merged into this one."""
    transfer = (
        Transfer.objects.filter(
            from_account=table.pot_account_id,
            posting__happening__kind=Happening.Kind.SPLIT,
            posting__happening__table=table,
        )
        .select_related("to_account__table", "posting__happening")
        .order_by("-posting__happening__created_at")
        .first()
    )
    if transfer is None:
        missing = carried_pots.missing_since_reopening(table.evening)
        sentence = _("There would be less in the pot than was taken out of it after the last hand.")
        return Refused(status=409, code=code, sentence=f"{missing.since()} {sentence}" if missing else sentence)
    other: Table = transfer.to_account.table
    values = {
        "amount": format_price(transfer.amount_minor, table.evening.club.currency),
        "table": other.number,
        "time": time_format(timezone.localtime(transfer.posting.happening.created_at), "TIME_FORMAT"),
    }
    if other.dissolved:
        text = _("%(amount)s of this pot went to table %(table)d at %(time)s, after this hand. It stays as it is.")
        return Refused(status=409, code=code, sentence=text % values)
    text = _("%(amount)s of this pot went to table %(table)d at %(time)s, after this hand. Join it to this one first.")
    details = {"table": other.pk, "table_number": other.number}
    return Refused(status=409, code=code, sentence=text % values, details=details)
