"""The clubs of the screens: the demo league, and five clubs with cases that the demo does not have.

The *Krone* plays both games, publishes money, and has the longest names and sums that a club may have; the *Hirschen*
keeps points alone; the *Linde* is private and has a season and no evening, the *Ochsen* nothing at all, and feeds
switched off; the *Bären* asks who comes (`attendance.py`). Doris owns them all.
"""

from __future__ import annotations

import uuid
from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.disputes.services import dispute_raise
from games.evening.house_rules import house_rules_set
from games.management import demo_league
from games.models import Pencil, Table
from league.chances.services import chances_compute
from league.features.table import ALL
from league.luck.services import count_club
from league.models import Club, Evening, Membership, Player, Role, Season, User
from league.standings.counting import count_season
from tests.factories import FAILED, FREE, MADE, MUSS, PASSED_OUT, WALKOVER, create_table, enter, void
from tests.screens import (
    accounts,
    api_keys,
    attendance,
    closed_evenings,
    cups,
    imports,
    messages,
    one_time_pages,
    opening,
    points_club,
    pub_screen,
    seating,
    table_cards,
    tournament_room,
    tournaments,
    treasury,
    webhooks,
)
from tests.screens.screen import World

PEOPLE = {"owner": "doris@roessli.example", "member": "carlo@roessli.example"}
"""The mail address of each kind of reader; the password is the demo's."""
PASSWORD = demo_league.PASSWORD
LONG_NAMES = ("Bartholomäus Christoph von Arx-Oberdorf", "Maximiliana-Theresia", "W" * 40, "Jo", "Ueli")
MUSS_OF_FIVE: dict[str, Any] = MUSS | {"declarer": 4, "joiners": [0, 1, 2, 3], "tricks": {"4": 2, "0": 1, "2": 1}}
MUSS_OF_THREE: dict[str, Any] = MUSS | {"declarer": 2, "joiners": [0, 1], "tricks": {"2": 2, "0": 1, "1": 1}}
MADE_ALONE = {"declarer": 1, "joiners": [0, 3], "made": [0, 1]}


def build(*, hands: int) -> World:
    """Fill an empty database, the demo with `hands` hands; return the parameters of the addresses of the screens."""
    with transaction.atomic():
        demo_league.load(today=timezone.localdate(), hands=hands, progress=lambda stored, of: None)
    owner = User.objects.get(email=PEOPLE["owner"])
    for club in Club.objects.exclude(memberships__user=owner):
        Membership.objects.create(club=club, user=owner, role=Role.OWNER)
    _ochsen(owner)
    _linde(owner)
    world = _demo_world() | _krone(owner) | points_club.build(owner) | attendance.build(owner)
    world |= messages.build(owner) | cups.build(owner)
    world |= accounts.build(Club.objects.get(slug="roessli"), owner)
    world |= opening.build()
    tournament_room.build(owner)
    treasury.build(Club.objects.get(slug="krone"), owner)
    world |= treasury.build_fees(Club.objects.get(slug="krone"), owner)
    treasury.build_bill(Club.objects.get(slug="krone"), owner)
    treasury.build_logo(Club.objects.get(slug="krone"), owner)
    treasury.build_files(Club.objects.get(slug="krone"), owner)
    world |= imports.build(Club.objects.get(slug="krone"), owner)
    for season in Season.objects.all():
        count_season(season.pk)
        chances_compute(season.pk)
    for club in Club.objects.all():
        count_club(club.pk)
    krone = Club.objects.get(slug="krone")
    tournaments.build(krone, owner)
    world |= webhooks.build(krone, owner) | api_keys.build(krone, owner)
    world |= table_cards.build(krone, owner) | pub_screen.build(krone, owner)
    return world | one_time_pages.build(krone, owner, world)


def _demo_world() -> World:
    """Return parameters for the demo's clubs: their newest evening, an older one, the season, a leader."""
    world = {}
    for slug in ("roessli", "sternen", "adler"):
        season = Season.objects.filter(club__slug=slug).latest("starts_on")
        newest = Evening.objects.filter(season=season).latest("number")
        table = Table.objects.get(evening=newest)
        leader = Player.objects.filter(club__slug=slug).earliest("pk")
        world |= {
            f"{slug}_season": season.slug,
            f"{slug}_evening": str(newest.pk),
            f"{slug}_table": str(table.pk),
            f"{slug}_last": str(table.hands),
            f"{slug}_player": str(leader.pk),
        }
    tables = Table.objects.filter(evening__season__club__slug="roessli")
    older = tables.filter(evening__season__closed_at=None).earliest("evening__held_on", "pk")
    past = Season.objects.get(club__slug="roessli", closed_at__isnull=False)
    return world | {
        "past_evening": str(tables.filter(evening__season=past).earliest("pk").evening_id),
        "closed_table": str(older.pk),
        "closed_evening": str(older.evening_id),
        "closed_season": past.slug,
    }


def _krone(owner: User) -> World:
    name = "Chratz- und Kratzclub zur goldenen Krone in Trubschachen"
    club = Club.objects.create(slug="krone", name=name, place="Trubschachen", publishes_money=True, features=list(ALL))
    Membership.objects.create(club=club, user=owner, role=Role.OWNER)
    season = Season.objects.create(club=club, slug="2026", name="Saison 2026", starts_on=date(2026, 8, 1))
    house_rules_set(club=club, game="chratze", values={"stake": 50_000}, author=owner)
    long_named = [Player.objects.create(club=club, nickname=each) for each in LONG_NAMES]

    def table(records: list[dict[str, Any]], **wants: Any) -> Table:
        begun = create_table(club=club, season=season, author=owner, held_on=timezone.localdate(), **wants)
        for record in records:
            enter(begun, record, author=owner)
        return begun

    long = table([MADE, PASSED_OUT, FAILED, FAILED, MADE], players=long_named)
    void(long, author=owner)
    text = "Ich habe nicht gechratzt, das war Ueli. Beim Ausrufen war ich schon an der Bar."
    dispute_raise(table=long, number=3, player_id=long_named[0].pk, author=None, key=uuid.UUID(int=3), text=text)
    muss = table([], seats=5, game="kratzen")
    free = table([MUSS_OF_FIVE], seats=5, game="kratzen")
    four = table([MUSS, FREE], seats=4, game="kratzen")
    three = table([], seats=3)
    free_three = table([MUSS_OF_THREE], seats=3, game="kratzen")
    many = table([PASSED_OUT], seats=7)
    parameters = seating.build(table([MADE, FAILED], seats=7), table([MADE], seats=4), owner)
    parameters |= closed_evenings.build(club, long_named, owner)
    watched = table([FAILED, PASSED_OUT], seats=5)
    _pencil_of_another(club, watched)
    # This is the newest one, so that the club's page links to it.
    five = table([MADE, PASSED_OUT, MADE_ALONE, WALKOVER, FAILED], rules={"blind": "both"})
    tables = {"long": long, "muss": muss, "free": free, "four": four, "many": many, "watched": watched, "five": five}
    tables |= {"three": three, "free_three": free_three}
    return (
        parameters
        | {f"{key}_table": str(each.pk) for key, each in tables.items()}
        | {f"{key}_evening": str(each.evening_id) for key, each in tables.items()}
        | {"long_player": str(long_named[0].pk), "both_player": str(Player.objects.get(club=club, nickname="Anna").pk)}
    )


def _pencil_of_another(club: Club, table: Table) -> None:
    """Give the pencil of this table to another user who was last seen a while ago."""
    other = User.objects.get(email="anna@roessli.example")
    Membership.objects.get_or_create(club=club, user=other, defaults={"role": Role.RECORDER})
    now = timezone.now()
    Pencil.objects.create(
        table=table,
        holder=other,
        device="another",
        taken_at=now - timedelta(hours=1),
        seen_at=now - timedelta(minutes=5),
    )


def _linde(owner: User) -> None:
    club = Club.objects.create(
        slug="linde", name="Lindenrunde", place="Langnau", visibility="private", features=list(ALL)
    )
    Membership.objects.create(club=club, user=owner, role=Role.OWNER)
    Season.objects.create(club=club, slug="2026", name="Saison 2026", starts_on=date(2026, 8, 1))
    Player.objects.create(club=club, nickname="Vreni")


def _ochsen(owner: User) -> None:
    features = [key for key in ALL if key != "feeds"]
    club = Club.objects.create(slug="ochsen", name="Ochsenrunde", place="", features=features)
    Membership.objects.create(club=club, user=owner, role=Role.OWNER)
