"""Everything of a tournament as plain data, for its file. People are named by nickname, tables and draws by number."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils import timezone

from ...models import Draw, Entrant, HouseRules, Player, Round, Sheet, Tournament
from .. import clock, tables
from ..formats import Format
from ..locking import locked


@transaction.atomic
def content_of(tournament: Tournament) -> dict[str, Any]:
    """Return the content of the file: the tournament as it is now. The desk waits meanwhile; tables go on."""
    now = locked(tournament)
    rounds = list(now.rounds.select_related("draw", "evening__club").order_by("number"))
    records = {
        tournament_round.number: tables.of_games().records(tournament_round.evening) for tournament_round in rounds
    }
    seen = {player for some in records.values() for table in some for hand in table.hands for player in hand.players}
    seen |= {player for some in records.values() for table in some for player in table.players}
    entrants = list(now.entrants.select_related("player").order_by("number"))
    names = dict(Player.objects.filter(club=now.club_id, pk__in=seen).values_list("pk", "nickname"))
    return {
        **_basics(now),
        "club": now.club.name,
        "written_at": timezone.now().isoformat(timespec="seconds"),
        "house_rules": _rules(rounds[0].evening.house_rules if rounds else now.house_rules),
        "award": {"season": now.award_season.name if now.award_season else None, "points": now.award_points},
        "entrants": [_entrant(entrant) for entrant in _with_substitutions(entrants)],
        "draws": [_draw(draw) for draw in now.draws.order_by("round", "number")],
        "rounds": [_round(tournament_round, records[tournament_round.number], names) for tournament_round in rounds],
    }


def _basics(now: Tournament) -> dict[str, Any]:
    return {
        "name": now.name,
        "starts_on": now.starts_on.isoformat(),
        "ends_on": now.ends_on.isoformat() if now.ends_on else None,
        "begins_at": now.begins_at.isoformat("minutes") if now.begins_at else None,
        "game": now.game,
        "state": now.state,
        "format": Format.read(now.format).stored(),
        "format_version": now.format_version,
        "fee": now.fee,
        "prizes": now.prizes,
        "lot_seed": now.lot_seed,
        "closed_tables": now.closed_tables,
        "reopen_reason": now.reopen_reason,
    }


def _rules(rules: HouseRules) -> dict[str, Any]:
    return {"version": rules.version, "values": rules.values}


def _with_substitutions(entrants: list[Entrant]) -> list[Entrant]:
    prefetch_related_objects(entrants, "substitutions__left", "substitutions__came")
    return entrants


def _entrant(entrant: Entrant) -> dict[str, Any]:
    return {
        "number": entrant.number,
        "nickname": entrant.player.nickname,
        "labels": entrant.labels,
        "team": entrant.team,
        "paid": entrant.paid,
        "here_since": entrant.checked_in_at.isoformat(timespec="seconds") if entrant.checked_in_at else None,
        "joined_round": entrant.joined_round,
        "withdrawn_round": entrant.withdrawn_round,
        "struck": entrant.struck,
        "fixed_table": entrant.fixed_table,
        "slip": entrant.slip,
        "name_hidden_since": entrant.name_hidden_since.isoformat(timespec="seconds")
        if entrant.name_hidden_since
        else None,
        "substitutions": [
            {"left": each.left.nickname, "came": each.came.nickname, "from_round": each.from_round}
            for each in entrant.substitutions.all()
        ],
    }


def _draw(draw: Draw) -> dict[str, Any]:
    return {
        "round": draw.round,
        "number": draw.number,
        "kind": draw.kind,
        "mode": draw.mode,
        "seed": draw.seed,
        "tables": draw.plan["tables"],
        "out": draw.plan["out"],
        "report": draw.report,
        "changes": draw.changes,
        "left_out": draw.left_out,
    }


def _round(tournament_round: Round, records: list[tables.TableRecords], names: dict[int, str]) -> dict[str, Any]:
    return {
        "number": tournament_round.number,
        "final": tournament_round.final,
        "state": tournament_round.state,
        "draw": tournament_round.draw.number,
        "held_on": tournament_round.evening.held_on.isoformat(),
        "started_at": tournament_round.started_at.isoformat(timespec="seconds")
        if tournament_round.started_at
        else None,
        "finished_at": tournament_round.finished_at.isoformat(timespec="seconds")
        if tournament_round.finished_at
        else None,
        "elapsed_seconds": int(clock.elapsed_of(tournament_round)),
        "added_seconds": tournament_round.added_seconds,
        "sheets": [_sheet(each) for each in tournament_round.sheets.order_by("table_number", "number")],
        "tables": [_table(each, names) for each in records],
    }


def _sheet(sheet: Sheet) -> dict[str, Any]:
    return {
        "table": sheet.table_number,
        "number": sheet.number,
        "chips": sheet.chips,
        "pot": sheet.pot,
        "at_table": sheet.at_table,
        "decides": sheet.decides,
        "reason": sheet.reason,
    }


def _table(table_records: tables.TableRecords, names: dict[int, str]) -> dict[str, Any]:
    return {
        "number": table_records.number,
        "players": [names[player] for player in table_records.players],
        "dealer": names[table_records.dealer],
        "dealer_set": table_records.dealer_set,
        "hands": [
            {
                "players": [names[player] for player in hand.players],
                "record": hand.record,
                "dealer_set": hand.dealer_set,
                "moved": hand.moved,
            }
            for hand in table_records.hands
        ],
    }
