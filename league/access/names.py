"""The names of a club's players as one reader sees them: people of the club see nicknames, visitors see public names.

A public name is the nickname if the player agreed to that, the pseudonym if the player chose one, a number in place of
a name if visitors shall see nobody, and initials otherwise. No two players of a club have the same public name, so that
a visitor can still follow an evening. The pages of a running tournament may show the nickname in place of initials
(`Names.in_hall`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.utils.translation import gettext as _

from ..models import Club, Player
from ..unnamed import Unnamed

UNKNOWN = "?"
MAX_INITIALS = 3

Row = tuple[int, str, str, str, datetime | None]


def initials(nickname: str) -> str:
    """Return the first letters of the first three words: `Anna` → `A.`, `Hans Peter` → `H. P.`."""
    letters = (next((letter for letter in word if letter.isalnum()), "") for word in nickname.split())
    parts = [f"{letter.upper()}." for letter in letters if letter][:MAX_INITIALS]
    return " ".join(parts) or UNKNOWN


def public_names(rows: Iterable[Row]) -> dict[int, str]:
    """Return the public name of each player; no two are equal, not even in other case.

    `rows`: key, nickname, publicity, pseudonym, and the time when the player was forgotten; in the order of the keys.
    Of players with equal initials the first one has no number, the others have one (`A. 2`). Only players who are
    shown by initials are counted: a gap in the numbers would give away the initials of a player with another name.
    Those without a name are counted apart (`Player 1`).
    """
    known = list(rows)
    shown: dict[int, str] = {}
    taken: set[str] = set()
    for pk, nickname, publicity, pseudonym, forgotten in known:
        chosen = {Player.Publicity.NICKNAME.value: nickname, Player.Publicity.PSEUDONYM.value: pseudonym}.get(publicity)
        if chosen or forgotten:
            shown[pk] = _unused(chosen or nickname, 1, taken)
    count: Counter[str] = Counter()
    for pk, nickname, publicity, *_more in known:
        if pk in shown:
            continue
        if publicity == Player.Publicity.NOBODY:
            count[""] += 1
            shown[pk] = Unnamed(_unused(_("Player %(number)d") % {"number": count[""]}, 1, taken))
        else:
            letters = initials(nickname)
            count[letters] += 1
            shown[pk] = _unused(letters, count[letters], taken)
    return shown


def public_names_of(clubs: Iterable[Club]) -> dict[int, dict[int, str]]:
    """Return the public names of all players of several clubs, by club and player. One query."""
    rows: dict[int, list[Row]] = {}
    people = Player.objects.filter(club__in=list(clubs)).order_by("pk")
    for club_id, *row in people.values_list("club_id", "pk", "nickname", "publicity", "pseudonym", "anonymised_at"):
        rows.setdefault(club_id, []).append(tuple(row))  # type: ignore[arg-type]
    return {club_id: public_names(players) for club_id, players in rows.items()}


def _unused(name: str, number: int, taken: set[str]) -> str:
    """Add the number from 2 on, and stars while the name is taken. A star leaves the other numbers unchanged."""
    candidate = name if number == 1 else f"{name} {number}"
    while candidate.casefold() in taken:
        candidate += "*"
    taken.add(candidate.casefold())
    return candidate


@dataclass
class Names:
    """The names of a club's players as one reader sees them. `member`: the reader has a role in the club.

    For people of the club, `show` needs no query; for visitors all calls together need one.
    """

    club: Club
    member: bool
    _public: dict[int, str] | None = field(default=None, repr=False)
    _by_initials: frozenset[int] = field(default=frozenset(), repr=False)
    _with_initials: bool = field(default=False, repr=False)

    def show(self, player_id: int | None, nickname: str | None) -> str:
        """Return the name of a player whose nickname is already read; an empty text for no player."""
        if player_id is None:
            return ""
        if self.member:
            return nickname or UNKNOWN
        shown = self.public().get(player_id, UNKNOWN)
        self._with_initials |= player_id in self._by_initials
        return shown

    def in_hall(self, player: Player, *, agreed: bool) -> str:
        """Return the name of an entrant on the pages of a tournament that shows names in its hall.

        `agreed`: the entrant did not refuse. Only initials give way to the nickname: a nickname beside a place that is
        known under a pseudonym would give away the pseudonym.
        """
        person = player.main or player
        if agreed and person.publicity == player.publicity == Player.Publicity.INITIALS:
            return player.nickname
        return self.show(player.pk, player.nickname)

    def hides(self, player: Player) -> bool:
        """Return True if this reader sees nobody there: the pages about the player do not exist."""
        return not self.member and player.publicity == Player.Publicity.NOBODY

    @property
    def with_initials(self) -> bool:
        """True if the reader is a visitor to whom initials were shown so far. No query."""
        return self._with_initials

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
        names = {pk: name for pk, name in self.public().items() if pk in wanted}
        self._with_initials |= not self._by_initials.isdisjoint(names)
        return names

    def public(self) -> Mapping[int, str]:
        """Return the public name of every player of the club. One query, at the first call."""
        if self._public is None:
            players = Player.objects.filter(club=self.club.pk).order_by("pk")
            rows = list(players.values_list("pk", "nickname", "publicity", "pseudonym", "anonymised_at"))
            self._public = public_names(rows)
            self._by_initials = frozenset(
                pk
                for pk, _nick, publicity, _pseudonym, forgotten in rows
                if publicity == Player.Publicity.INITIALS and forgotten is None
            )
        return self._public
