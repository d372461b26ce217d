"""The names of a club's players as one reader sees them: people of the club see nicknames, visitors see public names.

A public name is the nickname if the player agreed to that, the pseudonym if the player chose one, and initials
otherwise. No two players of a club have the same public name, so that a visitor can still follow an evening.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from ..models import Club, Player

UNKNOWN = "?"
MAX_INITIALS = 3

Row = tuple[int, str, str, str, datetime | None]


def initials(nickname: str) -> str:
    """Return the first letters of the first three words: `Anna` → `A.`, `Hans Peter` → `H. P.`."""
    letters = (next((letter for letter in word if letter.isalnum()), "") for word in nickname.split())
    found = [f"{letter.upper()}." for letter in letters if letter][:MAX_INITIALS]
    return " ".join(found) or UNKNOWN


def public_names(rows: Iterable[Row]) -> dict[int, str]:
    """Return the public name of each player; no two are equal, not even in other case.

    `rows`: key, nickname, publicity, pseudonym, and the time when the player was forgotten; in the order of the keys.
    Of players with equal initials the first one has no number, the others have one (`A. 2`). Only players who are
    shown by initials are counted: a gap in the numbers would give away the initials of a player with another name.
    """
    known = list(rows)
    shown: dict[int, str] = {}
    taken: set[str] = set()
    for pk, nickname, publicity, pseudonym, forgotten in known:
        chosen = {Player.Publicity.NICKNAME.value: nickname, Player.Publicity.PSEUDONYM.value: pseudonym}.get(publicity)
        if chosen or forgotten:
            shown[pk] = _unused(chosen or nickname, 1, taken)
    count: Counter[str] = Counter()
    for pk, nickname, *_more in known:
        if pk not in shown:
            letters = initials(nickname)
            count[letters] += 1
            shown[pk] = _unused(letters, count[letters], taken)
    return shown


def public_names_of(clubs: Iterable[Club]) -> dict[int, dict[int, str]]:
    """Return the public names of all players of several clubs, by club and player. One query."""
    rows: dict[int, list[Row]] = {}
    found = Player.objects.filter(club__in=list(clubs)).order_by("pk")
    for club_id, *row in found.values_list("club_id", "pk", "nickname", "publicity", "pseudonym", "anonymised_at"):
        rows.setdefault(club_id, []).append(tuple(row))  # type: ignore[arg-type]
    return {club_id: public_names(players) for club_id, players in rows.items()}


def _unused(name: str, number: int, taken: set[str]) -> str:
    """Add the number from 2 on, and stars while the name is taken. A star leaves the other numbers unchanged."""
    found = name if number == 1 else f"{name} {number}"
    while found.casefold() in taken:
        found += "*"
    taken.add(found.casefold())
    return found


@dataclass
class Names:
    """The names of a club's players as one reader sees them. `member`: the reader has a role in the club.

    For people of the club, `show` needs no query; for visitors all calls together need one.
    """

    club: Club
    member: bool
    _public: dict[int, str] | None = field(default=None, repr=False)

    def show(self, player_id: int | None, nickname: str | None) -> str:
        """Return the name of a player whose nickname is already read; an empty text for no player."""
        if player_id is None:
            return ""
        return (nickname or UNKNOWN) if self.member else self.public().get(player_id, UNKNOWN)

    def free_text(self, text: str) -> str:
        """Return free text, or the name of an account, for people of the club; an empty text for a visitor.

        Free text can name people in any spelling, so their names in it cannot be replaced by public names. Every page
        and API operation that visitors may open shows free text through this method.
        """
        return text if self.member else ""

    def of(self, player_ids: Iterable[int]) -> Mapping[int, str]:
        """Return the names of these players by key, without players of other clubs. One query at most."""
        wanted = set(player_ids)
        if not wanted:
            return {}
        if self.member:
            return dict(Player.objects.filter(club=self.club.pk, pk__in=wanted).values_list("pk", "nickname"))
        return {pk: name for pk, name in self.public().items() if pk in wanted}

    def public(self) -> Mapping[int, str]:
        """Return the public name of every player of the club. One query, at the first call."""
        if self._public is None:
            rows = Player.objects.filter(club=self.club.pk).order_by("pk")
            self._public = public_names(rows.values_list("pk", "nickname", "publicity", "pseudonym", "anonymised_at"))
        return self._public
