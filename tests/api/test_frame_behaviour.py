"""The frame of the API: problems, idempotency keys, ETags, pages and limits."""

from __future__ import annotations

import json
import threading
import uuid
from typing import Any

import pytest
import time_machine
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test import Client
from rest_framework.settings import api_settings

from league.api import idempotency, paging
from league.api.tasks import tidy
from league.config.environment import proxies
from league.models import AuditEntry, Club, KeptAnswer, Player
from tests.api.api_client import ApiClient, is_problem, key_for
from tests.cast import Cast
from tests.factories import ClubFactory, PlayerFactory

pytestmark = pytest.mark.django_db

PLAYERS = "clubs/roessli/players"


@pytest.fixture
def owner(people: Cast) -> ApiClient:
    return ApiClient(person=people.home.owner)


# --- Problems -------------------------------------------------------------------------------------------------


def test_an_unknown_address_is_a_problem(owner):
    for url in ("/api/", "/api/v1/nothing", "/api/v2/me", "/api/v1/clubs/roessli/"):
        assert is_problem(owner.get(url), 404, "not_found")


def test_a_body_that_is_too_large_is_refused_before_it_is_read(owner):
    answer = owner.post(PLAYERS, {"nickname": "x" * 70_000})
    assert is_problem(answer, 413, "too_large")
    assert not Player.objects.exists()


def test_another_kind_of_body_is_refused(people):
    client = Client()
    client.force_login(people.home.owner)
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    for kind in (
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain",
        "application/xml",
    ):
        answer = client.generic("POST", f"/api/v1/{PLAYERS}", b"nickname=Anna", content_type=kind, headers=headers)
        assert is_problem(answer, 415, "unsupported_media_type"), kind


def test_an_unexpected_fault_shows_no_details(people, monkeypatch):
    asks = ApiClient(person=people.home.owner)
    asks.client.raise_request_exception = False
    monkeypatch.setattr(paging, "page", lambda *args: 1 / 0)
    answer = asks.get(PLAYERS)
    assert is_problem(answer, 500, "error")
    assert "division" not in answer.content.decode()


def test_the_sentence_is_in_the_requested_language(owner):
    shown = {lang: owner.get("clubs/nowhere", Accept_Language=lang).json()["detail"] for lang in ("de", "en")}
    assert shown["en"] == "There is no such thing here."
    assert shown["de"] != shown["en"]


def test_the_answer_is_json_for_every_accept_header(owner):
    for kind in ("text/html", "application/xml", "nonsense", "*/*"):
        assert owner.get("me", Accept=kind)["Content-Type"] == "application/json"


def test_a_browsers_write_needs_the_csrf_token(people):
    client = Client(enforce_csrf_checks=True)
    client.force_login(people.home.owner)
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    sent: Any = {"data": {"nickname": "Anna"}, "content_type": "application/json", "headers": headers}
    assert is_problem(client.post(f"/api/v1/{PLAYERS}", **sent), 403, "csrf")
    token = client.get("/outbox/").json()["token"]
    sent["headers"] |= {"X-CSRFToken": token}
    assert client.post(f"/api/v1/{PLAYERS}", **sent).status_code == 201


# --- One key, one answer --------------------------------------------------------------------------------------


def test_a_write_needs_a_key(owner):
    assert is_problem(owner.post(PLAYERS, {"nickname": "Anna"}, key=""), 400, "key_missing")
    for text in ("1", "0b6f1d1e7c554c1b9d0a3f0f6a1f2c11", "{0b6f1d1e-7c55-4c1b-9d0a-3f0f6a1f2c11}"):
        assert is_problem(owner.post(PLAYERS, {"nickname": "Anna"}, key=text), 400, "invalid")
    assert not Player.objects.exists()


@pytest.mark.both_databases
def test_the_same_request_again_gets_the_same_answer(owner):
    key = uuid.uuid4()
    first = owner.post(PLAYERS, {"nickname": "Anna", "guest": True}, key=key)
    again = owner.post(PLAYERS, {"guest": True, "nickname": "Anna"}, key=key)
    assert first.status_code == again.status_code == 201
    assert again.content == first.content
    assert (again["Location"], again["ETag"]) == (first["Location"], first["ETag"])
    assert "Idempotency-Replayed" not in first
    assert again["Idempotency-Replayed"] == "true"
    assert Player.objects.count() == 1


@pytest.mark.both_databases
def test_an_answer_without_a_body_is_repeated_too(people, owner):
    key, url = uuid.uuid4(), f"clubs/roessli/people/{people.home.member.pk}"
    assert owner("DELETE", url, key=key).status_code == 204
    again = owner("DELETE", url, key=key)
    assert (again.status_code, again["Idempotency-Replayed"], again.content) == (204, "true", b"")
    assert is_problem(owner("DELETE", url), 404)


@pytest.mark.both_databases
def test_the_same_key_for_something_else_is_refused(people, owner):
    key = uuid.uuid4()
    owner.post(PLAYERS, {"nickname": "Anna"}, key=key)
    assert is_problem(owner.post(PLAYERS, {"nickname": "Beni"}, key=key), 422, "key_reused")
    assert is_problem(owner.post("clubs/roessli/seasons", {"nickname": "Anna"}, key=key), 422, "key_reused")
    assert Player.objects.count() == 1


@pytest.mark.both_databases
def test_a_refused_write_leaves_its_key_free(owner):
    key = uuid.uuid4()
    assert is_problem(owner.post(PLAYERS, {"nickname": " "}, key=key), 400)
    assert not KeptAnswer.objects.exists()
    assert owner.post(PLAYERS, {"nickname": "Anna"}, key=key).status_code == 201


def test_a_key_belongs_to_one_person(people, owner):
    key = uuid.uuid4()
    owner.post(PLAYERS, {"nickname": "Anna"}, key=key)
    treasurer = ApiClient(person=people.home.treasurer)
    assert is_problem(treasurer.post(PLAYERS, {"nickname": "Anna"}, key=key), 422, "player")
    assert treasurer.post(PLAYERS, {"nickname": "Beni"}, key=key).status_code == 201


def test_a_person_who_lost_the_right_gets_no_repeated_answer(people, owner):
    key = uuid.uuid4()
    owner.post(PLAYERS, {"nickname": "Anna"}, key=key)
    people.home.owner.memberships.update(role="member")
    assert is_problem(owner.post(PLAYERS, {"nickname": "Anna"}, key=key), 403)


def test_a_kept_answer_cannot_be_read_without_its_key(owner):
    key = uuid.uuid4()
    secret = owner.post("me/api-keys", {"name": "Findmich"}, key=key).json()["key"]
    kept = KeptAnswer.objects.values().get()
    shown = repr(kept) + bytes(kept["sealed"]).decode("latin-1")
    for word in (secret, secret[:15], "Findmich", str(key), key.hex):
        assert word not in shown


@pytest.mark.both_databases
def test_kept_answers_are_deleted_after_a_month(owner):
    with time_machine.travel("2026-09-01 12:00:00+02:00", tick=False):
        owner.post(PLAYERS, {"nickname": "Anna"})
    with time_machine.travel("2026-09-30 12:00:00+02:00", tick=False):
        owner.post(PLAYERS, {"nickname": "Beni"})
        assert idempotency.forget_old() == 0
    with time_machine.travel("2026-10-02 12:00:00+02:00", tick=False):
        assert tidy() == 1
    assert KeptAnswer.objects.count() == 1


def carried_out_at_once(view: Any, handler: Any, request: Any, *args: Any, **kwargs: Any) -> Any:
    """Carry out a write without its key."""
    return handler(request, *args, **kwargs)


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("guarded", [True, False], ids=["with the guard", "twin without it"])
def test_thirty_two_requests_at_once_write_once(people, monkeypatch, guarded):
    """Without the stored answer each of them would be carried out."""
    if not guarded:
        monkeypatch.setattr(idempotency.IdempotencyMixin, "_once", carried_out_at_once)
    text = key_for(people.home.owner)
    key, gate, answers = uuid.uuid4(), threading.Barrier(32), []

    def ask() -> None:
        try:
            gate.wait(30)
            answer = ApiClient(key=text).post("clubs/roessli/invitations", {"note": "Anna"}, key=key)
            answers.append((answer.status_code, answer.content, answer.get("Idempotency-Replayed")))
        finally:
            connection.close()

    threads = [threading.Thread(target=ask) for _ in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    made = people.home.club.invitations.count()
    if not guarded:
        assert made == 32
        return
    assert made == 1
    assert len(answers) == 32
    assert {(status, content) for status, content, _ in answers} == {answers[0][:2]}
    assert answers[0][0] == 201
    assert sum(replayed is None for _, _, replayed in answers) == 1


# --- ETags ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("url", ["me", "clubs", "clubs/roessli", PLAYERS, "clubs/roessli/seasons/2026/standings"])
def test_an_unchanged_answer_is_not_sent_again(owner, url):
    first = owner.get(url)
    again = owner.get(url, If_None_Match=first["ETag"])
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert owner.get(url, If_None_Match='"other"').status_code == 200
    head = owner("HEAD", url)
    assert (head.status_code, head.content, head["ETag"]) == (200, b"", first["ETag"])


@pytest.mark.both_databases
def test_a_change_by_somebody_else_is_not_overwritten(people, owner):
    url = "clubs/roessli"
    mark = owner.get(url)["ETag"]
    assert is_problem(owner("PATCH", url, {"place": "Bären"}), 428, "match_missing")
    changed = owner("PATCH", url, {"place": "Bären"}, match=mark)
    assert changed.status_code == 200
    late = owner("PATCH", url, {"place": "Krone"}, match=mark)
    assert is_problem(late, 412, "changed")
    assert late["ETag"] == changed["ETag"] == owner.get(url)["ETag"]
    assert Club.objects.get(pk=people.home.club.pk).place == "Bären"
    assert owner("PATCH", url, {"place": "Krone"}, match=f'"x", {changed["ETag"]}').status_code == 200
    assert owner("PATCH", url, {"place": "Adler"}, match="*").status_code == 200


@pytest.mark.both_databases
def test_a_repeated_change_gets_its_answer_although_the_etag_is_old(owner):
    mark, key = owner.get("clubs/roessli")["ETag"], uuid.uuid4()
    first = owner("PATCH", "clubs/roessli", {"place": "Bären"}, match=mark, key=key)
    again = owner("PATCH", "clubs/roessli", {"place": "Bären"}, match=mark, key=key)
    assert again.status_code == 200
    assert again.content == first.content
    assert AuditEntry.objects.filter(what="club_changed").count() == 1


def test_answers_are_private_to_one_person(owner):
    answer = owner.get("clubs/roessli")
    assert "private" in answer["Cache-Control"]
    assert {"Authorization", "Cookie", "Accept-Language"} <= {header.strip() for header in answer["Vary"].split(",")}


# --- Pages ----------------------------------------------------------------------------------------------------


def walk(asks: ApiClient, url: str) -> list[Any]:
    """Return all items of a list, page by page."""
    items: list[Any] = []
    while url:
        shown = asks.get(url).json()
        items += shown["items"]
        url = shown["next"]
    return items


@pytest.mark.both_databases
@pytest.mark.parametrize("limit", [1, 2, 7, 100])
def test_pages_contain_every_item_once(people, owner, limit):
    for number in range(23):
        PlayerFactory(club=people.home.club, nickname=f"P{number}")
    players = walk(owner, f"{PLAYERS}?limit={limit}")
    assert [player["id"] for player in players] == list(
        Player.objects.filter(club=people.home.club).order_by("pk").values_list("pk", flat=True)
    )


@pytest.mark.both_databases
def test_an_item_added_meanwhile_moves_no_page(people, owner):
    for number in range(5):
        PlayerFactory(club=people.home.club, nickname=f"P{number}")
    first = owner.get(f"{PLAYERS}?limit=3").json()
    Player.objects.filter(nickname="P0").update(active=False)
    PlayerFactory(club=people.home.club, nickname="late")
    second = owner.get(first["next"]).json()
    assert [player["name"] for player in second["items"]] == ["P3", "P4", "late"]


def test_the_next_page_keeps_the_filters(people, owner):
    for number in range(6):
        PlayerFactory(club=people.home.club, nickname=f"P{number}", guest=number % 2 == 0)
    assert [player["name"] for player in walk(owner, f"{PLAYERS}?guest=true&limit=1")] == ["P0", "P2", "P4"]
    assert len(walk(owner, f"{PLAYERS}?guest=false&active=true&limit=2")) == 3


@pytest.mark.both_databases
def test_lists_ordered_by_two_columns_continue_after_the_last_item(people, owner):
    for number in range(7):
        ClubFactory(slug=f"z{number}", name=f"Z{number}")
    assert [club["slug"] for club in walk(owner, "clubs?limit=2")] == sorted(
        Club.objects.values_list("slug", flat=True)
    )


# --- Limits ---------------------------------------------------------------------------------------------------


@pytest.fixture
def few(settings: Any) -> None:
    """Three requests a minute, one of them a write."""
    settings.API_LIMITS = {who: {"read": 3, "write": 1} for who in ("key", "person", "address")}


@pytest.mark.both_databases
def test_too_many_requests_get_the_seconds_to_wait(few, people):
    with time_machine.travel("2026-11-20 20:00:10+01:00", tick=False) as clock:
        asks = ApiClient(key=key_for(people.home.owner))
        assert [asks.get("me").status_code for _ in range(3)] == [200] * 3
        late = asks.get("me")
        assert is_problem(late, 429, "throttled")
        assert late["Retry-After"] == "50"
        clock.shift(50)
        assert asks.get("me").status_code == 200


def test_writes_have_a_limit_of_their_own(few, owner, one_minute):
    assert owner.post(PLAYERS, {"nickname": "Anna"}).status_code == 201
    assert is_problem(owner.post(PLAYERS, {"nickname": "Beni"}), 429)
    assert owner.get(PLAYERS).status_code == 200


def test_more_keys_allow_a_person_no_more_requests(few, people, settings, one_minute):
    settings.API_LIMITS = {**settings.API_LIMITS, "person": {"read": 4, "write": 9}}
    first, second = (ApiClient(key=key_for(people.home.owner)) for _ in range(2))
    shown = [asks.get("me").status_code for asks in (first, second) * 3]
    assert shown == [200, 200, 200, 200, 429, 429]
    assert ApiClient(key=key_for(people.home.member)).get("me").status_code == 200


def test_visitors_are_counted_by_their_address(few, people):
    here, there = ApiClient(REMOTE_ADDR="203.0.113.7"), ApiClient(REMOTE_ADDR="203.0.113.8")
    assert [here.get("clubs").status_code for _ in range(4)] == [200, 200, 200, 429]
    assert there.get("clubs").status_code == 200
    assert ApiClient(person=people.home.owner, REMOTE_ADDR="203.0.113.7").get("clubs").status_code == 200


@pytest.mark.parametrize(
    ("addresses", "shown"),
    [
        ("2001:db8:0:7::{0}", [200, 200, 200, 429]),
        ("2001:db8:0:{0}::7", [200] * 4),
        ("::ffff:203.0.113.{0}", [200] * 4),
    ],
)
def test_a_network_of_ipv6_is_one_visitor(few, addresses, shown):
    asked = [ApiClient(REMOTE_ADDR=addresses.format(n)).get("clubs").status_code for n in range(1, 5)]
    assert asked == shown


@pytest.mark.parametrize(("count", "shown"), [(0, [200, 200, 200, 429]), (1, [200] * 4)])
def test_an_address_that_a_client_sends_is_not_trusted(few, monkeypatch, count, shown):
    """Behind one proxy the last address is the one that the proxy adds: four addresses are four clients."""
    monkeypatch.setattr(api_settings, "NUM_PROXIES", count)
    asks = ApiClient(REMOTE_ADDR="203.0.113.7")
    assert [asks.get("clubs", X_Forwarded_For=f"198.51.100.{n}").status_code for n in range(4)] == shown


def test_addresses_before_the_one_of_the_proxy_are_ignored(few, monkeypatch):
    monkeypatch.setattr(api_settings, "NUM_PROXIES", 1)
    asks = ApiClient(REMOTE_ADDR="10.0.0.1")
    shown = [asks.get("clubs", X_Forwarded_For=f"198.51.100.{n}, 203.0.113.7").status_code for n in range(4)]
    assert shown == [200, 200, 200, 429]


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("0", 0), ("false", 0), ("1", 1), ("true", 1), ("yes", 1), ("2", 2), (" 3 ", 3)]
)
def test_the_number_of_proxies_is_read(text, count):
    assert proxies(text) == count


@pytest.mark.parametrize("text", ["many", "-1", "10", "1.5", "²"])
def test_an_invalid_number_of_proxies(text):
    with pytest.raises(ImproperlyConfigured, match="BEHIND_PROXY"):
        proxies(text)


def test_a_post_with_a_key_needs_no_csrf_token(people):
    client = Client(enforce_csrf_checks=True)
    headers = {"Authorization": f"Bearer {key_for(people.home.owner)}", "Idempotency-Key": str(uuid.uuid4())}
    body = json.dumps({"nickname": "Anna"})
    answer = client.post(f"/api/v1/{PLAYERS}", body, content_type="application/json", headers=headers)
    assert answer.status_code == 201
