"""A settled hand of Zwicken: the seat that lost the seven of Schellen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def seven_lost_by(result: Mapping[str, Any]) -> int | None:
    """The seat that lost the seven of Schellen and paid for it (Z7.3), or None."""
    return next((line["seat"] for line in result["lines"] if line["kind"] == "seven"), None)
