"""The Atom feed of a club's results: one entry for each counted evening, newest first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from django.db.models import Max
from django.utils.feedgenerator import Atom1Feed
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from ...access import ClubAccess
from ...imported_mark import imported_note
from ...models import Evening, EveningScore, Posting
from ...money import format_count, format_place, format_price

MOST = 30
TYPE = "application/atom+xml; charset=utf-8"


def feed_of(access: ClubAccess, absolute: Callable[[str], str], host: str, here: str) -> str:
    """Return the feed as text. `absolute` makes a link of an address, `here` is that of the feed. Four queries."""
    club = access.club
    feed = Atom1Feed(
        title=_("%(club)s: results") % {"club": club.name},
        link=absolute(club.get_absolute_url()),
        description="",
        language=get_language(),
        feed_url=here,
        feed_guid=f"tag:{host},2026:club-{club.pk}",
    )
    scores: dict[int, list[EveningScore]] = {}
    evenings = list(Evening.nights.filter(club=club).select_related("season").order_by("-held_on", "-number")[:MOST])
    found = EveningScore.objects.filter(evening__in=evenings, hands__gt=0).select_related("player")
    for score in found.order_by("player__nickname"):
        scores.setdefault(score.evening_id, []).append(score)
    changed = dict(
        Posting.objects.filter(evening__in=evenings).order_by().values_list("evening").annotate(at=Max("created_at"))
    )
    for evening in evenings:
        evening.club = club
        if evening.pk in scores:
            _add(feed, access, evening, scores[evening.pk], changed.get(evening.pk), absolute, host)
    return str(feed.writeString("utf-8"))


def _add(
    feed: Atom1Feed,
    access: ClubAccess,
    evening: Evening,
    scores: Sequence[EveningScore],
    changed: datetime | None,
    absolute: Callable[[str], str],
    host: str,
) -> None:
    access = access.within(evening.season)
    by_points = evening.season.by_points
    ranked = sorted(scores, key=lambda one: -(one.points if by_points else one.change_minor))
    best = ranked[0].points if by_points else ranked[0].change_minor
    winners = [one for one in ranked if (one.points if by_points else one.change_minor) == best]
    names = ", ".join(access.names.show(one.player_id, one.player.nickname) for one in winners)
    title = _("%(evening)s, %(day)s: won by %(names)s") % {
        "evening": evening.title,
        "day": date_format(evening.held_on, "DATE_FORMAT"),
        "names": names,
    }
    feed.add_item(
        title=title,
        link=absolute(evening.get_absolute_url()),
        description=_lines(access, evening, ranked),
        unique_id=f"tag:{host},2026:evening-{evening.pk}",
        pubdate=evening.created_at,
        updateddate=changed or evening.created_at,
        author_name=access.club.name,
    )


def _lines(access: ClubAccess, evening: Evening, ranked: Sequence[EveningScore]) -> str:
    """Return the ranking of the evening as an HTML list. In a season by balance amounts are shown where they are
    public."""
    by_points = evening.season.by_points
    rows = []
    for one in ranked:
        value = one.points if by_points else one.change_minor
        rank = 1 + sum((other.points if by_points else other.change_minor) > value for other in ranked)
        name = access.names.show(one.player_id, one.player.nickname)
        text = (
            ngettext("%(n)s point", "%(n)s points", value) % {"n": format_count(value, plus="+")} if by_points else ""
        )
        if not by_points and access.sees_money(one.player_id):
            text = format_price(value, access.club.currency, plus="+")
        rows.append((format_place(rank), name, f": {text}" if text else ""))
    above = " · ".join(filter(None, [evening.season.name, imported_note(evening)]))
    return format_html("<p>{}</p>{}", above, format_html_join("", "<p>{} {}{}</p>", rows))
