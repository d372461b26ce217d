"""The people of the club's last evening, for a new evening that begins like it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from league.models import Club, Evening

from ..models import Place, Table


@dataclass(frozen=True)
class LastTime:
    """Who sat at the first table of the last evening at its end: `seating` are entries of the seating (p and the id of
    the player), in the order of play, with their nicknames. `first_dealer` is the entry of who would have dealt next,
    "" if that person is not here."""

    game: str
    seating: tuple[str, ...]
    nicknames: tuple[str, ...]
    first_dealer: str

    def as_initial(self) -> dict[str, Any]:
        """Return the values with which the form of a new evening begins."""
        if not self.seating:
            return {}
        return {"game": self.game, "seating": self.seating, "first_dealer": self.first_dealer}


def last_time(club: Club) -> LastTime:
    """Return the people of the last evening who are still in the roster; a merged player is the main one. Three queries
    at most."""
    evening = Evening.nights.filter(club=club).order_by("-held_on", "-pk").first()
    table = Table.objects.filter(evening=evening, dissolved=False).order_by("number").first() if evening else None
    if evening is None or table is None:
        return LastTime("", (), (), "")
    seated: dict[str, str] = {}
    dealer = ""
    for place in Place.objects.filter(table=table).select_related("player__main").order_by("seat"):
        player = place.player.main or place.player
        if not player.active:
            continue
        seated.setdefault(f"p{player.pk}", player.nickname)
        if place.player_id == table.dealer_id:
            dealer = f"p{player.pk}"
    return LastTime(evening.game, tuple(seated), tuple(seated.values()), dealer)
