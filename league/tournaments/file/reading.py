"""The content of a tournament's file, checked: every value by type and limits, every number that refers to another."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from datetime import date
from typing import Any

import draw

from ...models import Draw, Round, Tournament
from ..differing_sheets import MAX_REASON
from ..draw_services import SLIPS
from ..entries import MAX_LABEL, MAX_LABELS, MAX_TEAM
from ..formats import MAX_ENTRANTS, MODES, Format
from ..services import MAX_AWARDS, MAX_SEED, TEXTS
from ..sheets import MAX_CHIPS
from .plain_values import MOST, Part, fault

MAX_TABLES, MAX_HANDS, MAX_SHEETS, MAX_DRAWS = 999, 1000, 20_000, 5000
SMALL = 32_767
LEAST_SEATS = 2
SLIP = 3
"""The numbers of a slip: table, seat, people expected."""
CHANGES = frozenset(
    frozenset(names)
    for names in (
        ("number", "before", "after"),
        ("number", "arrived"),
        ("number", "withdrawn"),
        ("table", "new"),
        ("table", "closed"),
        ("swapped", "repeats_before", "most_before"),
    )
)
"""The fields of each kind of change that a draw stores."""
REPORTED = frozenset(field.name for field in fields(draw.Report))


@dataclass(frozen=True)
class Person:
    """An entrant: the fields of the row, the current player, and the substitutions (left, came, from which round)."""

    nickname: str
    row: Mapping[str, Any]
    substitutions: tuple[tuple[str, str, int], ...]

    @property
    def number(self) -> int:
        """The start number."""
        return int(self.row["number"])

    def in_round(self, number: int) -> str:
        """Return the nickname of the player under this start number in a round."""
        return next((left for left, _came, first in self.substitutions if first > number), self.nickname)


@dataclass(frozen=True)
class RecordedTable:
    """A table with its hands; people by nickname."""

    number: int
    players: tuple[str, ...]
    dealer: str
    dealer_set: bool
    hands: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class PlayedRound:
    """A round: the fields of the row, its day, its draw, its sheets and the tables with recorded hands."""

    row: Mapping[str, Any]
    held_on: date
    draw: int
    sheets: tuple[Mapping[str, Any], ...]
    tables: tuple[RecordedTable, ...]


@dataclass(frozen=True)
class Content:
    """A whole tournament. `people` are all nicknames in it, in the order in which the file names them first."""

    club: str
    written_at: str
    basics: Mapping[str, Any]
    rules: Mapping[str, Any]
    award_season: str
    award_points: list[int]
    entrants: tuple[Person, ...]
    draws: tuple[Mapping[str, Any], ...]
    rounds: tuple[PlayedRound, ...]

    @property
    def people(self) -> list[str]:
        """All nicknames of the file."""
        names = [entrant.nickname for entrant in self.entrants]
        names += [
            name for entrant in self.entrants for left, came, _first in entrant.substitutions for name in (left, came)
        ]
        for played in self.rounds:
            for table in played.tables:
                names += [*table.players, *(name for hand in table.hands for name in hand["players"])]
        return list(dict.fromkeys(names))


def content_of(data: Mapping[str, Any]) -> Content:
    """Check the content of a file. Raises Refused (422), with the name of the part that is wrong."""
    whole = Part(data, "")
    entrants = tuple(_entrant(part) for part in whole.parts("entrants", MAX_ENTRANTS))
    numbers = {entrant.number for entrant in entrants}
    if len(numbers) != len(entrants) or len({entrant.nickname.casefold() for entrant in entrants}) != len(entrants):
        raise fault("entrants")
    draws = tuple(_draw(part) for part in whole.parts("draws", MAX_DRAWS))
    known = {(draw["round"], draw["number"]): draw for draw in draws}
    if len(known) != len(draws):
        raise fault("draws")
    rounds = tuple(_round(part, known) for part in whole.parts("rounds", SMALL))
    # A draw that was not published may have somebody who was taken out since.
    if any(not placed(known[played_round.row["number"], played_round.draw]) <= numbers for played_round in rounds):
        raise fault("draws")
    if [played_round.row["number"] for played_round in rounds] != list(range(1, len(rounds) + 1)):
        raise fault("rounds")
    basics = _basics(whole)
    _check_state(basics["state"], rounds)
    award = whole.part("award")
    return Content(
        club=whole.text("club", 200),
        written_at=whole.text("written_at", 40),
        basics=basics,
        rules=Part(whole.part("house_rules").value("values"), "house_rules.values").data,
        award_season=award.text("season", 200) if award.value("season") else "",
        award_points=award.wholes("points", MAX_AWARDS, 0, 10_000),
        entrants=entrants,
        draws=draws,
        rounds=rounds,
    )


def _basics(whole: Part) -> dict[str, Any]:
    format = Format().changed(whole.part("format").data)
    return {
        "name": whole.text("name", TEXTS["name"], least=1),
        "starts_on": whole.day("starts_on"),
        "ends_on": whole.day_or_none("ends_on"),
        "begins_at": whole.time_or_none("begins_at"),
        "game": whole.text("game", 20, least=1),
        "state": whole.choice("state", Tournament.State.values),
        "format": format.stored(),
        "format_version": whole.whole("format_version", 1),
        "fee": whole.text("fee", TEXTS["fee"]),
        "prizes": whole.text("prizes", TEXTS["prizes"]),
        "lot_seed": whole.whole("lot_seed", 0, MAX_SEED),
        "closed_tables": whole.wholes("closed_tables", MAX_TABLES, 1, MAX_TABLES),
        "reopen_reason": whole.text("reopen_reason", MAX_REASON),
    }


def _check_state(state: str, rounds: Collection[PlayedRound]) -> None:
    """Refuse a state that does not fit the rounds."""
    begun = {Tournament.State.RUNNING, Tournament.State.FINISHED, Tournament.State.ARCHIVED}
    if (state not in begun and rounds) or (state == Tournament.State.RUNNING and not rounds):
        raise fault("state")
    if state != Tournament.State.RUNNING and any(
        played_round.row["state"] != Round.State.FINISHED for played_round in rounds
    ):
        raise fault("state")


def _entrant(part: Part) -> Person:
    slip = part.wholes("slip", SLIP, 1, SMALL) if part.value("slip") is not None else None
    if slip is not None and len(slip) != SLIP:
        raise fault(f"{part.at}.slip")
    return Person(
        nickname=part.nickname("nickname"),
        row={
            "number": part.whole("number", 1),
            "labels": part.texts("labels", MAX_LABELS, MAX_LABEL),
            "team": part.text("team", MAX_TEAM),
            "paid": part.flag("paid"),
            "checked_in_at": part.moment_or_none("here_since"),
            "joined_round": part.whole_or_none("joined_round", 1, SMALL),
            "withdrawn_round": part.whole_or_none("withdrawn_round", 1, SMALL),
            "struck": part.flag("struck"),
            "fixed_table": part.whole_or_none("fixed_table", 1, MAX_TABLES),
            "slip": slip,
            # Files of earlier versions have no such value.
            "name_hidden_since": part.moment_or_none("name_hidden_since") if "name_hidden_since" in part.data else None,
        },
        substitutions=tuple(
            (
                each.nickname("left"),
                each.nickname("came"),
                each.whole("from_round", 1, SMALL),
            )
            for each in part.parts("substitutions", 100)
        ),
    )


def placed(draw: Mapping[str, Any]) -> set[int]:
    """Return the start numbers of a draw, those who sit out included."""
    plan = draw["plan"]
    return {seat for table in plan["tables"] for seat in table["seats"]} | set(plan["out"])


def _draw(part: Part) -> dict[str, Any]:
    tables: list[dict[str, Any]] = [
        {"number": table.whole("number", 1, SMALL), "seats": table.wholes("seats", 7, 1)}
        for table in part.parts("tables", MAX_TABLES)
    ]
    out = part.wholes("out", MAX_ENTRANTS, 1)
    seats = [seat for table in tables for seat in table["seats"]] + out
    table_numbers = {table["number"] for table in tables}
    if len(set(seats)) != len(seats) or len(table_numbers) != len(tables):
        raise fault(f"{part.at}.tables")
    if any(len(table["seats"]) < LEAST_SEATS for table in tables):
        raise fault(f"{part.at}.tables")
    report = part.part("report")
    if not set(report.data) <= REPORTED:
        raise fault(report.at)
    return {
        "round": part.whole("round", 1, SMALL),
        "number": part.whole("number", 1, SMALL),
        "kind": part.choice("kind", Draw.Kind.values),
        "mode": part.choice("mode", (*MODES, SLIPS)),
        "seed": part.whole("seed", 0, MAX_SEED),
        "plan": {"tables": tables, "out": out},
        "report": {name: _figure(report, name) for name in report.data},
        "changes": [_change(each) for each in part.parts("changes", 10_000)],
        "left_out": part.wholes("left_out", MAX_ENTRANTS, 1),
    }


def _figure(report: Part, name: str) -> int | str:
    words = {"order": draw.ORDERS, "bound_by": draw.REASONS}
    return report.choice(name, words[name]) if name in words else report.whole(name)


def _change(part: Part) -> dict[str, Any]:
    """Check a change of a draw: somebody who moved, came, left or was swapped, or a table that is new or gone."""
    if frozenset(part.data) not in CHANGES:
        raise fault(part.at)
    if "swapped" in part.data:
        both = part.wholes("swapped", 2, 1)
        return {"swapped": both} | {name: part.whole(name) for name in ("repeats_before", "most_before")}
    read: dict[str, Any] = {name: part.whole(name, 1) for name in ("number", "table") if name in part.data}
    read |= {name: part.whole_or_none(name, 1) for name in ("before", "after") if name in part.data}
    return read | {name: part.flag(name) for name in ("arrived", "withdrawn", "new", "closed") if name in part.data}


def _round(part: Part, draws: Collection[tuple[int, int]]) -> PlayedRound:
    number = part.whole("number", 1, SMALL)
    chosen = part.whole("draw", 1, SMALL)
    if (number, chosen) not in draws:
        raise fault(f"{part.at}.draw")
    sheets = tuple(_sheet(each) for each in part.parts("sheets", MAX_SHEETS))
    return PlayedRound(
        row={
            "number": number,
            "final": part.flag("final"),
            "state": part.choice("state", Round.State.values),
            "started_at": part.moment_or_none("started_at"),
            "finished_at": part.moment_or_none("finished_at"),
            "elapsed_seconds": part.whole("elapsed_seconds"),
            "added_seconds": part.whole("added_seconds", -MOST),
            "sheets_in": len(sheets),
        },
        held_on=part.day("held_on"),
        draw=chosen,
        sheets=sheets,
        tables=tuple(_table(each) for each in part.parts("tables", MAX_TABLES)),
    )


def _sheet(part: Part) -> dict[str, Any]:
    sent = part.part("chips")
    if len(sent.data) > 7 or not all(seat.isascii() and seat.isdecimal() and len(seat) < 10 for seat in sent.data):
        raise fault(sent.at)
    chips = {seat: sent.whole(seat, -MAX_CHIPS, MAX_CHIPS) for seat in sent.data}
    pot = part.whole("pot", 0, MAX_CHIPS)
    if sum(chips.values()) + pot:
        raise fault(sent.at)
    return {
        "table_number": part.whole("table", 1, SMALL),
        "number": part.whole("number", 1, SMALL),
        "chips": chips,
        "pot": pot,
        "at_table": part.flag("at_table"),
        "decides": part.flag("decides"),
        "reason": part.text("reason", MAX_REASON),
    }


def _table(table_part: Part) -> RecordedTable:
    def seats(part: Part) -> list[str]:
        names = part.nicknames("players", 7)
        if len(set(names)) != len(names) or len(names) < 2:
            raise fault(f"{part.at}.players")
        return names

    return RecordedTable(
        number=table_part.whole("number", 1, SMALL),
        players=tuple(seats(table_part)),
        dealer=table_part.nickname("dealer"),
        dealer_set=table_part.flag("dealer_set"),
        hands=tuple(
            {
                "players": tuple(seats(hand)),
                "record": dict(hand.part("record").data),
                "dealer_set": hand.flag("dealer_set"),
                "moved": hand.whole("moved", -MAX_CHIPS, MAX_CHIPS),
            }
            for hand in table_part.parts("hands", MAX_HANDS)
        ),
    )
