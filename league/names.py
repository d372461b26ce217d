"""What somebody who reads a club calls its players: people of the club by nickname, everybody else by the public name.

The public name is the nickname where the player agreed to that, a pseudonym where one was chosen, and initials
otherwise. Public names differ within a club, whoever is the second "A.": an evening can still be followed and added up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from .models import Club, Player

UNKNOWN = "?"
MOST_INITIALS = 3

Row = tuple[int, str, str, str, datetime | None]


def initials(nickname: str) -> str:
    """The first letter of each word, the first three: `Anna` → `A.`, `Hans Peter` → `H. P.`."""
    letters = (next((letter for letter in word if letter.isalnum()), "") for word in nickname.split())
    told = [f"{letter.upper()}." for letter in letters if letter][:MOST_INITIALS]
    return " ".join(told) or UNKNOWN


def public_names(rows: Iterable[Row]) -> dict[int, str]:
    """Public names by player, each only once whatever the capitals.

    `rows`: key, nickname, publicity, pseudonym, and when the player was forgotten; in the order of their keys. Of equal
    initials the first player has them bare, the others numbered (`A. 2`). Only who is shown by initials is counted: a
    number left out would tell those of whoever has another name.
    """
    known = list(rows)
    shown: dict[int, str] = {}
    taken: set[str] = set()
    for pk, nickname, publicity, pseudonym, forgotten in known:
        told = {Player.Publicity.NICKNAME.value: nickname, Player.Publicity.PSEUDONYM.value: pseudonym}.get(publicity)
        if told or forgotten:
            shown[pk] = _free(told or nickname, 1, taken)
    count: Counter[str] = Counter()
    for pk, nickname, *_more in known:
        if pk not in shown:
            told = initials(nickname)
            count[told] += 1
            shown[pk] = _free(told, count[told], taken)
    return shown


def _free(name: str, number: int, taken: set[str]) -> str:
    """The name, numbered from 2 on; with a star where somebody is called so already: no number of others moves."""
    told = name if number == 1 else f"{name} {number}"
    while told.casefold() in taken:
        told += "*"
    taken.add(told.casefold())
    return told


@dataclass
class Names:
    """The names of a club's players as one reader sees them. `inside`: the reader is of the club.

    People of the club cost no query where the nickname is at hand (`show`), visitors one in all.
    """

    club: Club
    inside: bool
    _public: dict[int, str] | None = field(default=None, repr=False)

    def show(self, player_id: int | None, nickname: str | None) -> str:
        """The name of a player whose nickname was read together with something else; empty for no player."""
        if player_id is None:
            return ""
        return (nickname or UNKNOWN) if self.inside else self.public().get(player_id, UNKNOWN)

    def of(self, player_ids: Iterable[int]) -> Mapping[int, str]:
        """Names by player, of those who are of this club. One query at most."""
        wanted = set(player_ids)
        if not wanted:
            return {}
        if self.inside:
            return dict(Player.objects.filter(club=self.club.pk, pk__in=wanted).values_list("pk", "nickname"))
        return {pk: name for pk, name in self.public().items() if pk in wanted}

    def public(self) -> Mapping[int, str]:
        """The public name of every player of the club; read once."""
        if self._public is None:
            rows = Player.objects.filter(club=self.club.pk).order_by("pk")
            self._public = public_names(rows.values_list("pk", "nickname", "publicity", "pseudonym", "anonymised_at"))
        return self._public
