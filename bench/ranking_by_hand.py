"""The ranking of a season by a formula, written in SQL by hand: after each evening, the best ones up to it count.

`bench.data_rows` compares a count from scratch with it. A statement has no drops, bonuses, minimums or tie-breaks: with
all parts of a formula the product does more.
"""

from __future__ import annotations

from league.models import EveningScore, Season
from league.standings.formula.parts import Values

BEST = 30
PLACES = (10, 8, 6, 5, 4, 3, 2, 1)

STATEMENT = """WITH night AS ({by_night}), held AS (
    SELECT e.id, ROW_NUMBER() OVER (ORDER BY e.held_on, e.number) AS nth
    FROM league_evening e WHERE e.id IN (SELECT evening_id FROM night)
), worth AS (
    SELECT h.nth, h.id AS evening_id, n.player_id, n.hands, n.points, n.change, {worth} AS worth
    FROM night n JOIN held h ON h.id = n.evening_id
), known AS (
    SELECT player_id, MIN(nth) AS first FROM worth GROUP BY player_id
), ordered AS (
    SELECT h.nth, h.id AS evening_id, w.player_id, w.worth, w.points, w.hands,
           ROW_NUMBER() OVER (PARTITION BY w.player_id, h.nth ORDER BY w.worth DESC, w.nth) AS place
    FROM held h JOIN known k ON k.first <= h.nth JOIN worth w ON w.player_id = k.player_id AND w.nth <= h.nth
), sums AS (
    SELECT evening_id, player_id, {value} AS value FROM ordered WHERE place <= {best} GROUP BY evening_id, player_id
)
SELECT evening_id, player_id, value, RANK() OVER (PARTITION BY evening_id ORDER BY value DESC) FROM sums"""
PLACE = f"""CASE RANK() OVER (PARTITION BY n.evening_id ORDER BY {{}} DESC)
    {" ".join(f"WHEN {place} THEN {points}" for place, points in enumerate(PLACES, 1))} ELSE 0 END"""
SUM, AVERAGE = "SUM(worth)", "SUM(points) * 1.0 / {}"
KINDS = {
    "points": ("n.points", SUM),
    "net": ("n.change", SUM),
    "places": (PLACE.format("n.points"), SUM),
    "places by amounts": (PLACE.format("n.change"), SUM),
    "average_hand": ("n.points * 1.0 / n.hands", AVERAGE.format("SUM(hands)")),
    "average_evening": ("n.points", AVERAGE.format("COUNT(*)")),
}
"""What an evening is worth, and what the best of them come to, by the value that counts (`Formula.counts`)."""


def _kind(values: Values) -> str:
    return "places by amounts" if values.get("places_by") == "net" else str(values["counts"])


def statement(values: Values, by_night: str) -> str:
    """Return the statement for a formula that counts the value of this one. `by_night` groups the result rows:
    evening_id, player_id, hands, points, change."""
    worth, value = KINDS[_kind(values)]
    return STATEMENT.format(by_night=by_night, worth=worth, value=value, best=BEST)


def formula(values: Values) -> Values:
    """Return the formula that ranks as the statement does."""
    kept = {name: values[name] for name in ("counts", "places", "places_by") if name in values}
    return kept | {"best": BEST}


def differences(season: Season, rows: list[tuple[int, int, object, int]]) -> list[tuple[int, int]]:
    """Return evening and player of each rank that is not the stored one."""
    stored = EveningScore.objects.filter(season=season).values_list("evening_id", "player_id", "rank_after")
    due = {(evening, player): rank for evening, player, rank in stored}
    return [key for key, rank in (((row[0], row[1]), row[3]) for row in rows) if due.get(key) != rank]
