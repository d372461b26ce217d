"""The Atom feed of a club's results: one entry for each counted evening, newest first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from ...standings.formula.measures import EveningResult, measures_of, results_of
from ...standings.formula.ranking import NightScore, Race

MOST = 30
TYPE = "application/atom+xml; charset=utf-8"


def feed_of(access: ClubAccess, absolute: Callable[[str], str], host: str, here: str) -> str:
    """Return the feed as text. `absolute` makes a link of an address, `here` is that of the feed. Four queries,
    up to three more where a season has a formula."""
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
    evening_scores = EveningScore.objects.filter(evening__in=evenings, hands__gt=0).select_related("player")
    for score in evening_scores.order_by("player__nickname"):
        scores.setdefault(score.evening_id, []).append(score)
    races = measures_of(evening.season for evening in evenings)
    changed = dict(
        Posting.objects.filter(evening__in=evenings).order_by().values_list("evening").annotate(at=Max("created_at"))
    )
    for evening in evenings:
        evening.club = club
        if evening.pk in scores:
            race = races[evening.season_id]
            _add(feed, access, evening, scores[evening.pk], race, changed.get(evening.pk), absolute, host)
    return str(feed.writeString("utf-8"))


def _add(
    feed: Atom1Feed,
    access: ClubAccess,
    evening: Evening,
    scores: Sequence[EveningScore],
    race: Race,
    changed: datetime | None,
    absolute: Callable[[str], str],
    host: str,
) -> None:
    access = access.within(evening.season)
    names = {score.player_id: access.names.show(score.player_id, score.player.nickname) for score in scores}
    played = {score.player_id: NightScore(score.hands, score.points, score.change_minor) for score in scores}
    results = results_of(race, played)
    winners = ", ".join(names[result.player_id] for result in results if result.wins)
    day = date_format(evening.held_on, "DATE_FORMAT")
    title = f"{evening.title}, {day}"
    if winners:
        values = {"evening": evening.title, "day": day, "names": winners}
        title = _("%(evening)s, %(day)s: won by %(names)s") % values
    feed.add_item(
        title=title,
        link=absolute(evening.get_absolute_url()),
        description=_lines(access, evening, names, results, in_money=race.by_net),
        unique_id=f"tag:{host},2026:evening-{evening.pk}",
        pubdate=evening.created_at,
        updateddate=changed or evening.created_at,
        author_name=access.club.name,
    )


def _lines(
    access: ClubAccess, evening: Evening, names: Mapping[int, str], results: Sequence[EveningResult], *, in_money: bool
) -> str:
    """Return the ranking of the evening as an HTML list. Amounts are shown where they are public."""
    rows = []
    for result in results:
        text = ""
        if not in_money:
            text = ngettext("%(n)s point", "%(n)s points", result.measure) % {
                "n": format_count(result.measure, plus="+")
            }
        elif access.sees_money(result.player_id):
            text = format_price(result.measure, access.club.currency, plus="+")
        place = "" if result.rank is None else f"{format_place(result.rank)} "
        rows.append((place, names[result.player_id], f": {text}" if text else ""))
    above = " · ".join(filter(None, [evening.season.name, imported_note(evening)]))
    return format_html("<p>{}</p>{}", above, format_html_join("", "<p>{}{}{}</p>", rows))
