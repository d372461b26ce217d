"""The columns of the standings: their headings, which sort the lines by links, and the order that each one gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from ..intervals import Share
from ..money import unit
from ..web.game_terms import Terms
from .reader_choice import Choice
from .standing_row import Row


@dataclass(frozen=True)
class Heading:
    """A heading. `href`: the address that sorts by it, empty if that is not possible. `sorted`: the order of the lines
    by it, as `aria-sort` names it. `unit` stands beside the title."""

    name: str
    title: str
    css: str
    href: str
    sorted: str
    unit: str = ""


_KEYS: dict[str, Callable[[Row], Any]] = {
    "player": lambda row: row.name.casefold(),
    "points": lambda row: -row.standing.points,
    "balance": lambda row: -row.amount_minor,
    "evenings": lambda row: -row.standing.evenings,
    "hands": lambda row: -row.standing.hands,
}
"""Sorts the largest number first, and names as people read them; equal lines stay in the order of ranks."""
_SHARES: dict[str, Callable[[Row], Share]] = {
    "declares": lambda row: Share(row.standing.declared_made, row.standing.contested),
    "joins": lambda row: Share(row.standing.joined_made, row.standing.joined),
}
RISING = ("rank", "player")


def sorted_rows(rows: Sequence[Row], choice: Choice) -> list[Row]:
    """Return the rows in the chosen order. Shares of few tries, which a page shows as counts, come last in either
    direction, in the order of ranks: one of one is no lead, and none of one is no defeat."""
    if choice.sort in _SHARES:
        share = _SHARES[choice.sort]
        known = sorted((row for row in rows if share(row).known), key=lambda row: -_exact(share(row)))
        return (known[::-1] if choice.backwards else known) + [row for row in rows if not share(row).known]
    key = _KEYS.get(choice.sort)
    ordered = sorted(rows, key=key) if key else list(rows)
    return ordered[::-1] if choice.backwards else ordered


def _exact(share: Share) -> Fraction:
    return Fraction(share.made, share.of)


def headings(
    choice: Choice, terms: Terms, *, by_points: bool, with_money: bool, sees_all: bool, currency: str
) -> list[Heading]:
    """Return the headings of the columns that this reader sees, in order. Only a reader who sees all
    amounts can sort by them: else the order would reveal the hidden ones."""

    def heading(name: str, title: str, css: str = "", *, sorts: bool = True, unit: str = "") -> Heading:
        current = (choice.sort or "rank") == name
        rising = (name in RISING) is not choice.backwards
        address = choice.query(sort=f"-{name}" if current and not choice.backwards else "" if name == "rank" else name)
        return Heading(
            name,
            title,
            css,
            href=(address or "?") if sorts else "",
            sorted=("ascending" if rising else "descending") if current and sorts else "",
            unit=unit,
        )

    columns = [heading("rank", _("Rank"), "rank"), heading("player", _("Player"), "text")]
    if by_points:
        columns.append(heading("points", _("Points")))
    if with_money:
        css = "opt" if by_points else ""
        columns.append(heading("balance", _("Balance"), css, sorts=sees_all, unit=unit(currency)))
    columns.append(heading("evenings", _("Evenings"), "opt"))
    columns.append(heading("hands", _("Hands"), "opt" if by_points or with_money else ""))
    if terms.has_declarer:
        columns.append(heading("declares", str(terms.declares), "opt"))
    columns.append(heading("joins", str(terms.joins), "opt"))
    return columns
