"""Records as a reader sees them: label, value, and the holders, each with links to the hands or evenings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..access import ClubAccess
from ..imported_mark import imported_note
from ..models import Evening, Season
from ..standings.overview import season_runs
from .selectors import Spot

POT = "pot"
MOST_NAMED = 5
"""The most holders that are named where there is one line of text for them; a page shows the others when asked."""


@dataclass(frozen=True)
class Scope:
    """The seasons of some records: one, or all of a club. With a `player_id` the records of one player."""

    access: ClubAccess
    seasons: Sequence[Season]
    player_id: int | None = None

    @property
    def several(self) -> bool:
        """True if a record names its season."""
        return len(self.seasons) > 1

    @property
    def running(self) -> bool:
        """True if evenings may follow. Between two seasons of a club a run over seasons still goes on."""
        return self.several or any(map(season_runs, self.seasons))

    @property
    def sees_money(self) -> bool:
        """True if the reader sees all amounts of these records."""
        return self.access.sees_money(self.player_id)

    @property
    def in_money(self) -> list[Season]:
        """The seasons with amounts."""
        return [season for season in self.seasons if not season.points_only]


@dataclass(frozen=True)
class Held:
    """A holder before the reader's name of him is known. `spots`: the hand or evening; of a run the first and the last
    one. `running`: the run of evenings still goes on."""

    player_id: int
    nickname: str
    spots: tuple[Spot, ...]
    running: bool = False


@dataclass(frozen=True)
class Found:
    """A record before names and evenings are known. `spot`: what the record as a whole leads to."""

    kind: str
    number: int | None
    label: str
    value: str
    holders: tuple[Held, ...]
    spot: Spot


@dataclass(frozen=True)
class Link:
    """A link to a hand or an evening, with its words."""

    spot: Spot
    evening: Evening
    href: str
    when: str

    @property
    def table(self) -> int | None:
        """The table of the hand, None for an evening."""
        return self.spot.table or None

    @property
    def hand(self) -> int | None:
        """The number of the hand, None for an evening."""
        return self.spot.number or None


@dataclass(frozen=True)
class Holder:
    """A player who holds a record, with the name that the reader sees. `links`: one, or the first and the last of a
    run. `running`: the run of evenings still goes on."""

    player_id: int
    name: str
    links: tuple[Link, ...]
    running: bool = False


@dataclass(frozen=True)
class Record:
    """A record: its label, its value as text, its holders, and a link.

    `kind` and `number` are for programs: a number of points, goals, hands, evenings or times, an amount in minor
    units, None for a pot in antes. `who` names the holders in one line; it is empty for the records of one player.
    `link` is the first holder's: the first hand, or the newest evening; of a record without a holder its evening."""

    kind: str
    number: int | None
    label: str
    value: str
    who: str
    holders: tuple[Holder, ...]
    link: Link

    @property
    def pot(self) -> bool:
        """True for the biggest pot."""
        return self.kind == POT

    @property
    def running(self) -> bool:
        """True if a run of evenings still goes on."""
        return any(holder.running for holder in self.holders)

    def link_of(self, player_ids: Collection[int]) -> Link:
        """The link of the first holder among these players; that of the record if none of them holds it."""
        return next((holder.links[0] for holder in self.holders if holder.player_id in player_ids), self.link)

    @property
    def only_link(self) -> Link | None:
        """The link if the record has no other: the whole line leads there."""
        spots = {link.spot for holder in self.holders for link in holder.links}
        return None if spots - {self.link.spot} else self.link

    @property
    def named(self) -> Sequence[Holder]:
        """The holders who are shown at once."""
        return self.holders[:MOST_NAMED]

    @property
    def others(self) -> Sequence[Holder]:
        """The holders who are shown when asked."""
        return self.holders[MOST_NAMED:]


def shown(scope: Scope, finds: Sequence[Found]) -> list[Record]:
    """Return these records as the reader of the scope sees them. One query."""
    spots = {spot for find in finds for spot in (find.spot, *(spot for held in find.holders for spot in held.spots))}
    of_spots = Evening.objects.filter(pk__in={spot.evening_id for spot in spots}).select_related("season")
    evenings = {evening.pk: evening for evening in of_spots}
    links = {spot: _link(scope, spot, evenings[spot.evening_id]) for spot in spots}
    return [_record(scope, find, links) for find in finds]


def _record(scope: Scope, find: Found, links: dict[Spot, Link]) -> Record:
    names = scope.access.names
    holders = tuple(
        Holder(
            held.player_id,
            names.show(held.player_id, held.nickname),
            _ends(scope, [links[spot] for spot in held.spots]),
            held.running,
        )
        for held in find.holders
    )
    return Record(
        kind=find.kind,
        number=find.number,
        label=find.label,
        value=find.value,
        who="" if scope.player_id is not None else _named(holders),
        holders=holders,
        link=links[find.spot],
    )


def _named(holders: Sequence[Holder]) -> str:
    """Return the holders' names; of more than five players the first ones and the number of the others."""
    names = [holder.name for holder in holders[:MOST_NAMED]]
    more = len(holders) - len(names)
    if more:
        names.append(ngettext("%(n)s more", "%(n)s more", more) % {"n": more})
    return ", ".join(names)


def _link(scope: Scope, spot: Spot, evening: Evening) -> Link:
    href = reverse("evening", kwargs={"club": scope.access.club.slug, "evening": evening.pk})
    if spot.number:
        href += f"#hand-{spot.table}-{spot.number}"
    return Link(spot, evening, href, _when(scope, spot, evening))


def _ends(scope: Scope, links: Sequence[Link]) -> tuple[Link, ...]:
    """Return the links of a holder; the last one of a run says only what is not the same as in the first one."""
    first, last = links[0], links[-1]
    if first is last:
        return (first,)
    return (first, replace(last, when=_when(scope, last.spot, last.evening, after=first)))


def _when(scope: Scope, spot: Spot, evening: Evening, after: Link | None = None) -> str:
    same_season = after is not None and after.evening.season_id == evening.season_id
    same_evening = after is not None and after.evening == evening
    parts = [evening.season.name] if scope.several and not same_season else []
    if not same_evening:
        parts.append(_("evening %(number)s") % {"number": evening.number})
    if spot.table > 1 and not (after and same_evening and after.spot.table == spot.table):
        parts.append(_("table %(table)s") % {"table": spot.table})
    if spot.number:
        parts.append(_("hand %(number)s") % {"number": spot.number})
    if not same_evening:
        parts += filter(None, [imported_note(evening)])
    text = ", ".join(parts)
    return text[:1].upper() + text[1:]
