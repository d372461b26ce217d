"""Examples for the API description: a small tournament, two tables of three."""

from __future__ import annotations

from typing import Any

from league.tournaments.formats import Format

FORMAT = Format(rounds=4, drop_worst=1).stored()
TOURNAMENT_LINE: dict[str, Any] = {
    "slug": "klausturnier",
    "name": "Klausturnier",
    "starts_on": "2026-12-05",
    "ends_on": None,
    "begins_at": "19:30",
    "game": "chratze",
    "state": "running",
    "entrants": 6,
    "runs": True,
}
TOURNAMENT = {
    **TOURNAMENT_LINE,
    "fee": "CHF 15, without a meal",
    "prizes": "A ham, a cheese, a Lebkuchen",
    "rules_version": 1,
    "format_version": 2,
    "format": FORMAT,
    "lot_seed": 481516,
    "closed_tables": [7],
    "award_season": "2026",
    "award_points": [10, 6, 3],
    "rounds_drawn": 1,
    "rounds_finished": 0,
    "created_at": "2026-11-20T18:00:00+01:00",
}
PRESET = {
    "code": "evening",
    "name": "One evening",
    "explained": "Four rounds of twelve hands at tables of four, drawn by lot before each round.",
    "game": "chratze",
    "format": FORMAT,
}
OUTLOOK = {
    "entrants": 12,
    "tables": [{"size": 4, "tables": 3}],
    "sit_outs": 0,
    "rounds": 4,
    "minutes": 150,
    "ends_at": "22:00",
    "days_later": 0,
    "repeats": 6,
    "most": 2,
    "refused": "",
}
DESK = {"people": [{"person": 7, "name": "Beni Bieri"}]}
ANNA = {"number": 1, "player": 3, "name": "Anna"}
BENI = {"number": 2, "player": 5, "name": "Beni"}
CARLO = {"number": 3, "player": 9, "name": "Carlo"}
ENTER = {
    "people": [
        {"player": 3, "labels": ["Meier"], "team": "Rössli 1", "here": True},
        {"guest": "Doris", "paid": True},
    ]
}
ENTRANT = {
    **ANNA,
    "state": "here",
    "checked_in_at": "2026-12-05T19:12:00+01:00",
    "joined_round": 1,
    "withdrawn_round": None,
    "team": "Rössli 1",
    "labels": ["Meier"],
    "fixed_table": None,
    "slip": None,
    "paid": True,
    "substitutions": [
        {"from_round": 2, "left": {"player": 12, "name": "Doris"}, "came": {"player": 3, "name": "Anna"}}
    ],
}
DRAW_LINE = {
    "id": 31,
    "round": 1,
    "number": 2,
    "kind": "swapped",
    "mode": "balanced",
    "seed": 7,
    "published": False,
    "created_at": "2026-12-05T19:31:00+01:00",
}
DRAW = {
    **DRAW_LINE,
    "tables": [{"number": 1, "seats": [CARLO, ANNA, BENI]}],
    "out": [],
    "report": {
        "seed": 7,
        "outs_again": 0,
        "odd_tables": 1,
        "odd_again": 0,
        "labels_together": 0,
        "labels_bound": 0,
        "most": 1,
        "repeats": 0,
        "bound": 0,
        "neighbours": 0,
        "deals": 1,
        "seats": 1,
        "moved": 0,
    },
    "changes": [{"swapped": [2, 5], "repeats_before": 0, "most_before": 1}],
    "left_out": [],
}
ROUND = {
    "number": 1,
    "final": False,
    "state": "playing",
    "draw": 31,
    "hands": 12,
    "added_minutes": 0,
    "started_at": "2026-12-05T19:35:00+01:00",
    "finished_at": None,
    "sheets_in": 1,
}
CLOCK = {"number": 1, "state": "playing", "clock": {"running": True, "elapsed": 612, "remaining": 1188}}
TABLES = {
    "round": 1,
    "hidden": False,
    "items": [
        {
            "number": 1,
            "table": 44,
            "progress": "done",
            "hands": 0,
            "pot": 6,
            "sheets": 1,
            "sheet": 1,
            "recorder": None,
            "seats": [{**CARLO, "chips": 4}, {**ANNA, "chips": 30}, {**BENI, "chips": -40}],
        }
    ],
}
SHEET = {
    "id": "0b6f1d1e-7c55-4c1b-9d0a-3f0f6a1f2c11",
    "round": 1,
    "table": 1,
    "number": 1,
    "seats": [{**ANNA, "chips": 30}, {**BENI, "chips": -40}, {**CARLO, "chips": 4}],
    "pot": 6,
    "at_table": False,
    "decides": False,
    "reason": "",
    "created_at": "2026-12-05T20:02:00+01:00",
}
RANKING = {
    "rounds": 1,
    "hidden": False,
    "items": [
        {
            **ANNA,
            "rank": 1,
            "total": 32,
            "before": 32,
            "tie": "",
            "shared": False,
            "withdrawn": False,
            "finalist": False,
            "cells": [{"round": 1, "value": 32, "kind": "played", "dropped": False}],
        }
    ],
    "teams": [{"rank": 1, "team": "Rössli 1", "total": 32, "shared": False, "members": [1, 2], "count": [1, 2]}],
}
