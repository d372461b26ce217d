"""The luck of a season: the table of all players, and the curve of one with the band of chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_safe

from ..access import ClubAccess
from ..intervals import FEWEST_TRIES
from ..models import Evening, Season
from ..standings.versions import season_facts_state
from ..standings.views import season_for
from ..web.csv_columns import register_columns
from ..web.csv_download import LongList, download, file_name, log_download
from ..web.game_terms import Terms, season_terms, terms_of
from ..web.page_versions import versioned
from ..web.report_table import Column, Kind
from .charts import LuckChart, Point, chart_of, course
from .selectors import LuckLine, evening_luck, file_row, player_luck, season_luck
from .sentences import Said, band_sentence, goal_lines, lead_sentence

COLUMNS = (
    "player_id", "player", "evenings", "hands", "declared", "declared_made", "declared_expected", "declared_spread",
    "joined", "joined_made", "joined_expected", "joined_spread", "musses", "musses_made", "musses_expected",
    "musses_spread", "balance_minor", "expected_minor", "luck_minor", "low_minor", "high_minor", "luck_antes",
)  # fmt: skip
register_columns(
    Column("declared_expected", pgettext_lazy("column", "Declared, others make"), Kind.COUNT),
    Column("declared_spread", pgettext_lazy("column", "Declared, ±"), Kind.COUNT),
    Column("joined_expected", pgettext_lazy("column", "Joined, others make"), Kind.COUNT),
    Column("joined_spread", pgettext_lazy("column", "Joined, ±"), Kind.COUNT),
    Column("musses_expected", pgettext_lazy("column", "Muss hands, others make"), Kind.COUNT),
    Column("musses_spread", pgettext_lazy("column", "Muss hands, ±"), Kind.COUNT),
    Column("expected_minor", pgettext_lazy("column", "Expected"), Kind.AMOUNT),
    Column("luck_minor", pgettext_lazy("column", "Luck"), Kind.AMOUNT),
    Column("low_minor", pgettext_lazy("column", "By luck from"), Kind.AMOUNT),
    Column("high_minor", pgettext_lazy("column", "By luck to"), Kind.AMOUNT),
    Column("luck_antes", pgettext_lazy("column", "Luck in antes"), Kind.COUNT),
)
SUMMED = ("balance_minor", "expected_minor", "luck_minor")


@dataclass(frozen=True)
class PlayerPart:
    """What a page shows about the luck of one player: sentence, hands by kind, and the curve where the reader sees
    amounts. `points` are the newest first."""

    line: LuckLine
    sentence: str
    goals: list[Said]
    points: list[Point]
    chart: LuckChart | None

    @property
    def known(self) -> bool:
        """True if there are enough hands of a kind to say what others make."""
        return any(goal.expected for goal in self.goals)


def player_part(access: ClubAccess, season: Season, player_id: int, terms: Terms) -> PlayerPart | None:
    """Return the luck of a player for the page of a person; None without a counted evening. `access` is within the
    season. One query."""
    line = player_luck(access, season, player_id)
    return None if line is None else _part(line, season, terms)


def _part(line: LuckLine, season: Season, terms: Terms) -> PlayerPart:
    drawn = line.sees and line.luck.known and not season.points_only
    points = course(line.luck) if drawn else []
    return PlayerPart(line, lead_sentence(line, terms), goal_lines(line, terms), points[::-1], chart_of(points))


@dataclass(frozen=True)
class EveningPart:
    """What the page of an evening says about the luck of a player of the reader's."""

    line: LuckLine
    sentence: str
    goals: list[Said]

    @property
    def known(self) -> bool:
        """True if there are enough hands of a kind to say what others make."""
        return any(goal.expected for goal in self.goals)


def evening_parts(access: ClubAccess, evening: Evening) -> list[EveningPart]:
    """Return the luck of the reader's own players of an evening; `access` is within the season. One query, none for
    readers without a player."""
    if not access.player_ids:
        return []
    terms, currency = terms_of([evening.game]), access.club.currency
    in_money = not evening.season.points_only
    return [
        EveningPart(
            line,
            band_sentence(line, line.luck.nights[0], currency, in_money=in_money) if line.luck.known else "",
            goal_lines(line, terms),
        )
        for line in evening_luck(access, evening, access.player_ids)
    ]


@versioned(season_facts_state)
@require_safe
def luck(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """Show the luck of all players of a season. The parameter `player` shows the curve of one; without it that of the
    reader."""
    access, chosen_season = season_for(request, club, season)
    all_luck = season_luck(access, chosen_season)
    wanted = request.GET.get("player", "")
    lines = all_luck.lines
    chosen = next((line for line in lines if str(line.player_id) == wanted), None)
    chosen = chosen or next((line for line in lines if line.mine), None)
    terms = season_terms(chosen_season, _games(chosen_season))
    context: dict[str, Any] = {
        "access": access,
        "club": access.club,
        "season": chosen_season,
        "terms": terms,
        "luck": all_luck,
        "rows": [(line, goal_lines(line, terms)) for line in lines],
        "chosen": _part(chosen, chosen_season, terms) if chosen else None,
        "fewest_tries": FEWEST_TRIES,
    }
    return render(request, "league/luck/season.html", context)


def _games(season: Season) -> list[str]:
    """Return the games of a season. One query, none where it counts one game alone."""
    if season.games:
        return [season.games]
    return list(season.evenings.order_by().values_list("game", flat=True).distinct())


@require_safe
def luck_csv(request: HttpRequest, club: str, season: str) -> HttpResponseBase:
    """Send the table as a file."""
    access, chosen_season = season_for(request, club, season)
    log_download(request, access, "luck", f"season:{chosen_season.pk}")
    all_luck = season_luck(access, chosen_season)
    in_money = all_luck.in_money
    summed = SUMMED if in_money and all_luck.sees_all else ()
    wanted = LongList(
        file_name(access, chosen_season.slug, "luck"), _("Luck") + f" {chosen_season.name}", COLUMNS, summed
    )
    return download(request, access, wanted, lambda: (file_row(line, in_money=in_money) for line in all_luck.lines))
