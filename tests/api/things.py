"""What the addresses of the API name beside the club, by kind: things of a club, and such as there are none."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from django.utils import timezone

from games.models import Table
from games.paper import nights
from league.models import Delivery, Invitation, Webhook
from tests.cast import House


def invitation(house: House) -> Invitation:
    """One that is open."""
    later = timezone.now() + timedelta(days=1)
    told = {"digest": f"{house.club.pk:064d}", "expires_at": later, "author": house.owner}
    known = Invitation.objects.filter(club=house.club).order_by("created_at").first()
    return known or Invitation.objects.create(club=house.club, **told)


def hook(house: House) -> Webhook:
    """A webhook of the club."""
    told = {"url": "https://receiver.example/", "events": ["hand.stored"], "secret": "s", "author": house.owner}
    known = Webhook.objects.filter(club=house.club, removed_at=None).order_by("created_at").first()
    return known or Webhook.objects.create(club=house.club, **told)


def delivery(house: House) -> Delivery:
    """A message to it."""
    told = {"event": "ping", "subject": "ping", "body": {}}
    known = Delivery.objects.filter(webhook=hook(house)).order_by("created_at").first()
    return known or Delivery.objects.create(webhook=hook(house), **told)


def things(house: House) -> dict[str, dict[str, Any]]:
    """The arguments of the route beside the club."""
    table = Table.objects.select_related("evening").get(evening__club=house.club)
    return {
        "": {},
        "player": {"player": table.dealer_id},
        "player-season": {"player": table.dealer_id, "season": house.season.slug},
        "person": {"person": house.recorder.pk},
        "invitation": {"invitation": invitation(house).pk},
        "hook": {"hook": hook(house).pk},
        "delivery": {"delivery": delivery(house).pk},
        "season": {"season": house.season.slug},
        "evening": {"evening": table.evening_id},
        "table": {"table": table.pk},
        "hand": {"table": table.pk, "number": 1},
        "code": {"code": nights.code(table.pk)},
    }


ABSENT: dict[str, dict[str, Any]] = {
    "": {},
    "player": {"player": 10**9},
    "player-season": {"player": 10**9, "season": "2026"},
    "person": {"person": 10**9},
    "invitation": {"invitation": uuid.UUID(int=1)},
    "hook": {"hook": uuid.UUID(int=1)},
    "delivery": {"delivery": uuid.UUID(int=1)},
    "season": {"season": "never"},
    "evening": {"evening": 10**9},
    "table": {"table": 10**9},
    "hand": {"table": 10**9, "number": 1},
    "code": {"code": nights.code(10**9)},
    "api-receipt": {"token": "never"},
    "api-key": {"token": "never"},
    "api-my-club": {"club": "nowhere"},
}
