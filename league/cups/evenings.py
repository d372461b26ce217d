"""The evenings of a cup: which may count, and the place of each player. No amount leaves this file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from ..models import Club, Cup, CupEvening, Evening, Player, Tournament
from ..standings.selectors import totals_of_evenings


def may_count(club: Club) -> QuerySet[Evening]:
    """Return the evenings of a club that may count in a cup: no round of a tournament, and none that stands for one
    among the evenings of a season."""
    awards = Tournament.objects.filter(award_evening=OuterRef("pk"))
    return Evening.nights.filter(~Exists(awards), club=club)


def is_final(evening: Evening) -> bool:
    """Return True if the result of an evening counts."""
    return evening.stage() == Evening.Stage.FINAL


def evenings_of(cup: Cup, clubs: Iterable[Club]) -> list[Evening]:
    """Return the evenings of these clubs that count in a cup, or will, from their day on: what is planned is the club's
    own matter. One query; none where evenings do not count."""
    if not cup.takes_evenings:
        return []
    rows = CupEvening.objects.filter(cup=cup, evening__club__in=clubs, evening__undone_at=None)
    rows = rows.filter(evening__held_on__lte=timezone.localdate())
    return [row.evening for row in rows.select_related("evening__season")]


def places_of(evenings: Sequence[Evening]) -> dict[int, list[tuple[int, int]]]:
    """Return (main player, place) of everybody who played, by evening: the places of the evening's own page. Two
    queries, three if some were imported."""
    if not evenings:
        return {}
    merged = Player.objects.filter(club__in={night.club_id for night in evenings}, main__isnull=False)
    mains = {pk: main for pk, main in merged.values_list("pk", "main") if main is not None}
    return {
        evening: [(mains.get(row["player_id"], row["player_id"]), row["rank"]) for row in rows]
        for evening, rows in totals_of_evenings(evenings).items()
    }
