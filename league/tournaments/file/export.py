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
    records = {one.number: tables.of_games().records(one.evening) for one in rounds}
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
        "entrants": [_entrant(one) for one in _with_substitutions(entrants)],
        "draws": [_draw(one) for one in now.draws.order_by("round", "number")],
        "rounds": [_round(one, records[one.number], names) for one in rounds],
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


def _entrant(one: Entrant) -> dict[str, Any]:
    return {
        "number": one.number,
        "nickname": one.player.nickname,
        "labels": one.labels,
        "team": one.team,
        "paid": one.paid,
        "here_since": one.checked_in_at.isoformat(timespec="seconds") if one.checked_in_at else None,
        "joined_round": one.joined_round,
        "withdrawn_round": one.withdrawn_round,
        "struck": one.struck,
        "fixed_table": one.fixed_table,
        "slip": one.slip,
        "name_hidden_since": one.name_hidden_since.isoformat(timespec="seconds") if one.name_hidden_since else None,
        "substitutions": [
            {"left": each.left.nickname, "came": each.came.nickname, "from_round": each.from_round}
            for each in one.substitutions.all()
        ],
    }


def _draw(one: Draw) -> dict[str, Any]:
    return {
        "round": one.round,
        "number": one.number,
        "kind": one.kind,
        "mode": one.mode,
        "seed": one.seed,
        "tables": one.plan["tables"],
        "out": one.plan["out"],
        "report": one.report,
        "changes": one.changes,
        "left_out": one.left_out,
    }


def _round(one: Round, records: list[tables.TableRecords], names: dict[int, str]) -> dict[str, Any]:
    return {
        "number": one.number,
        "final": one.final,
        "state": one.state,
        "draw": one.draw.number,
        "held_on": one.evening.held_on.isoformat(),
        "started_at": one.started_at.isoformat(timespec="seconds") if one.started_at else None,
        "finished_at": one.finished_at.isoformat(timespec="seconds") if one.finished_at else None,
        "elapsed_seconds": int(clock.elapsed_of(one)),
        "added_seconds": one.added_seconds,
        "sheets": [_sheet(each) for each in one.sheets.order_by("table_number", "number")],
        "tables": [_table(each, names) for each in records],
    }


def _sheet(one: Sheet) -> dict[str, Any]:
    return {
        "table": one.table_number,
        "number": one.number,
        "chips": one.chips,
        "pot": one.pot,
        "at_table": one.at_table,
        "decides": one.decides,
        "reason": one.reason,
    }


def _table(one: tables.TableRecords, names: dict[int, str]) -> dict[str, Any]:
    return {
        "number": one.number,
        "players": [names[player] for player in one.players],
        "dealer": names[one.dealer],
        "dealer_set": one.dealer_set,
        "hands": [
            {
                "players": [names[player] for player in hand.players],
                "record": hand.record,
                "dealer_set": hand.dealer_set,
                "moved": hand.moved,
            }
            for hand in one.hands
        ],
    }
