"""Hands of Zwicken for a table of four whose first dealer is seat 3, with the default house rules."""

from __future__ import annotations

from typing import Any

NO_HOP = ["x"]
FORCED: dict[str, Any] = {"cuts": NO_HOP, "tricks": {"0": 2, "1": 1}}
"""The first hand of an evening: all play, and seats 2 and 3 have no trick."""
TWO: dict[str, Any] = {"cuts": NO_HOP, "players": [0, 1], "tricks": {"0": 3, "1": 0}}
ALONE: dict[str, Any] = {"cuts": NO_HOP, "players": [2]}
NOBODY: dict[str, Any] = {"cuts": NO_HOP, "players": []}
EVENING = (FORCED, TWO, ALONE, FORCED, TWO, NOBODY, FORCED)
"""Hands that follow each other: after a pot that was taken the next hand is forced."""
