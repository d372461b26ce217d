"""Players with imported evenings in their sums, and a player's seasons with such."""

from __future__ import annotations

from django.db.models import Subquery

from ..models import EveningScore, Player, Rating, Season


def players_with_imported(*seasons: Season) -> frozenset[int]:
    """Return the players (main players) with a counted evening of these seasons that was imported. One query."""
    evening_scores = EveningScore.objects.filter(
        season__in=seasons, hands__gt=0, evening__imported__isnull=False, evening__undone_at__isnull=True
    )
    return frozenset(evening_scores.order_by().values_list("player_id", flat=True).distinct())


def seasons_with_imported(player: Player) -> frozenset[int]:
    """Return the seasons in which an evening of this (main) player that counts was imported. One query."""
    evening_scores = EveningScore.objects.filter(
        player=player, hands__gt=0, evening__imported__isnull=False, evening__undone_at__isnull=True
    )
    return frozenset(evening_scores.order_by().values_list("season_id", flat=True).distinct())


def rated_by_imported(season: Season) -> frozenset[int]:
    """Return the players whose rating after the season's last evening follows from an imported one as well, also of an
    earlier season. One query."""
    ratings = Rating.objects.filter(club=season.club_id)
    last = ratings.filter(evening__season=season).order_by("-held_on").values("held_on")[:1]
    imported_ratings = ratings.filter(held_on__lte=Subquery(last), evening__imported__isnull=False)
    return frozenset(imported_ratings.order_by().values_list("player_id", flat=True).distinct())
