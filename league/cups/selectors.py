"""What a cup publishes, as plain data without ids of a club: the same for every reader. A fixed number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.db.models import Q

from ..access import ClubAccess
from ..access.names import public_names_of
from ..models import (
    Club,
    Cup,
    CupClub,
    CupConsent,
    CupInvitation,
    CupPlayer,
    CupTournament,
    Entrant,
    Evening,
    Player,
    Tournament,
)
from ..tournaments.formats import Format
from ..tournaments.results import rankings_of
from .evenings import evenings_of, is_final, places_of
from .people import Listed, Person, people_of
from .standing import Cell, CupLine, Result, Rules, cup_standing

MOST_INVITATIONS = 10
FINISHED = (Tournament.State.FINISHED, Tournament.State.ARCHIVED)

Event = Tournament | Evening


@dataclass(frozen=True)
class Counted:
    """A tournament or an evening of a cup. `counts`: it is `over`, finished or final, and its result is of the cup's
    kind; else `fits` says if only its end is missing."""

    event: Event
    number: int
    fits: bool
    over: bool

    @property
    def is_evening(self) -> bool:
        return isinstance(self.event, Evening)

    @property
    def club(self) -> Club:
        return self.event.club

    @property
    def name(self) -> str:
        return self.event.title if isinstance(self.event, Evening) else self.event.name

    @property
    def day(self) -> date:
        return self.event.held_on if isinstance(self.event, Evening) else self.event.starts_on

    @property
    def last_day(self) -> date:
        return self.day if isinstance(self.event, Evening) else self.event.ends_on or self.day

    @property
    def counts(self) -> bool:
        return self.fits and self.over


@dataclass(frozen=True)
class Row:
    """A line of the standing with its cup name and the clubs of the person, by name; `cells` in the order of
    `CupView.counting`."""

    line: CupLine
    person: Person
    clubs: list[str]
    cells: list[Cell | None]

    @property
    def name(self) -> str:
        return self.person.name

    @property
    def results(self) -> list[Cell]:
        return [cell for cell in self.cells if cell is not None]


@dataclass(frozen=True)
class CupView:
    """A cup as everybody reads it who may read it. `clubs`: those that take part, the one that runs it first;
    `events`: its tournaments and evenings, by day."""

    cup: Cup
    clubs: list[Club]
    events: list[Counted]
    rows: list[Row]
    people: list[Person]

    @property
    def tournaments(self) -> list[Counted]:
        return [event for event in self.events if not event.is_evening]

    @property
    def evenings(self) -> list[Counted]:
        return [event for event in self.events if event.is_evening]

    @property
    def counting(self) -> list[Counted]:
        return [event for event in self.events if event.counts]

    @property
    def qualified(self) -> list[Row]:
        return [row for row in self.rows if row.line.qualified]


def cups_of(access: ClubAccess) -> list[Cup]:
    """Return the cups of a club that the reader may see, newest first. One query."""
    cups = Cup.objects.filter(clubs__club=access.club, clubs__left_at=None).select_related("owner")
    return list(cups if access.role is not None else cups.filter(public=True))


def invitations_to(club: Club) -> list[Cup]:
    """Return the cups to which the club is invited, the first of them. One query."""
    waiting = CupInvitation.objects.filter(short_name=club.slug, state=CupInvitation.State.OPEN)
    return [invitation.cup for invitation in waiting.select_related("cup__owner")[:MOST_INVITATIONS]]


def rules_of(cup: Cup) -> Rules:
    """Return the rules of a cup."""
    return Rules(cup.kind, tuple(cup.place_points), cup.best_of, cup.qualifiers)  # type: ignore[arg-type]


def fits(cup: Cup, tournament: Tournament) -> bool:
    """Return True if the tournament's result is of the cup's kind. Places are in every tournament."""
    return cup.kind == Cup.Kind.PLACES or Format.read(tournament.format).result == cup.kind


def clubs_of(cup: Cup) -> list[Club]:
    """Return the clubs that take part, the one that runs the cup first, then by name. One query."""
    parts = CupClub.objects.filter(cup=cup, left_at=None).select_related("club")
    return sorted((part.club for part in parts), key=lambda club: (club.pk != cup.owner_id, club.name.casefold()))


def cup_view(cup: Cup) -> CupView:
    """Read a cup. Twelve queries, sixteen with evenings, however many events and people it has."""
    clubs = clubs_of(cup)
    events = _events(cup, clubs)
    listed = listed_players(cup, clubs)
    people = people_of(listed)
    counting = [counted for counted in events if counted.counts]
    results = _results(counting, people)
    names = {club.pk: club.name for club in clubs}
    rows = []
    for line in cup_standing(rules_of(cup), results):
        person = people[line.person]
        cells = [line.cells.get(counted.number) for counted in counting]
        rows.append(Row(line, person, [names[club] for club in person.clubs], cells))
    return CupView(cup, clubs, events, rows, people)


def _events(cup: Cup, clubs: Sequence[Club]) -> list[Counted]:
    """Return the tournaments and evenings of the clubs that take part, by day. Two queries."""
    by_club = {club.pk: club for club in clubs}
    tournaments = sorted(_tournaments(cup, clubs), key=lambda tournament: tournament.pk)
    evenings = sorted(evenings_of(cup, clubs), key=lambda evening: evening.pk)
    events = [Counted(tournament, 0, fits(cup, tournament), tournament.state in FINISHED) for tournament in tournaments]
    events += [Counted(evening, 0, fits=True, over=is_final(evening)) for evening in evenings]
    for counted in events:
        counted.event.club = by_club[counted.event.club_id]
    ordered = sorted(events, key=lambda counted: counted.day)
    return [replace(counted, number=number) for number, counted in enumerate(ordered, start=1)]


def _tournaments(cup: Cup, clubs: Sequence[Club]) -> list[Tournament]:
    """Return the tournaments of the clubs that take part. Those in preparation are their desk's alone."""
    if not cup.takes_tournaments:
        return []
    rows = CupTournament.objects.filter(cup=cup, tournament__club__in=clubs)
    rows = rows.exclude(tournament__state=Tournament.State.DRAFT).select_related("tournament")
    return [row.tournament for row in rows]


def listed_players(cup: Cup, clubs: Iterable[Club]) -> list[Listed]:
    """Return the players of the cup's list with their public names: main players, each once. Three queries."""
    rows = CupPlayer.objects.filter(cup=cup, player__club__in=clubs).select_related("person", "player")
    numbers: dict[int, int] = {}
    clubs_of_players: dict[int, int] = {}
    for row in rows.order_by("person__number", "pk"):
        root = row.player.main_id or row.player_id
        numbers.setdefault(root, row.person.number)
        clubs_of_players[root] = row.player.club_id
    accounts: dict[int, int] = {}
    same: dict[int, list[Player]] = defaultdict(list)
    for player in Player.objects.filter(Q(pk__in=numbers) | Q(main__in=numbers)).order_by("pk"):
        root = player.main_id or player.pk
        same[root].append(player)
        if player.user_id is not None and (player.pk == root or root not in accounts):
            accounts[root] = player.user_id
    agreed = set(CupConsent.objects.filter(user__in=accounts.values()).values_list("user_id", flat=True))
    names = public_names_of(clubs)
    return [
        _listed(root, number, same[root], names[clubs_of_players[root]], accounts.get(root), agreed)
        for root, number in numbers.items()
    ]


def _listed(
    root: int,
    number: int,
    players: Sequence[Player],
    names: Mapping[int, str],
    account: int | None,
    agreed: set[int],
) -> Listed:
    main = next(player for player in players if player.pk == root)
    # A player under whose other name the person played in a tournament: that name must not become known either.
    hidden = next((player for player in [main, *players] if player.publicity != Player.Publicity.NICKNAME), None)
    shown = hidden or main
    return Listed(
        person=number,
        player=root,
        club=main.club_id,
        name=str(names[shown.pk]),
        open=hidden is None,
        account=account if account in agreed else None,
    )


def _results(counting: Sequence[Counted], people: Sequence[Person]) -> dict[int, list[Result]]:
    """Return the results of people by their index. Five queries, three more with evenings."""
    index = {entry.player: place for place, person in enumerate(people) for entry in person.players}
    numbers = {counted.event: counted.number for counted in counting}
    results: dict[int, list[Result]] = {}
    for player, result in (*_of_tournaments(numbers), *_of_evenings(numbers)):
        if player in index:
            results.setdefault(index[player], []).append(result)
    return results


def _of_tournaments(numbers: Mapping[Event, int]) -> Iterator[tuple[int, Result]]:
    """Yield the result of each entrant, with the main player. Five queries."""
    tournaments = [event for event in numbers if isinstance(event, Tournament)]
    rankings = rankings_of(tournaments)
    roots: dict[tuple[int, int], int] = {}
    entrants = Entrant.objects.filter(tournament__in=tournaments, struck=False)
    for tournament, number, player, main in entrants.values_list("tournament", "number", "player", "player__main"):
        roots[tournament, number] = main or player
    for event in tournaments:
        for line in rankings[event.pk].lines:
            yield roots[event.pk, line.number], Result(numbers[event], line.rank, line.before)


def _of_evenings(numbers: Mapping[Event, int]) -> Iterator[tuple[int, Result]]:
    """Yield the result of each player, with the main player. Three queries."""
    evenings = [event for event in numbers if isinstance(event, Evening)]
    places = places_of(evenings)
    for evening in evenings:
        for player, rank in places[evening.pk]:
            yield player, Result(numbers[evening], rank, 0)
