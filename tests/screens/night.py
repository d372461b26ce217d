"""Evenings at which people came and went, for the screens: one with two tables, one whose tables were joined again."""

from __future__ import annotations

import uuid

from games.models import Table
from games.night.acts import NEWCOMER, Act, Arrive, Leave, Merge, NameDealer, Pause, Resume, Split
from games.night.services import Guest, carry_out
from league.models import Player, User
from tests.factories import MADE, PASSED_OUT, enter


def tell(seven: Table, four: Table, author: User) -> dict[str, str]:
    """Let a night happen at a table of seven (two tables in the end) and at one of four (joined again); what the
    addresses are filled with."""
    names = dict(Player.objects.filter(club=seven.evening.club_id).values_list("nickname", "pk"))

    def do(table: Table, act: Act, guest: str = "") -> None:
        who = Guest(guest) if guest else None
        carry_out(table=table, act=act, author=author, key=uuid.uuid4(), guest=who)

    do(seven, Leave(names["Gian"]))
    do(seven, Arrive(NEWCOMER, names["Beni"]), "Zoé")
    do(seven, NameDealer(names["Carlo"]))
    do(seven, Pause())
    do(seven, Resume())
    do(seven, Split((names["Doris"], names["Emil"], names["Franziska"]), names["Emil"], by_heads=True))
    other = Table.objects.get(evening=seven.evening, number=2)
    enter(other, MADE, author=author)
    do(seven, Pause())
    do(four, Split((names["Anna"], names["Beni"]), names["Beni"]))
    joined = Table.objects.get(evening=four.evening, number=2)
    enter(joined, PASSED_OUT, author=author)
    do(joined, Merge(four.pk, names["Doris"]))
    return {
        "night_table": str(seven.pk),
        "night_other": str(other.pk),
        "night_evening": str(seven.evening_id),
        "joined_table": str(joined.pk),
        "night_anna": str(names["Anna"]),
        "night_carlo": str(names["Carlo"]),
        "night_gian": str(names["Gian"]),
        "night_emil": str(names["Emil"]),
    }
