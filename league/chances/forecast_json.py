"""A forecast as plain data, and back. Does not use Django."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any, TypeAlias

from .simulation import Chance, Forecast, Needs, Prospect

Values: TypeAlias = "dict[str, Any]"


def packed(forecast: Forecast, *, left: int | None, held: int) -> Values:
    """Return a forecast as JSON values, with the evenings that are left and those that were held."""
    return {
        "held": held,
        "left": left,
        "least": forecast.least,
        "most": forecast.most,
        "prospects": [list(astuple(prospect)) for prospect in forecast.prospects],
    }


def unpacked(values: Values) -> Forecast:
    """Return the forecast of these values; an empty one if there were too few evenings."""
    return Forecast(tuple(map(_prospect, values.get("prospects", ()))), values.get("least", 0), values.get("most", 0))


def _prospect(row: list[Any]) -> Prospect:
    player, evenings, *chances, needs = row
    next_first, next_top, end_first, end_top = map(_chance, chances)
    return Prospect(
        player=player,
        evenings=evenings,
        next_first=next_first,
        next_top=next_top,
        end_first=end_first,
        end_top=end_top,
        needs=None if needs is None else Needs(*needs),
    )


def _chance(values: list[int] | None) -> Any:
    return None if values is None else Chance(*values)
