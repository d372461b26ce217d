"""Read the cells of a file as people write them: dates, amounts, numbers. Anything else is None."""

from __future__ import annotations

import re
from datetime import date

NOTHING = ("", "-", "–", "—", "−")
"""A cell for no amount, no points or no number."""
SWISS = re.compile(r"(\d{1,2})[./]\s?(\d{1,2})[./]\s?(\d{4}|\d{2})")
ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?)?")
CURRENCY = re.compile(r"^(?:chf|s?fr\.?|eur|€)\s*|\s*(?:chf|s?fr\.?|eur|€)$", re.IGNORECASE)
AMOUNT = re.compile(r"(\d{1,9})(?:[.,](\d{1,2}|[-–—]))?")
GROUPED = re.compile(r"\d{1,3}(?:['’.,\s]\d{3})+(?=$|[.,](?:\d{1,2}|[-–—])$)")
MAX_NUMBER = 1_000_000


def day(cell: str) -> date | None:
    """Return the day of `20.11.2026`, `20.11.26`, `20/11/2026` or `2026-11-20`, with or without a time after the last
    form."""
    swiss, iso = SWISS.fullmatch(cell), ISO.fullmatch(cell)
    if swiss:
        dd, mm, yy = swiss.groups()
        # A year of two digits is of this century: nobody has older evenings in a spreadsheet.
        year = int(yy) + (2000 if len(yy) == 2 else 0)
    elif iso:
        year, mm, dd = int(iso[1]), iso[2], iso[3]
    else:
        return None
    try:
        return date(year, int(mm), int(dd))
    except ValueError:
        return None


def amount(cell: str) -> int | None:
    """Return the Rappen of an amount in francs: `12.5`, `-12,50`, `Fr. 1'250.–`, `(3.20)`; `–` and nothing are 0."""
    if cell in NOTHING:
        return 0
    # The sign is before the currency or behind it.
    outer, rest = _signed(cell)
    inner, rest = _signed(CURRENCY.sub("", rest))
    plain = _without_thousands(CURRENCY.sub("", rest).strip())
    found = AMOUNT.fullmatch(plain)
    if found is None:
        return None
    francs, rappen = found.groups()
    rest_minor = int(rappen.ljust(2, "0")) if rappen and rappen.isdecimal() else 0
    return outer * inner * (int(francs) * 100 + rest_minor)


def _without_thousands(plain: str) -> str:
    """Return a number without the signs between its thousands; `1.250` and `1,250` stay, as they could be either."""
    grouped = GROUPED.match(plain)
    if grouped is None:
        return plain
    between = set(re.sub(r"\d", "", grouped[0]))
    rest = plain[grouped.end() :]
    unclear = between & set(".,") and (not rest or rest[0] in between)
    return plain if unclear or len(between) > 1 else re.sub(r"\D", "", grouped[0]) + rest


def whole(cell: str) -> int | None:
    """Return a whole number: `12`, `-3`, `1'200`, `4.0`; `–` and nothing are 0."""
    if cell in NOTHING:
        return 0
    sign, plain = _signed(cell)
    found = re.fullmatch(r"(\d{1,9})(?:[.,]0+)?", re.sub(r"(?<=\d)['’\s](?=\d{3})", "", plain))
    return sign * int(found[1]) if found else None


def _signed(text: str) -> tuple[int, str]:
    text = text.strip()
    if len(text) > 2 and text[0] == "(" and text[-1] == ")":
        return -1, text[1:-1].strip()
    if text[:1] in ("-", "−", "–"):
        return -1, text[1:].strip()
    return 1, text[1:].strip() if text[:1] == "+" else text
