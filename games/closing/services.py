"""Closing an evening and opening it again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from league.models import Evening, User


@contextmanager
def lifted(evening: Evening, *, author: User | None) -> Iterator[None]:
    """The evening as if it had not been closed, while one of its hands is put right; then it is closed as before, with
    what came of it. The caller holds the transaction and the evening's row."""
    if evening.state != Evening.State.OPEN:
        raise NotImplementedError
    yield
