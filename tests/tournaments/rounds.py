"""A tournament with one round and its tables, made without the services of the league's desk."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from games.evening.house_rules import house_rules_of
from games.models import Table
from league.models import Club, DeskMember, Draw, Entrant, Evening, Player, Round, Season, Sheet, Tournament
from league.tournaments.formats import Format
from league.tournaments.tables import Seating, SheetResult, of_games
from tests.cast import House
from tests.factories import NAMES, ClubFactory, PlayerFactory

DAY = date(2026, 11, 21)


def entrants_of(tournament: Tournament, count: int) -> list[Entrant]:
    """Return the entrants with the numbers 1 to `count`; the first of them are Anna, Beni, …"""
    known = {person.nickname: person for person in Player.objects.filter(club=tournament.club)}
    names = [*NAMES, *(f"Guest {number}" for number in range(len(NAMES) + 1, count + 1))][:count]
    players = [known.get(name) or PlayerFactory(club=tournament.club, nickname=name) for name in names]
    return [
        Entrant.objects.create(tournament=tournament, number=number, player=player)
        for number, player in enumerate(players, start=1)
    ]


def create_tournament(club: Club | None = None, *, game: str = "chratze", **parts: Any) -> Tournament:
    """Create a running tournament without entrants; `parts` are those of its format."""
    club = club or ClubFactory()
    slug = f"chips-{Tournament.objects.count() + 1}"
    season = Season.every.create(
        club=club, slug=slug, name="Chips", starts_on=DAY, in_chips=True, points_only=True, ranking="points"
    )
    return Tournament.objects.create(
        club=club,
        slug=slug,
        name="Klausturnier",
        starts_on=DAY,
        game=game,
        house_rules=house_rules_of(club, game),
        season=season,
        state=Tournament.State.RUNNING,
        format=Format().changed(parts).stored(),
    )


def create_round(
    tournament: Tournament, tables: Mapping[int, Sequence[int]], *, number: int = 1, out: Sequence[int] = ()
) -> Round:
    """Create a round that is played: table number → start numbers in the order of play."""
    plan = {"tables": [{"number": n, "seats": list(seats)} for n, seats in tables.items()], "out": list(out)}
    draw = Draw.objects.create(tournament=tournament, round=number, number=1, mode="random", seed=1, plan=plan)
    evening = Evening.objects.create(
        club=tournament.club,
        season=tournament.season,
        number=number,
        held_on=DAY,
        game=tournament.game,
        house_rules=tournament.house_rules,
    )
    of_games().open(evening, seatings(tournament, tables))
    return Round.objects.create(
        tournament=tournament, number=number, state=Round.State.PLAYING, draw=draw, evening=evening
    )


def tournament_of(house: House) -> Tournament:
    """Create a tournament with a round that is played at one table, and everybody who records at its desk."""
    tournament = create_tournament(house.club)
    entrants_of(tournament, 4)
    create_round(tournament, {1: (1, 2, 3, 4)})
    for person in (house.recorder, house.treasurer):
        DeskMember.objects.create(tournament=tournament, user=person)
    return tournament


def seatings(tournament: Tournament, tables: Mapping[int, Sequence[int]]) -> list[Seating]:
    """Return the seatings of these start numbers."""
    player = dict(tournament.entrants.values_list("number", "player_id"))
    return [Seating(number, tuple(player[seat] for seat in seats)) for number, seats in tables.items()]


def table_of(current: Round, number: int = 1) -> Table:
    """Return a table of a round as it is stored now."""
    return Table.objects.select_related("evening__club", "evening__season", "evening__house_rules").get(
        evening=current.evening_id, number=number
    )


def hand_in(current: Round, table: int, chips: Sequence[int], pot: int = 0, *, reason: str = "") -> SheetResult:
    """Store a sheet of a table: the net chips by seat."""
    players = [place.player_id for place in table_of(current, table).places.order_by("seat")]
    start = dict(Entrant.objects.filter(tournament=current.tournament).values_list("player_id", "number"))
    before = Sheet.objects.filter(round=current, table_number=table).count()
    Sheet.objects.create(
        round=current,
        table_number=table,
        number=before + 1,
        chips={str(start[player]): change for player, change in zip(players, chips, strict=True)},
        pot=pot,
        reason=reason,
    )
    source = uuid.uuid5(uuid.NAMESPACE_OID, f"{current.pk}:{table}")
    return SheetResult(source, before + 1, dict(zip(players, chips, strict=True)), pot)


def close(current: Round, sheets: Mapping[int, SheetResult] | None = None, *, divided: bool = True) -> None:
    """Close a round as the desk does."""
    of_games().close(current.evening, divide_pots=divided, sheets=sheets or {}, author=None)


def reopen(current: Round) -> None:
    """Open a round again as the desk does."""
    of_games().reopen(current.evening, author=None, reason="A sheet was wrong.")
