"""The services of the desk that take a key: each answers a repeated request, and none writes twice."""

from __future__ import annotations

import inspect
import uuid
from collections.abc import Callable

import pytest

from league.ledger.idempotency import Repeated
from league.tournaments import draw_services, entries, rounds, services, sheets
from tests.factories import ClubFactory
from tests.tournaments.played_tournaments import made_tournament

MODULES = (draw_services, entries, rounds, services, sheets)
KEYED = [
    service
    for module in MODULES
    for name, service in inspect.getmembers(module, inspect.isfunction)
    if not name.startswith("_") and "tournament" in (given := inspect.signature(service).parameters) and "key" in given
]


def test_each_service_with_a_key_answers_a_repeated_request() -> None:
    assert len(KEYED) > 15
    assert [service.__name__ for service in KEYED if not hasattr(service, "__wrapped__")] == []


@pytest.mark.both_databases
@pytest.mark.django_db
def test_without_the_answer_a_repeated_request_raises_and_writes_nothing() -> None:
    """The twin."""
    tournament, key = made_tournament(ClubFactory(), None), uuid.uuid4()
    bare: Callable[..., object] = inspect.unwrap(services.entries_close)
    bare(tournament=tournament, author=None, key=key)
    services.entries_open(tournament=tournament, author=None)
    with pytest.raises(Repeated):
        bare(tournament=tournament, author=None, key=key)
    tournament.refresh_from_db()
    assert tournament.state == "open"
    assert services.entries_close(tournament=tournament, author=None, key=key).state == "open"
