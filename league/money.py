"""Format amounts, points, ranks and rates for people.

Money is whole Rappen and never becomes a float. The sign is the true minus; ’ separates the thousands.
A missing value is shown as `–`. In a round of a tournament amounts are whole chips (`show_chips`).
"""

from __future__ import annotations

import re
from contextvars import ContextVar
from decimal import Decimal
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from .intervals import Share

MINUS = "−"
NONE = "–"
AMOUNT = "%(amount)s"

_in_chips: ContextVar[bool] = ContextVar("in_chips", default=False)


def show_chips() -> None:
    """Format the amounts of this request as whole chips. The gates of evenings and tables call it for a round."""
    _in_chips.set(True)


def show_francs(**_signal: Any) -> None:
    """Format amounts as francs again. Each request begins with it, as a thread answers many."""
    _in_chips.set(False)


def shows_chips() -> bool:
    """Return True if the amounts of this request are chips."""
    return _in_chips.get()


def format_money(amount_minor: int | None, *, plus: str = "") -> str:
    """Format whole Rappen as francs: 123450 → `1’234.50`, −320 → `−3.20`; `plus` precedes an amount above 0. Chips are
    whole numbers."""
    if amount_minor is None or _in_chips.get():
        return format_count(amount_minor, plus=plus)
    francs, rest = divmod(abs(amount_minor), 100)
    return f"{_sign(amount_minor, plus)}{_grouped(francs)}.{rest:02d}"


def plain_francs(amount_minor: int) -> str:
    """Return whole Rappen as francs for other programs: −123450 → `-1234.50`, with ASCII characters only."""
    francs, rest = divmod(abs(amount_minor), 100)
    return f"{'-' if amount_minor < 0 else ''}{francs}.{rest:02d}"


def parse_money(text: str) -> int | None:
    """Return the Rappen of a typed amount: `12` → 1200, `1’234.5` and `1234,50` → 123450; None for anything else."""
    match = re.fullmatch(r"([0-9]{1,9})(?:[.,]([0-9]{1,2}))?", re.sub(r"[\s'’]", "", text))
    if match is None:
        return None
    francs, rest = match.groups()
    return int(francs) * 100 + int((rest or "0").ljust(2, "0"))


def format_price(amount_minor: int | None, currency: str, *, plus: str = "") -> str:
    """Format an amount with its currency as the reader's language writes it: `CHF 1.20` in English."""
    return NONE if amount_minor is None else _with_currency(format_money(amount_minor, plus=plus), currency)


def format_count(value: int | None, *, plus: str = "") -> str:
    """Format a whole number: −12 → `−12`; `plus` precedes a number above 0."""
    return NONE if value is None else f"{_sign(value, plus)}{_grouped(abs(value))}"


def format_points(value: int | None, scale: int = 1) -> str:
    """Format points, which are stored in `scale` parts of a point: 1333 thousandths → `1.333`."""
    if value is None or scale == 1:
        return format_count(value)
    whole, rest = divmod(abs(value), scale)
    return f"{_sign(value, '')}{_grouped(whole)}.{rest:0{len(str(scale)) - 1}d}"


def exact_points(value: int, scale: int = 1) -> int | Decimal:
    """Return points, which are stored in `scale` parts of a point, as a number: 1333 thousandths → 1.333."""
    return value if scale == 1 else Decimal(value).scaleb(1 - len(str(scale)))


def format_decimal(points: Decimal) -> str:
    """Format what `exact_points` returned, with all its digits."""
    digits = -int(points.as_tuple().exponent)
    return format_points(int(points.scaleb(digits)), 10**digits)


def format_place(rank: int) -> str:
    """Format a rank: `3.` in German, `3rd` in English."""
    if not (get_language() or "").startswith("en"):
        return f"{rank}."
    teens = rank % 100 in (11, 12, 13)
    return f"{rank}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(rank % 10, 'th')}"


def format_rate(made: int, of: int) -> str:
    """Format the rate at which a goal was reached: `71 %`, `3 of 4` for few tries, `–` without a try."""
    if not of:
        return NONE
    if not Share(made, of).known:
        return _("%(made)s of %(of)s") % {"made": made, "of": of}
    return f"{(200 * made + of) // (2 * of)} %"


def per_hand(total: int, hands: int, unit: str = "money") -> str:
    """Format a total per hand with its sign: money in francs to a tenth of a Rappen, points to a hundredth.

    Halves are rounded away from zero.
    """
    if not hands:
        return NONE
    scale, digits = (10, 3) if unit == "money" else (100, 2)
    value = (2 * abs(total) * scale + hands) // (2 * hands)
    sign = _sign(total, "+") if value else ""
    whole, rest = divmod(value, 10**digits)
    return f"{sign}{_grouped(whole)}.{rest:0{digits}d}"


def per_hand_price(total_minor: int, hands: int, currency: str) -> str:
    """Format a total of money per hand with its currency: `+CHF 0.012`; `–` without a hand."""
    return _with_currency(per_hand(total_minor, hands), currency) if hands else NONE


def unit(currency: str) -> str:
    """The currency as the head of a column of amounts: `CHF`, `Fr.`, `€`."""
    return _pattern(currency).replace(AMOUNT, "").strip()


def unit_follows(currency: str) -> bool:
    """Return True if the reader's language writes the currency behind the amount."""
    return _pattern(currency).startswith(AMOUNT)


def gain_class(value: int | None) -> str:
    """The CSS class that colours an amount or points; the sign says the same without colour."""
    return "gain" if value and value > 0 else "loss" if value and value < 0 else ""


def _sign(value: int, plus: str) -> str:
    return MINUS if value < 0 else plus if value > 0 else ""


def _grouped(whole: int) -> str:
    return f"{whole:,}".replace(",", "’")


def _with_currency(amount: str, currency: str) -> str:
    # The sign is read first: it stands before the currency.
    digits = amount.lstrip(f"+{MINUS}")
    return amount.removesuffix(digits) + price_pattern(currency).replace(AMOUNT, digits)


def price_pattern(currency: str) -> str:
    """An amount with its currency as the reader's language writes it, with `%(amount)s` in place of the amount."""
    # The space between does not break: amount and currency stay on one line.
    return _pattern(currency).replace(" ", "\xa0")


def _pattern(currency: str) -> str:
    """The place of an amount beside its currency; without a currency the amount is a plain counter."""
    if not currency:
        return AMOUNT
    return {"CHF": _("CHF %(amount)s"), "EUR": _("EUR %(amount)s")}.get(currency, f"{currency} {AMOUNT}")
