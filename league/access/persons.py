"""Persons: the merged players of one person, and the one account of that person."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q, QuerySet

from ..models import Player, PlayerMerge, User
from . import own_players


def person_of(player: Player) -> Q:
    """Return a filter for all players of the same person, this player included."""
    root = player.main_id or player.pk
    return Q(pk=root) | Q(main=root)


def lock_person(player: Player) -> list[Player]:
    """Lock and return all players of the same person, this player included."""
    return lock_players(Player.objects.filter(person_of(player)))


def lock_players(players: QuerySet[Player]) -> list[Player]:
    """Lock and return these players, with their clubs."""
    return list(players.select_for_update(of=("self",)).select_related("club").order_by("pk"))


def tied_to_another_account(players: Iterable[Player], user: User | None) -> Player | None:
    """Return the first of these players that is tied to another account than this one."""
    allowed = (None, user.pk if user else None)
    return next((player for player in players if player.user_id not in allowed), None)


def players_of_account(user: User) -> QuerySet[Player]:
    """Return the players of the account's person, without players that are tied to another account.

    No person has two accounts. If one had, neither account could export or forget the players of the other.
    """
    return own_players(user).filter(Q(user=None) | Q(user=user))


def main_players(club_id: int, as_of: datetime | None = None) -> dict[int, int]:
    """Return player → main player for all merged players of a club; `as_of`: at an earlier time. One query."""
    if as_of is None:
        merged = Player.objects.filter(club_id=club_id, main__isnull=False)
        return dict(merged.values_list("pk", "main_id"))
    merges = PlayerMerge.objects.filter(club_id=club_id, created_at__lte=as_of).order_by("created_at")
    return main_by_player(merges.values_list("player_id", "main_id", "joined"))


def main_by_player(merges: Iterable[tuple[int, int, bool]]) -> dict[int, int]:
    """Return player → main player from rows (player, main, joined), oldest first.

    Where the player of a merge was merged further, the main player is that of the last merge.
    """
    into = merged_into(merges)
    return {player: _last(into, player) for player in into}


def _last(into: dict[int, int], player: int) -> int:
    # No merge makes a circle: it takes a player who counts for nobody.
    while player in into:
        player = into[player]
    return player


def merged_into(merges: Iterable[tuple[int, int, bool]]) -> dict[int, int]:
    """Return player → the player of its own merge, from the same rows; a player's newest row is valid."""
    mains: dict[int, int] = {}
    for player, main, joined in merges:
        if joined:
            mains[player] = main
        else:
            mains.pop(player, None)
    return mains
