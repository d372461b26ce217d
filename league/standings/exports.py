"""CSV files of a season, streamed row by row. docs/csv.md describes every column; new columns go to the end.

Comma-separated UTF-8; `?for=excel` adds a byte order mark and uses semicolons, which Excel opens by a double click.
Amounts are whole Rappen. An amount that the reader may not see is an empty cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from http import HTTPStatus
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_safe

from league.web import error_pages

from .. import keyset
from ..access import ClubAccess, Right
from ..errors import Refused
from ..large_files.views import offer_if_large
from ..models import Account, ResultRow, Season, Transfer, User
from ..money import exact_points
from ..web.csv_columns import register_columns
from ..web.csv_download import LongList, download, file_name, log_download
from ..web.report_table import Column, Kind
from . import selectors
from .formula.inputs import formula_of
from .formula.team_table import TeamRanking, counted_ranking, team_columns
from .imported import players_with_imported
from .live_part import part_notes, shown_part
from .reader_choice import Choice, read_choice
from .season_part import part_of
from .views import season_for

STANDINGS = (
    "rank", "rank_before", "player_id", "player", "points", "balance_minor", "evenings", "hands", "declared",
    "declared_made", "joined", "joined_made", "out", "blinds", "blinds_made", "walkovers", "susi", "biggest_pot_minor",
    "best_night_minor", "worst_night_minor", "best_night_points", "worst_night_points", "musses",
    "musses_made", "team", "team_name", "team_rank", "imported", "counted_minor",
    "unranked",
)  # fmt: skip
TEAMS = ("team", "team_name", "team_rank")
RESULTS = (
    "evening", "held_on", "evening_id", "hand_id", "revision", "seat", "player_id", "player", "role", "made", "tricks",
    "walkover", "passed_out", "blind", "susi", "pot_won_minor", "change_minor", "muss", "counts_for_id",
    "imported",
)  # fmt: skip
LEDGER = (
    "transfer_id", "posting_id", "posted_at", "evening", "held_on", "hand_id", "revision", "reverses", "kind",
    "from_account_id", "from_kind", "from_player", "to_account_id", "to_kind", "to_player", "amount_minor",
    "author", "reason", "imported", "paid_on",
)  # fmt: skip
register_columns(
    Column("rank_before", pgettext_lazy("column", "Rank before"), Kind.NUMBER),
    Column("biggest_pot_minor", pgettext_lazy("column", "Biggest pot won"), Kind.AMOUNT),
    Column("best_night_minor", pgettext_lazy("column", "Best evening"), Kind.AMOUNT),
    Column("worst_night_minor", pgettext_lazy("column", "Worst evening"), Kind.AMOUNT),
    Column("best_night_points", pgettext_lazy("column", "Best evening, points"), Kind.POINTS),
    Column("worst_night_points", pgettext_lazy("column", "Worst evening, points"), Kind.POINTS),
    Column("team", pgettext_lazy("column", "Team no."), Kind.NUMBER),
    Column("team_name", pgettext_lazy("column", "Team")),
    Column("team_rank", pgettext_lazy("column", "Team, rank"), Kind.NUMBER),
    Column("counted_minor", pgettext_lazy("column", "Counted amount"), Kind.AMOUNT),
    Column("unranked", pgettext_lazy("column", "Not ranked because of")),
    Column("walkover", pgettext_lazy("column", "Walkover"), Kind.NUMBER),
    Column("passed_out", pgettext_lazy("column", "Passed out"), Kind.NUMBER),
    Column("pot_won_minor", pgettext_lazy("column", "Won from the pot"), Kind.AMOUNT),
    Column("counts_for_id", pgettext_lazy("column", "Counts for no."), Kind.NUMBER),
    Column("transfer_id", pgettext_lazy("column", "Transfer no."), Kind.NUMBER),
    Column("posting_id", pgettext_lazy("column", "Posting no.")),
    Column("posted_at", pgettext_lazy("column", "Posted at")),
    Column("reverses", pgettext_lazy("column", "Reverses posting no.")),
    Column("kind", pgettext_lazy("column", "Kind")),
    Column("from_account_id", pgettext_lazy("column", "From account no."), Kind.NUMBER),
    Column("from_kind", pgettext_lazy("column", "From")),
    Column("from_player", pgettext_lazy("column", "From player")),
    Column("to_account_id", pgettext_lazy("column", "To account no."), Kind.NUMBER),
    Column("to_kind", pgettext_lazy("column", "To")),
    Column("to_player", pgettext_lazy("column", "To player")),
    Column("author", pgettext_lazy("column", "Author")),
    Column("reason", pgettext_lazy("column", "Reason")),
    codes={
        "kind": dict(Transfer.Kind.choices),
        "from_kind": dict(Account.Kind.choices),
        "to_kind": dict(Account.Kind.choices),
    },
)


@require_safe
def standings_csv(request: HttpRequest, club: str, season: str) -> HttpResponseBase:
    """Send the standings as last counted, or of the chosen part of the season; 400 for a wrong parameter."""
    access, chosen_season = season_for(request, club, season)
    try:
        choice = read_choice(request.GET)
    except Refused as fault:
        return error_pages.answer(request, HTTPStatus(fault.status), fault.code, fault.sentence)
    return standings_file(request, access, chosen_season, choice)


def standings_file(request: HttpRequest, access: ClubAccess, season: Season, choice: Choice) -> StreamingHttpResponse:
    """Send the same file after the gate; `access` is within the season."""
    name = file_name(access, season.slug, "standings", *choice.filters().values())
    log_download(request, access, "standings", f"season:{season.pk}")
    rows = _part if choice.filtered else _standings
    title = _("Standings") + f" {season.name}"
    notes = (*shown_part(choice), *part_notes(season, formula_of(season), choice)) if choice.filtered else ()
    wanted = LongList(name, title, STANDINGS, ("balance_minor",) if access.sees_money() else (), notes)
    return download(request, access, wanted, lambda: rows(access, season, choice))


def _part(access: ClubAccess, season: Season, choice: Choice) -> Iterator[dict[str, Any]]:
    """Yield the lines of a part of a season, with the teams of this part."""
    part = part_of(season, choice, formula_of(season))
    imported = part.course.with_imported
    teams = _teams(access, part.teams)
    for line in part.lines:
        name = access.names.show(line.player_id, line.nickname)
        points = exact_points(line.points, season.points_scale)
        team = teams.get(line.player_id, {})
        shown = {**line._asdict(), "rank": line.shown_rank, "rank_before": line.shown_rank_before}
        shown["imported"] = line.player_id in imported
        yield _visible({**shown, "player": name, "points": points, **team}, access)


def _teams(access: ClubAccess, ranking: TeamRanking) -> Mapping[int, Mapping[str, Any]]:
    """Return the columns of teams by player."""
    return {player: dict(zip(TEAMS, team, strict=True)) for player, team in team_columns(access, ranking).items()}


def _standings(access: ClubAccess, season: Season, _choice: Choice) -> Iterator[dict[str, Any]]:
    computed = ("player", *TEAMS, "imported")
    imported = players_with_imported(season)
    standings = season.standings.values(*(column for column in STANDINGS if column not in computed), "player__nickname")
    unranked = {"rank": None, "rank_before": None}
    teams = _teams(access, counted_ranking(season))
    for standing in keyset.each(standings, ("rank", "player__nickname", "player_id")):
        name = access.names.show(standing["player_id"], standing["player__nickname"])
        points = exact_points(standing["points"], season.points_scale)
        team = teams.get(standing["player_id"], {})
        shown = {**standing, **(unranked if standing["unranked"] else {})}
        shown["imported"] = standing["player_id"] in imported
        yield _visible({**shown, "player": name, "points": points, **team}, access)


@require_safe
def results_csv(request: HttpRequest, club: str, season: str) -> HttpResponseBase:
    """Send the result rows of the season."""
    access, chosen_season = season_for(request, club, season)
    offer = offer_if_large(
        request, access, "results", chosen_season.pk, lambda: ResultRow.objects.filter(season=chosen_season).count()
    )
    return offer or results_file(request, access, chosen_season)


def results_file(request: HttpRequest, access: ClubAccess, season: Season) -> StreamingHttpResponse:
    """Send the same file after the gate; `access` is within the season."""
    log_download(request, access, "results", f"season:{season.pk}")
    return download(request, access, results_list(access, season), lambda: result_rows(access, season))


def results_list(access: ClubAccess, season: Season) -> LongList:
    """Return the list of result rows. A sum of only some amounts would be no sum."""
    summed = ("pot_won_minor", "change_minor") if access.sees_money() else ()
    return LongList(file_name(access, season.slug, "results"), _("Results") + f" {season.name}", RESULTS, summed)


def result_rows(access: ClubAccess, season: Season) -> Iterator[dict[str, Any]]:
    """Yield the rows of the file; `access` is within the season."""
    return (_visible(_result(row, access), access) for row in selectors.result_rows(season))


def _result(row: Mapping[str, Any], access: ClubAccess) -> dict[str, Any]:
    return {
        **row,
        # In a hand that nobody declared nobody was out.
        "role": None if row["passed_out"] else row["role"],
        "evening": row["evening__number"],
        "held_on": row["evening__held_on"],
        "hand_id": row["source"],
        "player": access.names.show(row["player_id"], row["player__nickname"]),
        "counts_for_id": row["player__main_id"] or row["player_id"],
        "imported": row["evening__imported_id"] is not None,
    }


def _visible(row: dict[str, Any], access: ClubAccess) -> dict[str, Any]:
    """Remove the amounts that the reader may not see."""
    if access.sees_money(row["player_id"]):
        return row
    return {name: value for name, value in row.items() if not name.endswith("_minor")}


@login_required
@require_safe
def ledger_csv(request: HttpRequest, club: str, season: str) -> HttpResponseBase:
    """Send every transfer of the season."""
    access, chosen_season = season_for(request, club, season, Right.SEE_LEDGER)
    offer = offer_if_large(
        request, access, "ledger", chosen_season.pk, lambda: Transfer.objects.filter(season=chosen_season).count()
    )
    return offer or ledger_file(request, access, chosen_season)


def ledger_file(request: HttpRequest, access: ClubAccess, season: Season) -> StreamingHttpResponse:
    """Send the same file after the gate; `access` is within the season."""
    log_download(request, access, "ledger", f"season:{season.pk}")
    return download(request, access, ledger_list(access, season), lambda: ledger_rows(access, season))


def ledger_list(access: ClubAccess, season: Season) -> LongList:
    """Return the list of a season's transfers."""
    name = file_name(access, season.slug, "ledger")
    return LongList(name, _("Ledger") + f" {season.name}", LEDGER, () if access.points_only else ("amount_minor",))


def ledger_rows(access: ClubAccess, season: Season) -> Iterator[dict[str, Any]]:
    """Yield the rows of the file; `access` is within the season."""
    return (transfer_row(row, access) for row in selectors.ledger_rows(season))


def transfer_row(row: Mapping[str, Any], access: ClubAccess) -> dict[str, Any]:
    """Return a row of the ledger's file."""
    return {
        "transfer_id": row["pk"],
        "posting_id": row["posting_id"],
        "posted_at": row["posting__created_at"],
        "evening": row["posting__evening__number"],
        "held_on": row["posting__evening__held_on"],
        "hand_id": row["posting__source"],
        "revision": row["posting__revision"],
        "reverses": row["posting__reverses_id"],
        "kind": row["kind"],
        "from_account_id": row["from_account_id"],
        "from_kind": row["from_account__kind"],
        "from_player": row["from_account__player__nickname"],
        "to_account_id": row["to_account_id"],
        "to_kind": row["to_account__kind"],
        "to_player": row["to_account__player__nickname"],
        "amount_minor": None if access.points_only else row["amount_minor"],
        "author": _author(row),
        "reason": row["posting__reason"],
        "imported": row["posting__evening__imported_id"] is not None,
        "paid_on": _paid_on(row),
    }


def _paid_on(row: Mapping[str, Any]) -> date | None:
    """Return the day of a payment; None for another transfer."""
    if row["kind"] != Transfer.Kind.PAID:
        return None
    day: date | None = row["posting__payment_day__day"] or row["posting__evening__held_on"]
    return day


def _author(row: Mapping[str, Any]) -> str | None:
    """Return the author as pages show it, without the mail address."""
    fields = {name: row[f"posting__author__{name}"] for name in ("email", "first_name", "last_name")}
    return str(User(**fields)) if fields["email"] else None
