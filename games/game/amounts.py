"""Amounts in sentences: in a currency, or as numbers of antes for readers who see no amounts."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import ngettext

from league.money import format_price


@dataclass(frozen=True)
class Antes:
    """In place of a currency: amounts are named as numbers of antes. `ante_minor` is the ante of the house rules."""

    ante_minor: int

    def show(self, amount_minor: int) -> str:
        """Format an amount as a number of antes, to a hundredth."""
        whole, rest = divmod(self.hundredths(amount_minor), 100)
        number = f"{whole}.{rest:02d}".rstrip("0") if rest else str(whole)
        return ngettext("%(n)s ante", "%(n)s antes", 1 if (whole, rest) == (1, 0) else 2) % {"n": number}

    def hundredths(self, amount_minor: int) -> int:
        """Return an amount in hundredths of an ante."""
        return amount_minor * 100 // self.ante_minor


Unit = str | Antes
"""A currency, or the ante in place of it."""


def price(amount_minor: int, unit: Unit) -> str:
    """Format an amount in its unit."""
    return unit.show(amount_minor) if isinstance(unit, Antes) else format_price(amount_minor, unit)
