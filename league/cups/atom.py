"""The Atom feed of a cup: one entry for each tournament and each evening that counts, newest first."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, time

from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import format_html, format_html_join
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ..models import Club
from ..money import format_count, format_place
from ..reports.feeds.atom import TYPE as TYPE
from .selectors import Counted, CupView

MOST = 30
BEST = 10


def feed_of(club: Club, view: CupView, absolute: Callable[[str], str], host: str) -> str:
    """Return the feed under the address of a club. `absolute` makes a link of an address. No query."""
    where = {"club": club.slug, "cup": view.cup.slug}
    page = absolute(reverse("cup", kwargs=where))
    feed = Atom1Feed(
        title=_("%(cup)s: results") % {"cup": view.cup.name},
        link=page,
        description="",
        language=get_language(),
        feed_url=absolute(reverse("cup-atom", kwargs=where)),
        feed_guid=f"tag:{host},2026:cup-{view.cup.slug}",
    )
    for counted in [*reversed(view.counting)][:MOST]:
        moment = datetime.combine(counted.last_day, time(12), tzinfo=UTC)
        feed.add_item(
            title=f"{counted.name}, {counted.club.name}",
            link=page,
            description=_lines(view, counted),
            unique_id=f"tag:{host},2026:cup-{view.cup.slug}-{_sign(view, counted)}",
            pubdate=moment,
            updateddate=moment,
            author_name=counted.club.name,
        )
    return str(feed.writeString("utf-8"))


def _sign(view: CupView, counted: Counted) -> str:
    """Return a sign of the tournament or evening that stays the same, and says nothing of its id."""
    event = f"evening {counted.event.pk}" if counted.is_evening else counted.event.pk
    return salted_hmac("league.cups.atom", f"{view.cup.pk} {event}").hexdigest()[:16]


def _lines(view: CupView, counted: Counted) -> str:
    """Return the best people of the list in a tournament or an evening, and of the cup, as HTML lists."""
    pairs = [(row, row.line.cells[counted.number]) for row in view.rows if counted.number in row.line.cells]
    best = sorted(pairs, key=lambda pair: pair[1].rank)[:BEST]
    here = [(format_place(cell.rank), row.name, format_count(cell.points)) for row, cell in best]
    cup = [(format_place(row.line.rank), row.name, format_count(row.line.points)) for row in view.rows[:BEST]]
    return format_html(
        "{}<p>{}</p>{}",
        format_html_join("", "<p>{} {}: {}</p>", here),
        _("The cup now:"),
        format_html_join("", "<p>{} {}: {}</p>", cup),
    )
