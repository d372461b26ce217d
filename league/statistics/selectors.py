"""The hands of some seasons, counted by situation: seat, pot, joiners, blind. One query.

Workers count them (`league.standings.facts`); a page reads the sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import BooleanField, Case, Sum, Value, When

from ..models import DecisionCount, Season
from ..standings.facts.situations import DEALER as DEALER
from ..standings.facts.situations import NO_SEAT as NO_SEAT
from ..standings.facts.situations import POTS as POTS
from ..standings.facts.situations import Situation, unpacked


class Count(NamedTuple):
    """`hands` of players with the same situation. `own`: they are those of the chosen player."""

    own: bool
    situation: Situation
    hands: int


def decisions(seasons: Sequence[Season], player_id: int | None = None) -> list[Count]:
    """Return the hands of these seasons as last counted. Hands that nobody declared are among them, Muss hands are not:
    these have no decisions. One query; the result has as many rows as there are combinations."""
    own = Case(When(player=player_id or 0, then=Value(True)), default=Value(False), output_field=BooleanField())
    decision_counts = (
        DecisionCount.objects.filter(season__in=seasons)
        .annotate(own=own)
        .order_by()
        .values_list("own", "situation")
        .annotate(Sum("hands"))
    )
    return [Count(own, unpacked(situation), hands) for own, situation, hands in decision_counts]
