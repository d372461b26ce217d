"""The other clubs of a person, each with its career in a line. Only the person sees them: that two players of two clubs
are one person is nobody else's business."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q

from ..access import ClubAccess
from ..access.gate import own_players
from ..models import Club, Player, Standing


@dataclass(frozen=True)
class ClubLine:
    """A player of the person in another club: seasons, evenings, points of the seasons that count them, and the newest
    season with its rank (None: not ranked). `newest` is None before the first hand."""

    player: Player
    seasons: int
    evenings: int
    points: int
    newest: Standing | None


def elsewhere(user: AbstractBaseUser | AnonymousUser, access: ClubAccess) -> list[ClubLine]:
    """Return the reader's own players in other clubs that the reader may read, except practice clubs. At most two
    queries."""
    readable = ~Q(club__visibility=Club.Visibility.PRIVATE) | Q(club__memberships__user=user.pk)
    others = own_players(user).exclude(club=access.club.pk).filter(readable, main__isnull=True, anonymised_at=None)
    others = others.filter(club__practice_until=None)
    players = list(others.select_related("club").order_by("club__name", "pk").distinct())
    lines: dict[int, list[Standing]] = {player.pk: [] for player in players}
    if players:
        rows = Standing.objects.filter(player__in=players).select_related("season")
        for line in rows.order_by("-season__starts_on", "-season_id"):
            lines[line.player_id].append(line)
    return [_line(player, lines[player.pk]) for player in players]


def _line(player: Player, lines: Sequence[Standing]) -> ClubLine:
    return ClubLine(
        player=player,
        seasons=len(lines),
        evenings=sum(line.evenings for line in lines),
        points=sum(line.points for line in lines if line.season.points_scale == 1),
        newest=lines[0] if lines else None,
    )
