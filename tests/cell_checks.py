"""Check many cells of a table in one test: writes are rolled back after each, and every failure is reported."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import transaction


@contextlib.contextmanager
def own_cache_keys() -> Iterator[None]:
    """Use a separate key prefix in the cache: limits and kept answers of earlier blocks do not count."""
    setup = settings.CACHES["default"]
    before = setup.get("KEY_PREFIX", "")
    setup["KEY_PREFIX"] = caches["default"].key_prefix = f"{before}:{uuid.uuid4().hex[:8]}"
    try:
        yield
    finally:
        setup["KEY_PREFIX"] = caches["default"].key_prefix = before


def try_each_cell(cells: Iterable[tuple[Any, ...]], check: Callable[..., None]) -> None:
    """Call `check` with each cell, undo what it wrote, and fail with every cell for which it failed.

    A table without cells fails as well.
    """
    tried, faults = 0, []
    for cell in cells:
        tried += 1
        try:
            with own_cache_keys(), transaction.atomic():
                check(*cell)
                transaction.set_rollback(True)
        except Exception as fault:
            what = str(fault).partition("\n")[0]
            faults.append(f"{' '.join(map(str, cell))}: {type(fault).__name__}: {what}")
    if faults or not tried:
        pytest.fail("\n".join([f"{len(faults)} of {tried} cells failed:", *faults]), pytrace=False)
