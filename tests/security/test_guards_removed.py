"""Attacks of other test files with the guard removed: each must succeed."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from django.test import Client

from games.models import Hand
from league.access import gate
from tests.api.api_client import ApiClient, key_for
from tests.cast import Cast
from tests.factories import MADE, body, create_table

pytestmark = [pytest.mark.rest, pytest.mark.django_db]


def test_if_rights_were_cached_they_would_outlive_the_role(people: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """The case 'ex-organiser's session and token'."""
    monkeypatch.setattr(gate, "access_to", cache(gate.access_to))
    table = create_table(club=people.home.club, season=people.home.season)
    client, key = Client(), ApiClient(key=key_for(people.home.recorder))
    client.force_login(people.home.recorder)
    page, hands = f"/c/roessli/t/{table.pk}/", f"clubs/roessli/tables/{table.pk}/hands"
    assert client.get(page).status_code == key.get(hands).status_code == 200
    people.home.recorder.memberships.all().delete()
    assert client.get(page).status_code == 200
    assert key.post(hands, body(table, MADE)).status_code == 201


def test_an_api_key_of_the_right_club_writes(people: Cast) -> None:
    """The case 'another's key': the same person, the same hand."""
    table = create_table(club=people.home.club, season=people.home.season)
    for club, status, stored in ((people.away.club, 403, 0), (people.home.club, 201, 1)):
        client = ApiClient(key=key_for(people.home.owner, club=club))
        assert client.post(f"clubs/roessli/tables/{table.pk}/hands", body(table, MADE)).status_code == status
        assert Hand.objects.count() == stored


def test_without_enumeration_protection_answers_reveal_accounts(people: Cast, settings: Any) -> None:
    """The case 'account enumeration'."""
    settings.ACCOUNT_PREVENT_ENUMERATION = False
    known, unknown = (
        Client().post("/password/", {"email": email}).status_code
        for email in (people.home.owner.email, "nobody@roessli.example.org")
    )
    assert known != unknown
