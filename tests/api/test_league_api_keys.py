"""API keys: scopes, expiry, shown once, revoked at once; by page and by API."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.accounts.adapters import AccountAdapter
from league.api_keys import services
from league.errors import Refused
from league.models import ApiToken, AuditEntry
from tests.api.api_client import ALL, ApiClient, is_problem, key_for
from tests.cast import Cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a recent sign-in the password is not needed again."""
    monkeypatch.setattr(AccountAdapter, "is_reauthentication_required", lambda self, **asked: False)


def made(people: Cast, **more: Any) -> services.NewKey:
    return services.key_create(**({"user": people.home.owner, "name": "Scoreboard"} | more))


def test_only_the_hash_of_a_key_is_stored(people):
    key = made(people, scopes=["read", "manage"])
    stored = ApiToken.objects.values_list().get()
    assert key.text not in repr(stored)
    assert key.text[len(key.key.token_key) :] not in repr(stored)
    answer = ApiClient(key=key.text).get("me")
    assert answer.json()["email"] == people.home.owner.email
    assert answer.json()["scopes"] == ["manage", "read"]
    assert (key.key.expiry - timezone.now()).days in (89, 90)
    entry = AuditEntry.objects.get(what="token_made")
    assert entry.data == {"scopes": ["read", "manage"], "days": 90}
    assert entry.actor == people.home.owner


@pytest.mark.parametrize(
    ("more", "status", "location"),
    [
        ({"name": "  "}, 422, "name"),
        ({"name": "x" * 61}, 422, "name"),
        ({"name": "a\nb"}, 422, "name"),
        ({"scopes": ["root"]}, 422, "scopes"),
        ({"days": 0}, 422, "days"),
        ({"days": 366}, 422, "days"),
    ],
)
def test_an_invalid_key_is_refused(people, more, status, location):
    with pytest.raises(Refused) as refused:
        made(people, **more)
    assert (refused.value.status, refused.value.at) == (status, location)


def test_a_key_is_for_a_club_of_ones_own(people):
    with pytest.raises(Refused) as refused:
        made(people, club=people.away.club)
    assert refused.value.status == 404


def test_fifty_keys_are_enough(people, monkeypatch):
    monkeypatch.setattr(services, "MAX_KEYS", 2)
    made(people)
    made(people)
    with pytest.raises(Refused) as refused:
        made(people)
    assert refused.value.status == 409
    made(people, user=people.home.member)


def test_a_key_ends_at_its_time_and_stays_in_the_list(people):
    text = made(people, days=1).text
    with time_machine.travel(timezone.now() + timedelta(days=1, seconds=1), tick=False):
        assert is_problem(ApiClient(key=text).get("me"), 401, "authentication_failed")
        listed = ApiClient(person=people.home.owner).get("me/api-keys").json()["items"]
        assert [key["expired"] for key in listed] == [True]


@pytest.mark.parametrize("text", ["chz_nothing", "x", "chz_" + "0" * 60, "chz_Ä", "a b c", ""])
def test_texts_that_are_no_keys(people, text):
    made(people)
    headers = {"Authorization": f"Bearer {text}"}
    assert is_problem(ApiClient().get("me", **headers), 401)


def test_a_person_who_may_not_sign_in_has_no_keys(people):
    text = made(people).text
    people.home.owner.is_active = False
    people.home.owner.save()
    assert is_problem(ApiClient(key=text).get("me"), 401, "authentication_failed")


def test_the_time_of_use_is_stored_once_a_minute(people, django_assert_num_queries):
    made_key = made(people)
    asks = ApiClient(key=made_key.text)
    with time_machine.travel("2026-11-20 20:00:00+01:00", tick=False) as clock:
        ApiToken.objects.update(expiry=timezone.now() + timedelta(days=9))
        asks.get("me")
        first = ApiToken.objects.get().used_at
        clock.shift(30)
        asks.get("me")
        assert ApiToken.objects.get().used_at == first
        clock.shift(31)
        asks.get("me")
        assert ApiToken.objects.get().used_at > first


# --- By a program ---------------------------------------------------------------------------------------------


def test_a_key_with_an_impossible_text_is_not_found(people):
    assert is_problem(ApiClient(person=people.home.member)("DELETE", "me/api-keys/a%00b"), 404)
    client = Client()
    client.force_login(people.home.member)
    assert client.post(reverse("account-key-revoke"), {"key": "a\0b"}).status_code == 404


def test_a_key_is_made_listed_and_revoked_through_the_api(people):
    asks = ApiClient(person=people.home.owner)
    answer = asks.post("me/api-keys", {"name": "Phone", "scopes": ["read", "record"], "club": "roessli", "days": 30})
    assert answer.status_code == 201, answer.content
    shown = answer.json()
    assert (shown["club"], shown["scopes"], shown["expired"]) == ("roessli", ["read", "record"], False)
    assert answer["Location"].endswith(shown["id"])
    phone = ApiClient(key=shown["key"])
    assert [club["slug"] for club in phone.get("me").json()["clubs"]] == ["roessli"]
    listed = asks.get("me/api-keys").json()["items"]
    assert [key["name"] for key in listed] == ["Phone"]
    assert "key" not in listed[0]
    assert asks("DELETE", f"me/api-keys/{shown['id']}").status_code == 204
    assert is_problem(phone.get("me"), 401)
    assert is_problem(asks("DELETE", f"me/api-keys/{shown['id']}"), 404, "key")
    assert list(AuditEntry.objects.values_list("what", flat=True).order_by("pk")) == ["token_made", "token_revoked"]


def test_the_same_request_again_shows_the_same_key(people):
    asks = ApiClient(person=people.home.owner)
    once = uuid.uuid4()
    first = asks.post("me/api-keys", {"name": "Phone"}, key=once)
    again = asks.post("me/api-keys", {"name": "Phone"}, key=once)
    assert again.json()["key"] == first.json()["key"]
    assert again["Idempotency-Replayed"] == "true"
    assert ApiToken.objects.count() == 1


def test_the_key_of_another_person_is_not_found(people):
    key = made(people).key
    assert is_problem(ApiClient(person=people.home.member)("DELETE", f"me/api-keys/{key.token_key}"), 404, "key")
    assert ApiToken.objects.count() == 1


@pytest.mark.parametrize(
    "body",
    [
        {"name": "More", "scopes": ["read", "money"], "days": 1, "club": "roessli"},
        {"name": "Everywhere", "scopes": ["read"], "days": 1},
        {"name": "Longer", "scopes": ["read"], "days": 60, "club": "roessli"},
    ],
)
def test_a_key_cannot_create_one_with_more_scopes(people, body):
    text = key_for(people.home.owner, "read", "manage", club=people.home.club, days=30)
    asks = ApiClient(key=text)
    assert is_problem(asks.post("me/api-keys", body), 403, "key_more")
    within = {"name": "Less", "scopes": ["read"], "days": 29, "club": "roessli"}
    assert asks.post("me/api-keys", within).status_code == 201


def test_a_key_without_manage_creates_none_and_revokes_only_itself(people):
    other = made(people).key
    text = key_for(people.home.owner, "read", "record", "money")
    asks = ApiClient(key=text)
    assert is_problem(asks.post("me/api-keys", {"name": "Mine"}), 403, "permission_denied")
    assert is_problem(asks("DELETE", f"me/api-keys/{other.token_key}"), 403)
    assert asks("DELETE", f"me/api-keys/{text[: len(other.token_key)]}").status_code == 204
    assert is_problem(asks.get("me"), 401)


def test_a_key_for_a_club_sees_no_key_for_another_club(people):
    owner, home = people.home.owner, people.home.club
    whole = services.key_create(user=owner, name="Everywhere", scopes=["manage"]).key
    other = services.key_create(user=owner, name="Screen", club=home).key
    asks = ApiClient(key=key_for(owner, "read", "manage", club=home))
    assert "Everywhere" not in [key["name"] for key in asks.get("me/api-keys").json()["items"]]
    assert is_problem(asks("DELETE", f"me/api-keys/{whole.token_key}"), 404, "key")
    assert asks("DELETE", f"me/api-keys/{other.token_key}").status_code == 204
    assert ApiToken.objects.filter(digest=whole.digest).exists()


def test_leaving_a_club_ends_the_keys_for_it(people):
    own = ApiClient(key=key_for(people.home.member, *ALL, club=people.home.club))
    assert own("DELETE", "me/clubs/roessli").status_code == 204
    assert is_problem(own.get("me"), 401)
    assert is_problem(ApiClient(person=people.home.member)("DELETE", "me/clubs/roessli"), 404)
    assert is_problem(ApiClient(person=people.home.owner)("DELETE", "me/clubs/roessli"), 409, "last-owner")
    reading = ApiClient(key=key_for(people.home.recorder, "read"))
    assert is_problem(reading("DELETE", "me/clubs/roessli"), 403)


# --- By the page ----------------------------------------------------------------------------------------------


def test_the_page_shows_a_new_key_once(people, at_once):
    client = Client()
    client.force_login(people.home.owner)
    url = reverse("account-keys")
    page = client.post(url, {"name": "Tablet", "scopes": ["record"], "club": "roessli", "days": "365"})
    assert page.status_code == 200
    text = re.search(r'value="(chz_[0-9a-f]+)"', page.content.decode()).group(1)
    assert "no-store" in page["Cache-Control"]
    assert ApiClient(key=text).get("me").json()["scopes"] == ["read", "record"]
    listed = client.get(url).content.decode()
    assert text not in listed
    assert "Tablet" in listed
    assert client.post(reverse("account-key-revoke"), {"key": text[:15]}).status_code == 303
    assert is_problem(ApiClient(key=text).get("me"), 401)


def test_a_refused_form_keeps_its_values(people, at_once):
    client = Client()
    client.force_login(people.home.owner)
    sent = {"name": "Hall", "scopes": ["money"], "club": "sternen", "days": "90"}
    page = client.post(reverse("account-keys"), sent)
    assert page.status_code == 404
    assert 'value="Hall"' in page.content.decode()
    assert client.post(reverse("account-keys"), {**sent, "club": "", "days": "99999999"}).status_code == 422
    assert not ApiToken.objects.exists()


def test_making_a_key_asks_for_the_password_again(people):
    client = Client()
    client.force_login(people.home.owner)
    answer = client.post(reverse("account-keys"), {"name": "Tablet", "days": "90"})
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("account_reauthenticate"))
    assert not ApiToken.objects.exists()


def test_a_key_for_all_clubs_is_in_the_log_of_each(people):
    asks = ApiClient(person=people.home.owner)
    made = asks.post("me/api-keys", {"name": "Scoreboard", "scopes": ["read"], "days": 30})
    assert made.status_code == 201
    assert asks("DELETE", f"me/api-keys/{made.json()['id']}").status_code == 204
    shown = AuditEntry.objects.filter(club=people.home.club).order_by("pk").values_list("what", flat=True)
    assert list(shown) == ["token_made", "token_revoked"]
