"""The hands of a season, counted by what was known when somebody decided: seat, pot, joiners, blind. Two queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..models import Season
from ..standings.recorded_hands import ante_case, hands_of, recorded, rows, rules_of

POTS = (5, 10, 20)
"""The numbers of antes from which a pot is in the next class."""
DEALER = 0
NO_SEAT = -1
"""The seat of a hand whose dealer follows from the cuts (Kratzen)."""


class Count(NamedTuple):
    """`hands` of players that agree in all of this. `seat`: 1 for the first one after the dealer, `DEALER` for the
    dealer. `pot`: the class of the pot (`POTS`). `own`: they are those of the chosen player. `made` is None where no
    goal was played for. `declared`: somebody declared. `last`: the player was the last one asked about joining."""

    own: bool
    role: str
    made: bool | None
    blind: bool
    seat: int
    pot: int
    joiners: int
    declared: bool
    last: bool
    hands: int


def decisions(seasons: Sequence[Season], player_id: int | None = None) -> list[Count]:
    """Return the hands of these seasons, counted. Hands that nobody declared are among them, Muss hands are not: nobody
    decides in these. Two queries; the result has as many rows as there are combinations."""
    port = recorded()
    ante = ante_case(rules_of(seasons), "evening.house_rules_id")
    classes = " ".join(f"WHEN pot_minor < {limit} * ante_minor THEN {nth}" for nth, limit in enumerate(POTS))
    found = rows(
        f"""WITH {hands_of(seasons)},
        known AS (
            SELECT hand.source, hand.seats, hand.joiners, hand.declarer, {port.POT} AS pot_minor, {ante} AS ante_minor,
                   CASE WHEN evening.game = 'chratze' THEN {port.DEALER} ELSE {NO_SEAT} END AS dealer
            FROM hand {port.JOIN} JOIN league_evening evening ON evening.id = hand.evening_id
        )
        SELECT CASE WHEN COALESCE(player.main_id, player.id) = %(player)s THEN 1 ELSE 0 END AS own, r.role,
               CASE WHEN r.made IS NULL THEN NULL WHEN r.made THEN 1 ELSE 0 END AS goal,
               CASE WHEN r.blind = '' THEN 0 ELSE 1 END AS is_blind,
               CASE WHEN dealer = {NO_SEAT} THEN {NO_SEAT} WHEN r.seat = dealer THEN {DEALER}
                    ELSE (r.seat - dealer + seats) %% seats END AS after_dealer,
               CASE {classes} ELSE {len(POTS)} END AS pot_class, joiners,
               CASE WHEN r.passed_out THEN 0 ELSE 1 END AS is_declared,
               CASE WHEN dealer <> {NO_SEAT} AND r.seat = (declarer + seats - 1) %% seats THEN 1 ELSE 0 END AS is_last,
               COUNT(*)
        FROM known JOIN league_resultrow r ON r.source = known.source AND NOT r.muss
        JOIN league_player player ON player.id = r.player_id
        GROUP BY own, r.role, goal, is_blind, after_dealer, pot_class, joiners, is_declared,
            is_last""",
        {"player": player_id or 0},
    )
    return [_count(row) for row in found]


def _count(row: tuple[Any, ...]) -> Count:
    own, role, goal, blind, seat, pot, joiners, declared, last, hands = row
    made = None if goal is None else goal == 1
    return Count(own == 1, role, made, blind == 1, seat, pot, joiners, declared == 1, last == 1, hands)
