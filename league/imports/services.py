"""Keep an upload, choose its columns and names, import it, undo an import. Each call is one transaction.

An imported evening is closed and settled up. Of totals one posting has the gains and losses, a second one their
payment; hands are stored and closed by the games. So the season counts it, and no payment is outstanding.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from .. import audit, ledger
from ..audit import What
from ..errors import Refused
from ..ledger import Draft, Move
from ..ledger.idempotency import submit_once
from ..ledger.result_rows import Outcome
from ..locks import lock_club
from ..models import (
    Club,
    Evening,
    Import,
    ImportColumns,
    ImportedEvening,
    ImportedTotal,
    ImportKind,
    ResultRow,
    Season,
    Submission,
    Transfer,
    Upload,
    User,
)
from ..roster.services import player_add
from ..tournaments.tables import of_games
from . import columns, hands, layout, matching, sheets
from .plan import FileEvening, Preview
from .preview import preview
from .reading import MAX_HAND_ROWS, MAX_ROWS, Table, too_many_rows
from .sheets import SheetColumns

KEPT = timedelta(days=1)
"""An upload that was not imported is deleted after this time."""
MAX_UPLOADS = 20
"""The most uploads that a club keeps; one more replaces the oldest."""
EVENINGS_AT_ONCE = 50


@transaction.atomic
def upload_create(
    *, club: Club, author: User, season: Season, kind: str, game: str, tables: Sequence[Table], sheet: str = ""
) -> Upload:
    """Keep the rows of a file until they are imported, at the latest for a day. Raises as `upload_of` does."""
    made = upload_of(club=club, author=author, season=season, kind=kind, game=game, tables=tables, sheet=sheet)
    old = Upload.objects.filter(club=club).order_by("-created_at").values_list("pk", flat=True)[MAX_UPLOADS - 1 :]
    Upload.objects.filter(pk__in=list(old)).delete()
    made.save(force_insert=True)
    return made


def upload_of(
    *, club: Club, author: User, season: Season, kind: str, game: str, tables: Sequence[Table], sheet: str = ""
) -> Upload:
    """Return the rows of a file as an upload that is not stored.

    Of several sheets the one called `sheet` is chosen, else the one that the club chose before, else the first one. An
    empty `kind` is the likeliest layout of this sheet.

    Raises:
        Refused: 409 for a season that is closed; 422 for an unknown kind, game or sheet, a game that the season does
            not count, or too many rows for this kind.
    """
    _check_open(season)
    table = _named(tables, sheet) if sheet else _likeliest(club, tables)
    kind = kind or layout.kind_of(table.rows)
    _check_kind(kind, table)
    if game not in of_games().games():
        raise Refused(status=422, code="import", sentence=_("There is no such game."), at="game")
    if season.games not in ("", game):
        sentence = _("%(season)s does not count this game.") % {"season": season}
        raise Refused(status=422, code="import", sentence=sentence, at="game")
    return Upload(
        club=club,
        season=season,
        author=author,
        kind=kind,
        game=game,
        rows=table.rows,
        first_row=table.first_row,
        sheet=table.name if len(tables) > 1 else "",
        sheets=[asdict(file_table) for file_table in tables] if len(tables) > 1 else [],
    )


@transaction.atomic
def upload_change(*, upload: Upload, kind: str, sheet: str) -> Upload:
    """Choose another sheet of the file, or another layout of its rows. An empty `kind` is the likeliest one.
    Columns and names are chosen again.

    Raises:
        Refused: 422 for an unknown sheet or kind, or too many rows for this kind; 409 if the upload was imported or
            removed meanwhile.
    """
    table = Table(upload.sheet, upload.first_row, upload.rows)
    if sheet and sheet != upload.sheet:
        table = _named([Table(**entry) for entry in upload.sheets], sheet)
    kind = kind or layout.kind_of(table.rows)
    _check_kind(kind, table)
    upload.kind, upload.sheet, upload.first_row, upload.rows = kind, table.name, table.first_row, table.rows
    upload.columns = upload.names = None
    _save(upload, "kind", "sheet", "first_row", "rows", "columns", "names")
    return upload


@transaction.atomic
def upload_replace(*, upload: Upload, tables: Sequence[Table]) -> Upload:
    """Put a corrected file in the place of an upload. Its columns stay chosen if the heading is the same, and so do its
    names; only other ones are chosen then.

    Raises:
        Refused: 422 for too many rows of this kind.
    """
    names = [table.name for table in tables]
    table = _named(tables, upload.sheet) if upload.sheet in names else _likeliest(upload.club, tables)
    _check_kind(upload.kind, table)
    same = list(map(layout.plain, table.rows[0])) == list(map(layout.plain, upload.rows[0]))
    if upload.kind == ImportKind.TURNED:
        # Its people are rows.
        same = same and len(table.rows) == len(upload.rows)
    upload.rows, upload.first_row = table.rows, table.first_row
    upload.sheet = table.name if len(tables) > 1 else ""
    upload.sheets = [asdict(file_table) for file_table in tables] if len(tables) > 1 else []
    if not same:
        upload.columns = None
    _save(upload, "rows", "first_row", "sheet", "sheets", "columns")
    return upload


def _named(tables: Sequence[Table], sheet: str) -> Table:
    """Return the sheet with this name. Raises Refused (422)."""
    for table in tables:
        if table.name == sheet:
            return table
    sentence = _("The file has no sheet with data that is called %(name)s.") % {"name": sheet}
    raise Refused(status=422, code="import", sentence=sentence, at="sheet")


def _likeliest(club: Club, tables: Sequence[Table]) -> Table:
    """Return the sheet with a name that the club chose before, else the first one."""
    if len(tables) == 1:
        return tables[0]
    by_mark = {columns.mark_of_sheet(table.name): table for table in tables}
    known = ImportColumns.objects.filter(club=club, sheet__in=list(by_mark)).order_by("-used_at", "-pk").first()
    return by_mark[known.sheet] if known else tables[0]


def _check_kind(kind: str, table: Table) -> None:
    if kind not in ImportKind.values:
        raise Refused(status=422, code="import", sentence=_("Choose what the rows of the file are."), at="kind")
    most = MAX_HAND_ROWS if kind == ImportKind.HANDS else MAX_ROWS
    if len(table.rows) > most + 1:
        raise too_many_rows(most)


def _save(upload: Upload, *fields: str) -> None:
    """Store these fields of an upload. Raises Refused (409) if it was imported or removed meanwhile."""
    if not Upload.objects.filter(pk=upload.pk).update(**{field: getattr(upload, field) for field in fields}):
        raise _gone()


def _gone() -> Refused:
    sentence = _("This file was imported or removed meanwhile. Nothing was stored now.")
    return Refused(status=409, code="import", sentence=sentence)


@transaction.atomic
def columns_choose(*, upload: Upload, chosen: Mapping[str, int] | SheetColumns) -> Upload:
    """Store the meaning of the columns, and remember it for the next file with this heading, of a sheet for the next
    sheet. Raises Refused (422), or 409 if the upload was imported or removed meanwhile."""
    mark = columns.mark_of_sheet(upload.sheet)
    if isinstance(chosen, SheetColumns):
        sheets.check(upload, chosen)
        upload.columns = chosen.stored()
    else:
        columns.check(upload.kind, upload.season, chosen, len(upload.rows[0]), upload.game)
        upload.columns = dict(chosen)
    matching.names_of(name_cells(upload))
    _save(upload, "columns")
    if isinstance(chosen, SheetColumns):
        sheets.remember(upload, chosen, mark)
    else:
        columns.remember(upload.club, upload.kind, upload.rows[0], chosen, mark)
    return upload


@transaction.atomic
def names_choose(*, upload: Upload, meant: matching.Meant) -> Upload:
    """Store the player of each name. Raises Refused (422), or 409 if the upload was imported or removed meanwhile."""
    names = list(matching.names_of(name_cells(upload)))
    matching.check(upload.club, names, meant)
    upload.names = {name: meant[name] for name in names}
    _save(upload, "names")
    return upload


def names_fit(upload: Upload) -> bool:
    """Return True if the columns are chosen, and the player of each name of the file."""
    if upload.columns is None or upload.names is None:
        return False
    return all(name in upload.meant for name in matching.names_of(name_cells(upload)))


def name_cells(upload: Upload) -> list[str]:
    """Return the name of each row, of a sheet that of each result. The columns are chosen."""
    if upload.kind in sheets.KINDS:
        return sheets.name_cells(upload)
    place = upload.chosen["name"]
    return [row[place] for row in upload.rows[1:] if row]


def uploads_tidy(now: datetime | None = None) -> int:
    """Delete uploads that were not imported within their time; return their number."""
    return Upload.objects.filter(created_at__lt=(now or timezone.now()) - KEPT).delete()[0]


# --- Import ------------------------------------------------------------------------------------------------


def import_store(*, upload: Upload, author: User | None, key: uuid.UUID) -> Import:
    """Store the evenings of an upload that are not stored yet, all or none, and delete the upload.

    Raises:
        Refused: 409 where the season is closed, where every evening was imported before, or where the upload was
            imported or removed meanwhile; 422 where a cell is wrong, a name fits nobody any more, or where the key was
            used for another request.
    """
    return submit_once(
        club_id=upload.club_id,
        key=key,
        body_hash=_body_hash(["import", str(upload.pk)]),
        author=author,
        write=lambda submission: _store(upload, author, submission),
        stored=lambda first: Import.objects.get(submission=first),
    )


def import_at_once(*, upload: Upload, author: User | None, key: uuid.UUID) -> Import:
    """Store the evenings of an upload that is not stored itself. Raises as `import_store` does."""
    parts = ["import at once", upload.season_id, upload.kind, upload.game, upload.rows, upload.columns, upload.names]
    return submit_once(
        club_id=upload.club_id,
        key=key,
        body_hash=_body_hash(parts),
        author=author,
        write=lambda submission: _store_rows(upload, author, submission),
        stored=lambda first: Import.objects.get(submission=first),
    )


def _store(upload: Upload, author: User | None, submission: Submission) -> Import:
    lock_club(upload.club_id)
    rows = Upload.objects.select_for_update(of=("self",)).select_related("season", "club")
    fresh = rows.filter(pk=upload.pk).first()
    if fresh is None:
        raise _gone()
    stored = _store_rows(fresh, author, submission)
    fresh.delete()
    return stored


def _store_rows(fresh: Upload, author: User | None, submission: Submission) -> Import:
    # Of two imports of one file the second one finds the evenings of the first.
    lock_club(fresh.club_id)
    season = Season.objects.select_for_update().get(pk=fresh.season_id)
    _check_open(season)
    matching.check(fresh.club, matching.names_of(name_cells(fresh)), fresh.meant)
    import_preview = preview(fresh)
    if import_preview.problems:
        sentence = _("The file has cells that cannot be imported. Nothing was stored.")
        raise Refused(status=422, code="import", sentence=sentence)
    if not import_preview.fresh:
        sentence = _("Everything in this file was imported before. Nothing was stored.")
        raise Refused(status=409, code="import", sentence=sentence)
    stored = Import.objects.create(
        club=fresh.club, season=season, kind=fresh.kind, rows=import_preview.rows, submission=submission, author=author
    )
    store = _store_hands if fresh.kind == ImportKind.HANDS else _store_totals
    store(stored, import_preview, fresh.game, author)
    data: audit.Data = {"did": "imported", "evenings": len(import_preview.fresh), "rows": import_preview.rows}
    audit.write(What.EVENINGS_IMPORTED, club=fresh.club, actor=author, about=f"season:{season.pk}", data=data)
    return stored


def _store_totals(stored: Import, import_preview: Preview, game: str, author: User | None) -> None:
    players = {name: _new_player(stored.club, import_preview, name, author) for name in import_preview.new_names}
    evenings = _evenings(stored, import_preview.fresh, game, author)
    pairs = [
        (evening, _of_players(planned, players))
        for evening, planned in zip(evenings, import_preview.fresh, strict=True)
    ]
    totals = [total for _evening, each in pairs for total in each]
    accounts = ledger.ensure_player_accounts(stored.club_id, [total.player_id for total in totals])
    for evening, each in pairs:
        for total in each:
            total.season_id, total.evening_id = evening.season_id, evening.pk
    ImportedTotal.objects.bulk_create(totals, batch_size=500)
    for first in range(0, len(pairs), EVENINGS_AT_ONCE):
        _post(pairs[first : first + EVENINGS_AT_ONCE], accounts, author)


def _store_hands(stored: Import, import_preview: Preview, game: str, author: User | None) -> None:
    """Store each evening as if its hands had been entered: tables, hands, closing, receipt, payments that are paid."""
    players = {name: _new_player(stored.club, import_preview, name, author) for name in import_preview.new_names}
    for evening, planned in zip(
        _evenings(stored, import_preview.fresh, game, author), import_preview.fresh, strict=True
    ):
        if planned.checked is not None:
            hands.of_games().store(evening, planned.checked, players, author=author)


def _new_player(club: Club, import_preview: Preview, name: str, author: User | None) -> int:
    """Add a player with the name as the file spells it; `name` has no capitals."""
    spelled = next(total.name for each in import_preview.fresh for total in each.totals if total.person == name)
    return player_add(club=club, nickname=spelled, actor=author).pk


def _evenings(stored: Import, planned: Sequence[FileEvening], game: str, author: User | None) -> list[Evening]:
    """Create the evenings, numbered on from the season's last one in the order of their days."""
    season = stored.season
    rules = of_games().house_rules(stored.club_id, game)
    last = Evening.objects.filter(season=season).aggregate(last=Max("number"))["last"] or 0
    return Evening.objects.bulk_create(
        Evening(
            club=stored.club,
            season=season,
            number=last + nth,
            held_on=file_evening.held_on,
            game=game,
            house_rules=rules,
            state=Evening.State.CLOSED,
            opened_by=author,
            imported=stored,
        )
        for nth, file_evening in enumerate(planned, 1)
    )


def _of_players(planned: FileEvening, players: Mapping[str, int]) -> list[ImportedTotal]:
    return [
        ImportedTotal(
            player_id=total.person if isinstance(total.person, int) else players[total.person],
            hands=total.hands,
            points=total.points,
            change_minor=total.change_minor,
        )
        for total in planned.totals
    ]


def _post(
    pairs: Sequence[tuple[Evening, Sequence[ImportedTotal]]], accounts: Mapping[int, int], author: User | None
) -> None:
    """Post the gains and losses of each evening, and their payment: then no payment of it is outstanding."""
    gains = [_gains(evening, totals, accounts, author) for evening, totals in pairs]
    paid = [_paid(draft) for draft in gains if draft.moves]
    postings = ledger.post_all([*gains, *paid])
    payments = iter(postings[len(gains) :])
    ImportedEvening.objects.bulk_create(
        ImportedEvening(
            evening=evening, posting=posting, paid=next(payments) if draft.moves else None, people=len(totals)
        )
        for (evening, totals), draft, posting in zip(pairs, gains, postings[: len(gains)], strict=True)
    )


def _gains(
    evening: Evening, totals: Sequence[ImportedTotal], accounts: Mapping[int, int], author: User | None
) -> Draft:
    moves = list(moves_of({accounts[total.player_id]: total.change_minor for total in totals}))
    event = ledger.Event(evening=evening, source=uuid.uuid4(), revision=1, author=author)
    return Draft(event, moves, outcomes_of(totals))


def _paid(gains: Draft) -> Draft:
    back = [
        Move(move.to_account_id, move.from_account_id, move.amount_minor, Transfer.Kind.PAID) for move in gains.moves
    ]
    return Draft(replace(gains.event, source=uuid.uuid4()), back)


def moves_of(changes: Mapping[int, int]) -> Iterator[Move]:
    """Yield transfers from accounts that lost to accounts that won (account → Rappen, sum 0): fewer than accounts."""
    won = [[account, change] for account, change in changes.items() if change > 0]
    for account, change in changes.items():
        left = -change
        while left > 0 and won:
            part = min(left, won[0][1])
            yield Move(account, won[0][0], part, Transfer.Kind.SHARE)
            left -= part
            won[0][1] -= part
            if won[0][1] == 0:
                won.pop(0)


def outcomes_of(totals: Sequence[ImportedTotal]) -> list[Outcome]:
    """Return the result rows of an evening: one for each player, no hand."""
    return [
        Outcome(total.player_id, seat, ResultRow.Role.SHARE, made=None, tricks=None, change_minor=total.change_minor)
        for seat, total in enumerate(totals)
    ]


# --- Undo --------------------------------------------------------------------------------------------------


@transaction.atomic
def import_undo(*, stored: Import, actor: User | None) -> Import:
    """Reverse everything that an import posted. Its evenings count no longer; players whom it added stay.

    Raises:
        Refused: 409 for an import that was undone before, or whose season is closed.
    """
    if stored.kind == ImportKind.HANDS:
        hands.of_games().lock(list(Evening.objects.filter(imported=stored).values_list("pk", flat=True)))
    lock_club(stored.club_id)
    fresh = Import.objects.select_for_update(of=("self",)).select_related("season", "club").get(pk=stored.pk)
    if fresh.undone_at is not None:
        raise Refused(status=409, code="undone", sentence=_("This import was already undone."))
    # The lock keeps the season open until the import is undone.
    _check_open(Season.objects.select_for_update().get(pk=fresh.season_id))
    evenings = list(Evening.objects.filter(imported=fresh).select_related("club", "season", "house_rules"))
    if fresh.kind == ImportKind.HANDS:
        for evening in evenings:
            hands.of_games().take_back(evening, author=actor)
    else:
        _reverse_totals(fresh, actor)
    fresh.undone_at, fresh.undone_by = timezone.now(), actor
    fresh.save(update_fields=["undone_at", "undone_by"])
    Evening.objects.filter(imported=fresh).update(undone_at=fresh.undone_at)
    data: audit.Data = {"did": "undone", "evenings": len(evenings), "rows": fresh.rows}
    audit.write(What.EVENINGS_IMPORTED, club=fresh.club, actor=actor, about=f"season:{fresh.season_id}", data=data)
    return fresh


def _reverse_totals(stored: Import, actor: User | None) -> None:
    evenings = ImportedEvening.objects.filter(evening__imported=stored)
    evenings = evenings.select_related("evening", "posting", "paid")
    posted = list(evenings.prefetch_related("posting__transfers", "paid__transfers").order_by("pk"))
    ImportedTotal.objects.filter(evening__imported=stored).update(undone=True)
    ResultRow.objects.filter(posting__in=[imported.posting_id for imported in posted]).delete()
    for first in range(0, len(posted), EVENINGS_AT_ONCE):
        ledger.post_all(
            [
                ledger.reversal_of(
                    ledger.Event(evening=imported.evening, source=posting.source, revision=2, author=actor), posting
                )
                for imported in posted[first : first + EVENINGS_AT_ONCE]
                for posting in filter(None, (imported.posting, imported.paid))
            ]
        )


def _check_open(season: Season) -> None:
    if season.closed_at is not None:
        sentence = _("%(season)s is closed. Open it again first.") % {"season": season}
        raise Refused(status=409, code="closed", sentence=sentence, at="season")


def _body_hash(parts: Sequence[object]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
