"""Queries for records. Each takes some seasons, and one player if the records are that player's own.

Workers count the feats of each evening (`league.standings.facts`); the records are the best of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import F, QuerySet
from django.db.models.functions import Lower

from ..models import Evening, Feat, HouseRules, Season
from ..standings.evening_hands import hands_stored

MOST_EQUAL = 5
"""The most players that are named as holders of one record."""


class HandPlace(NamedTuple):
    """Where a hand is found: its evening, the number of its table, its own number."""

    evening_id: int
    table: int
    number: int


class Pot(NamedTuple):
    """A pot that was taken, and the players who took a part of it."""

    place: HandPlace
    pot_minor: int
    rules: HouseRules
    takers: tuple[tuple[int, str], ...]


class GoalRun(NamedTuple):
    """Goals that a player reached one after the other in one evening, from the hand at `place` on."""

    place: HandPlace
    player_id: int
    nickname: str
    length: int


FIRST = ("evening__held_on", "evening", "table", "hand")
"""The order of hands."""


def biggest_pot(seasons: Sequence[Season], *, in_antes: bool, player_id: int | None = None) -> Pot | None:
    """Return the first hand with the biggest pot that was taken, or None. Two queries.

    `in_antes`: the biggest by the number of antes, for readers who see no amounts.
    """
    pots = _feats(seasons, Feat.Kind.POT, player_id)
    order = "-in_antes" if in_antes else "-value"
    found = pots.order_by(order, *FIRST).select_related("evening__house_rules").first()
    if found is None:
        return None
    # Those who share the pot have the same hand as their biggest one of the evening.
    taken = Feat.objects.filter(evening=found.evening, kind=Feat.Kind.POT, table=found.table, hand=found.hand)
    takers = taken.order_by(Lower("player__nickname"), "pk").values_list("player", "player__nickname")
    return Pot(_place(found), found.value, found.evening.house_rules, tuple(takers))


def longest_goal_runs(seasons: Sequence[Season], player_id: int | None = None) -> list[GoalRun]:
    """Return the longest runs of goals reached within one evening, the first one first. Walkovers interrupt no run.
    One query."""
    found = list(
        _feats(seasons, Feat.Kind.RUN, player_id).order_by("-value", *FIRST, "pk").select_related("player")[:MOST_EQUAL]
    )
    return [
        GoalRun(_place(one), one.player_id, one.player.nickname, one.value)
        for one in found
        if one.value == found[0].value
    ]


def last_susi(seasons: Sequence[Season], player_id: int) -> HandPlace | None:
    """Return the newest hand in which a player was the Susi. One query."""
    newest = [f"-{column}" for column in FIRST]
    found = _feats(seasons, Feat.Kind.SUSI, player_id).order_by(*newest).first()
    return _place(found) if found else None


def _feats(seasons: Sequence[Season], kind: str, player_id: int | None) -> QuerySet[Feat]:
    """Return the feats of these seasons as last counted, of everybody or of one player."""
    found = Feat.objects.filter(season__in=seasons, kind=kind)
    return found if player_id is None else found.filter(player=player_id)


def _place(feat: Feat) -> HandPlace:
    return HandPlace(feat.evening_id, feat.table, feat.hand)


def longest_evening(seasons: Sequence[Season]) -> Evening | None:
    """Return the first evening with the most hands, with its `hands_count`; None without a hand. One query."""
    counted = Evening.nights.filter(season__in=seasons).annotate(hands_count=hands_stored())
    return counted.filter(hands_count__gt=0).order_by(F("hands_count").desc(), "held_on", "number").first()
