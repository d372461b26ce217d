"""Chances in sentences: about 3 in 10, between 2 and 4."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..models import Season
from ..money import format_count, format_price
from .simulation import Chance

HARDLY, SELDOM, OFTEN, SURELY = 10, 50, 950, 990
"""In thousandths: a chance below or above these bounds is written without tenths."""
WIDTH = 200
"""Of the bar, in the units of its viewBox."""


@dataclass(frozen=True)
class Said:
    """A chance in words, with its bounds (empty if they equal the chance), and as coordinates of a bar."""

    about: str
    bounds: str
    left: float
    width: float
    dot: float

    known = True
    mark = None

    @property
    def whole(self) -> str:
        """Return both as one sentence without its full stop."""
        return f"{self.about}, {self.bounds}" if self.bounds else self.about


def said(chance: Chance) -> Said:
    """Return a chance in words."""
    left, right = chance.low * WIDTH / 1000, chance.high * WIDTH / 1000
    return Said(
        _about(chance.permille),
        _bounds(chance),
        left=round(left, 1),
        width=round(right - left, 1),
        dot=round(chance.permille * WIDTH / 1000, 1),
    )


def _about(permille: int) -> str:
    if permille < HARDLY:
        return _("hardly possible")
    if permille < SELDOM:
        return _("less than 1 in 20")
    if permille > SURELY:
        return _("as good as certain")
    if permille > OFTEN:
        return _("more than 19 in 20")
    return _("about %(n)s in 10") % {"n": max(1, min(9, (permille + 50) // 100))}


def _bounds(chance: Chance) -> str:
    """Return the bounds in tenths, rounded outwards; nothing if these are as close as a tenth."""
    low, high = chance.low // 100, -(-chance.high // 100)
    if high - low <= 1:
        return ""
    if low == 0:
        return _("at most %(high)s in 10") % {"high": high} if high < 10 else _("anything is possible")
    if high == 10:
        return _("at least %(low)s in 10") % {"low": low}
    return _("between %(low)s and %(high)s") % {"low": low, "high": high}


def amount(value: int, currency: str) -> str:
    """Return a result of an evening: points, or an amount if there is a `currency`."""
    if currency:
        return format_price(value, currency, plus="+")
    return ngettext("%(n)s point", "%(n)s points", value) % {"n": format_count(value, plus="+")}


def when_over(season: Season, left: int | None, *, in_plan: bool = False) -> str:
    """Return the number of evenings to come with its source, as a sentence. `in_plan`: they are those of the season's
    plan."""
    if left is None:
        if season.planned_evenings:
            return _("All planned evenings are played.")
        if season.ends_on:
            return _("At the pace so far no more evening fits before the last day, so the end is not simulated.")
        return _("The season has no last day and no number of evenings, so its end is not simulated.")
    if season.planned_evenings or in_plan:
        sentence = ngettext("%(n)s more evening is planned.", "%(n)s more evenings are planned.", left)
    else:
        sentence = ngettext(
            "At the pace so far %(n)s more evening fits before the last day.",
            "At the pace so far %(n)s more evenings fit before the last day.",
            left,
        )
    return sentence % {"n": left}
