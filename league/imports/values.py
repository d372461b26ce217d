"""Read the cells of a file as people write them: dates, amounts, numbers. Anything else is None."""

from __future__ import annotations

import re
from datetime import date

NOTHING = ("", "-", "–", "—", "−")
"""A cell for no amount, no points or no number."""
SWISS = re.compile(r"(\d{1,2})[./]\s?(\d{1,2})[./]\s?(\d{4}|\d{2})")
SHORT = re.compile(r"(\d{1,2})[./]\s?(\d{1,2})\.?")
SPELLED = re.compile(r"(\d{1,2})\.?\s*([a-zäéû]{3,9})\.?\s*(\d{4}|\d{2})?")
WEEKDAY = re.compile(r"[a-zäì]{2,10}\.?,?\s+(?=\d)")
MONTHS = (
    ("jan", "gen"), ("feb", "fév", "fev"), ("mär", "mar", "mrz"), ("apr", "avr"), ("mai", "may", "mag"),
    ("jun", "juin", "giu"), ("jul", "juil", "lug"), ("aug", "aoû", "aou", "ago"), ("sep", "set"), ("okt", "oct", "ott"),
    ("nov",), ("dez", "dec", "déc", "dic"),
)  # fmt: skip
"""How the name of each month begins in German, English, French and Italian."""
ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?)?")
CURRENCY = re.compile(r"^(?:chf|s?fr\.?|eur|€)\s*|\s*(?:chf|s?fr\.?|eur|€)$", re.IGNORECASE)
AMOUNT = re.compile(r"(\d{1,9})(?:[.,](\d{1,2}|[-–—]))?")
GROUPED = re.compile(r"\d{1,3}(?:['’.,\s]\d{3})+(?=$|[.,](?:\d{1,2}|[-–—])$)")
MAX_NUMBER = 1_000_000


def day(cell: str) -> date | None:
    """Return the day of `20.11.2026`, `20.11.26`, `20/11/2026`, `Fr, 20. November 2026` or `2026-11-20`, with or
    without a time after the last form."""
    plain = WEEKDAY.sub("", cell.casefold(), count=1) if cell[:1].isalpha() else cell.casefold()
    swiss, iso, spelled = SWISS.fullmatch(plain), ISO.fullmatch(cell), SPELLED.fullmatch(plain)
    if swiss:
        return _date(_year(swiss[3]), int(swiss[2]), int(swiss[1]))
    if iso:
        return _date(int(iso[1]), int(iso[2]), int(iso[3]))
    if spelled and spelled[3]:
        return _date(_year(spelled[3]), _month(spelled[2]), int(spelled[1]))
    return None


def day_without_year(cell: str, first: date, last: date) -> date | None:
    """Return the day of `20.11.` or `20. Nov` if exactly one such day is from `first` to `last`."""
    plain = WEEKDAY.sub("", cell.casefold(), count=1) if cell[:1].isalpha() else cell.casefold()
    short, spelled = SHORT.fullmatch(plain), SPELLED.fullmatch(plain)
    if short:
        month, number = int(short[2]), int(short[1])
    elif spelled and not spelled[3]:
        month, number = _month(spelled[2]), int(spelled[1])
    else:
        return None
    days = (_date(year, month, number) for year in range(first.year, last.year + 1))
    possible_days = [candidate for candidate in days if candidate is not None and first <= candidate <= last]
    return possible_days[0] if len(possible_days) == 1 else None


def is_day(cell: str) -> bool:
    """Return True for a cell that looks like a day, with or without a year."""
    plain = WEEKDAY.sub("", cell.casefold(), count=1) if cell[:1].isalpha() else cell.casefold()
    spelled = SPELLED.fullmatch(plain)
    # `12.5` is an amount, `12.5.` a day.
    short = plain.endswith(".") and SHORT.fullmatch(plain) is not None
    return day(cell) is not None or short or bool(spelled and _month(spelled[2]))


def _year(text: str) -> int:
    # A year of two digits is of this century: nobody has older evenings in a spreadsheet.
    return int(text) + (2000 if len(text) == 2 else 0)


def _month(name: str) -> int:
    """Return the number of a month by its name, 0 for another word."""
    return next((n for n, begins in enumerate(MONTHS, 1) if name.startswith(begins)), 0)


def _date(year: int, month: int, number: int) -> date | None:
    try:
        return date(year, month, number)
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
    match = AMOUNT.fullmatch(plain)
    if match is None:
        return None
    francs, rappen = match.groups()
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
    match = re.fullmatch(r"(\d{1,9})(?:[.,]0+)?", re.sub(r"(?<=\d)['’\s](?=\d{3})", "", plain))
    return sign * int(match[1]) if match else None


def _signed(text: str) -> tuple[int, str]:
    text = text.strip()
    if len(text) > 2 and text[0] == "(" and text[-1] == ")":
        return -1, text[1:-1].strip()
    if text[:1] in ("-", "−", "–"):
        return -1, text[1:].strip()
    return 1, text[1:].strip() if text[:1] == "+" else text
