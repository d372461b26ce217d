"""The file of a person's evenings, over all seasons of the club. docs/csv.md describes every column; new columns go to
the end. Amounts are whole Rappen; one that the reader may not see is an empty cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_safe

from ..access import ClubAccess, club_for
from ..models import EveningScore, Player
from ..standings.nights import NOT_AN_AWARD, by_evening, nights_of, ranks_of_night
from ..web.csv_columns import register_columns
from ..web.csv_download import LongList, download, file_name, log_download
from ..web.report_table import Column, Kind

COUNTERS = (
    "hands", "declared", "declared_made", "joined", "joined_made", "out", "blinds", "blinds_made", "walkovers", "susi",
    "musses", "musses_made",
)  # fmt: skip
EVENINGS = (
    "season", "evening", "held_on", "evening_id", "game", "player_id", "player", *COUNTERS, "points", "change_minor",
    "night_rank", "players", "imported",
)  # fmt: skip
register_columns(
    Column("night_rank", pgettext_lazy("column", "Rank of the evening"), Kind.NUMBER),
    Column("players", pgettext_lazy("column", "Players"), Kind.COUNT),
)


@require_safe
def evenings_csv(request: HttpRequest, club: str, player: int) -> HttpResponseBase:
    """Send the evenings of a person that are on the person's page, the oldest first."""
    access = club_for(request.user, club)
    chosen_player = Player.objects.filter(club=access.club, pk=player, main__isnull=True).first()
    if chosen_player is None or access.names.hides(chosen_player):
        raise Http404("no such player")
    of_person = EveningScore.objects.filter(NOT_AN_AWARD, player=chosen_player, hands__gt=0)
    by_day = of_person.order_by("evening__held_on", "season_id", "evening__number")
    scores = list(by_day.select_related("evening", "season").filter(season__in_chips=False))
    within = {score.season_id: access.within(score.season) for score in scores}
    log_download(request, access, "evenings", f"player:{chosen_player.pk}")
    # A sum of only some amounts would be no sum.
    summed = (
        ("change_minor",)
        if scores and all(season_access.sees_money(chosen_player.pk) for season_access in within.values())
        else ()
    )
    name = access.names.show(chosen_player.pk, chosen_player.nickname)
    wanted = LongList(file_name(access, "evenings", chosen_player.pk), _("Evenings") + f" {name}", EVENINGS, summed)
    return download(request, access, wanted, lambda: _rows(chosen_player, name, scores, within))


def _rows(
    player: Player, name: str, scores: Sequence[EveningScore], within: Mapping[int, ClubAccess]
) -> Iterator[dict[str, Any]]:
    """Yield a row for each evening with the player. One query; up to three more where a season has a formula."""
    nights = by_evening(nights_of(list({score.season_id: score.season for score in scores}.values()), player.pk))
    for score in scores:
        evening, present = score.evening, nights[score.evening_id]
        yield {
            "season": score.season.slug,
            "evening": evening.number,
            "held_on": evening.held_on,
            "evening_id": evening.pk,
            "game": evening.game,
            "player_id": player.pk,
            "player": name,
            **{column: getattr(score, column) for column in COUNTERS},
            "points": score.points,
            "change_minor": score.change_minor if within[score.season_id].sees_money(player.pk) else None,
            "night_rank": ranks_of_night(present).get(player.pk),
            "players": len(present),
            "imported": evening.is_imported,
        }
