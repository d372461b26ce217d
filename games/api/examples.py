"""Examples for the API's description: answers and bodies of a real night, written down once (`examples.json`)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any


@cache
def _all() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(__file__).with_name("examples.json").read_text(encoding="utf-8"))
    return found


def example(name: str) -> Any:
    """The example of this name. Raises KeyError."""
    return _all()[name]
