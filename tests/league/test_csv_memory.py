"""A CSV file of any length takes the memory of one page of rows, and begins before its later rows are read."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league import audit, keyset
from league.audit import What
from league.club_admin import log_entries
from tests.cast import House
from tests.factories import MADE, create_table, enter

pytestmark = [pytest.mark.rest, pytest.mark.django_db]

HANDS = 15
TIMES = 4
"""The second measurement is of a file with so many times the rows."""
PAGE = 16
"""The rows of a page in these tests: each file has several of them also at the first measurement."""
MOST = 2
"""The most by which the peak may grow: SQLite keeps a few bytes of each of the last 200 queries. Where all rows are
read at once it grows as the number of rows does."""


def in_small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    real = keyset.pages
    monkeypatch.setattr(keyset, "pages", lambda rows, order=("pk",), size=PAGE: real(rows, order, PAGE))
    monkeypatch.setattr(log_entries, "CHUNK", PAGE)


def all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyset, "pages", lambda rows, order=("pk",), size=0: [list(rows.order_by(*order))])
    monkeypatch.setattr(log_entries, "CHUNK", 10**6)


class Files:
    """A club with an evening that grows, and its long files."""

    def __init__(self, home: House) -> None:
        self.home = home
        self.table = create_table(club=home.club, season=home.season)
        self.client = Client()
        self.client.force_login(home.owner)
        season = {"club": home.club.slug, "season": home.season.slug}
        results = reverse("results-csv", kwargs=season)
        self.addresses = {
            "results": results,
            "results for Excel": f"{results}?for=excel",
            "ledger": reverse("ledger-csv", kwargs=season),
            "hands": reverse("hands-csv", kwargs={"club": home.club.slug, "evening": self.table.evening_id}),
            "the treasurer's ledger": reverse("treasury-ledger", kwargs={"club": home.club.slug}) + "?for=csv",
            "log": reverse("log-csv", kwargs={"club": home.club.slug}),
        }

    def grow(self, hands: int) -> None:
        club, owner = self.home.club, self.home.owner
        for _number in range(hands):
            enter(self.table, MADE)
            for _entry in range(4):
                audit.write(What.EXPORTED, club=club, actor=owner, about=f"club:{club.pk}", data={"file": "log"})

    def stream(self, name: str) -> Any:
        answer = self.client.get(self.addresses[name])
        assert answer["Content-Type"].startswith("text/csv"), name
        return iter(answer.streaming_content)

    def peaks(self) -> dict[str, tuple[int, int]]:
        """Return for each file its number of lines, and the most bytes that it took while it was sent."""
        measured = {}
        for name in self.addresses:
            for _line in self.stream(name):
                # Once without measuring: what is kept for all requests is there then.
                pass
            stream = self.stream(name)
            tracemalloc.start()
            lines = sum(1 for _line in stream)
            _now, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            measured[name] = (lines, peak)
        return measured


def growth(files: Files) -> dict[str, float]:
    """Return how much more memory each file takes with more rows."""
    files.grow(HANDS)
    before = files.peaks()
    files.grow(HANDS * (TIMES - 1))
    after = files.peaks()
    for name, (lines, _peak) in before.items():
        assert lines > 3 * PAGE, name
        assert after[name][0] > (TIMES - 1) * lines, name
    return {name: after[name][1] / before[name][1] for name in before}


@pytest.mark.both_databases
def test_a_longer_file_takes_no_more_memory(home, monkeypatch):
    in_small_pages(monkeypatch)
    assert {name: times for name, times in growth(Files(home)).items() if times > MOST} == {}


def test_a_file_whose_rows_are_read_at_once_takes_more_memory(home, monkeypatch):
    all_at_once(monkeypatch)
    assert {name: times for name, times in growth(Files(home)).items() if times < MOST} == {}


def late_queries(files: Files) -> dict[str, int]:
    """Return for each file the number of queries after its first row."""
    files.grow(HANDS)
    counts = {}
    for name in files.addresses:
        stream = files.stream(name)
        with CaptureQueriesContext(connection) as queries:
            for _line in range(2):
                next(stream)
            first = len(queries)
            for _line in stream:
                pass
        counts[name] = len(queries) - first
    return counts


@pytest.mark.both_databases
def test_a_file_begins_before_its_later_rows_are_read(home, monkeypatch):
    in_small_pages(monkeypatch)
    assert {name: late for name, late in late_queries(Files(home)).items() if late < 3} == {}


def test_a_file_that_reads_all_rows_first_is_found(home, monkeypatch):
    all_at_once(monkeypatch)
    assert set(late_queries(Files(home)).values()) == {0}
