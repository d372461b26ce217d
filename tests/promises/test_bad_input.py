"""P10: any wrong request gets a 4xx with a sentence; nothing is stored, and there is no server error."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.errors import Refused
from games.hands.preview import hand_preview
from games.hands.services import hand_enter
from games.models import Revision, Table
from league.models import Evening, Player, Transfer, User
from tests.factories import MADE, MembershipFactory, body, create_table, enter
from tests.sizes import sized

pytestmark = pytest.mark.django_db

# PostgreSQL refuses other values than SQLite, above all NUL; what a form does with the others is the same.
EXAMPLES = {"sqlite": sized(20, 100), "postgresql": sized(5, 25)}
MANY = settings(
    max_examples=EXAMPLES[connection.vendor],
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture
def table() -> Table:
    table = create_table()
    enter(table, MADE)
    return table


@pytest.fixture
def owner(table: Table) -> User:
    owner: User = MembershipFactory(club=table.evening.club, role="owner").user
    return owner


@pytest.fixture
def client(owner: User) -> Client:
    client = Client(raise_request_exception=True)
    client.force_login(owner)
    return client


def stored() -> tuple[int, ...]:
    return tuple(model.objects.count() for model in (Revision, Transfer, Evening, Player))


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
field_names = st.sampled_from(
    [
        "declarer",
        "joiners",
        "made",
        "tricks",
        "blind",
        "deal",
        "calls",
        "exchanges",
        "play",
        "claimed",
        "rules",
        "seats",
        "dealer",
        "pot_before",
        "game",
    ]
)
records = st.dictionaries(field_names, json_values | st.integers(-2, 6) | st.lists(st.integers(-1, 6), max_size=5))


@pytest.mark.both_databases
@pytest.mark.sized
@MANY
@given(sent=st.fixed_dictionaries({"number": st.just(2) | json_values, "record": records | json_values}))
def test_no_body_breaks_the_service(table, sent):
    before = stored()
    right = body(table, MADE)
    refusal = None
    try:
        with transaction.atomic():
            hand_enter(table=table, author=None, key=uuid.uuid4(), body=right | sent)
            # The random body may be a legal hand; it is rolled back before the next example.
            transaction.set_rollback(True)
    except Refused as refused:
        refusal = refused
    assert refusal is None or (refusal.status in (409, 422) and refusal.sentence)
    assert stored() == before


@pytest.mark.sized
@MANY
@given(record=records)
def test_no_record_breaks_the_preview(table, record):
    preview = hand_preview(table=table, record=record)
    assert preview.ok or preview.sentence


texts = st.text(max_size=12) | st.sampled_from(
    ["-1", "0", "1", "yes", "declarer", "joiner", "9" * 40, "\x00", "p1", "g"]
)
names = st.sampled_from(
    [
        "key",
        "number",
        "players",
        "passed",
        "mode",
        "blind",
        "role-0",
        "role-1",
        "made-0",
        "made-1",
        "tricks-0",
        "season",
        "held_on",
        "seating",
        "first_dealer",
        "guest-0",
        "username",
        "password",
        "next",
    ]
)
forms = st.dictionaries(names | st.text(min_size=1, max_size=6), texts | st.lists(texts, max_size=3), max_size=12)


@pytest.mark.both_databases
@pytest.mark.parametrize("route", ["table", "table-preview", "hand-void", "evening-new", "login"])
@pytest.mark.sized
@MANY
@given(form=forms)
def test_no_form_breaks_a_page(table, client, route, form):
    place = {"club": table.evening.club.slug}
    url = reverse(route, kwargs={"login": {}, "evening-new": place}.get(route, place | {"table": table.pk}))
    before = stored()
    with transaction.atomic():
        answer = client.post(url, form)
        assert answer.status_code < 500
        if answer.status_code >= 400:
            assert stored() == before
        transaction.set_rollback(True)


@pytest.mark.both_databases
@pytest.mark.parametrize("huge", ["9" * 18, "9" * 19, "9" * 40])
@pytest.mark.parametrize("what", ["t", "e", "p"])
def test_no_number_in_an_address_breaks_a_page(table, client, what, huge):
    assert client.get(f"/c/{table.evening.club.slug}/{what}/{huge}/").status_code == 404


def test_ten_megabytes_are_refused_unread(table, client):
    url = reverse("table", kwargs={"club": table.evening.club.slug, "table": table.pk})
    before = stored()
    answer = client.post(url, b'{"record": "' + b"x" * 10_000_000 + b'"}', content_type="application/json")
    assert answer.status_code == 413
    assert stored() == before


@pytest.mark.parametrize("content_type", ["application/json", "multipart/form-data; boundary=x", "text/plain", "x"])
def test_bodies_that_are_no_form_are_refused(table, client, content_type):
    url = reverse("table", kwargs={"club": table.evening.club.slug, "table": table.pk})
    for sent in (b"", b"{", b"--x\r\n", b"\xff\xfe", b'{"number": 2}'):
        assert 400 <= client.post(url, sent, content_type=content_type).status_code < 500
