"""The world of the recorded answers: two clubs, and in one of them everything that an address can name."""

from __future__ import annotations

import hashlib
import itertools
import random
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import partial
from typing import Any
from unittest import mock

import time_machine
from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, models

from games.closing import receipts
from games.closing.services import evening_close
from games.disputes.services import dispute_raise
from games.models import Table
from league.chances import services as chances_services
from league.chances.services import chances_compute
from league.chances.simulation import forecast
from league.models import (
    ApiToken,
    Club,
    Cup,
    CupEvening,
    CupPerson,
    CupPlayer,
    CupTournament,
    Evening,
    Import,
    Payment,
    Player,
    Receipt,
    Season,
    Tournament,
)
from league.roster.merging import players_merge
from league.standings.counting import count_season
from league.standings.seasons import season_close
from tests.api.api_client import ALL, ApiClient, done
from tests.api.path_arguments import path_arguments
from tests.cast import Cast, cast
from tests.factories import FAILED, MADE, NAMES, WALKOVER, PlayerFactory, SeasonFactory, create_table, enter
from tests.platform.test_query_counts_season import played

BEGIN = "2026-11-21 18:00:00+01:00"
NOW = "2026-11-21 18:12:00+01:00"
"""The moment of each request."""
STEP = timedelta(minutes=1)
GUESTS = ("Zita", "Yvonne", "Xaver", "Walter", "Vreni", "Urs")
ROUNDS = {"rounds": 2, "wished": 3, "most": 4, "drop_worst": 0}


@dataclass
class World:
    """The people, their clients by name, and the arguments of addresses by name."""

    people: Cast
    clients: dict[str, ApiClient] = field(default_factory=dict)
    arguments: dict[str, Any] = field(default_factory=dict)
    players: dict[str, int] = field(default_factory=dict)
    payments: list[str] = field(default_factory=list)
    known_ids: set[str] = field(default_factory=set)


@contextmanager
def seeded(name: str) -> Iterator[None]:
    """Make random numbers, UUIDs and keys those that belong to a name."""
    numbers = itertools.count()

    def stream(size: int) -> bytes:
        made = b""
        while len(made) < size:
            made += hashlib.sha256(f"{name} {next(numbers)}".encode()).digest()
        return made[:size]

    with (
        mock.patch("os.urandom", stream),
        mock.patch.object(random, "_urandom", stream),
        mock.patch("knox.crypto.generate_bytes", stream),
    ):
        yield


def number_from_one() -> None:
    """Let SQLite give ids from 1 again in each empty table: earlier tests that committed have used some."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_sequence")
        names = [{"table": name} for (name,) in cursor.fetchall()]
        for sql in connection.ops.sequence_reset_by_name_sql(no_style(), names):
            cursor.execute(sql)


def build() -> World:
    """Create the world. The time of each of its steps is a minute after the one before."""
    number_from_one()
    with (
        seeded("world"),
        mock.patch.object(chances_services, "forecast", partial(forecast, groups=2, runs=5, need_runs=5)),
        time_machine.travel(BEGIN, tick=False) as clock,
    ):
        world = World(people=cast())
        for step in (_seasons, _evenings, _tournaments, _counts, _clients):
            clock.shift(STEP)
            step(world)
    world.known_ids = {str(known_id) for known_id in _uuids()}
    return world


def _uuids() -> Iterator[uuid.UUID]:
    for model in apps.get_models():
        if isinstance(model._meta.pk, models.UUIDField):
            yield from model._base_manager.values_list("pk", flat=True)


def _seasons(world: World) -> None:
    home, away = world.people.home, world.people.away
    Club.objects.filter(pk=home.club.pk).update(place="Andwil")
    Season.objects.filter(pk__in=(home.season.pk, away.season.pk)).update(name="Season 2026/27")
    home.season.refresh_from_db()
    for name in NAMES[:6]:
        PlayerFactory(club=home.club, nickname=name)
    Player.objects.filter(club=home.club, nickname="Anna").update(user=home.member)
    closed = SeasonFactory(club=home.club, slug="2025", name="Season 2025/26", starts_on=date(2025, 8, 1))
    players = played(home, closed, (6, 5), date(2025, 9, 5))
    played(home, home.season, (6, 5), date(2026, 9, 4))
    twin = PlayerFactory(club=home.club, nickname="Zwilling")
    players_merge(club=home.club, player=twin, main=players[2], reason="one person", actor=None)
    PlayerFactory(club=home.club, nickname="Gast", guest=True)
    world.arguments |= {"closed_season": closed.slug, "twin": twin.pk}
    world.players = dict(Player.objects.filter(club=home.club).values_list("nickname", "pk"))


def _evenings(world: World) -> None:
    home, away = world.people.home, world.people.away
    opened = create_table(club=home.club, season=home.season, author=home.recorder)
    for record in (MADE, FAILED, WALKOVER):
        enter(opened, record, author=home.recorder)
    named = {"table": opened, "player_id": world.players["Anna"], "author": home.member, "key": uuid.uuid4()}
    dispute_raise(**named, number=2, text="I made it.")
    for club in (home, away):
        if club is away:
            enter(create_table(club=club.club, season=club.season), MADE)
        prefix = "" if club is home else "away_"
        for thing in path_arguments(club).values():
            world.arguments |= {f"{prefix}{name}": value for name, value in thing.items()}
    ended = create_table(club=home.club, season=home.season, held_on=date(2026, 11, 13), author=home.recorder)
    for record in (FAILED, MADE, FAILED):
        enter(ended, record, author=home.recorder)
    closing = evening_close(evening=ended.evening, author=home.recorder, key=uuid.uuid4())
    kratzen = create_table(club=home.club, season=home.season, seats=4, game="kratzen", held_on=date(2026, 11, 14))
    world.payments = [str(payment.pk) for payment in Payment.objects.filter(closing=closing).order_by("number")]
    receipt = Receipt.objects.get(closing=closing)
    world.arguments |= {
        "closed_evening": ended.evening_id,
        "stored": Import.objects.get(season=home.season).pk,
        "closed_import": Import.objects.get(season__slug="2025").pk,
        "closed_table": ended.pk,
        "kratzen_table": kratzen.pk,
        "receipt_token": receipts.token_for(receipt.pk, world.players["Anna"]),
    }


def _tournaments(world: World) -> None:
    """Create one tournament in preparation, one with a draw, one in its first round, and one at its end."""
    home = world.people.home
    owner = ApiClient(person=home.owner)
    path = "clubs/roessli/tournaments"
    for name in ("Draft", "Drawn", "Playing", "Ended"):
        slug = name.lower()
        new = {"name": name, "starts_on": "2026-12-05", "begins_at": "19:30", "preset": "evening", "format": ROUNDS}
        done(owner.post(path, new))
        assert owner("PUT", f"{path}/{slug}/desk/{home.recorder.pk}").status_code == 204
        if name == "Draft":
            continue
        done(owner.post(f"{path}/{slug}/state", {"step": "open"}))
        people = [{"guest": f"{guest} {name}", "here": True} for guest in GUESTS]
        done(owner.post(f"{path}/{slug}/entrants", {"people": people}))
        draw = done(owner.post(f"{path}/{slug}/draws", {"seed": 7}))["id"]
        world.arguments[f"{slug}_draw"] = draw
        if name == "Drawn":
            continue
        done(owner.post(f"{path}/{slug}/draws/{draw}/publish"))
        done(owner.post(f"{path}/{slug}/rounds/1/start"))
        if name == "Playing":
            tables = done(owner.get(f"{path}/{slug}/rounds/1/tables"))["items"]
            world.arguments["playing_seats"] = [seat["number"] for seat in tables[0]["seats"]]
        if name == "Ended":
            for table in done(owner.get(f"{path}/{slug}/rounds/1/tables"))["items"]:
                seats = [
                    {"number": s["number"], "chips": c} for s, c in zip(table["seats"], (30, -10, -20), strict=True)
                ]
                done(owner.post(f"{path}/{slug}/rounds/1/sheets", {"table": table["number"], "seats": seats}))
            done(owner.post(f"{path}/{slug}/rounds/1/finish", {}))
            done(owner.post(f"{path}/{slug}/state", {"step": "finish"}))
    _cup(world)


def _cup(world: World) -> None:
    """Count the tournament at its end and a final evening in the cup of their club, with their people on the list."""
    cup = Cup.objects.get(owner=world.people.home.club)
    Cup.objects.filter(pk=cup.pk).update(events=Cup.Events.BOTH)
    evening = Evening.nights.filter(season__slug="2025").earliest("held_on")
    CupEvening.objects.create(cup=cup, evening=evening)
    person = CupPerson.objects.create(cup=cup, number=90)
    CupPlayer.objects.create(cup=cup, person=person, player_id=world.players["Anna"])
    ended = Tournament.objects.get(club=cup.owner, slug="ended")
    CupTournament.objects.create(cup=cup, tournament=ended)
    for entrant in ended.entrants.order_by("number"):
        person = CupPerson.objects.create(cup=cup, number=entrant.number)
        CupPlayer.objects.create(cup=cup, person=person, player_id=entrant.player_id)


def _counts(world: World) -> None:
    home = world.people.home
    closed = Season.objects.get(club=home.club, slug="2025")
    count_season(closed.pk)
    season_close(season=closed, actor=None)
    for season in (closed, home.season):
        count_season(season.pk)
        chances_compute(season.pk)
    assert Table.objects.filter(evening__club=home.club).exists()


def _clients(world: World) -> None:
    home, away = world.people.home, world.people.away
    for name, person in (("owner", home.owner), ("recorder", home.recorder), ("away owner", away.owner)):
        key, text = ApiToken.objects.create(person, expiry=timedelta(days=90), name=name, scopes=ALL, club=None)
        world.clients[name] = ApiClient(key=text)
        world.arguments[f"{name} key"] = key.token_key
    for name, user in (("member", home.member), ("owner in a browser", home.owner)):
        world.clients[name] = ApiClient(person=user)
    world.clients["server admin"] = ApiClient(person=world.people.server_admin)
    world.clients["visitor"] = ApiClient()
