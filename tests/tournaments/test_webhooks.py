"""The messages of a tournament to webhooks: one for each event, with the change or not at all, without names."""

from __future__ import annotations

import json
from typing import Any

import pytest

from league.errors import Refused
from league.models import Delivery, Draw, Player, Round, Tournament, User, Webhook
from league.tournaments import draw_services, entries, rounds, services, sheets
from league.tournaments.entries import Newcomer
from league.tournaments.formats import Format
from league.tournaments.services import Basics
from league.webhooks.services import EVENTS
from tests.cast import Cast
from tests.tournaments.rounds import DAY

pytestmark = pytest.mark.django_db
NAMES = ("Anna", "Beni", "Carlo", "Doris", "Emil", "Fritz")


@pytest.fixture
def desk(people: Cast) -> User:
    return people.home.owner


@pytest.fixture
def hook(people: Cast) -> Webhook:
    """A webhook of the club that listens to every event."""
    events = [event.value for event in EVENTS]
    return Webhook.objects.create(club=people.home.club, url="https://r.example/", events=events, secret="s")


@pytest.fixture
def prepared(people: Cast, desk: User, hook: Webhook) -> Tournament:
    format = Format(rounds=1, wished=3, most=4)
    basics = Basics("Klausturnier", DAY, "chratze")
    return services.tournament_create(club=people.home.club, author=desk, basics=basics, format=format)


@pytest.fixture
def drawn(prepared: Tournament, desk: User) -> Draw:
    """The tournament, open, with six people and a draw that is not published."""
    services.entries_open(tournament=prepared, author=desk)
    entries.enter(tournament=prepared, author=desk, people=[Newcomer(nickname=name, here=True) for name in NAMES])
    return draw_services.draw_propose(tournament=prepared, author=desk, seed=1)


def sent() -> list[tuple[str, dict[str, Any]]]:
    """Return the events of the stored messages about tournaments, with their data."""
    rows = Delivery.objects.filter(event__startswith="tournament.").order_by("created_at")
    return [(delivery.event, delivery.body["data"]) for delivery in rows]


def chips_of(current: Round, table: int, first: int) -> dict[int, int]:
    seats = current.draw.plan["tables"][table - 1]["seats"]
    return {seats[0]: first, seats[1]: -first, seats[2]: 0}


@pytest.mark.both_databases
def test_each_event_has_its_message(prepared: Tournament, drawn: Draw, desk: User):
    named: dict[str, Any] = {"tournament": prepared, "author": desk}
    draw_services.draw_publish(**named, proposed=drawn)
    rounds.round_start(**named, number=1)
    current = Round.objects.get()
    for table in (1, 2):
        sheets.hand_in(**named, number=1, table=table, chips=chips_of(current, table, 9), pot=0)
    sheets.hand_in(**named, number=1, table=2, chips=chips_of(current, 2, 8), pot=0)
    sheets.hand_in(**named, number=1, table=2, chips=chips_of(current, 2, 8), pot=0, decides=True)
    rounds.round_finish(**named, number=1)
    sheets.hand_in(**named, number=1, table=1, chips=chips_of(current, 1, 7), pot=0, decides=True, reason="Wrong")
    services.tournament_finish(**named)
    of_it = {"tournament": "klausturnier"}
    assert sent() == [
        ("tournament.opened", of_it),
        ("tournament.draw_published", of_it | {"round": 1, "draw": drawn.pk, "tables": 2}),
        ("tournament.round_started", of_it | {"round": 1}),
        ("tournament.sheet_disagrees", of_it | {"round": 1, "table": 2, "sheet": 2}),
        ("tournament.round_finished", of_it | {"round": 1, "kind": "finished"}),
        ("tournament.round_finished", of_it | {"round": 1, "kind": "corrected"}),
        ("tournament.finished", of_it),
    ]
    text = json.dumps([delivery.body for delivery in Delivery.objects.all()])
    assert not [name for name in Player.objects.values_list("nickname", flat=True) if name in text]
    assert set(NAMES) <= set(Player.objects.values_list("nickname", flat=True))


@pytest.mark.both_databases
def test_a_repeated_step_sends_another_message(prepared: Tournament, drawn: Draw, desk: User):
    named: dict[str, Any] = {"tournament": prepared, "author": desk}
    for _ in range(2):
        draw_services.draw_publish(**named, proposed=drawn)
        rounds.round_start(**named, number=1)
        Round.objects.update(state=Round.State.DRAWN, running_since=None)
        draw_services.draw_take_back(**named)
    events = [event for event, _data in sent()]
    assert events == ["tournament.opened", *["tournament.draw_published", "tournament.round_started"] * 2]


def test_a_round_that_has_begun_begins_once(prepared: Tournament, drawn: Draw, desk: User):
    draw_services.draw_publish(tournament=prepared, author=desk, proposed=drawn)
    for _ in range(2):
        rounds.round_start(tournament=prepared, author=desk, number=1)
    assert [event for event, _data in sent()].count("tournament.round_started") == 1


def test_a_refused_step_sends_nothing(prepared: Tournament, drawn: Draw, desk: User):
    before = sent()
    entries.check_in(tournament=prepared, author=desk, number=6, here=False)
    with pytest.raises(Refused):
        draw_services.draw_publish(tournament=prepared, author=desk, proposed=drawn)
    with pytest.raises(Refused):
        services.tournament_finish(tournament=prepared, author=desk)
    assert sent() == before
    assert [event for event, _data in before] == ["tournament.opened"]


def test_a_webhook_that_does_not_listen_gets_none(hook: Webhook, prepared: Tournament, desk: User):
    Webhook.objects.filter(pk=hook.pk).update(events=["hand.stored", "tournament.finished"])
    services.entries_open(tournament=prepared, author=desk)
    assert sent() == []
