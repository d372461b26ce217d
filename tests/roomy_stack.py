"""Run each test on a stack with room.

CPython keeps the frames of Python functions in chunks of 16 KiB. Where a chunk is full, the next call gets a new one
from the operating system, and its return gives that back. A loop whose calls cross this edge pays two system calls and
some page faults for each turn (https://github.com/python/cpython/issues/142183; fixed in versions of 2026). The edge
depends on the depth of the test runner's calls: it took up to half of the time of tests that render many pages.

A frame that is larger than a chunk gets a chunk of its own, twice as large at most. The calls below it use the rest.
"""

import sys
from collections.abc import Callable
from typing import TypeVar

import pytest

Answer = TypeVar("Answer")

ROOM = 75_000
"""The size of the large frame, in values of 8 bytes: 600 kB, which get a chunk of 1 MiB."""


def with_room(work: Callable[[], Answer]) -> Answer:
    """Call `work` from a large frame."""
    return work()


with_room.__code__ = with_room.__code__.replace(co_stacksize=ROOM)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a test, with its fixtures, as the other plugins do."""
    others = item.config.pluginmanager.subset_hook_caller("pytest_runtest_protocol", [sys.modules[__name__]])
    return with_room(lambda: others(item=item, nextitem=nextitem))
