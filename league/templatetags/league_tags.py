"""How amounts, points, rates and ages read on a page.

Money comes as whole Rappen and never becomes a float; the sign is the true minus, thousands are parted by ’.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

register = template.Library()

MINUS = "−"
NONE = "–"
AMOUNT = "%(amount)s"
SMALL_SAMPLE = 10
"""Below so many tries a percentage would say more than is known: the counts are shown instead."""


def _grouped(whole: int) -> str:
    return f"{whole:,}".replace(",", "’")


def format_money(amount_minor: int, *, plus: str = "") -> str:
    """Whole Rappen as francs: 123450 → `1’234.50`, −320 → `−3.20`; `plus` stands before an amount above 0."""
    sign = MINUS if amount_minor < 0 else plus if amount_minor > 0 else ""
    francs, rest = divmod(abs(amount_minor), 100)
    return f"{sign}{_grouped(francs)}.{rest:02d}"


def format_price(amount_minor: int, currency: str, *, plus: str = "") -> str:
    """An amount with its currency, as one says it in the reader's language: `CHF 1.20`, `1.20 Fr.`.

    The space between does not break: both stay on one line.
    """
    return _said(currency).replace(AMOUNT, format_money(amount_minor, plus=plus)).replace(" ", "\xa0")


def _said(currency: str) -> str:
    """How an amount is said; without a currency it is a plain counter."""
    if not currency:
        return AMOUNT
    return {"CHF": _("CHF %(amount)s"), "EUR": _("EUR %(amount)s")}.get(currency, f"{currency} {AMOUNT}")


def format_count(value: int, *, plus: str = "") -> str:
    """A whole number with the true minus: −12 → `−12`."""
    sign = MINUS if value < 0 else plus if value > 0 else ""
    return f"{sign}{_grouped(abs(value))}"


@register.filter
def money(amount_minor: int | None) -> str:
    """Whole Rappen as francs, `–` for none."""
    return NONE if amount_minor is None else format_money(amount_minor)


@register.filter
def gain(amount_minor: int | None) -> str:
    """A change of a purse: `+1.60`, `−3.20`, `0.00`; `–` for none."""
    return NONE if amount_minor is None else format_money(amount_minor, plus="+")


@register.filter
def price(amount_minor: int | None, currency: str) -> str:
    """An amount with its currency, as one says it in the reader's language: `CHF 1.20`, `1.20 Fr.`; `–` for none."""
    return NONE if amount_minor is None else format_price(amount_minor, currency)


@register.filter
def gain_price(amount_minor: int | None, currency: str) -> str:
    """A change of a purse with its currency: `CHF +1.20`, `+1.20 Fr.`; `–` for none."""
    return NONE if amount_minor is None else format_price(amount_minor, currency, plus="+")


@register.filter
def big_price(amount_minor: int, currency: str) -> SafeString:
    """The same where the amount is the largest thing of a page: the currency beside it is small."""
    small = format_html('<span class="unit">{}</span>', unit(currency))
    amount = format_money(amount_minor)
    if not currency:
        return format_html("{}", amount)
    return format_html("{}\xa0{}", *((amount, small) if _said(currency).startswith(AMOUNT) else (small, amount)))


@register.filter
def unit(currency: str) -> str:
    """What heads a column of amounts: `CHF`, `Fr.`, `€`."""
    return _said(currency).replace(AMOUNT, "").strip()


@register.filter
def points(value: int | None) -> str:
    """Points: `148`, `−3`; `–` for none."""
    return NONE if value is None else format_count(value)


@register.filter
def points_gain(value: int | None) -> str:
    """A change in points: `+3`, `−3`, `0`; `–` for none."""
    return NONE if value is None else format_count(value, plus="+")


@register.filter
def gain_class(value: int | None) -> str:
    """The class that colours an amount or points; the sign says it too."""
    return "gain" if value and value > 0 else "loss" if value and value < 0 else ""


@register.simple_tag
def rate(made: int, of: int) -> str:
    """How often a goal was reached: `71 %`, with few tries `3 of 4`, without any `–`."""
    if not of:
        return NONE
    if of < SMALL_SAMPLE:
        return _("%(made)s of %(of)s") % {"made": made, "of": of}
    return f"{(200 * made + of) // (2 * of)} %"


@register.simple_tag
def per_hand(total: int, hands: int, unit: str = "money") -> str:
    """A total per hand with its sign: money in francs to a tenth of a Rappen, points to a hundredth.

    Halves go away from zero.
    """
    if not hands:
        return NONE
    scale, digits = (10, 3) if unit == "money" else (100, 2)
    value = (2 * abs(total) * scale + hands) // (2 * hands)
    sign = "" if value == 0 else MINUS if total < 0 else "+"
    whole, rest = divmod(value, 10**digits)
    return f"{sign}{_grouped(whole)}.{rest:0{digits}d}"


def per_hand_price(total_minor: int, hands: int, currency: str) -> str:
    """A total of money per hand, with its currency: `CHF +0.012`; `–` without a hand."""
    return _said(currency).replace(AMOUNT, per_hand(total_minor, hands)).replace(" ", "\xa0") if hands else NONE


def format_age(then: datetime, now: datetime | None = None) -> str:
    """How long ago: `2 s ago`, `4 min ago`, `3 h ago`, `5 d ago`."""
    seconds = max(0, int(((now or timezone.now()) - then) / timedelta(seconds=1)))
    for pattern, size, limit in age_steps():
        if seconds < limit:
            return pattern.replace("{n}", str(seconds // size))
    raise AssertionError("the last step has no limit")


def age_steps() -> list[tuple[str, int, float]]:
    """Pattern, seconds in one unit, and up to which age the unit is used. The page's script counts on with the same."""
    return [
        (_("{n} s ago"), 1, 60),
        (_("{n} min ago"), 60, 3600),
        (_("{n} h ago"), 3600, 86400),
        (_("{n} d ago"), 86400, float("inf")),
    ]


@register.simple_tag
def age(then: datetime) -> SafeString:
    """An age that the page's script counts on; without it, it stays what it was when the page was made."""
    now = timezone.now()
    patterns = "|".join(pattern for pattern, _size, _limit in age_steps())
    return format_html(
        '<time class="age" datetime="{}" data-age="{}" data-patterns="{}">{}</time>',
        then.isoformat(timespec="seconds"),
        max(0, int((now - then) / timedelta(seconds=1))),
        patterns,
        format_age(then, now),
    )


@register.simple_tag
def move(rank: int, rank_before: int | None) -> SafeString:
    """How far a player moved since the evening before: `▲ 2`, `▼ 1`, nothing when the rank is the same."""
    if rank_before is None or rank_before == rank:
        return SafeString("")
    up = rank < rank_before
    places = abs(rank - rank_before)
    said = (_("up %(places)s") if up else _("down %(places)s")) % {"places": places}
    return format_html(
        '<span class="move {}"><span aria-hidden="true">{} {}</span><span class="visually-hidden">{}</span></span>',
        "gain" if up else "loss",
        "▲" if up else "▼",
        places,
        said,
    )


@register.filter
def has(mapping: Any, key: Any) -> bool:
    """Whether `key` is in a set or mapping."""
    return key in mapping
