"""Tests wait for events (`tests.processes.wait_until`, `tests/page_events.py`); a fixed time may be too short."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent
WAITS = {"sleep", "wait_for_timeout"}
ALLOWED = {
    "processes.py": "wait_until looks again",
    "platform/hanging_tasks.py": "hangs until it may go on",
    "races.py": "looks again whether another connection waits",
    "servers.py": "tries again until the server answers",
    "live_server_requests.py": "looks again whether requests are under way",
    "run_folder.py": "tries again to remove the folder",
    "promises/tournament_browser.py": "sends a request again, as a browser does",
    "security/test_games_flood.py": "looks again while the flood goes on",
    "security/test_memory.py": "reads slowly",
    "platform/test_many_streams.py": "holds streams open, and looks again whether all have heard",
    "league/webhook_receiver.py": "answers slowly",
    "league/test_page_versions.py": "renders slowly",
    "browser/test_cards.py": "answers slowly",
}
"""A file that may sleep, and why."""


def fixed_waits(source: str) -> Iterator[int]:
    """Yield the lines that call a fixed wait."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
            if name in WAITS:
                yield node.lineno


def test_no_test_waits_for_a_fixed_time():
    waits = {
        str(path.relative_to(TESTS)): lines
        for path in sorted(TESTS.rglob("*.py"))
        if (lines := list(fixed_waits(path.read_text(encoding="utf-8"))))
    }
    assert {name: lines for name, lines in waits.items() if name not in ALLOWED} == {}
    assert set(ALLOWED) == set(waits), "a file of the list has no wait any more"


@pytest.mark.parametrize("source", ["time.sleep(1)", "sleep(1)", "page.wait_for_timeout(50)"])
def test_a_fixed_wait_is_found(source):
    assert list(fixed_waits(source)) == [1]
