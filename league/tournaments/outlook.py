"""The consequences of a format for a number of entrants, before the first draw: tables, sit-outs, meetings, the end.

Pure: no database. The numbers are arithmetic; the draw itself can be worse than `repeats` and `most`, never better.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil

from django.utils.translation import gettext as _

from draw import Sizes, table_sizes

from .formats import LEAST_ENTRANTS, MAX_ENTRANTS, Format

MINUTES_PER_HAND = 2.5
"""The time of one hand with dealing, speaking and writing down: an estimate; twelve hands take half an hour."""
DAY = 24 * 60


@dataclass(frozen=True, slots=True)
class Outlook:
    """The consequences of a format for `entrants` people.

    `tables`: number of tables by size, the largest size first, the same in each round. `sit_outs`: entrants without a
    table, in each round. `rounds` without the final. `minutes`: from the first hand to the last with the breaks, for
    the final too; `ends_at` is None without a beginning, `days_later` counts the midnights in between. `repeats`: at
    least so many times two who met meet again; `most`: some two meet at least so many times. `refused` is the reason
    why this cannot be played, as a sentence, '' if it can; then the rest is empty.
    """

    entrants: int
    tables: Mapping[int, int] = field(default_factory=dict)
    sit_outs: int = 0
    rounds: int = 0
    minutes: int = 0
    ends_at: datetime.time | None = None
    days_later: int = 0
    repeats: int = 0
    most: int = 0
    refused: str = ""


def outlook(
    format: Format,
    entrants: int,
    *,
    begins_at: datetime.time | None = None,
    minutes_per_hand: float = MINUTES_PER_HAND,
) -> Outlook:
    """Compute the consequences of the format for this number of entrants.

    A round takes its hands at `minutes_per_hand`, its minutes, or the shorter of both where the format has both.
    """
    refused = _why_not(format, entrants)
    if refused:
        return Outlook(entrants, refused=refused)
    sizes = table_sizes(entrants, Sizes(format.wished, format.least, format.most))
    minutes = _minutes(format, minutes_per_hand)
    ends_at, days_later = None, 0
    if begins_at is not None:
        days_later, minute = divmod(begins_at.hour * 60 + begins_at.minute + minutes, DAY)
        ends_at = datetime.time(minute // 60, minute % 60)
    meetings = format.rounds * sum(size * (size - 1) // 2 for size in sizes)
    pairs = entrants * (entrants - 1) // 2
    return Outlook(
        entrants,
        tables=dict(sorted(Counter(sizes).items(), reverse=True)),
        sit_outs=entrants - sum(sizes),
        rounds=format.rounds,
        minutes=minutes,
        ends_at=ends_at,
        days_later=days_later,
        repeats=max(0, meetings - pairs),
        most=-(-meetings // pairs),
    )


def _why_not(format: Format, entrants: int) -> str:
    if not format.takes(entrants):
        sentence = _("Too few people: a tournament needs %(fewest)d, or as many as one table has (%(sizes)s).")
        sizes = str(format.least) if format.least == format.most else f"{format.least}–{format.most}"
        return sentence % {"fewest": max(LEAST_ENTRANTS, format.least), "sizes": sizes}
    if entrants > MAX_ENTRANTS:
        return _("A tournament takes at most %(most)d people.") % {"most": MAX_ENTRANTS}
    if entrants < format.final_places:
        return _("The final has %(places)d places, more than there are people.") % {"places": format.final_places}
    return ""


def _minutes(format: Format, minutes_per_hand: float) -> int:
    """Return the minutes of all rounds with the breaks between them."""
    per_round = _round_minutes(format.hands, format.minutes, minutes_per_hand)
    final = _round_minutes(format.final_hands, format.minutes, minutes_per_hand) if format.final_places else 0
    return per_round * format.rounds + final + format.break_minutes * (format.all_rounds - 1)


def _round_minutes(hands: int, limit: int, minutes_per_hand: float) -> int:
    """Return the minutes of a round, the last one begun counted in full; `hands` and `limit` are 0 without one."""
    played = ceil(hands * minutes_per_hand)
    return min(played, limit) if played and limit else played or limit
