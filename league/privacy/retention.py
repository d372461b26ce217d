"""Removing personal data after its time. The settings say how long it is kept, and docs/privacy.md explains it."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import structlog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Exists, F, Max, OuterRef, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from ..errors import Refused
from ..imports.services import uploads_tidy
from ..models import ApiToken, Club, ClubRequest, Entrant, Invitation, Player
from ..player_messages import queue as player_messages
from .forgetting import player_forget

log = structlog.get_logger(__name__)

MAX_PER_CLUB = 200
"""At most this many players of a club are forgotten in one run; the next run forgets the others."""
DAYS_PER_MONTH = 30.44
UNDECIDED_DAYS = 90
"""So long a club that somebody asked for waits for a decision."""


def due_to_be_forgotten(club: Club, now: datetime | None = None) -> list[Player]:
    """Return the players who are out of the roster, and neither played a hand nor were in a tournament for the club's
    number of months.

    Empty if the club has set no number. Merged players are not in the list: they are forgotten with their main player.
    """
    if club.forget_after_months is None:
        return []
    before = (now or timezone.now()) - timedelta(days=club.forget_after_months * DAYS_PER_MONTH)
    players = Player.objects.filter(club=club, active=False, anonymised_at=None, main=None)
    players = (
        players.exclude(others__active=True)
        .exclude(_entered_since(before.date()))
        .annotate(own=Max("results__evening__held_on"), other=Max("others__results__evening__held_on"))
    )
    # For a player who never played, the time begins on the day when the player was added.
    idle = Q(played__lt=before.date()) | Q(played=None, created_at__lt=before)
    latest = Coalesce(F("own"), F("other"))
    candidates = players.annotate(played=latest).filter(idle).filter(Q(other=None) | Q(other__lt=before.date()))
    return list(candidates.order_by("pk")[:MAX_PER_CLUB])


def _entered_since(day: date) -> Exists:
    """Return a filter for players of a person who is or was entered in a tournament on this day or later."""
    person = Q(player=OuterRef("pk")) | Q(player__main=OuterRef("pk"))
    last_day = Q(tournament__ends_on__gte=day) | Q(tournament__ends_on=None, tournament__starts_on__gte=day)
    return Exists(Entrant.objects.filter(person, last_day))


def forget_players(now: datetime | None = None) -> int:
    """Forget the players who are due in every club; return their number. A failure is logged and delays nobody."""
    forgotten = 0
    for club in Club.objects.filter(forget_after_months__isnull=False).order_by("pk"):
        for player in due_to_be_forgotten(club, now):
            try:
                forgotten += len(player_forget(player=player, actor=None))
            except Refused:
                log.info("forgotten_meanwhile", key=player.pk)
            except Exception:
                log.exception("player_not_forgotten", key=player.pk)
    return forgotten


def tidy(now: datetime | None = None) -> dict[str, int]:
    """Delete expired invitations, API keys, sessions, uploads and requests for clubs; return the number of each.

    Webhook deliveries and kept answers are deleted by tasks of their own packages.
    """
    now = now or timezone.now()

    def ago(days: int) -> datetime:
        return now - timedelta(days=days)

    old = ago(settings.KEEP_INVITATIONS_DAYS)
    over = Invitation.objects.filter(Q(expires_at__lt=old) | Q(used_at__lt=old) | Q(revoked_at__lt=old))
    keys = ApiToken.objects.filter(expiry__lt=ago(settings.KEEP_KEYS_DAYS))
    decided = Q(decided_at__lt=ago(settings.KEEP_CLUB_REQUESTS_DAYS))
    asked = ClubRequest.objects.filter(decided | Q(decided_at=None, created_at__lt=ago(UNDECIDED_DAYS)))
    sessions = Session.objects.filter(expire_date__lt=now)
    return {
        "invitations": over.delete()[0],
        "keys": keys.delete()[0],
        "club_requests": asked.delete()[0],
        "sessions": sessions.delete()[0],
        "uploads": uploads_tidy(now),
        "messages": player_messages.tidy(now),
    }
