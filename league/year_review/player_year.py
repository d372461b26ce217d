"""The seven screens of a player's year."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..intervals import FEWEST_TRIES, Share, apart
from ..money import format_count, format_price
from ..records.selectors import Spot
from ..standings.nights import Night, by_evening, evenings_won, meetings, ranks_of_night
from ..statistics.bands import band, percent
from ..statistics.meetings import shade
from . import selectors
from .screens import POT, Screen, Year, in_evenings, in_hands, in_times


def player_screens(year: Year, player: int) -> list[Screen]:
    """Return the screens of a player's year; none without a hand. Six queries at most."""
    own = [night for night in year.nights if night.player_id == player]
    if not own:
        return []
    return [
        _played(year, own),
        _rival(year, player),
        _pot(year),
        _drought(year, player),
        _susi(own),
        _best_night(year, own),
        _luck(year, player),
    ]


def _played(year: Year, own: list[Night]) -> Screen:
    won = sum(player == own[0].player_id for _evening, player in evenings_won(year.nights))
    lines = [in_hands(sum(night.hands for night in own))]
    if won:
        lines.append(ngettext("%(n)s evening won", "%(n)s evenings won", won) % {"n": format_count(won)})
    if any(night.is_imported for night in own):
        lines.append(_("With evenings from a file."))
    return Screen("played", _("Played"), in_evenings(len(own)), tuple(lines))


def _rival(year: Year, player: int) -> Screen:
    label = _("Most loyal rival")
    known = year.nicknames
    together = {
        other: hands for other, hands in selectors.hands_together(year.evenings, player).items() if other in known
    }
    if not together:
        return Screen("rival", label, _("nobody"), (_("Nobody else sat at the table."),))
    rival = min(together, key=lambda other: (-together[other], known[other].casefold()))
    ahead, behind, _equal = meetings(year.nights).get((player, rival), (0, 0, 0))
    lines = [
        ngettext("%(n)s hand together", "%(n)s hands together", together[rival]) % {"n": format_count(together[rival])},
        _("evenings ahead : behind – %(ahead)s : %(behind)s") % {"ahead": ahead, "behind": behind},
        {1: _("surely more often ahead"), -1: _("surely more often behind")}.get(
            shade(ahead, behind), _("too few evenings to say who is ahead")
        ),
    ]
    return Screen("rival", label, year.name(rival), tuple(lines))


def _pot(year: Year) -> Screen:
    biggest, label = year.biggest_pot(), _("Biggest pot")
    if biggest is None:
        return Screen(POT, label, _("no pot"))
    pot, value = biggest
    others = [player for player, _nickname in pot.takers if player != year.scope.player_id]
    lines = (_("shared with %(names)s") % {"names": year.names(others)},) if others else (_("taken alone"),)
    return Screen(POT, label, value, lines, *year.link(pot.spot))


def _drought(year: Year, player: int) -> Screen:
    dry = selectors.longest_drought(selectors.hands_of(year.evenings, player))
    label = _("Longest drought")
    if not dry:
        return Screen("drought", label, in_hands(0), (_("A part of every pot."),))
    return Screen(
        "drought",
        label,
        in_hands(len(dry)),
        (_("in a row without a part of the pot, from this one on:"),),
        *year.link(dry[0].spot),
    )


def _susi(own: list[Night]) -> Screen:
    times = sum(night.susi for night in own)
    return Screen("susi", "Susi", in_times(times), (_("asked last, and let the pot go"),))


def _best_night(year: Year, own: list[Night]) -> Screen:
    best = max(own, key=lambda night: night.points)
    value = ngettext("%(n)s point", "%(n)s points", best.points) % {"n": format_count(best.points, plus="+")}
    present = by_evening(year.nights)[best.evening_id]
    rank = ranks_of_night(present).get(best.player_id)
    lines = []
    if rank is not None:
        lines.append(_("place %(rank)s of %(of)s") % {"rank": rank, "of": len(present)})
    if year.scope.sees_money and best.season_id in {season.pk for season in year.scope.in_money}:
        lines.append(format_price(best.change_minor, year.access.club.currency, plus="+"))
    return Screen("night", _("Best night"), value, tuple(lines), *year.link(Spot(best.evening_id)))


def _luck(year: Year, player: int) -> Screen:
    """Compare the share of goals made as the declarer with that of the others: the product measures no other luck."""
    own, others = selectors.declared_shares(year.evenings, player)
    label, what = _("Luck of the year"), _("declared against others, and made")
    counts = band(own).counts
    if not own.known:
        few = _("Fewer than %(least)s times: too few to speak of luck.") % {"least": FEWEST_TRIES}
        return Screen("luck", label, counts, (what, few))
    lines = [what, _("%(counts)s; 95 %% interval: %(bounds)s") % {"counts": counts, "bounds": band(own).bounds}]
    if others.known:
        lines.append(_("the others on these evenings: %(share)s") % {"share": percent(others.permille)})
    return Screen("luck", label, percent(own.permille), (*lines, _verdict(own, others)))


def _verdict(own: Share, others: Share) -> str:
    if not apart(own, others):
        return _("The difference may be chance alone.")
    if own.permille > others.permille:
        return _("More often than the others, by more than chance explains.")
    return _("Less often than the others, by more than chance explains.")
