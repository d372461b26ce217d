"""A screen of a year in review, and what the years of a player and of a club share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..access import ClubAccess
from ..money import format_count
from ..records.lines import pot_text
from ..records.selectors import Pot, Spot, biggest_pot
from ..records.shown import MOST_NAMED, Scope
from ..standings.nights import Night

POT = "pot"
SCREENS = 7
"""The screens of a year with a hand."""


@dataclass(frozen=True)
class Screen:
    """One screen: a label, a value in large type, sentences, and a link to the hand or evening.

    `kind` names it for style sheet and tests. `href` and `when`: address and words of the link; empty without one.
    """

    kind: str
    label: str
    value: str
    lines: tuple[str, ...] = ()
    href: str = ""
    when: str = ""


@dataclass(frozen=True)
class Year:
    """The nights of a year that a reader may see, in order; with a player those of the player's evenings."""

    scope: Scope
    year: int
    nights: Sequence[Night]

    @property
    def access(self) -> ClubAccess:
        """The reader's access to the club."""
        return self.scope.access

    @property
    def evenings(self) -> list[int]:
        """The evenings in order."""
        return list(dict.fromkeys(night.evening_id for night in self.nights))

    @property
    def nicknames(self) -> Mapping[int, str]:
        """The nickname of each player who was there."""
        return {night.player_id: night.nickname for night in self.nights}

    def name(self, player_id: int) -> str:
        """Return the name of a player as the reader sees it."""
        return self.access.names.show(player_id, self.nicknames.get(player_id))

    def names(self, players: Sequence[int]) -> str:
        """Return names in one line; of more than five players the first ones and the number of the others."""
        order = sorted(players, key=lambda player: self.nicknames[player].casefold())
        shown = [self.name(player) for player in order[:MOST_NAMED]]
        more = len(order) - len(shown)
        if more:
            shown.append(ngettext("%(n)s more", "%(n)s more", more) % {"n": more})
        return ", ".join(shown)

    def link(self, spot: Spot) -> tuple[str, str]:
        """Return the address of a hand or an evening, and its words."""
        night = next(candidate for candidate in self.nights if candidate.evening_id == spot.evening_id)
        href = reverse("evening", kwargs={"club": self.access.club.slug, "evening": spot.evening_id})
        day = date_format(night.held_on, "DATE_FORMAT")
        if not spot.number:
            return href, day
        words = _("%(day)s, hand %(number)s") % {"day": day, "number": spot.number}
        return f"{href}#hand-{spot.table}-{spot.number}", words

    def biggest_pot(self) -> tuple[Pot, str] | None:
        """Return the biggest pot with its text: an amount, or antes for readers who see no amounts. Two queries."""
        in_antes = not self.scope.sees_money or not self.scope.in_money
        seasons = self.scope.seasons if in_antes else self.scope.in_money
        pot = biggest_pot(seasons, in_antes=in_antes, player_id=self.scope.player_id, year=self.year)
        if pot is None or pot.spot.evening_id not in self.evenings:
            return None
        return pot, pot_text(self.scope, pot, in_antes)


def in_evenings(count: int) -> str:
    return ngettext("%(n)s evening", "%(n)s evenings", count) % {"n": format_count(count)}


def in_hands(count: int) -> str:
    return ngettext("%(n)s hand", "%(n)s hands", count) % {"n": format_count(count)}


def in_times(count: int) -> str:
    return ngettext("%(n)s time", "%(n)s times", count) % {"n": format_count(count)} if count else _("never")
