"""The highlights of an evening: its biggest pot, the longest series of goals reached, the most frequent Susi."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import ClubAccess
from league.models import Evening
from league.money import format_price
from league.player_messages.hand_of_the_night import HandOfTheNight

from .. import engine_bridge
from ..hands import selectors
from ..seating.name_lists import listed
from .played_hands import PlayedHand, played_hands
from .rule_sentences import antes_of

SHORTEST_SERIES = 3
"""A shorter series is no highlight."""


@dataclass(frozen=True)
class Highlight:
    """A highlight: its label, its value, and a note about the hand `table`, `number`, to which it leads."""

    label: str
    text: str
    note: str
    table: int
    number: int
    pot: bool = False


def highlights(access: ClubAccess, evening: Evening, played: Sequence[PlayedHand]) -> list[Highlight]:
    """Return the highlights of an evening, none for one without hands. For a reader who sees no amounts a pot is a
    number of antes."""
    several = len({played_hand.table for played_hand in played}) > 1
    candidates = (
        _biggest_pot(access, evening, played, several),
        _series(access, played, several),
        _susi(access, played, several),
    )
    return [highlight for highlight in candidates if highlight is not None]


def biggest_pot(played: Sequence[PlayedHand]) -> PlayedHand | None:
    """Return the first hand with the biggest pot that was taken, or None."""
    taken = [played_hand for played_hand in played if played_hand.hand.outcome != "passed_out" and winners(played_hand)]
    return max(taken, key=lambda played_hand: (played_hand.hand.pot, -played_hand.nth), default=None)


def night_hand(access: ClubAccess, evening: Evening) -> HandOfTheNight | None:
    """Return the hand with the biggest pot for the message with the result of an evening. Four queries."""
    tables = selectors.evening_hands(evening)
    played = played_hands(evening, tables)
    highlight = _biggest_pot(access, evening, played, len({played_hand.table for played_hand in played}) > 1)
    return HandOfTheNight(highlight.text, highlight.note) if highlight else None


def winners(played_hand: PlayedHand) -> list[int]:
    """Return the seats that took coins from the pot."""
    took = {line["seat"] for line in played_hand.hand.lines if line["kind"] == "payout" and line["amount"] > 0}
    return [seat for seat in played_hand.active if seat in took]


def in_antes(pot_minor: int, evening: Evening) -> str:
    """Format a pot as a number of antes: it names no amount of money."""
    rules = engine_bridge.house_rules(evening.game, evening.house_rules.values)
    return antes_of(rules, evening.game).show(pot_minor)


def hand_name(played_hand: PlayedHand, several: bool) -> str:
    """Return the name of a hand; with its table where there are several."""
    if several:
        return _("table %(table)s, hand %(number)s") % {"table": played_hand.table, "number": played_hand.hand.number}
    return _("hand %(number)s") % {"number": played_hand.hand.number}


def _biggest_pot(access: ClubAccess, evening: Evening, played: Sequence[PlayedHand], several: bool) -> Highlight | None:
    biggest = biggest_pot(played)
    if biggest is None:
        return None
    pot = biggest.hand.pot
    text = format_price(pot, access.club.currency) if access.sees_money() else in_antes(pot, evening)
    names = [access.names.show(biggest.hand.player_ids[seat], biggest.hand.names[seat]) for seat in winners(biggest)]
    takes = ngettext("%(names)s takes it in %(hand)s", "%(names)s share it in %(hand)s", len(names))
    note = takes % {"names": listed(names), "hand": hand_name(biggest, several)}
    return Highlight(_("Biggest pot"), text, note, biggest.table, biggest.hand.number, pot=True)


def _series(access: ClubAccess, played: Sequence[PlayedHand], several: bool) -> Highlight | None:
    """The longest series of goals that one player reached without failing; walkovers do not interrupt it."""
    running: dict[int, list[PlayedHand]] = {}
    best: list[PlayedHand] = []
    who, name = 0, ""
    for played_hand in played:
        if played_hand.hand.outcome != "played":
            continue
        for seat in played_hand.active:
            player = played_hand.hand.player_ids[seat]
            series = running.setdefault(player, [])
            if seat in played_hand.hand.failed:
                series.clear()
                continue
            series.append(played_hand)
            if len(series) > len(best):
                best, who, name = list(series), player, played_hand.hand.names[seat]
    if len(best) < SHORTEST_SERIES:
        return None
    text = _("%(name)s, made it %(n)s times") % {"name": access.names.show(who, name), "n": len(best)}
    first, last = best[0], best[-1]
    until = str(last.hand.number) if not several else hand_name(last, several)
    from_to = _("%(first)s to %(last)s") if several else _("hands %(first)s to %(last)s")
    note = from_to % {"first": hand_name(first, several) if several else first.hand.number, "last": until}
    return Highlight(_("Longest run"), text, note[:1].upper() + note[1:], first.table, first.hand.number)


def _susi(access: ClubAccess, played: Sequence[PlayedHand], several: bool) -> Highlight | None:
    seats = [(played_hand, played_hand.hand.susi) for played_hand in played if played_hand.hand.susi is not None]
    if not seats:
        return None
    count = Counter(played_hand.hand.player_ids[seat] for played_hand, seat in seats)
    most = max(count.values())
    last, seat = next(
        (played_hand, seat) for played_hand, seat in reversed(seats) if count[played_hand.hand.player_ids[seat]] == most
    )
    name = access.names.show(last.hand.player_ids[seat], last.hand.names[seat])
    text = ngettext("%(name)s, once", "%(name)s, %(n)s times", most) % {"name": name, "n": most}
    note = _("last in %(hand)s") % {"hand": hand_name(last, several)}
    return Highlight(_("Susi of the evening"), text, note, last.table, last.hand.number)
