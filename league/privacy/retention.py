"""What is no longer needed goes by itself, once a day. How long each thing is kept stands in the settings, and in
docs/privacy.md in words."""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import F, Max, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from ..errors import Refused
from ..models import ApiToken, Club, Invitation, Player
from .forgetting import player_forget

log = structlog.get_logger(__name__)

AT_ONCE = 200
"""So many players are forgotten in one run at most; the rest come the next day."""
DAYS_A_MONTH = 30.44


def due_to_be_forgotten(club: Club, now: datetime | None = None) -> list[Player]:
    """Players who have left the roster and played no hand for as long as the club says, those first who left longest
    ago. None where the club says nothing. Who counts for another player goes together with that one."""
    if club.forget_after_months is None:
        return []
    before = (now or timezone.now()) - timedelta(days=club.forget_after_months * DAYS_A_MONTH)
    players = Player.objects.filter(club=club, active=False, anonymised_at=None, main=None)
    players = players.exclude(others__active=True).annotate(
        own=Max("results__evening__held_on"), other=Max("others__results__evening__held_on")
    )
    # Who never played is counted from the day on which the player was added.
    idle = Q(played__lt=before.date()) | Q(played=None, created_at__lt=before)
    latest = Coalesce(F("own"), F("other"))
    found = players.annotate(played=latest).filter(idle).filter(Q(other=None) | Q(other__lt=before.date()))
    return list(found.order_by("pk")[:AT_ONCE])


def forget_players(now: datetime | None = None) -> int:
    """Forget the players whose time is over; how many."""
    forgotten = 0
    for club in Club.objects.filter(forget_after_months__isnull=False).order_by("pk"):
        for player in due_to_be_forgotten(club, now):
            try:
                forgotten += len(player_forget(player=player, actor=None))
            except Refused:
                log.info("forgotten_meanwhile", key=player.pk)
    return forgotten


def tidy(now: datetime | None = None) -> dict[str, int]:
    """Delete invitations, keys and sessions that are long over; how many of each. Messages to webhooks and answers kept
    for programs are tidied where they are made."""
    now = now or timezone.now()

    def ago(days: int) -> datetime:
        return now - timedelta(days=days)

    old = ago(settings.KEEP_INVITATIONS_DAYS)
    over = Invitation.objects.filter(Q(expires_at__lt=old) | Q(used_at__lt=old) | Q(revoked_at__lt=old))
    keys = ApiToken.objects.filter(expiry__lt=ago(settings.KEEP_KEYS_DAYS))
    sessions = Session.objects.filter(expire_date__lt=now)
    return {
        "invitations": over.delete()[0],
        "keys": keys.delete()[0],
        "sessions": sessions.delete()[0],
    }
