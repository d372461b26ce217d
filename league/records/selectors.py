"""Queries for records. Each takes some seasons, and one player if the records are that player's own.

Workers count the feats of each evening (`league.standings.facts`); the records are the best of these.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Lower

from ..models import Evening, Feat, HouseRules, Season
from ..standings.evening_hands import hands_stored
from ..standings.recorded_hands import recorded, rows


class Spot(NamedTuple):
    """What a record is read about: an evening, or a hand of it with the number of its table and its own number. Both
    are 0 for an evening."""

    evening_id: int
    table: int = 0
    number: int = 0


class Pot(NamedTuple):
    """A pot that was taken, and the players who took a part of it."""

    spot: Spot
    pot_minor: int
    rules: HouseRules
    takers: tuple[tuple[int, str], ...]


class GoalRun(NamedTuple):
    """Goals that a player reached one after the other in one evening, from the hand at `spot` on."""

    spot: Spot
    player_id: int
    nickname: str
    length: int


FIRST = ("evening__held_on", "evening", "table", "hand")
"""The order of hands."""


def biggest_pot(
    seasons: Sequence[Season], *, in_antes: bool, player_id: int | None = None, year: int | None = None
) -> Pot | None:
    """Return the first hand with the biggest pot that was taken, or None. Two queries.

    `in_antes`: the biggest by the number of antes, for readers who see no amounts. `year`: of evenings in this year.
    """
    pots = _feats(seasons, Feat.Kind.POT, player_id)
    if year is not None:
        pots = pots.filter(evening__held_on__year=year)
    order = "-in_antes" if in_antes else "-value"
    feat = pots.order_by(order, *FIRST).select_related("evening__house_rules").first()
    if feat is None:
        return None
    # Those who share the pot have the same hand as their biggest one of the evening.
    taken = Feat.objects.filter(evening=feat.evening, kind=Feat.Kind.POT, table=feat.table, hand=feat.hand)
    takers = taken.order_by(Lower("player__nickname"), "pk").values_list("player", "player__nickname")
    return Pot(_spot(feat), feat.value, feat.evening.house_rules, tuple(takers))


def longest_goal_runs(seasons: Sequence[Season], least: int, player_id: int | None = None) -> list[GoalRun]:
    """Return the longest runs of goals reached within one evening, at most one a player, the first one first; none
    shorter than `least`. Walkovers interrupt no run. One query."""
    runs = _feats(seasons, Feat.Kind.RUN, player_id)
    longest = runs.filter(value=runs.order_by("-value").values("value")[:1], value__gte=least)
    goal_runs: dict[int, GoalRun] = {}
    for run in longest.order_by(*FIRST, "pk").select_related("player"):
        goal_runs.setdefault(run.player_id, GoalRun(_spot(run), run.player_id, run.player.nickname, run.value))
    return list(goal_runs.values())


def susi_hands(evenings: Mapping[int, int]) -> dict[int, Spot]:
    """Return for each player the last hand as the Susi in an evening. `evenings`: the evening of each player. One
    query."""
    feats = Feat.objects.filter(evening__in=set(evenings.values()), player__in=evenings, kind=Feat.Kind.SUSI)
    return {feat.player_id: _spot(feat) for feat in feats if evenings[feat.player_id] == feat.evening_id}


class Goal(NamedTuple):
    """A hand in which a player had a goal. `blind`: declared blind."""

    spot: Spot
    player_id: int
    made: bool
    blind: bool


def goals_of(evenings: Collection[int], players: Collection[int]) -> list[Goal]:
    """Return the goals of some players in some evenings, by evening in the order of tables and hands; those of merged
    players are their main player's. One query, none without evenings."""
    if not evenings:
        return []
    port = recorded()
    goal_rows = rows(
        f"""SELECT hand.evening_id, {port.TABLE}, {port.NUMBER}, COALESCE(player.main_id, player.id), hand.made,
               hand.blind <> '' AND hand.role = 'declarer'
        FROM league_resultrow hand {port.JOIN} JOIN league_player player ON player.id = hand.player_id
        WHERE hand.evening_id IN ({", ".join(map(str, evenings))}) AND hand.made IS NOT NULL AND hand.role <> 'share'
            AND COALESCE(player.main_id, player.id) IN ({", ".join(map(str, players))})
        ORDER BY hand.evening_id, {port.TABLE}, {port.NUMBER}"""
    )
    return [Goal(Spot(*row[:3]), row[3], bool(row[4]), bool(row[5])) for row in goal_rows]


def _feats(seasons: Sequence[Season], kind: str, player_id: int | None) -> QuerySet[Feat]:
    """Return the feats of these seasons as last counted, of everybody or of one player."""
    feats = Feat.objects.filter(season__in=seasons, kind=kind)
    return feats if player_id is None else feats.filter(player=player_id)


def _spot(feat: Feat) -> Spot:
    return Spot(feat.evening_id, feat.table, feat.hand)


def longest_evening(seasons: Sequence[Season]) -> Evening | None:
    """Return the first evening with the most hands, with its `hands_count`, of those that their seasons count; None
    without a hand. One query."""
    own_game = Q(season__games="") | Q(season__games=F("game"))
    counted = Evening.nights.filter(own_game, season__in=seasons).annotate(hands_count=hands_stored())
    return counted.filter(hands_count__gt=0).order_by(F("hands_count").desc(), "held_on", "number").first()
