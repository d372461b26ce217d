"""What a page of the league says of the tables."""

from __future__ import annotations

from django import template

from league.models import Club

from ..disputes import open_of_club

register = template.Library()


@register.simple_tag
def open_disputes(club: Club) -> int:
    """How many hands of the club somebody says were not so; one query."""
    return open_of_club(club).count()
