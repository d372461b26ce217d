"""The gate of an evening's pages."""

from __future__ import annotations

from django.db.models import F
from django.db.models.expressions import Combinable
from django.http import Http404, HttpRequest

from league.access import ClubAccess, Right, admit
from league.models import Evening
from league.standings.selectors import backdated, evening_beside

from ..disputes.services import disputes_count
from ..hands import rounds
from ..seating.selectors import happenings_count


def evening_for(
    request: HttpRequest, club: str, evening: int, right: Right = Right.READ, *, beside: bool = False
) -> tuple[ClubAccess, Evening]:
    """Check the right and read the evening with its club and season, in one query. Raises as `admit` does.

    With `beside` the evening has the evenings `before` and `after` it, as `evening_beside` returns them, and is
    `backdated` or not. `tournament` is the short name of the tournament that the evening stands for, if it does.
    """
    more: dict[str, Combinable] = {}
    if beside:
        more = {"before": evening_beside(later=False), "after": evening_beside(later=True), "backdated": backdated()}
    night = (
        Evening.objects.select_related("club", "season__club", "season__count", "house_rules")
        .annotate(
            happened=happenings_count(), disputed=disputes_count(), tournament=F("awarding_tournament__slug"), **more
        )
        .filter(club__slug=club, pk=evening)
        .first()
    )
    if night is None:
        raise Http404("no such evening")
    access = admit(request.user, night.club, right).within(night.season)
    rounds.check_shown(access, night)
    # In a season of points alone amounts are plain counters, so its club has no currency.
    night.club = night.season.club = access.club
    return access, night
