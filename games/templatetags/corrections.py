"""Template tags of corrections."""

from __future__ import annotations

from django import template

from ..errors import Refused
from ..hands import moved_coins
from ..hands.selectors import HandView
from ..models import Table

register = template.Library()


@register.simple_tag
def undo_refused(table: Table, hand: HandView) -> Refused | None:
    """The refusal where the table's last hand cannot be voided; None where it can, without a query."""
    stays = hand.record["pot_before"] + table.moved_minor < 0
    return moved_coins.refusal(table, code="pot") if stays else None
