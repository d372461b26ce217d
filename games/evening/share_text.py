"""The text of an evening for a chat: what, when, who won most, and the link of its page."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import ClubAccess
from league.models import Evening
from league.money import format_count, format_price

from ..hands.rounds import RoundAt
from .podium import PlayerTotal


def evening_text(
    access: ClubAccess, evening: Evening, totals: Sequence[PlayerTotal], link: str, played: RoundAt | None = None
) -> str:
    """Return the text of an evening, a line each; `totals` are as the reader sees them, so it has no other amount."""
    return "\n".join(filter(None, (evening_line(access, evening, played), _winners(access, evening, totals), link)))


def evening_line(access: ClubAccess, evening: Evening, played: RoundAt | None = None) -> str:
    """Return the first line: club or tournament, evening or round, and the day."""
    name, title = (played.name, played.title) if played else (access.club.name, evening.title)
    return f"{name}, {title}, {date_format(evening.held_on, 'DATE_FORMAT')}"


def _winners(access: ClubAccess, evening: Evening, totals: Sequence[PlayerTotal]) -> str:
    """Return the line about the players of rank 1; "" before the first hand, and where nobody gained anything."""
    first = [total for total in totals if total.rank == 1]
    if not first:
        return ""
    names = ", ".join(total.name for total in first)
    best = first[0]
    if evening.season.by_points:
        points = ngettext("%(n)s point", "%(n)s points", best.points) % {"n": format_count(best.points, plus="+")}
        return _("Most points: %(names)s, %(points)s") % {"names": names, "points": points} if best.points > 0 else ""
    said = _("Won most: %(names)s") % {"names": names}
    if best.change_minor is None:
        return said
    return f"{said}, {format_price(best.change_minor, access.club.currency, plus='+')}" if best.change_minor > 0 else ""
