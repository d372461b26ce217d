"""Names and amounts of an evening that one reader may see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from league.access import ClubAccess
from league.models import Evening

from ..hands.selectors import sees_table_amounts

AMOUNT_FIELDS = ("pot_before", "rules", "claimed")
"""Fields of a hand record from which amounts follow."""


@dataclass(frozen=True)
class Visibility:
    """The visibility of an evening for one reader. `all_money`: every amount, else only those of the reader's own
    players."""

    access: ClubAccess
    all_money: bool

    def sees(self, player_id: int | None) -> bool:
        """Return True if the reader may see the amounts of a player."""
        return self.all_money or self.access.sees_money(player_id)

    def amount(self, value: int | None, player_id: int | None = None) -> int | None:
        """Return an amount in Rappen, or None if the reader may not see it.

        An amount without a player (a pot) needs the right to see all amounts.
        """
        return value if (self.all_money if player_id is None else self.sees(player_id)) else None

    def record(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Return a hand record, without its amounts if the reader may not see all of them."""
        return {name: value for name, value in record.items() if self.all_money or name not in AMOUNT_FIELDS}

    def name(self, player_id: int, nickname: str) -> str:
        """Return the name of a player as it is shown to the reader."""
        return self.access.names.show(player_id, nickname)

    def unless_visitor(self, text: str) -> str | None:
        """Return the name of a user, or free text; None for a visitor."""
        return self.access.names.free_text(text) or None


def visibility_at_table(access: ClubAccess, evening: Evening) -> Visibility:
    """Return the visibility of a table: a recorder sees all amounts until the evening is final."""
    return Visibility(access.within(evening.season), sees_table_amounts(access, evening))


def visibility_of_evening(access: ClubAccess, evening: Evening) -> Visibility:
    """Return the visibility of an evening as a whole; the role of recorder has no effect."""
    access = access.within(evening.season)
    return Visibility(access, access.sees_money())
