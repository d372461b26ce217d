"""Factories of a club with people, a season and a table. Hands are stored by the services."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any

import factory
from django.db import connection
from factory.django import DjangoModelFactory

from games.evening.house_rules import house_rules_set
from games.evening.services import evening_start
from games.hands.services import Answer, hand_enter, hand_void_last
from games.models import Table
from league.features.table import ALL
from league.models import Club, Membership, Player, Season, User


class UserFactory(DjangoModelFactory[User]):
    class Meta:
        model = User
        skip_postgeneration_save = True

    email = factory.Sequence(lambda n: f"person{n}@example.org")
    password = factory.django.Password("kreuz-sieben")


class ClubFactory(DjangoModelFactory[Club]):
    class Meta:
        model = Club

    slug = factory.Sequence(lambda n: f"club-{n}")
    name = factory.Sequence(lambda n: f"Club {n}")
    # A new club has none; most tests are about pages of features.
    features = factory.LazyFunction(lambda: list(ALL))


class MembershipFactory(DjangoModelFactory[Membership]):
    class Meta:
        model = Membership

    club = factory.SubFactory(ClubFactory)
    user = factory.SubFactory(UserFactory)


class PlayerFactory(DjangoModelFactory[Player]):
    class Meta:
        model = Player

    club = factory.SubFactory(ClubFactory)
    nickname = factory.Sequence(lambda n: f"Player {n}")
    # Most tests read pages as a visitor and look for nicknames, so the players agreed to show them. Tests of players
    # who did not are in test_privacy_names.py and promises/test_public_pages.py.
    publicity = Player.Publicity.NICKNAME


class SeasonFactory(DjangoModelFactory[Season]):
    class Meta:
        model = Season

    club = factory.SubFactory(ClubFactory)
    slug = factory.Sequence(lambda n: f"season-{n}")
    name = factory.Sequence(lambda n: f"Season {n}")
    starts_on = date(2026, 8, 1)


NAMES = ("Anna", "Beni", "Carlo", "Doris", "Emil", "Franziska", "Gian")


def create_table(
    *,
    club: Club | None = None,
    season: Season | None = None,
    players: list[Player] | None = None,
    seats: int = 5,
    rules: dict[str, Any] | None = None,
    held_on: date = date(2026, 11, 20),
    author: User | None = None,
    game: str = "chratze",
) -> Table:
    """Create a table of a new evening with Anna, Beni, …; the last seat deals first, so that seat 0 speaks first."""
    club = club or (season.club if season else ClubFactory())
    season = season or SeasonFactory(club=club)
    if players is None:
        known = {p.nickname: p for p in Player.objects.filter(club=club)}
        players = [known.get(name) or PlayerFactory(club=club, nickname=name) for name in NAMES[:seats]]
    if rules is not None:
        house_rules_set(club=club, game=game, values=rules, author=author)
    seating = [f"p{p.pk}" for p in players]
    return evening_start(
        club=club,
        season=season,
        author=author,
        seating=seating,
        first_dealer=seating[-1],
        held_on=held_on,
        game=game,
    )


def open_next_evening(table: Table, *, carry: bool = True) -> Table:
    """Open the next evening of a club with the same players; with `carry` it takes up the pot in the box."""
    seating = [f"p{player}" for player in table.places.order_by("seat").values_list("player_id", flat=True)]
    return evening_start(
        club=table.evening.club,
        season=table.evening.season,
        author=None,
        seating=seating,
        first_dealer=seating[0],
        held_on=table.evening.held_on,
        carry=carry,
    )


def body(table: Table, record: dict[str, Any], number: int | None = None) -> dict[str, Any]:
    """The body that a client sends for the next hand of the table."""
    fresh = Table.objects.get(pk=table.pk)
    players = list(fresh.places.order_by("seat").values_list("player_id", flat=True))
    return {"number": fresh.hands + 1 if number is None else number, "players": players, "record": record}


def enter(table: Table, record: dict[str, Any], *, author: User | None = None, key: uuid.UUID | None = None) -> Answer:
    """Store the next hand of a table."""
    return hand_enter(table=table, author=author, key=key or uuid.uuid4(), body=body(table, record))


def enter_aside(table: Table) -> None:
    """Store a hand in a thread with its own connection: that of the test is in a transaction."""

    def store() -> None:
        try:
            enter(table, MADE)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(store).result()


def void(table: Table, *, author: User | None = None) -> Answer:
    """Void the last hand of a table."""
    last = Table.objects.get(pk=table.pk).hands
    return hand_void_last(table=table, author=author, key=uuid.uuid4(), number=last)


# Hands for a table of five, with any dealer.
MADE = {"declarer": 0, "joiners": [1], "made": [0, 1]}
FAILED = {"declarer": 0, "joiners": [1, 2], "made": [1, 2]}
WALKOVER = {"declarer": 0}
PASSED_OUT: dict[str, Any] = {"declarer": None}

# Hands of Kratzen for a table of four whose first dealer is seat 3.
NO_CUT = [["x"]]
MUSS: dict[str, Any] = {"cuts": NO_CUT, "declarer": 3, "joiners": [0, 1, 2], "tricks": {"3": 2, "0": 1, "1": 1}}
FREE: dict[str, Any] = {
    "cuts": NO_CUT,
    "game_type": "schlagen",
    "declarer": 1,
    "joiners": [3],
    "tricks": {"1": 3, "3": 1},
}
# Hands of Zwicken for a table of four whose first dealer is seat 3: a forced one, and one that two play.
FORCED: dict[str, Any] = {"cuts": ["x"], "tricks": {"0": 2, "1": 1}}
MIT: dict[str, Any] = {"cuts": ["A", "x"], "players": [1, 3], "tricks": {"1": 3}, "seven_lost": 3}
# The first hand of a table of five with all its cards: nobody joined.
WITH_CARDS: dict[str, Any] = {
    "deal": {
        "hands": [
            ["As", "Ks", "Ah", "6c"],
            ["Qs", "9h", "8h", "7c"],
            ["Js", "Th", "7d", "6d"],
            ["Ts", "Kc", "9d", "8d"],
            ["7s", "Jh", "Qd", "9c"],
        ],
        "turned": ["9s"],
    },
    "calls": [[0, "chratze"], *([seat, "weg"] for seat in range(1, 5))],
}
