"""Attacks on tables by the API: repeated requests, another person's key, rewritten history, ids of another club,
and extra fields in a body."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.urls import URLPattern, reverse
from django.utils import timezone

from games.api.urls import urlpatterns
from games.corrections import services
from games.integrity.verify import differences
from games.models import Correction, Hand, Happening, Revision, Table
from games.paper import sheet_code
from league.api.bodies import Body
from league.models import ApiToken, Evening, Payment, Player, Submission, Transfer
from tests.api.api_client import ApiClient, is_problem, key_for
from tests.api.operations import rights_of
from tests.cast import Cast, House, cast
from tests.factories import FAILED, MADE, body, create_table, enter

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def people() -> Cast:
    people = cast()
    for house in (people.home, people.away):
        enter(create_table(club=house.club, season=house.season), FAILED)
    return people


@pytest.fixture
def program(people: Cast) -> ApiClient:
    return ApiClient(key=key_for(people.home.recorder, "read", "record"))


def table_of(house: House) -> Table:
    return Table.objects.select_related("evening__club").get(evening__club=house.club, number=1)


def at(house: House, rest: str = "") -> str:
    return f"clubs/{house.club.slug}/tables/{table_of(house).pk}{rest}"


def of(house: House, rest: str = "") -> str:
    return f"clubs/{house.club.slug}/evenings/{table_of(house).evening_id}{rest}"


def state() -> dict[str, Any]:
    """Return all rows that a write could change."""
    counted = {
        model.__name__: model.objects.count()
        for model in (Hand, Revision, Correction, Happening, Evening, Player, Transfer, Payment, Submission)
    }
    tables = Table.objects.order_by("pk").values_list("hands", "pot_minor", "dealer_id", "paused_at", "last_hand")
    seats = Table.objects.order_by("pk", "places__seat").values_list("pk", "places__player_id")
    return counted | {"tables": list(tables), "seats": list(seats), "open": list(Evening.objects.values_list("state"))}


# --- A repeated request ----------------------------------------------------------------------------------


def test_a_repeated_request_counts_once(people, program):
    sent, key = body(table_of(people.home), MADE), uuid.uuid4()
    answers = {program.post(at(people.home, "/hands"), sent, key=key).content for _ in range(20)}
    assert len(answers) == 1
    assert Hand.objects.filter(table=table_of(people.home)).count() == 2
    assert list(differences()) == []


def test_a_request_repeated_under_a_new_key_is_refused_as_its_number_is_taken(people, program):
    sent = body(table_of(people.home), MADE)
    assert program.post(at(people.home, "/hands"), sent).status_code == 201
    assert program.post(at(people.home, "/hands"), sent).json()["code"] == "taken"


# --- Another person's key --------------------------------------------------------------------------------


def test_the_idempotency_key_of_another_person_reveals_nothing_and_stores_nothing(people, program):
    key, sent = uuid.uuid4(), body(table_of(people.home), MADE)
    first = program.post(at(people.home, "/hands"), sent, key=key)
    other = ApiClient(key=key_for(people.home.member))
    assert is_problem(other.post(at(people.home, "/hands"), sent, key=key), 403)
    owner = ApiClient(key=key_for(people.home.owner))
    before = state()
    another = owner.post(at(people.home, "/hands"), body(table_of(people.home), FAILED), key=key)
    assert is_problem(another, 422)
    assert first.json()["hand"]["id"] not in another.content.decode()
    assert state() == before


def test_an_idempotency_key_used_in_another_club_may_be_used_again(people, program):
    key = uuid.uuid4()
    assert program.post(at(people.home, "/hands"), body(table_of(people.home), MADE), key=key).status_code == 201
    away = ApiClient(key=key_for(people.away.recorder))
    answer = away.post(at(people.away, "/hands"), body(table_of(people.away), MADE), key=key)
    assert (answer.status_code, answer.headers.get("Idempotency-Replayed")) == (201, None)
    assert Hand.objects.filter(number=2).count() == 2


@pytest.mark.parametrize("visibility", ["listed", "private"])
def test_an_api_key_of_another_club_writes_nothing(people, visibility):
    people.home.club.visibility = visibility
    people.home.club.save()
    before = state()
    status = 403 if visibility == "listed" else 404
    for asker in (
        ApiClient(key=key_for(people.away.owner)),
        ApiClient(key=key_for(people.home.owner, club=people.away.club)),
        ApiClient(key=key_for(people.stranger)),
    ):
        sent = body(table_of(people.home), MADE)
        assert is_problem(asker.post(at(people.home, "/hands"), sent), status)
        assert is_problem(asker.post(of(people.home, "/close"), {"pot": "carry"}), status)
    assert state() == before


def test_an_api_key_that_is_revoked_expired_or_of_a_former_member_writes_nothing(people):
    text = key_for(people.home.recorder)
    asker, sent = ApiClient(key=text), body(table_of(people.home), MADE)
    before = state()
    people.home.recorder.memberships.update(role="member")
    assert is_problem(asker.post(at(people.home, "/hands"), sent), 403)
    people.home.recorder.memberships.update(role="recorder")
    ApiToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    assert is_problem(asker.post(at(people.home, "/hands"), sent), 401)
    ApiToken.objects.all().delete()
    assert is_problem(asker.post(at(people.home, "/hands"), sent), 401)
    assert is_problem(ApiClient(key=text[:-1] + "0").post(at(people.home, "/hands"), sent), 401)
    assert state() == before


# --- History ---------------------------------------------------------------------------------------------


def addresses(people: Cast) -> list[tuple[str, set[str], str]]:
    """Return name, methods and URL of every address of evenings and tables, with objects of the home club."""
    table = table_of(people.home)
    known = {
        "club": people.home.club.slug,
        "evening": table.evening_id,
        "table": table.pk,
        "number": 1,
        "season": people.home.season.slug,
        "token": "token",
        "code": sheet_code.code(table.pk),
    }
    rows = []
    for entry in urlpatterns:
        assert isinstance(entry, URLPattern)
        wanted = entry.pattern.converters
        url = reverse(str(entry.name), kwargs={name: known[name] for name in wanted})
        rows.append((str(entry.name), set(rights_of(entry.callback)), url))
    return rows


def test_nothing_at_a_table_can_be_overwritten_or_deleted(people, settings):
    owner = ApiClient(key=key_for(people.home.owner))
    settings.API_LIMITS = {who: {"read": 0, "write": 0} for who in settings.API_LIMITS}
    before = state()
    for name, methods, url in addresses(people):
        assert methods <= {"GET", "POST"}, name
        for method in ("PUT", "PATCH", "DELETE"):
            assert is_problem(owner(method, url, {}), 405), name
    assert state() == before


@pytest.mark.parametrize("who", ["member", None, "server_admin"])
def test_a_person_who_may_not_record_cannot_void(people, who):
    house = people.home
    person = None if who is None else people.server_admin if who == "server_admin" else house.person(who)
    asker, before = ApiClient(person=person), state()
    for path, sent in (
        (at(house, "/hands/1/void"), {}),
        (at(house, "/corrections"), {"kind": "voided", "number": 1}),
        (at(house, "/seating-changes"), {"kind": "pause"}),
        (of(house, "/last-hand"), {"on": True}),
    ):
        assert is_problem(asker.post(path, sent), 401 if who is None else 403), path
    assert state() == before


def test_a_final_evening_refuses_every_write(people, program):
    house = people.home
    assert program.post(of(house, "/close"), {"pot": "carry"}).status_code == 201
    Evening.objects.filter(club=house.club).update(final_at=timezone.now() - timedelta(minutes=1))
    before = state()
    players = body(table_of(house), MADE)["players"]
    for path, sent, status in (
        (at(house, "/hands"), {"number": 2, "players": players, "record": MADE}, 409),
        (at(house, "/hands/1/void"), {}, 409),
        (at(house, "/corrections"), {"kind": "voided", "number": 1}, 409),
        (at(house, "/seating-changes"), {"kind": "pause"}, 409),
        (of(house, "/close"), {"pot": "kitty"}, 409),
        (of(house, "/reopen"), {"reason": "please"}, 403),
        (of(house, "/last-hand"), {"on": True}, 409),
    ):
        assert is_problem(program.post(path, sent), status), path
    assert state() == before


# --- Foreign ids in a body -------------------------------------------------------------------------------


def foreign_ids(people: Cast) -> list[tuple[str, dict[str, Any], tuple[int, ...]]]:
    """Return writes in the home club that name an object of the other club."""
    home, away = people.home, people.away
    mine = body(table_of(home), MADE)["players"]
    theirs = body(table_of(away), MADE)["players"]
    mixed = [*mine[:-1], theirs[0]]
    begin = {"held_on": "2026-11-21", "game": "chratze", "first_dealer": 0}
    seating = [{"player": player} for player in mixed]
    return [
        ("clubs/roessli/evenings", begin | {"season": "2026", "seating": seating}, (422,)),
        ("clubs/roessli/evenings", begin | {"season": "away-only", "seating": seating[:-1]}, (422,)),
        (at(home, "/hands"), {"number": 2, "players": mixed, "record": MADE}, (409,)),
        (at(home, "/seating-changes"), {"kind": "arrive", "player": theirs[0]}, (422,)),
        (at(home, "/seating-changes"), {"kind": "arrive", "guest": "Zora", "after": theirs[0]}, (409,)),
        (at(home, "/seating-changes"), {"kind": "leave", "player": theirs[0]}, (409,)),
        (at(home, "/seating-changes"), {"kind": "dealer", "player": theirs[0]}, (409,)),
        (at(home, "/seating-changes"), {"kind": "order", "players": mixed}, (409,)),
        (at(home, "/seating-changes"), {"kind": "split", "players": theirs[:2], "dealer": theirs[0]}, (409,)),
        (at(home, "/seating-changes"), {"kind": "split", "players": mine[:2], "dealer": theirs[0]}, (422,)),
        (at(home, "/seating-changes"), {"kind": "merge", "into": table_of(away).pk}, (409,)),
        (at(home, "/corrections"), {"kind": "changed", "number": 1, "players": mixed, "record": MADE}, (422,)),
        (at(home, "/corrections"), {"kind": "inserted", "number": 1, "players": mixed, "record": MADE}, (422,)),
        (
            at(home, "/corrections"),
            {"kind": "changed", "number": 1, "players": mine, "record": MADE, "dealer": theirs[0]},
            (422,),
        ),
        (at(home, "/corrections"), {"kind": "seats", "number": 1, "last": 1, "who": [[mine[0], theirs[0]]]}, (422,)),
        (of(home, "/close"), {"pot": "share", "present": [theirs[0]]}, (422,)),
    ]


def test_ids_of_another_club_are_refused_and_nothing_is_stored(people):
    people.away.season.slug = "away-only"
    people.away.season.save()
    owner, before = ApiClient(key=key_for(people.home.owner)), state()
    for path, sent, statuses in foreign_ids(people):
        answer = owner.post(path, sent)
        assert answer.status_code in statuses, (path, sent, answer.content)
        assert is_problem(answer, answer.status_code)
        assert state() == before, (path, sent)


def test_without_the_check_of_players_one_of_another_club_is_accepted(people, monkeypatch):
    monkeypatch.setattr(services, "_check_people", lambda table, entries: None)
    owner = ApiClient(key=key_for(people.home.owner))
    owner.client.raise_request_exception = False
    path, sent, _statuses = next(attempt for attempt in foreign_ids(people) if attempt[1].get("kind") == "seats")
    assert owner.post(path, sent).status_code != 422


def test_payments_of_another_club_or_evening_are_not_found(people):
    owner, theirs = ApiClient(key=key_for(people.home.owner)), ApiClient(key=key_for(people.away.owner))
    assert theirs.post(of(people.away, "/close"), {"pot": "carry"}).status_code == 201
    assert owner.post(of(people.home, "/close"), {"pot": "carry"}).status_code == 201
    foreign = str(Payment.objects.filter(closing__evening__club=people.away.club).first().pk)  # type: ignore[union-attr]
    before = state()
    for path, sent in (
        (of(people.home, "/payments"), {"paid": True, "payments": [foreign]}),
        ("clubs/roessli/debts", {"payments": [foreign]}),
    ):
        assert is_problem(owner.post(path, sent), 404, "payment")
    assert state() == before


# --- Extra fields ----------------------------------------------------------------------------------------

EXTRA = {"club": "sternen", "author": 1, "is_owner": True, "change_minor": 10_000, "id": 1, "role": "owner"}


def test_an_unknown_field_of_a_body_is_refused_by_its_name(people, settings):
    settings.API_LIMITS = {who: {"read": 0, "write": 0} for who in settings.API_LIMITS}
    owner, before, asked = ApiClient(key=key_for(people.home.owner)), state(), 0
    for _name, methods, url in addresses(people):
        if "POST" not in methods:
            continue
        for field, value in EXTRA.items():
            answer = owner.post(url, {field: value})
            assert is_problem(answer, 400), (url, field)
            assert {"at": field, "code": "unknown_field"}.items() <= answer.json()["errors"][0].items(), (url, field)
            asked += 1
    assert asked > 80
    assert state() == before


def test_an_unknown_field_of_a_record_is_refused(people, program):
    sent = body(table_of(people.home), MADE | {"deltas": [1000, -250, -250, -250, -250]})
    assert is_problem(program.post(at(people.home, "/hands"), sent), 422, "R1")


def test_without_the_check_unknown_fields_are_accepted(people, program, monkeypatch):
    monkeypatch.setattr(Body, "to_internal_value", Body.__mro__[1].to_internal_value)
    sent = body(table_of(people.home), MADE) | EXTRA
    assert program.post(at(people.home, "/hands"), sent).status_code == 201
