"""The seven screens of a club's year."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from django.db.models import Sum
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..models import Evening
from ..money import format_count
from ..standings.evening_hands import hands_stored
from ..standings.nights import evenings_won, meetings
from .screens import POT, Screen, Year, in_evenings, in_hands, in_times

LEAST_MEETINGS = 5
"""Two players who met on fewer evenings are no pair."""


def club_screens(year: Year) -> list[Screen]:
    """Return the screens of a club's year; none without a hand. Three queries at most."""
    if not year.nights:
        return []
    return [_evenings(year), _hands(year), _pot(year), _susi(year), _faithful(year), _pair(year), _winner(year)]


def _evenings(year: Year) -> Screen:
    first, last = year.nights[0].held_on, year.nights[-1].held_on
    days = {"first": date_format(first, "DATE_FORMAT"), "last": date_format(last, "DATE_FORMAT")}
    lines = [_("from %(first)s to %(last)s") % days if first != last else days["first"]]
    if any(night.is_imported for night in year.nights):
        lines.append(_("With evenings from a file."))
    return Screen("played", _("Played"), in_evenings(len(year.evenings)), tuple(lines))


def _hands(year: Year) -> Screen:
    counted = Evening.nights.filter(pk__in=year.evenings).annotate(hands_count=hands_stored())
    hands = counted.aggregate(sum=Sum("hands_count"))["sum"] or 0
    players = len(year.nicknames)
    line = ngettext("%(n)s player at the table", "%(n)s players at the table", players) % {"n": format_count(players)}
    return Screen("hands", _("Hands"), in_hands(hands), (line,))


def _pot(year: Year) -> Screen:
    biggest, label = year.biggest_pot(), _("Biggest pot")
    if biggest is None:
        return Screen(POT, label, _("no pot"))
    pot, value = biggest
    return Screen(POT, label, value, (year.names([player for player, _nickname in pot.takers]),), *year.link(pot.spot))


def _susi(year: Year) -> Screen:
    count: Counter[int] = Counter()
    for night in year.nights:
        count[night.player_id] += night.susi
    return _most(year, "susi", _("Susi of the year"), count, in_times(max(count.values())))


def _faithful(year: Year) -> Screen:
    count = Counter(night.player_id for night in year.nights)
    held = len(year.evenings)
    line = ngettext("%(n)s of %(held)s evening", "%(n)s of %(held)s evenings", held)
    most = {"n": format_count(max(count.values())), "held": format_count(held)}
    return _most(year, "faithful", _("Most faithful"), count, line % most)


def _pair(year: Year) -> Screen:
    """The two whose evenings ahead and behind are most equal; of several the two who met most often."""
    pairs = {pair: tally for pair, tally in meetings(year.nights).items() if sum(tally) >= LEAST_MEETINGS}
    label, known = _("Closest pair"), year.nicknames
    if not pairs:
        few = _("No two met on %(least)s evenings.") % {"least": LEAST_MEETINGS}
        return Screen("pair", label, _("nobody"), (few,))
    (player, other), tally = min(
        pairs.items(),
        key=lambda item: (abs(item[1][0] - item[1][1]), -sum(item[1]), *(known[each].casefold() for each in item[0])),
    )
    names = _("%(one)s and %(other)s") % {"one": year.name(player), "other": year.name(other)}
    lines = (
        _("evenings ahead : behind – %(ahead)s : %(behind)s") % {"ahead": tally[0], "behind": tally[1]},
        ngettext("met on %(n)s evening", "met on %(n)s evenings", sum(tally)) % {"n": format_count(sum(tally))},
    )
    return Screen("pair", label, names, lines)


def _winner(year: Year) -> Screen:
    count = Counter(player for _evening, player in evenings_won(year.nights))
    most = max(count.values(), default=0)
    line = ngettext("%(n)s evening won", "%(n)s evenings won", most) % {"n": format_count(most)}
    return _most(year, "winner", _("Winner of the year"), count, line)


def _most(year: Year, kind: str, label: str, count: Mapping[int, int], line: str) -> Screen:
    """The players with the highest count, nobody if it is 0."""
    most = max(count.values(), default=0)
    if not most:
        return Screen(kind, label, _("nobody"))
    return Screen(kind, label, year.names([player for player, times in count.items() if times == most]), (line,))
