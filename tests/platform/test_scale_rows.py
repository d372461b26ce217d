"""What is asked about one club of a thousand does not read the hands of the others: rows read, and plans.

Rows are counted, not seconds: so the machine does not matter.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from bench.evening import RecordedEvening
from bench.scale.costs import CLUB, rows_read, work_of
from league.models import Club, EveningScore, Payment, Season, Transfer
from league.payments import services as payments
from league.roster.services import newest_with_guests
from league.standings import nights, overview
from league.standings.counting import count_season
from tests.processes import Process

pytestmark = [pytest.mark.rest, pytest.mark.needs_postgres, pytest.mark.django_db(transaction=True)]

CLUBS, HANDS_A_CLUB, SEED = 1000, 8, 7
SMALL_TABLES = 50
"""As many rows a club are fewer than its ledger has. Small tables are read as a whole where many rows are joined."""
OF_ALL_CLUBS = {
    "sweep, nothing to do": 4,
    "what metrics and readiness ask": 3,
    "clubs of the operator's page": 4,
    "queue (command)": 5,
    "tidy: privacy": 15,
    "verify --new, nothing new: its parts": 100,
}
"""What is about the whole server, with the most rows for each club that it may read."""


@pytest.fixture
def evening(start_process: Callable[..., Process]) -> RecordedEvening:
    """Make the server in the database of the test; return an open evening of its first club."""
    name = connection.settings_dict["NAME"]
    with connection.cursor() as cursor:
        # An earlier test of this process may have left a session: then the database cannot be copied.
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    connection.close()
    words = ("-m", "bench.scale", str(CLUBS), str(CLUBS * HANDS_A_CLUB))
    process = start_process(*words, "--tiny", "--seed", str(SEED), "--database", name)
    assert process.process.wait(300) == 0, process.output()
    assert Club.objects.count() == CLUBS
    evening = RecordedEvening(CLUB, f"recorder@{CLUB}.example")
    evening.record()
    count_season(evening.season.pk)
    return evening


def plans(work: Callable[[], object]) -> list[dict[str, Any]]:
    """Return the plans of all queries of the work, as they ran."""
    with CaptureQueriesContext(connection) as captured:
        work()
    roots = []
    with connection.cursor() as cursor:
        for query in captured.captured_queries:
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {query['sql']}".replace("%", "%%"), [])
            answer = cursor.fetchone()[0]
            roots.append((json.loads(answer) if isinstance(answer, str) else answer)[0]["Plan"])
    return roots


def scanned(plan: dict[str, Any]) -> set[str]:
    """Return the tables that a plan reads as a whole."""
    own = {str(plan["Relation Name"])} if plan["Node Type"] == "Seq Scan" else set()
    return own.union(*(scanned(part) for part in plan.get("Plans", ())))


def test_one_club_of_a_thousand(evening, monkeypatch):
    read = {}
    for name, work, before in work_of(evening):
        if before is not None:
            before()
        read[name] = rows_read(work)[1]
    assert Transfer.objects.count() > SMALL_TABLES * CLUBS
    allowed = {name: OF_ALL_CLUBS.get(name, SMALL_TABLES) * CLUBS for name in read}
    assert {name: rows for name, rows in read.items() if rows > allowed[name]} == {}

    club = Club.objects.get(slug=CLUB)
    seasons = list(Season.objects.filter(club=club))
    clubs = list(Club.objects.order_by("slug").values_list("pk", flat=True)[:3])
    since = timezone.now() - timedelta(days=30)
    (home,) = plans(lambda: overview._newest_evenings(clubs))
    assert "league_evening" not in scanned(home)
    (paid,) = plans(lambda: payments.lately_paid(club, since))
    assert "league_payment" not in scanned(paid)
    (of_nights,) = plans(lambda: nights.nights_of(seasons))
    assert not {"league_evening", "league_player"} & scanned(of_nights)
    (guests,) = plans(lambda: newest_with_guests(club))
    assert "league_player" not in scanned(guests)

    # The controls: the queries without what keeps them to the club.
    monkeypatch.setattr(payments, "_valid", _OfAllClubs)
    (paid,) = plans(lambda: payments.lately_paid(club, since))
    assert "league_payment" in scanned(paid)
    joined = EveningScore.objects.filter(season__in=seasons, evening__awarding_tournament__isnull=True)
    (of_nights,) = plans(lambda: list(joined.values_list("evening__held_on", "player__nickname")))
    assert "league_evening" in scanned(of_nights)


class _OfAllClubs:
    """Payments whose first filter, by the club, is left out."""

    def filter(self, **_club: object) -> object:
        return Payment.objects.filter(payments.is_valid())
