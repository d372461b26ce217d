"""Calls after the commit of a transaction."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from django.db import connection, transaction


def once(call: Callable[..., object], *args: Hashable) -> None:
    """Call it after the commit, and once however often a transaction asks for it. What it raises is logged."""
    asked = (call, *args)
    if any(getattr(entry[1], "asked", None) == asked for entry in connection.run_on_commit):
        return

    def run() -> None:
        call(*args)

    run.asked = asked  # type: ignore[attr-defined]
    transaction.on_commit(run, robust=True)
