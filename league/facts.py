"""A player's season in figures, each with the words that make it honest: of how many, and in what unit."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .models import Standing
from .templatetags.league_tags import (
    SMALL_SAMPLE,
    format_count,
    gain_class,
    gain_price,
    per_hand,
    per_hand_price,
    points_gain,
    price,
    rate,
)
from .words import KRATZEN, Words


@dataclass(frozen=True)
class Fact:
    """A figure of a page: its name, its value as text, what has to be said beside it, and its colour's class.

    A `part` says more of the figure before it.
    """

    name: str
    value: str
    note: str = ""
    css: str = ""
    part: bool = False


def player_facts(line: Standing, words: Words, *, currency: str) -> list[Fact]:
    """The statistics of a standing. Without a `currency` no amount is among them; nights count in points then."""
    balance = gain_price(line.balance_minor, currency) if currency else ""
    return [
        Fact(_("Points"), format_count(line.points)),
        *([Fact(_("Balance"), balance, css=gain_class(line.balance_minor))] if currency else []),
        Fact(_("Hands"), format_count(line.hands), _evenings(line.evenings)),
        Fact(str(words.declares), format_count(line.declared), _share(line.declared, line.hands)),
        _success(line.declared_made, line.declared - line.walkovers),
        Fact(_("nobody joined"), format_count(line.walkovers), part=True),
        Fact(str(words.joins), format_count(line.joined), _share(line.joined, line.hands)),
        _success(line.joined_made, line.joined),
        *_musses(line),
        Fact(str(words.out), format_count(line.out), _share(line.out, line.hands)),
        *([] if words == KRATZEN else _of_chratze(line)),
        *_nights(line, currency),
    ]


def _musses(line: Standing) -> list[Fact]:
    """Hands that everybody had to play, where the season has any."""
    if not line.musses:
        return []
    return [
        Fact("Muss", format_count(line.musses), _share(line.musses, line.hands)),
        _success(line.musses_made, line.musses),
    ]


def _of_chratze(line: Standing) -> list[Fact]:
    """What Kratzen does not know."""
    return [
        Fact(_("Blind"), format_count(line.blinds), _made(line.blinds_made) if line.blinds else ""),
        Fact("Susi", format_count(line.susi)),
    ]


def _nights(line: Standing, currency: str) -> list[Fact]:
    if not currency:
        return [
            Fact(_("Best evening"), points_gain(line.best_night_points), _("points")),
            Fact(_("Worst evening"), points_gain(line.worst_night_points), _("points")),
            Fact(_("Per hand"), per_hand(line.points, line.hands, "points"), _("points")),
        ]
    best, worst = line.best_night_minor, line.worst_night_minor
    return [
        Fact(_("Biggest pot won"), price(line.biggest_pot_minor or None, currency)),
        Fact(_("Best evening"), gain_price(best, currency), css=gain_class(best)),
        Fact(_("Worst evening"), gain_price(worst, currency), css=gain_class(worst)),
        Fact(
            _("Per hand"), per_hand_price(line.balance_minor, line.hands, currency), css=gain_class(line.balance_minor)
        ),
    ]


def _success(made: int, of: int) -> Fact:
    counts = _("%(made)s of %(of)s") % {"made": made, "of": of}
    return Fact(_("made it"), rate(made, of), counts if of >= SMALL_SAMPLE else "", part=True)


def _share(part: int, whole: int) -> str:
    return rate(part, whole) if whole >= SMALL_SAMPLE else ""


def _made(made: int) -> str:
    return ngettext("%(made)s made", "%(made)s made", made) % {"made": made}


def _evenings(count: int) -> str:
    return ngettext("in %(count)s evening", "in %(count)s evenings", count) % {"count": count}
