"""Queries of a year: who sat at the table with a player, what the player took, and goals of declarers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Count, Q

from ..intervals import Share
from ..models import ResultRow, Season
from ..records.selectors import Spot
from ..standings.nights import Night, nights_of
from ..standings.recorded_hands import recorded, rows


class Taken(NamedTuple):
    """A hand of a player. `took`: the player got a part of the pot."""

    spot: Spot
    took: bool


def seasons_of(club_id: int, year: int) -> list[Season]:
    """Return the seasons with an evening in this year. One query."""
    held = Season.objects.filter(club=club_id, evenings__held_on__year=year)
    return list(held.select_related("club").order_by("starts_on", "pk").distinct())


def nights_of_year(seasons: Sequence[Season], year: int, player_id: int | None = None) -> list[Night]:
    """Return the nights of a year in order; with a player those of the player's evenings. Four queries at most."""
    return [night for night in nights_of(seasons, player_id) if night.present and night.held_on.year == year]


def hands_together(evenings: Sequence[int], player_id: int) -> dict[int, int]:
    """Return for each other player the number of hands that both were dealt; a merged player counts as the main one.
    One query."""
    counts = rows(
        f"""SELECT COALESCE(other.main_id, other.id), COUNT(*)
        FROM league_resultrow mine JOIN league_player me ON me.id = mine.player_id
        JOIN league_resultrow hand ON hand.source = mine.source JOIN league_player other ON other.id = hand.player_id
        WHERE mine.evening_id IN ({_listed(evenings)}) AND mine.role <> 'share' AND hand.role <> 'share'
            AND COALESCE(me.main_id, me.id) = %(player)s AND COALESCE(other.main_id, other.id) <> %(player)s
        GROUP BY COALESCE(other.main_id, other.id)""",
        {"player": player_id},
    )
    return dict(counts)


def hands_of(evenings: Sequence[int], player_id: int) -> list[Taken]:
    """Return the hands of a player in the order of these evenings, of their tables and numbers. One query."""
    port = recorded()
    hand_rows = rows(
        f"""SELECT hand.evening_id, {port.TABLE}, {port.NUMBER}, hand.pot_won_minor
        FROM league_resultrow hand {port.JOIN} JOIN league_player player ON player.id = hand.player_id
        WHERE hand.evening_id IN ({_listed(evenings)}) AND hand.role <> 'share'
            AND COALESCE(player.main_id, player.id) = %(player)s""",
        {"player": player_id},
    )
    place = {evening: nth for nth, evening in enumerate(evenings)}
    hands = [Taken(Spot(*row[:3]), row[3] > 0) for row in hand_rows]
    return sorted(hands, key=lambda hand: (place[hand.spot.evening_id], hand.spot.table, hand.spot.number))


def longest_drought(hands: Sequence[Taken]) -> list[Taken]:
    """Return the longest run of hands of which the player took nothing, the first one of equal length."""
    best: list[Taken] = []
    running: list[Taken] = []
    for hand in hands:
        running = [] if hand.took else [*running, hand]
        if len(running) > len(best):
            best = running
    return best


def declared_shares(evenings: Sequence[int], player_id: int) -> tuple[Share, Share]:
    """Return how often the player made it as the declarer against others, and how often the others did in the same
    evenings. Muss hands, which nobody chooses, are left out. One query."""
    own = Q(player=player_id) | Q(player__main=player_id)
    declared = ResultRow.objects.filter(
        evening__in=evenings, role=ResultRow.Role.DECLARER, walkover=False, muss=False, made__isnull=False
    )
    totals = declared.aggregate(
        own_of=Count("pk", filter=own),
        own_made=Count("pk", filter=own & Q(made=True)),
        all_of=Count("pk"),
        all_made=Count("pk", filter=Q(made=True)),
    )
    mine = Share(totals["own_made"], totals["own_of"])
    return mine, Share(totals["all_made"] - mine.made, totals["all_of"] - mine.of)


def _listed(evenings: Sequence[int]) -> str:
    return ", ".join(map(str, evenings)) or "NULL"
