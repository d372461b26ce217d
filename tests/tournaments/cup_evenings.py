"""Evenings of clubs for tests of cups."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from games.closing.services import evening_close, evening_reopen
from games.models import Table
from league.cups import services
from league.models import Cup, Evening, Player, ResultRow, Season
from tests.factories import FAILED, MADE, WALKOVER, create_table, enter
from tests.tournaments.cup_of_clubs import listed_all

HANDS = (MADE, FAILED, WALKOVER, MADE, FAILED)


def played_evening(
    season: Season, players: Sequence[Player], *, days_ago: int = 7, hands: int = 3, **more: Any
) -> Table:
    """Play an evening of five players that is still open. Its hands depend on their order."""
    day = timezone.localdate() - timedelta(days=days_ago)
    table = create_table(club=season.club, season=season, players=list(players), held_on=day, **more)
    for record in HANDS[:hands]:
        enter(table, record)
    return table


def final_evening(season: Season, players: Sequence[Player], **more: Any) -> Evening:
    """Play an evening to its end, with the time for corrections over."""
    table = played_evening(season, players, **more)
    closed(table.evening)
    return fresh(table.evening)


def closed(evening: Evening, *, final: bool = True) -> None:
    """Close an evening; its pot is shared among those who played, so that all of it is somebody's."""
    present = set(ResultRow.objects.filter(evening=evening).values_list("player_id", flat=True))
    evening_close(evening=evening, author=None, key=uuid.uuid4(), pot="share", present=sorted(present))
    if final:
        Evening.objects.filter(pk=evening.pk).update(final_at=timezone.now() - timedelta(seconds=1))


def reopened(evening: Evening) -> None:
    """Open a final evening again, as an owner does."""
    evening_reopen(evening=fresh(evening), author=None, key=uuid.uuid4(), owner=True, reason="wrong sheet")


def fresh(evening: Evening) -> Evening:
    """Read an evening again, with its season."""
    return Evening.objects.select_related("season", "club").get(pk=evening.pk)


def counted_evenings(cup: Cup, *evenings: Evening, listed: bool = True) -> None:
    """Count these evenings, and put everybody who played on the list."""
    for club in {evening.club for evening in evenings}:
        chosen = [evening.pk for evening in evenings if evening.club == club]
        services.evenings_set(cup=cup, club=club, actor=None, evenings=chosen)
        if listed:
            listed_all(cup, club)


def recounted_places(evening: Evening) -> dict[str, int]:
    """Compute the place of each nickname from the result rows, row by row."""
    worth: dict[str, int] = defaultdict(int)
    for row in ResultRow.objects.filter(evening=evening).select_related("player", "season"):
        worth[row.player.nickname] += row.change_minor if row.season.ranking == "balance" else _points(row)
    return {name: 1 + sum(other > value for other in worth.values()) for name, value in worth.items()}


def _points(row: ResultRow) -> int:
    """The points of a hand, by the defaults of a season: declared 2, joined 1, alone 1, and the same below zero."""
    if row.role == "declarer":
        return 1 if row.walkover else 2 if row.made else -2
    if row.role == "joiner":
        return 1 if row.made else -1
    return 0


def amounts_of(evening: Evening) -> set[str]:
    """Return what players won and lost, in francs and in Rappen, without signs."""
    worth: dict[int, int] = defaultdict(int)
    for player, change in ResultRow.objects.filter(evening=evening).values_list("player", "change_minor"):
        worth[player] += change
    values = {abs(value) for value in worth.values() if value}
    return {f"{value // 100}.{value % 100:02d}" for value in values} | {str(value) for value in values}
