"""Arguments of API paths by kind of object: existing objects of a club, and objects that do not exist."""

from __future__ import annotations

import uuid
from datetime import date, timedelta
from typing import Any

from django.utils import timezone

from games.models import Table
from games.paper import sheet_code
from league.models import (
    Cup,
    CupClub,
    Delivery,
    DeskMember,
    Import,
    Invitation,
    KittyEntry,
    Round,
    SeasonAdjustment,
    Team,
    TeamStay,
    Webhook,
)
from league.treasury.services import NewEntry, kitty_book
from tests.cast import House
from tests.imported import imported
from tests.member_fees import member_fee
from tests.planned import planned_evening
from tests.tournaments.rounds import create_round, create_tournament, entrants_of


def invitation(house: House) -> Invitation:
    """Return a valid invitation of the club."""
    later = timezone.now() + timedelta(days=1)
    fields = {"digest": f"{house.club.pk:064d}", "expires_at": later, "author": house.owner}
    known = Invitation.objects.filter(club=house.club).order_by("created_at").first()
    return known or Invitation.objects.create(club=house.club, **fields)


def webhook(house: House) -> Webhook:
    """Return a webhook of the club."""
    fields = {"url": "https://receiver.example/", "events": ["hand.stored"], "secret": "s", "author": house.owner}
    known = Webhook.objects.filter(club=house.club, removed_at=None).order_by("created_at").first()
    return known or Webhook.objects.create(club=house.club, **fields)


def delivery(house: House) -> Delivery:
    """Return a delivery of that webhook."""
    fields = {"event": "ping", "subject": "ping", "body": {}}
    known = Delivery.objects.filter(webhook=webhook(house)).order_by("created_at").first()
    return known or Delivery.objects.create(webhook=webhook(house), **fields)


def round_of(house: House) -> Round:
    """Return a round that is played, of a tournament with six entrants; recorder and treasurer are at its desk."""
    known = Round.objects.filter(tournament__club=house.club).select_related("tournament").order_by("pk").first()
    if known is not None:
        return known
    tournament = create_tournament(house.club)
    entrants_of(tournament, 6)
    for person in (house.recorder, house.treasurer):
        DeskMember.objects.create(tournament=tournament, user=person)
    return create_round(tournament, {1: [1, 2, 3], 2: [4, 5, 6]})


def kitty_entry(house: House) -> KittyEntry:
    """Return an entry of the club's kitty."""
    known = KittyEntry.objects.filter(club=house.club).order_by("day").first()
    if known is not None:
        return known
    entry = NewEntry("brought", 5000, "Dues", date(2026, 11, 20))
    return kitty_book(club=house.club, author=house.treasurer, key=uuid.uuid4(), entry=entry)


def adjustment(house: House) -> SeasonAdjustment:
    """Return a penalty in the club's season."""
    known = SeasonAdjustment.objects.filter(season=house.season).first()
    player = house.club.players.earliest("pk")
    given = {"day": house.season.starts_on, "points": -1, "reason": "late"}
    return known or SeasonAdjustment.objects.create(season=house.season, player=player, **given)


def team_stay(house: House) -> Any:
    """Return a row of a member of a team in the club's season."""
    known = TeamStay.objects.filter(season=house.season, team__isnull=False).select_related("team").first()
    if known is not None:
        return known
    team = Team.objects.filter(season=house.season).first()
    team = team or Team.objects.create(season=house.season, number=1, name="Acorns")
    day = {"player": house.club.players.earliest("pk"), "since": house.season.starts_on}
    return TeamStay.objects.update_or_create(season=house.season, **day, defaults={"team": team})[0]


def stored_import(house: House) -> Any:
    """Return an import of an evening into the club's season."""
    known = Import.objects.filter(club=house.club).order_by("created_at").first()
    day = house.season.starts_on
    text = f"Datum;Name;Betrag;Punkte\n{day:%d.%m.%Y};Zita;0;1\n"
    return known or imported(house.season, house.owner, text)


def cup_of(house: House) -> Cup:
    """Return a public cup of the club."""
    known = Cup.objects.filter(owner=house.club).first()
    if known is not None:
        return known
    points = {"place_points": [10, 8, 6, 5, 4, 3, 2, 1], "best_of": 2, "qualifiers": 4, "public": True}
    made = Cup.objects.create(owner=house.club, slug=f"{house.club.slug}-cup", name="Napf-Cup", **points)
    CupClub.objects.create(cup=made, club=house.club, joined_at=timezone.now())
    return made


def path_arguments(house: House) -> dict[str, dict[str, Any]]:
    """Return the arguments of a path besides the club, by kind of object."""
    table = Table.objects.select_related("evening").get(evening__club=house.club, evening__season__in_chips=False)
    playing = round_of(house)
    tournament = {"tournament": playing.tournament.slug}
    return {
        "": {},
        "player": {"player": table.dealer_id},
        "player-season": {"player": table.dealer_id, "season": house.season.slug},
        "person": {"person": house.recorder.pk},
        "invitation": {"invitation": invitation(house).pk},
        "webhook": {"webhook": webhook(house).pk},
        "delivery": {"delivery": delivery(house).pk},
        "kitty-entry": {"entry": kitty_entry(house).pk},
        "fee": {"fee": member_fee(house).pk},
        "import": {"stored": stored_import(house).pk},
        "season": {"season": house.season.slug},
        "cup": {"cup": cup_of(house).slug},
        "adjustment": {"season": house.season.slug, "adjustment": adjustment(house).pk},
        "team": {"season": house.season.slug, "number": team_stay(house).team.number},
        "team-stay": {"season": house.season.slug, "stay": team_stay(house).pk},
        "planned": {"season": house.season.slug, "planned": planned_evening(house).pk},
        "planned-answer": {
            "season": house.season.slug,
            "planned": planned_evening(house).pk,
            "player": table.dealer_id,
        },
        "evening": {"evening": table.evening_id},
        "table": {"table": table.pk},
        "hand": {"table": table.pk, "number": 1},
        "code": {"code": sheet_code.code(table.pk)},
        "tournament": tournament,
        "entrant": {**tournament, "number": 1},
        "draw": {**tournament, "draw": playing.draw_id},
        "round": {**tournament, "number": playing.number},
        "desk-member": {**tournament, "person": house.recorder.pk},
    }


ABSENT: dict[str, dict[str, Any]] = {
    "": {},
    "player": {"player": 10**9},
    "player-season": {"player": 10**9, "season": "2026"},
    "person": {"person": 10**9},
    "invitation": {"invitation": uuid.UUID(int=1)},
    "webhook": {"webhook": uuid.UUID(int=1)},
    "delivery": {"delivery": uuid.UUID(int=1)},
    "kitty-entry": {"entry": uuid.UUID(int=1)},
    "fee": {"fee": uuid.UUID(int=1)},
    "import": {"stored": uuid.UUID(int=1)},
    "season": {"season": "never"},
    "adjustment": {"season": "never", "adjustment": 10**9},
    "team": {"season": "never", "number": 10**9},
    "team-stay": {"season": "never", "stay": 10**9},
    "cup": {"cup": "never"},
    "planned": {"season": "never", "planned": 10**9},
    "planned-answer": {"season": "never", "planned": 10**9, "player": 10**9},
    "evening": {"evening": 10**9},
    "table": {"table": 10**9},
    "hand": {"table": 10**9, "number": 1},
    "code": {"code": sheet_code.code(10**9)},
    "tournament": {"tournament": "never"},
    "entrant": {"tournament": "never", "number": 1},
    "draw": {"tournament": "never", "draw": 10**9},
    "round": {"tournament": "never", "number": 1},
    "desk-member": {"tournament": "never", "person": 10**9},
    "api-receipt": {"token": "never"},
    "api-key": {"token": "never"},
    "api-my-club": {"club": "nowhere"},
}
