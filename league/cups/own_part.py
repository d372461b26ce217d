"""A club's own part of a cup: its tournaments and evenings, and its players on the list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from ..models import Club, Cup, CupEvening, CupTournament, Entrant, Evening, Player, ResultRow, Tournament
from .evenings import may_count
from .people import Listed, Person, people_of
from .selectors import clubs_of, fits, listed_players

NEWEST = 100
"""So many tournaments of a club are offered, beside those that count."""
RECENT = timedelta(days=183)
"""Evenings of this time are offered, beside those that count; on request the newest of all."""
NEWEST_EVENINGS = 200


@dataclass(frozen=True)
class OwnTournament:
    """A tournament of the club. `ticked`: it counts in the cup; `fits`: its result is of the cup's kind."""

    tournament: Tournament
    ticked: bool
    fits: bool


@dataclass(frozen=True)
class OwnEvening:
    """An evening of the club. `ticked`: it counts in the cup, or will once it is final; `prepared`: opened for a later
    day."""

    evening: Evening
    ticked: bool
    prepared: bool


@dataclass(frozen=True)
class OwnEvenings:
    """The evenings that a club may count, by month, the newest first. `older`: there are more; `seasons`: they are of
    several seasons."""

    months: list[tuple[date, list[OwnEvening]]]
    older: bool
    seasons: bool

    @property
    def shown(self) -> list[Evening]:
        return [own_evening.evening for _month, evenings in self.months for own_evening in evenings]


@dataclass(frozen=True)
class OwnPlayer:
    """A player of the club who played in what it counts in the cup, or is on the list. `listed`: None if not;
    `others`: the players of other clubs who are the same person."""

    pk: int
    nickname: str
    listed: Listed | None
    others: list[str]
    by_consent: bool


@dataclass(frozen=True)
class OwnPart:
    """What the page of a club's own part shows. `candidates`: people of other clubs with whom a player may be matched,
    by their number."""

    tournaments: list[OwnTournament]
    evenings: OwnEvenings
    players: list[OwnPlayer]
    candidates: Mapping[int, str]

    @property
    def matched(self) -> list[OwnPlayer]:
        """Those whom the list matches with players of other clubs."""
        return [player for player in self.players if player.others and not player.by_consent]

    @property
    def may_match(self) -> bool:
        """True if there is somebody to match, and with whom."""
        return bool(self.candidates and self.matchable)

    @property
    def matchable(self) -> list[OwnPlayer]:
        return [
            player for player in self.players if player.listed is not None and player.listed.open and not player.others
        ]


def own_part(cup: Cup, club: Club, *, all_evenings: bool = False) -> OwnPart:
    """Read the own part of a club. Ten queries, fourteen with evenings."""
    tournaments = _tournaments(cup, club) if cup.takes_tournaments else []
    evenings = _evenings(cup, club, everything=all_evenings) if cup.takes_evenings else OwnEvenings([], False, False)
    clubs = clubs_of(cup)
    listed = listed_players(cup, clubs)
    people = people_of(listed)
    names = {cup_club.pk: cup_club.name for cup_club in clubs}
    own = {entry.player: entry for entry in listed if entry.club == club.pk}
    roots = _played(tournaments, evenings) | set(own)
    mains = Player.objects.filter(Q(pk__in=roots), club=club, anonymised_at=None).order_by("nickname")
    person_of = {player.player: person for person in people for player in person.players}
    players = [
        _own(pk, nickname, own.get(pk), person_of.get(pk), names)
        for pk, nickname in mains.values_list("pk", "nickname")
    ]
    taken = {entry.person for entry in own.values()}
    candidates = {
        entry.person: f"{entry.name} ({names[entry.club]})"
        for entry in sorted(listed, key=lambda each: each.name.casefold())
        if entry.club != club.pk and entry.open and entry.person not in taken
    }
    return OwnPart(tournaments, evenings, players, candidates)


def _tournaments(cup: Cup, club: Club) -> list[OwnTournament]:
    """Return the newest tournaments of a club, and those that count. Three queries."""
    ticked = set(CupTournament.objects.filter(cup=cup, tournament__club=club).values_list("tournament_id", flat=True))
    newest = Tournament.objects.filter(club=club).values("pk")[:NEWEST]
    offered = Tournament.objects.filter(Q(pk__in=list(ticked)) | Q(pk__in=[row["pk"] for row in newest]))
    return [OwnTournament(tournament, tournament.pk in ticked, fits(cup, tournament)) for tournament in offered]


def _evenings(cup: Cup, club: Club, *, everything: bool) -> OwnEvenings:
    """Return the evenings of a club that may count: those of the last months and those that do, or the newest of all.
    A closed one has hands, or it is no result. Three queries."""
    ticked = set(CupEvening.objects.filter(cup=cup, evening__club=club).values_list("evening_id", flat=True))
    played = Exists(ResultRow.objects.filter(evening=OuterRef("pk")))
    known = may_count(club).filter(Q(state=Evening.State.OPEN) | played | Q(pk__in=ticked)).select_related("season")
    today = timezone.localdate()
    recent = Q(held_on__gte=today - RECENT) | Q(pk__in=ticked)
    # One more than is shown, to know whether there are more.
    newest = list((known if everything else known.filter(recent))[: NEWEST_EVENINGS + 1])
    older = len(newest) > NEWEST_EVENINGS
    if not everything:
        older = known.exclude(recent).exists()
    shown = [OwnEvening(evening, evening.pk in ticked, evening.held_on > today) for evening in newest[:NEWEST_EVENINGS]]
    months = groupby(shown, key=lambda own_evening: own_evening.evening.held_on.replace(day=1))
    seasons = {own_evening.evening.season_id for own_evening in shown}
    return OwnEvenings([(month, list(evenings)) for month, evenings in months], older, len(seasons) > 1)


def _played(tournaments: Iterable[OwnTournament], evenings: OwnEvenings) -> set[int]:
    """Return the main players of everybody who played in what counts. Two queries."""
    chosen = [own_tournament.tournament for own_tournament in tournaments if own_tournament.ticked]
    entrants = Entrant.objects.filter(tournament__in=chosen, struck=False)
    counted = [
        own_evening.evening
        for _month, month_evenings in evenings.months
        for own_evening in month_evenings
        if own_evening.ticked
    ]
    results = ResultRow.objects.filter(evening__in=counted).order_by().distinct()
    return {
        main or player for rows in (entrants, results) for player, main in rows.values_list("player", "player__main")
    }


def _own(pk: int, nickname: str, listed: Listed | None, person: Person | None, names: Mapping[int, str]) -> OwnPlayer:
    others = [other for other in person.players if other.player != pk] if person is not None else []
    by_list = listed is not None and any(other.person == listed.person for other in others)
    texts = [f"{other.name} ({names[other.club]})" for other in others]
    return OwnPlayer(pk, nickname, listed, texts, bool(others) and not by_list)
