"""What one asker may see of a night: names and amounts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from league.access import ClubAccess
from league.models import Evening

from ..selectors import writes_amounts

OF_MONEY = ("pot_before", "rules", "claimed")
"""Fields of a hand record that say amounts."""


@dataclass(frozen=True)
class Eyes:
    """An asker at the tables of a club. `all_money`: every amount; else those of the asker's own players alone.

    `inside`: the asker is of the club, and may read who wrote a thing down and why.
    """

    access: ClubAccess
    all_money: bool
    inside: bool

    def sees(self, player_id: int | None) -> bool:
        """Whether the amounts of a player may be shown."""
        return self.all_money or self.access.sees_money(player_id)

    def amount(self, value: int | None, player_id: int | None = None) -> int | None:
        """An amount in Rappen, or None where it is not for the asker. Without a player it is for those who see all."""
        return value if (self.all_money if player_id is None else self.sees(player_id)) else None

    def record(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """A hand record, without its amounts where the asker may not see them."""
        return {name: value for name, value in record.items() if self.all_money or name not in OF_MONEY}

    def name(self, player_id: int, nickname: str) -> str:
        """What the asker calls a player."""
        return self.access.names.show(player_id, nickname)

    def told_by(self, name: str) -> str | None:
        """Who wrote something down, for people of the club."""
        return name or None if self.inside else None


def at_table(access: ClubAccess, evening: Evening) -> Eyes:
    """Who writes down sees the amounts at the table until the evening is final; everybody else as on the pages."""
    writes = writes_amounts(access, evening)
    access = access.within(evening.season)
    return Eyes(access, access.sees_money() or writes, access.role is not None)


def of_evening(access: ClubAccess, evening: Evening) -> Eyes:
    """As on the pages of an evening."""
    access = access.within(evening.season)
    return Eyes(access, access.sees_money(), access.role is not None)
