"""Tournaments, entrants, draws, rounds and rankings as plain data, as one reader may see them."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import asdict
from functools import cached_property
from typing import Any

from league.models import Draw, Entrant, Player, Round, Sheet, Tournament
from league.tournaments import clock, results
from league.tournaments.draw_package import drawn_round
from league.tournaments.formats import Format
from league.tournaments.gate import TournamentAccess
from league.tournaments.outlook import Outlook
from league.tournaments.presets import Preset
from league.tournaments.ranking import Line, Ranking, TeamLine
from league.tournaments.rounds import RoundTable, hands_limit

Data = dict[str, Any]


class People:
    """The entrants of a tournament with the names that one reader may see. Three queries at most."""

    def __init__(self, found: TournamentAccess) -> None:
        self.found = found
        self._names = found.access.names

    @cached_property
    def _entrants(self) -> dict[int, Entrant]:
        rows = self.found.tournament.entrants.select_related("player")
        return {one.number: one for one in rows.prefetch_related("substitutions__left")}

    def name(self, player: Player) -> str:
        """Return the name of a player as it is shown to the reader."""
        return self._names.show(player.pk, player.nickname)

    def at(self, number: int, round: int | None = None) -> Data:
        """Return the player with a start number: now, or in a round."""
        entrant = self._entrants.get(number)
        if entrant is None:
            return {"number": number, "player": None, "name": ""}
        player = entrant.player if round is None else _player_in(entrant, round)
        return {"number": number, "player": player.pk, "name": self.name(player)}

    def each(self, numbers: Iterable[int], round: int | None = None) -> list[Data]:
        """Return the players with these start numbers, in this order."""
        return [self.at(number, round) for number in numbers]


def _player_in(entrant: Entrant, round: int) -> Player:
    wanted = results.player_in(entrant, round)
    left = (one.left for one in entrant.substitutions.all() if one.left_id == wanted)
    return entrant.player if entrant.player_id == wanted else next(left)


def tournament_line(tournament: Tournament, *, entrants: int, runs: bool) -> Data:
    """Return a tournament for a list."""
    return {
        "slug": tournament.slug,
        "name": tournament.name,
        "starts_on": tournament.starts_on,
        "ends_on": tournament.ends_on,
        "begins_at": _hours(tournament.begins_at),
        "game": tournament.game,
        "state": tournament.state,
        "entrants": entrants,
        "runs": runs,
    }


def _hours(moment: datetime.time | None) -> str | None:
    return None if moment is None else moment.strftime("%H:%M")


def tournament_detail(found: TournamentAccess) -> Data:
    """Return a tournament with its format. Four queries."""
    one = found.tournament
    states = list(one.rounds.values_list("state", flat=True))
    sees_rules = found.access.sees_rules()
    return tournament_line(one, entrants=one.entrants.filter(struck=False).count(), runs=found.runs) | {
        "fee": one.fee,
        "prizes": found.access.names.free_text(one.prizes),
        "rules_version": one.house_rules.version if sees_rules else None,
        "format_version": one.format_version,
        "format": Format.read(one.format).stored(),
        "lot_seed": one.lot_seed,
        "closed_tables": one.closed_tables,
        "award_season": one.award_season.slug if one.award_season is not None else None,
        "award_points": one.award_points,
        "rounds_drawn": len(states),
        "rounds_finished": states.count(Round.State.FINISHED),
        "created_at": one.created_at,
    }


def preset(one: Preset) -> Data:
    """Return a format to start from."""
    return {
        "code": one.code,
        "name": str(one.name),
        "explained": str(one.explained),
        "game": one.game,
        "format": one.format.stored(),
    }


def outlook_of(one: Outlook) -> Data:
    """Return the consequences of a format for a number of people."""
    return {
        "entrants": one.entrants,
        "tables": [{"size": size, "tables": count} for size, count in one.tables.items()],
        "sit_outs": one.sit_outs,
        "rounds": one.rounds,
        "minutes": one.minutes,
        "ends_at": _hours(one.ends_at),
        "days_later": one.days_later,
        "repeats": one.repeats,
        "most": one.most,
        "refused": one.refused,
    }


def entrant(one: Entrant, found: TournamentAccess, people: People) -> Data:
    """Return an entrant that was read with player and substitutions."""
    member = found.access.role is not None
    return {
        "number": one.number,
        "player": one.player_id,
        "name": people.name(one.player),
        "state": _entrant_state(one),
        "checked_in_at": one.checked_in_at,
        "joined_round": one.joined_round,
        "withdrawn_round": one.withdrawn_round,
        "team": one.team if member else "",
        "labels": one.labels if member else [],
        "fixed_table": one.fixed_table,
        "slip": one.slip,
        "paid": one.paid if found.runs else None,
        "substitutions": [
            {
                "from_round": each.from_round,
                "left": {"player": each.left_id, "name": people.name(each.left)},
                "came": {"player": each.came_id, "name": people.name(each.came)},
            }
            for each in one.substitutions.all()
        ],
    }


def _entrant_state(one: Entrant) -> str:
    if one.struck:
        return "struck"
    if one.withdrawn_round is not None:
        return "withdrawn"
    return "here" if one.checked_in_at is not None else "entered"


def draw_line(one: Draw) -> Data:
    """Return a draw for a list. It was read with its round."""
    return {
        "id": one.pk,
        "round": one.round,
        "number": one.number,
        "kind": one.kind,
        "mode": one.mode,
        "seed": one.seed,
        "published": hasattr(one, "round_of"),
        "created_at": one.created_at,
    }


def draw_detail(one: Draw, people: People) -> Data:
    """Return a draw with its tables."""
    return draw_line(one) | {
        "tables": [
            {"number": table["number"], "seats": people.each(table["seats"], one.round)} for table in one.plan["tables"]
        ],
        "out": people.each(one.plan["out"], one.round),
        "report": asdict(drawn_round(one).report),
        "changes": one.changes,
        "left_out": one.left_out,
    }


def round_line(one: Round, format: Format) -> Data:
    """Return a round."""
    return {
        "number": one.number,
        "final": one.final,
        "state": one.state,
        "draw": one.draw_id,
        "hands": hands_limit(one, format),
        "added_minutes": one.added_seconds // 60,
        "started_at": one.started_at,
        "finished_at": one.finished_at,
        "sheets_in": one.sheets_in,
    }


def round_clock(one: Round, format: Format) -> Data:
    """Return the clock of a round as it is now."""
    shown = clock.clock_of(one, format)
    return {
        "number": one.number,
        "state": one.state,
        "clock": {"running": shown.running, "elapsed": shown.elapsed, "remaining": shown.remaining},
    }


def round_table(one: RoundTable, number: int, people: People, *, hidden: bool) -> Data:
    """Return a table of round `number`; without its results if they are `hidden`."""
    return {
        "number": one.number,
        "table": one.table_id,
        "progress": one.progress,
        "hands": one.hands,
        "pot": None if hidden else one.pot,
        "sheets": len(one.sheets),
        "sheet": one.sheet.number if one.sheet is not None else None,
        "recorder": people.found.access.names.free_text(one.recorder) or None,
        "seats": [people.at(seat, number) | {"chips": None if hidden else one.chips.get(seat)} for seat in one.seats],
    }


def sheet(one: Sheet, number: int, people: People) -> Data:
    """Return a sheet of round `number`."""
    return {
        "id": one.pk,
        "round": number,
        "table": one.table_number,
        "number": one.number,
        "seats": [people.at(int(seat), number) | {"chips": chips} for seat, chips in one.chips.items()],
        "pot": one.pot,
        "at_table": one.at_table,
        "decides": one.decides,
        "reason": people.found.access.names.free_text(one.reason) if one.reason else "",
        "created_at": one.created_at,
    }


def ranking(one: Ranking, people: People, *, rounds: int, hidden: bool) -> Data:
    """Return a ranking with its cells."""
    return {
        "rounds": rounds,
        "hidden": hidden,
        "items": [_line(line, people) for line in one.lines],
        "teams": [_team(line, people) for line in one.teams],
    }


def _line(line: Line, people: People) -> Data:
    return people.at(line.number) | {
        "rank": line.rank,
        "total": line.total,
        "before": line.before,
        "tie": line.tie,
        "shared": line.shared,
        "withdrawn": line.withdrawn,
        "finalist": line.finalist,
        "cells": [
            {"round": cell.round, "value": cell.value, "kind": cell.kind, "dropped": cell.dropped}
            for cell in line.cells
        ],
    }


def _team(line: TeamLine, people: People) -> Data:
    return {
        "rank": line.rank,
        "team": people.found.access.names.free_text(line.team) or None,
        "total": line.total,
        "shared": line.shared,
        "members": list(line.members),
        "count": list(line.count),
    }
