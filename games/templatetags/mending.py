"""What a page says of putting hands right."""

from __future__ import annotations

from django import template

from ..errors import Refused
from ..mending import away
from ..models import Table
from ..selectors import HandView

register = template.Library()


@register.simple_tag
def undo_refused(table: Table, hand: HandView) -> Refused | None:
    """Why the table's last hand cannot be taken back; None where it can, without a query."""
    stays = hand.record["pot_before"] + table.moved_minor < 0
    return away.gone(table, code="pot") if stays else None
