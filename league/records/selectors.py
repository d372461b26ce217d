"""Queries for records. Each takes some seasons, and one player if the records are that player's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db.models import F

from ..models import Evening, HouseRules, Season
from ..standings.evening_hands import hands_stored
from ..standings.recorded_hands import ante_case, hands_of, recorded, rows

MOST_EQUAL = 5
"""As many players are named who share a record."""


class HandPlace(NamedTuple):
    """Where a hand is found: its evening, the number of its table, its own number."""

    evening_id: int
    table: int
    number: int


class Pot(NamedTuple):
    """A pot that was taken, and the players who took a part of it."""

    place: HandPlace
    pot_minor: int
    rules_id: int
    takers: tuple[tuple[int, str], ...]


class GoalRun(NamedTuple):
    """Goals that a player reached one after the other in one evening, from the hand at `place` on."""

    place: HandPlace
    player_id: int
    nickname: str
    length: int


PERSON = "COALESCE(main.id, player.id)"
PLAYER = """JOIN league_player player ON player.id = r.player_id
    LEFT JOIN league_player main ON main.id = player.main_id"""


def biggest_pot(
    seasons: Sequence[Season], rules: Mapping[int, HouseRules], *, in_antes: bool, player_id: int | None = None
) -> Pot | None:
    """Return the first hand with the biggest pot that was taken, or None. Two queries.

    `in_antes`: the biggest by the number of antes, for readers who see no amounts.
    """
    port = recorded()
    size = f"{port.POT} * 1.0 / {ante_case(rules, 'evening.house_rules_id')}" if in_antes else port.POT
    own = f"""AND EXISTS (SELECT 1 FROM league_resultrow r {PLAYER} WHERE r.source = hand.source
        AND r.pot_won_minor > 0 AND {PERSON} = %(player)s)"""
    found = rows(
        f"""WITH {hands_of(seasons)}
        SELECT hand.source, hand.evening_id, {port.TABLE}, {port.NUMBER}, {port.POT}, evening.house_rules_id
        FROM hand {port.JOIN} JOIN league_evening evening ON evening.id = hand.evening_id
        WHERE hand.won_minor > 0 {own if player_id is not None else ""}
        ORDER BY {size} DESC, evening.held_on, evening.id, {port.TABLE}, {port.NUMBER} LIMIT 1""",
        {"player": player_id},
    )
    if not found:
        return None
    source, evening, table, number, pot, rules_id = found[0]
    takers = rows(
        f"""SELECT {PERSON}, COALESCE(main.nickname, player.nickname) FROM league_resultrow r {PLAYER}
        WHERE r.source = %(source)s AND r.pot_won_minor > 0 ORDER BY r.seat""",
        {"source": source},
    )
    return Pot(HandPlace(evening, table, number), pot, rules_id, tuple((who, name) for who, name in takers))


def longest_goal_runs(seasons: Sequence[Season], player_id: int | None = None) -> list[GoalRun]:
    """Return the longest runs of goals reached within one evening, the first one first. Walkovers interrupt no run.
    One query."""
    port = recorded()
    own = f"WHERE {PERSON} = %(player)s" if player_id is not None else ""
    found = rows(
        f"""WITH {hands_of(seasons)},
        played AS (
            SELECT hand.evening_id, {PERSON} AS person, COALESCE(main.nickname, player.nickname) AS nickname, r.made,
                   {port.TABLE} AS at_table, {port.NUMBER} AS hand_number,
                   SUM(CASE WHEN r.made THEN 0 ELSE 1 END) OVER (
                       PARTITION BY hand.evening_id, {PERSON} ORDER BY {port.TABLE}, {port.NUMBER}
                   ) AS failures
            FROM hand {port.JOIN} JOIN league_resultrow r ON r.source = hand.source AND r.made IS NOT NULL {PLAYER}
            {own}
        )
        SELECT played.evening_id, MIN(at_table), MIN(hand_number), person, nickname, COUNT(*) AS length
        FROM played JOIN league_evening evening ON evening.id = played.evening_id
        WHERE made GROUP BY played.evening_id, evening.held_on, person, nickname, failures
        ORDER BY length DESC, evening.held_on, played.evening_id, MIN(at_table), MIN(hand_number) LIMIT {MOST_EQUAL}""",
        {"player": player_id},
    )
    return [
        GoalRun(HandPlace(evening, table, number), person, nickname, length)
        for evening, table, number, person, nickname, length in found
        if length == found[0][-1]
    ]


def last_susi(seasons: Sequence[Season], player_id: int) -> HandPlace | None:
    """Return the newest hand in which a player was the Susi. One query."""
    port = recorded()
    found = rows(
        f"""WITH {hands_of(seasons)}
        SELECT hand.evening_id, {port.TABLE}, {port.NUMBER}
        FROM hand {port.JOIN} JOIN league_evening evening ON evening.id = hand.evening_id
        JOIN league_resultrow r ON r.source = hand.source AND r.susi {PLAYER}
        WHERE {PERSON} = %(player)s
        ORDER BY evening.held_on DESC, evening.id DESC, {port.TABLE} DESC, {port.NUMBER} DESC LIMIT 1""",
        {"player": player_id},
    )
    return HandPlace(*found[0]) if found else None


def longest_evening(seasons: Sequence[Season]) -> Evening | None:
    """Return the first evening with the most hands, with its `hands_count`; None without a hand. One query."""
    counted = Evening.nights.filter(season__in=seasons).annotate(hands_count=hands_stored())
    return counted.filter(hands_count__gt=0).order_by(F("hands_count").desc(), "held_on", "number").first()
