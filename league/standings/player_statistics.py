"""The figures of a player's season, each with its unit or with the number of hands that it is computed from."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..intervals import Share
from ..models import Standing
from ..money import (
    format_count,
    format_points,
    format_price,
    format_rate,
    gain_class,
    per_hand,
    per_hand_price,
)
from ..web.game_terms import Terms


@dataclass(frozen=True)
class Figure:
    """A figure of a page: name, value as text, note, and CSS class. A `part` is a detail of the figure before it."""

    name: str
    value: str
    note: str = ""
    css: str = ""
    part: bool = False


def player_figures(
    line: Standing,
    terms: Terms,
    *,
    currency: str,
    played: int,
    best: int | None = None,
    scale: int = 1,
    imported: int = 0,
) -> list[Figure]:
    """Return the statistics of a standing. Without a `currency` evenings are in points, and there are no amounts.
    `best`: the points are of so many evenings, the player's best ones. `scale`: the stored points for a point.
    `played`: the points of all hands, which need not be those that rank. `imported`: the number of hands of imported
    evenings, whose declarers are unknown."""
    recorded = line.hands - imported
    balance = format_price(line.balance_minor, currency, plus="+") if currency else ""
    return [
        Figure(_("Points"), format_points(line.points, scale), _counting(line.evenings, best)),
        *([Figure(_("Balance"), balance, css=gain_class(line.balance_minor))] if currency else []),
        Figure(_("Hands"), format_count(line.hands), _evenings(line.evenings, imported)),
        *(_declared(line, terms, recorded) if terms.has_declarer else []),
        Figure(str(terms.joins), format_count(line.joined), _share(line.joined, recorded)),
        _success(line.joined_made, line.joined),
        *_forced(line, terms, recorded),
        Figure(str(terms.out), format_count(line.out), _share(line.out, recorded)),
        *(_blinds(line) if terms.has_blinds else []),
        *_evening_figures(line, currency, played),
    ]


def _counting(evenings: int, best: int | None) -> str:
    """The note on the points where some evenings do not count."""
    if best is None or evenings <= best:
        return ""
    return _("from %(best)s of %(evenings)s evenings") % {"best": best, "evenings": evenings}


def _declared(line: Standing, terms: Terms, recorded: int) -> list[Figure]:
    """Return the figures of declared hands."""
    return [
        Figure(str(terms.declares), format_count(line.declared), _share(line.declared, recorded)),
        _success(line.declared_made, line.declared - line.walkovers),
        Figure(_("nobody joined"), format_count(line.walkovers), part=True),
    ]


def _forced(line: Standing, terms: Terms, recorded: int) -> list[Figure]:
    """Return the figures of hands that everybody had to play, if the season has any."""
    if not line.musses:
        return []
    return [
        Figure(str(terms.forced), format_count(line.musses), _share(line.musses, recorded)),
        _success(line.musses_made, line.musses),
    ]


def _blinds(line: Standing) -> list[Figure]:
    """Return the figures of games in which somebody may declare blind: there the last one asked may be the Susi."""
    return [
        Figure(_("Blind"), format_count(line.blinds), _made(line.blinds_made) if line.blinds else ""),
        Figure("Susi", format_count(line.susi)),
    ]


def _evening_figures(line: Standing, currency: str, played: int) -> list[Figure]:
    if not currency:
        return [
            Figure(_("Best evening"), format_count(line.best_night_points, plus="+"), _("points")),
            Figure(_("Worst evening"), format_count(line.worst_night_points, plus="+"), _("points")),
            Figure(_("Per hand"), per_hand(played, line.hands, "points"), _("points")),
        ]
    best, worst = line.best_night_minor, line.worst_night_minor
    return [
        Figure(_("Biggest pot won"), format_price(line.biggest_pot_minor or None, currency)),
        Figure(_("Best evening"), format_price(best, currency, plus="+"), css=gain_class(best)),
        Figure(_("Worst evening"), format_price(worst, currency, plus="+"), css=gain_class(worst)),
        Figure(
            _("Per hand"), per_hand_price(line.balance_minor, line.hands, currency), css=gain_class(line.balance_minor)
        ),
    ]


def _success(made: int, of: int) -> Figure:
    counts = _("%(made)s of %(of)s") % {"made": made, "of": of}
    return Figure(_("made it"), format_rate(made, of), counts if Share(made, of).known else "", part=True)


def _share(part: int, whole: int) -> str:
    return format_rate(part, whole) if Share(part, whole).known else ""


def _made(made: int) -> str:
    return ngettext("%(made)s made", "%(made)s made", made) % {"made": made}


def _evenings(count: int, imported: int) -> str:
    note = ngettext("in %(count)s evening", "in %(count)s evenings", count) % {"count": count}
    if not imported:
        return note
    return f"{note}, " + ngettext("%(n)s imported", "%(n)s imported", imported) % {"n": format_count(imported)}
