"""Evenings with seating changes, for the screens: one with two tables, one whose tables were merged again."""

from __future__ import annotations

import uuid

from games.models import Table
from games.seating.changes import NEWCOMER, Arrive, Leave, Merge, NameDealer, Pause, Resume, SeatingChange, Split
from games.seating.services import Guest, carry_out
from league.models import Player, User
from tests.factories import MADE, PASSED_OUT, enter


def build(seven: Table, four: Table, author: User) -> dict[str, str]:
    """Change the seating of a table of seven (split in two at the end) and of one of four (split and merged again);
    return the parameters of their addresses."""
    names = dict(Player.objects.filter(club=seven.evening.club_id).values_list("nickname", "pk"))

    def carry(table: Table, change: SeatingChange, guest: str = "") -> None:
        who = Guest(guest) if guest else None
        carry_out(table=table, change=change, author=author, key=uuid.uuid4(), guest=who)

    carry(seven, Leave(names["Gian"]))
    carry(seven, Arrive(NEWCOMER, names["Beni"]), "Zoé")
    carry(seven, NameDealer(names["Carlo"]))
    carry(seven, Pause())
    carry(seven, Resume())
    carry(seven, Split((names["Doris"], names["Emil"], names["Franziska"]), names["Emil"], by_heads=True))
    other = Table.objects.get(evening=seven.evening, number=2)
    enter(other, MADE, author=author)
    carry(seven, Pause())
    carry(four, Split((names["Anna"], names["Beni"]), names["Beni"]))
    joined = Table.objects.get(evening=four.evening, number=2)
    enter(joined, PASSED_OUT, author=author)
    carry(joined, Merge(four.pk, names["Doris"]))
    return {
        "seating_table": str(seven.pk),
        "seating_other": str(other.pk),
        "seating_evening": str(seven.evening_id),
        "joined_table": str(joined.pk),
        "seating_anna": str(names["Anna"]),
        "seating_carlo": str(names["Carlo"]),
        "seating_gian": str(names["Gian"]),
        "seating_emil": str(names["Emil"]),
    }
