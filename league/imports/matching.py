"""The player of each name of a file: proposed by nickname, former name, look and spelling; decided by a person."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..errors import Refused
from ..models import Club, FormerName, Player
from ..roster.look_alikes import looks
from ..roster.services import MAX_NICKNAME

MAX_NAMES = 300
ALIKE = 0.72
"""From this ratio on a name is proposed as another spelling."""

Meant = Mapping[str, int | None]
"""Name → player, None for a new one."""


@dataclass(frozen=True)
class Proposal:
    """A name of the file with the proposed player, None for a name that is not in the roster. `sure` is False for a
    guess by spelling, which a person should look at."""

    name: str
    player_id: int | None
    sure: bool
    rows: int


def names_of(cells: Iterable[str]) -> dict[str, int]:
    """Return the different names of a column with the number of their rows, in order; refuse too many (422)."""
    counts: dict[str, int] = {}
    spelled: dict[str, str] = {}
    for cell in cells:
        if cell:
            name = spelled.setdefault(cell.casefold(), cell)
            counts[name] = counts.get(name, 0) + 1
    if len(counts) > MAX_NAMES:
        sentence = ngettext(
            "This column has %(n)d different name: at most %(most)d.",
            "This column has %(n)d different names: at most %(most)d.",
            len(counts),
        )
        values = {"n": len(counts), "most": MAX_NAMES}
        raise Refused(status=422, code="import", sentence=sentence % values, at="name")
    return counts


def proposals(club: Club, names: Mapping[str, int], chosen: Meant) -> list[Proposal]:
    """Return a proposal for each name, those that need a look first. `chosen`: the earlier decisions. Two queries."""
    people = roster(club)
    known: dict[str, int] = {}
    for player, name in FormerName.objects.filter(player__club=club).order_by("-pk").values_list("player_id", "name"):
        known[name.casefold()] = player
    for person in people:
        known |= {name.casefold(): person.pk for name in (person.pseudonym, person.nickname) if name}
    alike = {look: person.pk for person in people for look in looks(person.nickname)}
    mains = {person.pk: person.main_id or person.pk for person in people}
    proposed = []
    for name, rows in names.items():
        exact = known.get(name.casefold()) or next((alike[look] for look in looks(name) if look in alike), None)
        guess = exact or _nearest(name, people)
        # Somebody who was new may be in the roster by now, such as after an import that was undone.
        if name in chosen and (chosen[name] is not None or name.casefold() not in known):
            guess, exact = chosen[name], chosen[name] or -1
        proposed.append(Proposal(name, mains.get(guess) if guess else None, exact is not None or guess is None, rows))
    return sorted(proposed, key=lambda proposal: (proposal.sure and proposal.player_id is not None, proposal.sure))


def roster(club: Club) -> list[Player]:
    """Return the players who were not forgotten, by name."""
    players = Player.objects.filter(club=club, anonymised_at=None)
    return sorted(players, key=lambda player: player.nickname.casefold())


def check(club: Club, names: Iterable[str], meant: Meant) -> None:
    """Refuse names without a chosen player of this club, and new names that are invalid.

    Raises:
        Refused: 422, `at` is the name.
    """
    known = {player.pk for player in roster(club)}
    for name in names:
        if name not in meant:
            raise _wrong(name, _("Choose who is meant by %(name)s.") % {"name": name})
        if meant[name] is not None and meant[name] not in known:
            raise _wrong(name, _("There is no player %(id)d in this club.") % {"id": meant[name]})
    fresh = [name for name in names if meant[name] is None]
    others = [name for player in roster(club) for name in (player.nickname, player.pseudonym) if name]
    taken = {look: other for other in others for look in looks(other)}
    for name in fresh:
        if len(name) > MAX_NICKNAME or not name.isprintable():
            raise _wrong(name, _("A nickname has 1 to %(max)d characters.") % {"max": MAX_NICKNAME})
        other = next((taken[look] for look in looks(name) if look in taken), None)
        if other is not None and _same(name, other):
            sentence = _("%(name)s is in the club already. Choose that player, or change the name in the file.")
            raise _wrong(name, sentence % {"name": other})
        if other is not None:
            sentence = _("%(name)s looks like %(other)s. Choose that player, or change the name in the file.")
            raise _wrong(name, sentence % {"name": name, "other": other})
        taken |= dict.fromkeys(looks(name), name)


def _nearest(name: str, people: Sequence[Player]) -> int | None:
    """Return the player whose nickname is spelled most like the name: also `Anna` for `Anna Muster`."""
    best, ratio = None, ALIKE
    for player in people:
        wanted, nickname = name.casefold(), player.nickname.casefold()
        score = SequenceMatcher(None, wanted, nickname).ratio()
        if nickname in wanted.replace(".", " ").split() or wanted in nickname.replace(".", " ").split():
            score = max(score, 0.9)
        if score > ratio:
            best, ratio = player.pk, score
    return best


def _same(name: str, other: str) -> bool:
    """Return True if two names are written alike, apart from capitals and the way in which a file encodes accents."""
    return unicodedata.normalize("NFC", name).casefold() == unicodedata.normalize("NFC", other).casefold()


def _wrong(path: str, sentence: str) -> Refused:
    return Refused(status=422, code="import", sentence=sentence, at=path)
