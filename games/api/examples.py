"""Examples for the API description: answers and bodies of one real evening, stored in `examples.json`."""

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
    """Return the example of this name. Raises KeyError."""
    return _all()[name]
