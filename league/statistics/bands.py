"""A share as a band: the interval as a bar, the share as a dot, everybody's share as a mark. Templates draw it as SVG.

Coordinates are in the units of the viewBox, from 0 to 100 %.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from ..intervals import FEWEST_TRIES, Share
from ..money import format_count

WIDTH = 200


@dataclass(frozen=True)
class Band:
    """A share as text and as coordinates. `known` is False for too few tries: then there is only the count."""

    known: bool
    percent: str
    counts: str
    bounds: str
    left: float = 0
    width: float = 0
    dot: float = 0
    mark: float | None = None
    mark_text: str = ""


def band(share: Share, beside: Share | None = None) -> Band:
    """Return the band of a share; `beside` is the share that it is compared with, as a mark."""
    counts = _("%(made)s of %(of)s") % {"made": format_count(share.made), "of": format_count(share.of)}
    if not share.known:
        return Band(False, _("too few hands"), counts, _("shown from %(least)s on") % {"least": FEWEST_TRIES})
    low, high = share.interval.low, share.interval.high
    marked = beside if beside is not None and beside.known else None
    return Band(
        known=True,
        percent=percent(share.permille),
        counts=counts,
        bounds=_("%(low)s to %(high)s") % {"low": whole(low), "high": percent(high)},
        left=_x(low),
        width=round(_x(high) - _x(low), 1),
        dot=_x(share.permille),
        mark=_x(marked.permille) if marked else None,
        mark_text=_("club %(percent)s") % {"percent": percent(marked.permille)} if marked else "",
    )


def few_hands(rows: Iterable[tuple[str, Band]]) -> str:
    """Return a sentence that counts and names the rows with too few hands; empty if each has enough."""
    names = [f"{name} ({band.counts})" for name, band in rows if not band.known]
    if not names:
        return ""
    text = _("%(n)s with too few hands (fewer than %(least)s): %(names)s.")
    return text % {"n": len(names), "least": FEWEST_TRIES, "names": ", ".join(names)}


def _x(permille: int) -> float:
    return round(permille * WIDTH / 1000, 1)


def whole(permille: int) -> str:
    """Format thousandths as a whole number of hundredths, half up."""
    return str((permille + 5) // 10)


def percent(permille: int) -> str:
    """Format thousandths as a whole percentage, half up."""
    return f"{whole(permille)}\xa0%"
