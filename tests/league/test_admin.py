"""The admin: everything can be looked up; what is recorded or counted cannot be touched."""

from __future__ import annotations

import uuid

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.closing.services import evening_close, last_hand
from games.mending.corrections import correct
from games.mending.edits import TakeOut
from games.models import Correction, Hand, Happening, Pencil, Place, Revision, Seat, Table
from league.admin import ReadOnlyAdmin
from league.marks import beat_heart
from league.models import (
    Account,
    Balance,
    Closing,
    Club,
    Evening,
    Heartbeat,
    HouseRules,
    NightScore,
    Payment,
    Player,
    Posting,
    Receipt,
    ResultRow,
    Season,
    SeasonCount,
    Standing,
    Submission,
    Transfer,
    User,
)
from league.standings import count_season
from tests.cast import Cast, cast
from tests.factories import FAILED, MADE, enter, open_table

pytestmark = pytest.mark.django_db

READ_ONLY: list[type[Model]] = [
    Account, Balance, Evening, Heartbeat, HouseRules, NightScore, Posting, ResultRow, SeasonCount, Standing, Submission,
    Transfer, Closing, Payment, Receipt, Hand, Place, Revision, Seat, Table, Correction, Happening, Pencil,
]  # fmt: skip
OURS = [model for label in ("league", "games") for model in apps.get_app_config(label).get_models()]


@pytest.fixture
def people() -> Cast:
    people = cast()
    recorder = people.home.recorder
    table = open_table(season=people.home.season, club=people.home.club)
    for record in (MADE, FAILED, MADE):
        enter(table, record, author=recorder)
    correct(table=table, edit=TakeOut(3), author=recorder, key=uuid.uuid4())
    now = timezone.now()
    Pencil.objects.create(table=table, holder=recorder, device="phone", taken_at=now, seen_at=now)
    end(table, recorder)
    count_season(people.home.season.pk)
    beat_heart()
    return people


def end(table: Table, author: User | None = None) -> None:
    last_hand(evening=table.evening, author=author, key=uuid.uuid4())
    evening_close(evening=table.evening, author=author, key=uuid.uuid4())


@pytest.fixture
def client(people: Cast) -> Client:
    client = Client()
    client.force_login(people.server_admin)
    return client


def address(model: type[Model], page: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def test_every_model_is_registered():
    assert [model for model in OURS if not admin.site.is_registered(model)] == []


def test_the_read_only_ones_are_all_but_what_is_set_up_by_hand():
    by_hand = {"User", "Club", "Membership", "Player", "Season"}
    assert {model.__name__ for model in OURS} - by_hand == {model.__name__ for model in READ_ONLY}


@pytest.mark.parametrize("model", READ_ONLY)
def test_what_is_recorded_can_be_looked_up_and_not_touched(client, model):
    registered = admin.site.get_model_admin(model)
    assert isinstance(registered, ReadOnlyAdmin)
    assert registered.actions is None
    thing = model._default_manager.order_by("pk").first()
    assert thing is not None
    assert client.get(address(model, "changelist")).status_code == 200
    page = client.get(address(model, "change", thing.pk))
    assert page.status_code == 200
    assert b'name="_save"' not in page.content
    before = list(model._default_manager.order_by("pk").values())
    assert client.get(address(model, "add")).status_code == 403
    assert client.post(address(model, "add"), {}).status_code == 403
    assert client.post(address(model, "change", thing.pk), {"amount_minor": 1}).status_code == 403
    assert client.post(address(model, "delete", thing.pk), {"post": "yes"}).status_code == 403
    action = {"action": "delete_selected", "_selected_action": [str(thing.pk)], "post": "yes"}
    client.post(address(model, "changelist"), action)
    assert list(model._default_manager.order_by("pk").values()) == before


@pytest.mark.parametrize("model", OURS)
def test_every_list_can_be_searched(client, model):
    assert admin.site.get_model_admin(model).search_fields
    for wanted in ("Anna", "0b4d9d1e-58d7-4b60-9d51-0c3ff6b4c0a1", "1", "ä'%_\\"):
        assert client.get(address(model, "changelist"), {"q": wanted}).status_code == 200


@pytest.mark.parametrize("model", OURS)
def test_longer_lists_cost_no_more_queries(client, people, model):
    def cost() -> int:
        with CaptureQueriesContext(connection) as caught:
            assert client.get(address(model, "changelist")).status_code == 200
        return len(caught)

    cost()
    few = cost()
    table = open_table(season=people.away.season, club=people.away.club)
    for _ in range(3):
        enter(table, MADE)
    end(table)
    count_season(people.away.season.pk)
    assert cost() == few


@pytest.mark.parametrize("model", [Club, Season, Player])
def test_what_hands_hang_on_is_not_deleted(client, model):
    thing = model._default_manager.order_by("pk").first()
    assert client.get(address(model, "change", thing.pk)).status_code == 200
    assert client.post(address(model, "delete", thing.pk), {"post": "yes"}).status_code == 403
    assert model._default_manager.filter(pk=thing.pk).exists()


def test_how_a_season_ranks_is_fixed_once_it_has_hands(client, people):
    counted, empty = people.home.season, people.away.season
    assert b'name="ranking"' not in client.get(address(Season, "change", counted.pk)).content
    assert b'name="ranking"' in client.get(address(Season, "change", empty.pk)).content


def test_a_player_stays_in_the_club(client, people):
    player = Player.objects.first()
    assert player is not None
    assert b'name="club"' not in client.get(address(Player, "change", player.pk)).content


def test_an_account_can_be_added_by_mail_address(client):
    sent = {
        "email": "new@example.org",
        "usable_password": "true",
        "password1": "kreuz-sieben-9",
        "password2": "kreuz-sieben-9",
    }
    assert client.get(address(User, "add")).status_code == 200
    assert client.post(address(User, "add"), sent).status_code == 302
    assert User.objects.get(email="new@example.org").check_password("kreuz-sieben-9")


@pytest.mark.parametrize("who", ["owner", "member"])
def test_a_role_in_a_club_opens_no_admin(people, who):
    client = Client()
    client.force_login(people.home.person(who))
    assert client.get(address(Posting, "changelist")).status_code == 302
