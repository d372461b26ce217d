"""CSV files, streamed row by row. docs/csv.md names every column; their order never changes, new ones go to the end.

Comma-separated UTF-8 as programs expect it; `?for=excel` gives what Excel opens by a double click (semicolons and a
byte order mark).
Amounts are whole Rappen. Who may not see an amount gets an empty cell, never another set of columns.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from . import audit, selectors
from .access import ClubAccess, Right
from .audit import What
from .models import Season, User
from .views import season_for

# The wide forms are the same to a spreadsheet set up for Chinese or Japanese.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"

STANDINGS = (
    "rank", "rank_before", "player_id", "player", "points", "balance_minor", "evenings", "hands", "declared",
    "declared_made", "joined", "joined_made", "out", "blinds", "blinds_made", "walkovers", "susi", "biggest_pot_minor",
    "best_night_minor", "worst_night_minor", "best_night_points", "worst_night_points", "musses",
    "musses_made",
)  # fmt: skip
RESULTS = (
    "evening", "held_on", "evening_id", "hand_id", "revision", "seat", "player_id", "player", "role", "made", "tricks",
    "walkover", "passed_out", "blind", "susi", "pot_won_minor", "change_minor", "muss", "counts_for_id",
)  # fmt: skip
LEDGER = (
    "transfer_id", "posting_id", "posted_at", "evening", "held_on", "hand_id", "revision", "reverses", "kind",
    "from_account_id", "from_kind", "from_player", "to_account_id", "to_kind", "to_player", "amount_minor",
    "author", "reason",
)  # fmt: skip


def cell(value: object) -> str:
    """One value as text. Numbers stay numbers, also below 0; a text that a spreadsheet would take for a formula gets
    a ' before it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, datetime):
        return timezone.localtime(value).isoformat(timespec="seconds")
    text = str(value)
    return "'" + text if text.startswith(FORMULA_STARTS) else text


class _Line:
    """A file that csv writes to and that hands each line straight on."""

    def write(self, line: str) -> str:
        return line


def lines(columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, excel: bool = False) -> Iterator[str]:
    """Header and rows as lines of a file; a column that a row does not name stays empty."""
    writer = csv.writer(_Line(), delimiter=";" if excel else ",")
    yield (BOM if excel else "") + writer.writerow(columns)
    for row in rows:
        yield writer.writerow([cell(row.get(column)) for column in columns])


def download(
    request: HttpRequest, name: str, columns: Sequence[str], rows: Callable[[], Iterable[Mapping[str, Any]]]
) -> StreamingHttpResponse:
    """The file `name`.csv, sent while it is read."""
    excel = request.GET.get("for") == "excel"
    found: Iterable[Mapping[str, Any]] = () if request.method == "HEAD" else rows()
    response = StreamingHttpResponse(
        lines(columns, found, excel=excel), content_type="text/csv; charset=utf-8; header=present"
    )
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    patch_cache_control(response, private=True, no_cache=True)
    return response


def taken_along(request: HttpRequest, access: ClubAccess, file: str, about: str) -> None:
    """Write into the club's log that somebody of the club took a file along; `about` is what it is of, as `kind:id`."""
    if access.role is None or request.method == "HEAD" or not isinstance(request.user, User):
        return
    data: audit.Data = {"file": file}
    audit.write(What.EXPORTED, club=access.club, actor=request.user, about=about, data=data)


def file_name(access: ClubAccess, *parts: object) -> str:
    """A name that tells files of different clubs and seasons apart."""
    return "-".join(str(part) for part in (access.club.slug, *parts))


@require_safe
def standings_csv(request: HttpRequest, club: str, season: str) -> StreamingHttpResponse:
    """The standings as last counted."""
    return standings_file(request, *season_for(request, club, season))


def standings_file(request: HttpRequest, access: ClubAccess, found: Season) -> StreamingHttpResponse:
    """The same for who was let in already; `access` is within the season."""
    name = file_name(access, found.slug, "standings")
    taken_along(request, access, "standings", f"season:{found.pk}")
    return download(request, name, STANDINGS, lambda: _standings(access, found))


def _standings(access: ClubAccess, season: Season) -> Iterator[dict[str, Any]]:
    standings = season.standings.order_by("rank", "player__nickname").values(
        *(column for column in STANDINGS if column != "player"), "player__nickname"
    )
    for standing in standings.iterator(chunk_size=selectors.CHUNK):
        name = access.names.show(standing["player_id"], standing["player__nickname"])
        yield _fit({**standing, "player": name}, access)


@require_safe
def results_csv(request: HttpRequest, club: str, season: str) -> StreamingHttpResponse:
    """What every hand of the season meant for every player."""
    return results_file(request, *season_for(request, club, season))


def results_file(request: HttpRequest, access: ClubAccess, found: Season) -> StreamingHttpResponse:
    """The same for who was let in already; `access` is within the season."""
    taken_along(request, access, "results", f"season:{found.pk}")
    return download(
        request,
        file_name(access, found.slug, "results"),
        RESULTS,
        lambda: (_fit(_result(row, access), access) for row in selectors.result_rows(found)),
    )


def _result(row: Mapping[str, Any], access: ClubAccess) -> dict[str, Any]:
    return {
        **row,
        "evening": row["evening__number"],
        "held_on": row["evening__held_on"],
        "hand_id": row["source"],
        "player": access.names.show(row["player_id"], row["player__nickname"]),
        "counts_for_id": row["player__main_id"] or row["player_id"],
    }


def _fit(row: dict[str, Any], access: ClubAccess) -> dict[str, Any]:
    """The row without the amounts that this person may not see."""
    if access.sees_money(row["player_id"]):
        return row
    return {name: value for name, value in row.items() if not name.endswith("_minor")}


@login_required
@require_safe
def ledger_csv(request: HttpRequest, club: str, season: str) -> StreamingHttpResponse:
    """Every transfer of the season; for those who keep the club's money."""
    return ledger_file(request, *season_for(request, club, season, Right.SEE_LEDGER))


def ledger_file(request: HttpRequest, access: ClubAccess, found: Season) -> StreamingHttpResponse:
    """The same for who was let in already; `access` is within the season."""
    name = file_name(access, found.slug, "ledger")
    taken_along(request, access, "ledger", f"season:{found.pk}")
    return download(request, name, LEDGER, lambda: (_transfer(row, access) for row in selectors.ledger_rows(found)))


def _transfer(row: Mapping[str, Any], access: ClubAccess) -> dict[str, Any]:
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
    }


def _author(row: Mapping[str, Any]) -> str | None:
    """Whoever posted it as the pages call them: a mail address is for owners alone."""
    fields = {name: row[f"posting__author__{name}"] for name in ("email", "first_name", "last_name")}
    return str(User(**fields)) if fields["email"] else None
