"""A whole import in one request: the values of all steps of the pages are sent with the file, or proposed.

Nothing is guessed where a person would have to look: a name that is not sent must be the nickname, or a former name, of
exactly one person of the roster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from ..errors import Refused
from ..models import Club, ImportKind, Season, Upload, User
from ..tournaments.tables import of_games
from . import columns, matching, sheets
from .matching import Proposal
from .plan import CellProblem, FileRow, Preview, file_rows
from .preview import preview
from .reading import Table
from .services import name_cells, upload_of
from .sheets import SheetColumns


@dataclass(frozen=True)
class Sent:
    """The values sent beside the file; empty ones are proposed. `columns`: place by meaning, of a sheet `date` (of a
    turned one `name`). `people`: the places of the lines of people of a sheet. `names`: id of the player, None for a
    new one."""

    kind: str = ""
    game: str = ""
    sheet: str = ""
    columns: Mapping[str, int] | None = None
    people: Sequence[int] | None = None
    values: str = ""
    names: Mapping[str, int | None] | None = None


@dataclass(frozen=True)
class Checked:
    """A file with its choices. `upload` is not stored; `names` has each name with its player."""

    upload: Upload
    names: Sequence[Proposal]
    preview: Preview


def check(*, club: Club, author: User, season: Season, tables: Sequence[Table], sent: Sent) -> Checked:
    """Return the preview of an import of this file, with every wrong cell. Nothing is stored.

    Raises:
        Refused: as `upload_of` does; 422 where the columns are wrong.
    """
    game = sent.game or season.games or next(iter(of_games().games()))
    upload = upload_of(
        club=club, author=author, season=season, kind=sent.kind, game=game, tables=tables, sheet=sent.sheet
    )
    upload.columns = _columns(upload, sent)
    counted = matching.names_of(name_cells(upload))
    given = {name.casefold(): player for name, player in (sent.names or {}).items()}
    chosen = {name: given[name.casefold()] for name in counted if name.casefold() in given}
    proposals = matching.proposals(club, counted, chosen)
    known = {
        proposal.name: proposal.player_id for proposal in proposals if proposal.sure and proposal.player_id is not None
    }
    # A sent id is checked: an unknown id must not become a new person.
    upload.names = known | chosen
    planned = preview(upload)
    open_names = _open_names(upload, counted)
    wrong = [*open_names, *(() if open_names else _wrong_names(upload, counted)), *planned.problems]
    return Checked(upload, proposals, replace(planned, problems=tuple(sorted(wrong, key=lambda problem: problem.row))))


def _columns(upload: Upload, sent: Sent) -> dict[str, Any]:
    """Return the columns that were sent, else those that are proposed. Raises Refused (422)."""
    if upload.kind not in sheets.KINDS:
        chosen = sent.columns
        if chosen is None:
            chosen = columns.proposed(upload.club, upload.kind, upload.season, upload.rows[0], upload.game)
        columns.check(upload.kind, upload.season, chosen, len(upload.rows[0]), upload.game)
        return dict(chosen)
    proposed = sheets.proposed(upload)
    title = "name" if upload.kind == ImportKind.TURNED else "date"
    first = (sent.columns or {}).get(title, proposed.first)
    people = sent.people if sent.people is not None else [place for place in proposed.people if place != first]
    sheet_columns = SheetColumns(first, tuple(people), sent.values or proposed.values)
    sheets.check(upload, sheet_columns)
    return sheet_columns.stored()


def _open_names(upload: Upload, names: Mapping[str, int]) -> list[CellProblem]:
    """Return a problem for each name without a chosen person, at its first cell."""
    sentence = _("Nobody said who %(name)s is: send the id of a player, or null for a new one.")
    missing = {name for name in names if name not in upload.meant}
    return [
        row.remark("name", sentence % {"name": name}, "unknown_name")
        for name, row in _first_rows(upload, missing).items()
    ]


def _wrong_names(upload: Upload, names: Mapping[str, int]) -> list[CellProblem]:
    """Return the problem of the first name whose player is wrong, or that cannot be a new nickname."""
    try:
        matching.check(upload.club, names, upload.meant)
    except Refused as refused:
        rows = _first_rows(upload, {refused.at})
        return [row.remark("name", refused.sentence, "wrong_name") for row in rows.values()]
    return []


def _first_rows(upload: Upload, names: set[str]) -> dict[str, FileRow]:
    """Return the first row, or result, of each of these names."""
    spelled = {name.casefold(): name for name in names}
    rows: dict[str, FileRow] = {}
    if names:
        for row in sheets.results(upload) if upload.kind in sheets.KINDS else file_rows(upload):
            name = spelled.get(row.cells["name"].casefold())
            if name is not None:
                rows.setdefault(name, row)
    return rows
