"""Coroutines in tests: in a thread of their own, as the browser's driver keeps an event loop in that of the tests."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def in_a_thread(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end; return its result."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
