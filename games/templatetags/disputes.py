"""Template tags of disputes."""

from __future__ import annotations

from django import template

from league.features import uses
from league.models import Club

from ..disputes.services import unsettled_of_club

register = template.Library()


@register.simple_tag
def unsettled_disputes(club: Club) -> int:
    """The number of unsettled disputes of a club, none without the feature. One query."""
    return unsettled_of_club(club).count() if uses(club, "club-disputes") else 0
