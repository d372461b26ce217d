"""Twins of tests that stand elsewhere: the same attack with the guard taken away succeeds."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from django.test import Client

from games.models import Hand
from league import access
from tests.api.asking import Asker, key_for
from tests.cast import Cast, cast
from tests.factories import MADE, body, open_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> Cast:
    return cast()


def test_rights_that_were_remembered_would_outlive_the_role(people: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an ex-organiser's session and key."""
    monkeypatch.setattr(access, "access_to", cache(access.access_to))
    table = open_table(club=people.home.club, season=people.home.season)
    client, key = Client(), Asker(key=key_for(people.home.recorder))
    client.force_login(people.home.recorder)
    page, hands = f"/c/roessli/t/{table.pk}/", f"clubs/roessli/tables/{table.pk}/hands"
    assert client.get(page).status_code == key.get(hands).status_code == 200
    people.home.recorder.memberships.all().delete()
    assert client.get(page).status_code == 200
    assert key.post(hands, body(table, MADE)).status_code == 201


def test_a_key_that_is_not_another_clubs_would_write(people: Cast) -> None:
    """Of another's key: the same person, the same hand."""
    table = open_table(club=people.home.club, season=people.home.season)
    for club, status, stored in ((people.away.club, 403, 0), (people.home.club, 201, 1)):
        asker = Asker(key=key_for(people.home.owner, club=club))
        assert asker.post(f"clubs/roessli/tables/{table.pk}/hands", body(table, MADE)).status_code == status
        assert Hand.objects.count() == stored


def test_who_does_not_hide_accounts_would_tell_which_there_are(people: Cast, settings: Any) -> None:
    """Of account enumeration."""
    settings.ACCOUNT_PREVENT_ENUMERATION = False
    known, unknown = (
        Client().post("/password/", {"email": email}).status_code
        for email in (people.home.owner.email, "nobody@roessli.example.org")
    )
    assert known != unknown
