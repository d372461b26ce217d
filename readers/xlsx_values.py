"""The values of a spreadsheet's cells as the texts that a CSV file would have."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta

FORMATS = {
    14: "mm-dd-yy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm",
    21: "h:mm:ss", 22: "m/d/yy h:mm", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mmss.0",
}  # fmt: skip
"""The formats of dates and times that a file uses without writing them."""
LITERAL = re.compile(r'"[^"]*"|\[(?!hh?\]|mm?\]|ss?\])[^\]]*\]', re.IGNORECASE)
"""Texts in quotes, colours and languages, but not `[h]`."""
IN_DATES = re.compile(r"(?<![_\\])[dmhys]", re.IGNORECASE)
DURATION = re.compile(r"\[(?:hh?|mm?|ss?)\]", re.IGNORECASE)
ISO = re.compile(r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?Z?)?")
BEGIN, BEGIN_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)  # noqa: DTZ001 - a spreadsheet knows no time zones
NO_LEAP_DAY = 60
"""Spreadsheets count 29 February 1900, which was none."""
DAY_MS = 24 * 60 * 60 * 1000


@dataclass
class Dates:
    """The styles of cells, by number, that show a number as a date or time, or as a duration."""

    styles: set[int] = field(default_factory=set)
    durations: set[int] = field(default_factory=set)
    from_1904: bool = False

    def note(self, style: int, code: str) -> None:
        """Note the format of a style."""
        first = code.partition(";")[0]
        if IN_DATES.search(LITERAL.sub("", first)):
            self.styles.add(style)
            if DURATION.search(first):
                self.durations.add(style)


def shown(kind: str, written: str, style: int, dates: Dates) -> str:
    """Return the text of a number, a truth value or a date. What is none is returned as it is written."""
    if written.isdecimal() and kind == "n" and style not in dates.styles:
        return written
    if kind == "b":
        return "1" if written in ("1", "true") else "0"
    if kind == "d":
        match = ISO.fullmatch(written)
        return _without_midnight(match[1], match[2] or "") if match else written
    try:
        value = float(written)
        if style in dates.styles:
            return _day(value, dates, is_duration=style in dates.durations)
    except (OverflowError, ValueError):
        return "#VALUE!" if style in dates.styles else written
    if not re.search(r"[.eE]", written) or not math.isfinite(value):
        return written
    # A spreadsheet shows 0.1 + 0.2 as 0.3.
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _day(value: float, dates: Dates, *, is_duration: bool) -> str:
    if is_duration:
        return str(timedelta(milliseconds=round(value * DAY_MS)))
    day, fraction = divmod(value, 1)
    within = timedelta(milliseconds=round(fraction * DAY_MS))
    if 0 <= value < 1 and not within.days and not dates.from_1904:
        return (BEGIN + within).time().isoformat()
    begin = BEGIN_1904 if dates.from_1904 else BEGIN
    missing = 1 if 0 < value < NO_LEAP_DAY and not dates.from_1904 else 0
    moment = begin + timedelta(days=day + missing) + within
    return moment.date().isoformat() if moment.time() == time() else moment.isoformat(" ")


def _without_midnight(day: str, clock: str) -> str:
    return f"{day} {clock}" if clock.strip("0:") else day
