"""The clubs of the server as the operator sees them: their size and activity, and no content of theirs."""

from __future__ import annotations

from typing import Any

from django.db.models import BigIntegerField, Count, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from ..models import Club, Evening, LargeFile, Membership, Player, Season

PAGE = 25


def found_clubs(wanted: str) -> QuerySet[Club]:
    """Return the clubs whose name, place or short name contains `wanted`, the latest evening first."""
    # One look into the index for each club; a join reads the evenings of all clubs.
    latest = Evening.objects.filter(club=OuterRef("pk")).order_by("-held_on").values("held_on")[:1]
    clubs = Club.objects.annotate(played_on=Subquery(latest))
    if wanted:
        clubs = clubs.filter(Q(name__icontains=wanted) | Q(place__icontains=wanted) | Q(slug__icontains=wanted))
    return clubs.order_by("-played_on", "-pk")


def with_figures(clubs: QuerySet[Club]) -> QuerySet[Any]:
    """Add `members`, `roster_size`, `nights`, `file_bytes` and `marks` (changes of the ledger) to each club."""

    def of_club(rows: QuerySet[Any], figure: Any) -> Coalesce:
        counted = rows.filter(club=OuterRef("pk")).order_by().values("club").annotate(n=figure).values("n")
        return Coalesce(Subquery(counted, output_field=BigIntegerField()), 0)

    return clubs.annotate(
        members=of_club(Membership.objects.all(), Count("pk")),
        roster_size=of_club(Player.objects.filter(active=True), Count("pk")),
        nights=of_club(Evening.objects.all(), Count("pk")),
        file_bytes=of_club(LargeFile.objects.all(), Sum("size")),
        marks=of_club(Season.objects.all(), Sum("ledger_mark")),
    )
