"""Lists of names in sentences: of players who come and leave, and of an order of play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _


def listed(names: Sequence[str]) -> str:
    """Join names: 'Anna, Beni and Carlo'."""
    if len(names) < 2:
        return "".join(names)
    return _("%(others)s and %(last)s") % {"others": ", ".join(names[:-1]), "last": names[-1]}


def in_order(players: Sequence[int], pair: Sequence[int], names: Mapping[int, str]) -> str:
    """The sentence about a new order of play; it names only the `pair` if two players changed seats."""
    if len(pair) == 2:
        first, other = (names.get(player, "?") for player in pair)
        return _("%(one)s and %(other)s change seats") % {"one": first, "other": other}
    return _("New order of play: %(order)s") % {"order": ", ".join(names.get(player, "?") for player in players)}
