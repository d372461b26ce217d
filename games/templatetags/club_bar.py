"""Template tag of the bar of a club."""

from __future__ import annotations

from django import template

from league.access import ClubAccess, shown_access, suspended
from league.models import Club
from league.web import club_bar as bar

register = template.Library()


class Bar:
    """The bar of this page: its club, and its links."""

    def __init__(self, club: Club, links: list[bar.BarLink]) -> None:
        self.club = club
        self.links = links


@register.simple_tag
def practice_access() -> ClubAccess | None:
    """Return the reader's access to the practice club whose page is rendered; None on every other page."""
    access = shown_access.get()
    return access if access is not None and access.club.practice_until is not None else None


@register.simple_tag
def suspended_sentence() -> str:
    """Return the sentence on the suspension of the club whose page is rendered; "" on every other page."""
    access = shown_access.get()
    return suspended.suspended_sentence(access.club) if access and access.club.suspended_at else ""


@register.simple_tag(takes_context=True)
def club_bar(context: template.Context) -> Bar | None:
    """Return the bar of the page that is rendered; None for a page without one."""
    match = getattr(context.get("request"), "resolver_match", None)
    access = shown_access.get()
    if access is None or match is None:
        return None
    links = bar.club_bar(access, match.url_name or "")
    return Bar(access.club, links) if links else None
