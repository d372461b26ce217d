"""What is asked about a club costs the same on a server of ten clubs and of a thousand: the rows that PostgreSQL reads.

Rows are counted, not seconds: so the machine does not matter. The first club is the same on both servers.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import Q
from django.utils import timezone

from bench.evening import RecordedEvening
from bench.scale.costs import CLUB, rows_read, work_of
from league.models import Club, Payment, Season
from league.payments import services as payments
from league.standings import nights
from league.standings.counting import count_season
from tests.processes import Process

pytestmark = [pytest.mark.rest, pytest.mark.needs_postgres, pytest.mark.django_db(transaction=True)]

FEW, MANY, HANDS_A_CLUB, SEED = 10, 1000, 8, 7
SLACK = 1500
"""A table of a thousand short rows is read as a whole where many of them are joined."""
OF_ALL_CLUBS = {
    "sweep, nothing to do": 6,
    "what metrics and readiness ask": 4,
    "clubs of the operator's page": 8,
    "queue (command)": 6,
    "tidy: privacy": 20,
    "verify --new, nothing new: its parts": 200,
}
"""What is about the whole server, with the most rows for each club that it may read."""
LEFT_OUT = {"count of a season from scratch"}


def load(start: Callable[..., Process], clubs: int) -> RecordedEvening:
    """Make the server in the database of the test, which may have one already."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("TRUNCATE league_club, league_user, league_clubversion, games_tableversion CASCADE")
    name = connection.settings_dict["NAME"]
    connection.close()
    words = ("-m", "bench.scale", str(clubs), str(clubs * HANDS_A_CLUB))
    process = start(*words, "--tiny", "--seed", str(SEED), "--database", name)
    assert process.process.wait(240) == 0, process.output()
    assert Club.objects.count() == clubs
    evening = RecordedEvening(CLUB, f"recorder@{CLUB}.example")
    evening.record()
    count_season(evening.season.pk)
    return evening


def measured(evening: RecordedEvening) -> dict[str, int]:
    found = {}
    for name, work, before in work_of(evening):
        for _ in range(2):
            if before is not None:
                before()
            found[name] = rows_read(work)[1]
    return {name: rows for name, rows in found.items() if name not in LEFT_OUT}


def test_a_club_costs_the_same_beside_ten_and_beside_a_thousand(start_process, monkeypatch):
    few = measured(load(start_process, FEW))
    many = measured(load(start_process, MANY))
    allowed = {name: rows + OF_ALL_CLUBS.get(name, 0) * MANY + SLACK for name, rows in few.items()}
    assert {name: rows for name, rows in many.items() if rows > allowed[name]} == {}

    # The controls: both queries as they were read the rows of all clubs.
    club = Club.objects.get(slug=CLUB)
    since = timezone.now() - timedelta(days=30)
    seasons = list(Season.objects.filter(club=club))
    assert rows_read(lambda: payments.lately_paid(club, since))[1] < SLACK
    assert rows_read(lambda: nights.nights_of(seasons))[1] < SLACK
    monkeypatch.setattr(nights, "NOT_AN_AWARD", Q(evening__awarding_tournament__isnull=True))
    assert rows_read(lambda: nights.nights_of(seasons))[1] > MANY
    monkeypatch.setattr(payments, "_valid", lambda: _OfAllClubs())
    assert rows_read(lambda: payments.lately_paid(club, since))[1] > MANY


class _OfAllClubs:
    """Payments whose first filter, by the club, is left out."""

    def filter(self, **_club: object) -> object:
        return Payment.objects.filter(payments.is_valid())
