"""Guards of the API that no other test checks; the dangerous ones also with the guard removed."""

from __future__ import annotations

import io
import uuid
from typing import Any

import pytest
from rest_framework.exceptions import ParseError

from games.closing.services import evening_close
from games.models import Dispute, Table
from league.api import api_keys, authentication
from league.api.parsing import StrictJSONParser
from league.models import Membership, Player, Role
from tests.api.api_client import ALL, ApiClient, at, is_problem, key_for
from tests.cast import Cast
from tests.factories import FAILED, MembershipFactory, PlayerFactory, create_table, enter

pytestmark = [pytest.mark.rest, pytest.mark.django_db]


@pytest.fixture
def table(people: Cast) -> Table:
    """A table of the home club with one hand."""
    opened = create_table(club=people.home.club, season=people.home.season)
    enter(opened, FAILED)
    return opened


# --- The key ----------------------------------------------------------------------------------------------------


def wrong_end(text: str) -> str:
    """A key with another last letter: the list of one's keys shows the beginning of a key."""
    return text[:-1] + ("a" if text[-1] != "a" else "b")


def test_a_key_with_only_a_right_beginning_is_refused(people: Cast) -> None:
    text = key_for(people.home.owner)
    assert is_problem(ApiClient(key=wrong_end(text)).get("me"), 401, "authentication_failed")


def test_without_the_comparison_its_beginning_is_enough(people: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(authentication, "compare_digest", lambda digest, other: True)
    assert ApiClient(key=wrong_end(key_for(people.home.owner))).get("me").status_code == 200


@pytest.fixture
def of_two_clubs(people: Cast) -> str:
    """A key for the away club alone, of a person who is a member of both clubs."""
    both = MembershipFactory(club=people.home.club, role=Role.MEMBER).user
    MembershipFactory(club=people.away.club, user=both, role=Role.MEMBER)
    return key_for(both, *ALL, club=people.away.club)


def test_a_key_of_another_club_cannot_leave_this_club(people: Cast, of_two_clubs: str) -> None:
    before = Membership.objects.count()
    assert is_problem(ApiClient(key=of_two_clubs)("DELETE", "me/clubs/roessli"), 404)
    assert Membership.objects.count() == before


def test_without_the_check_it_would(people: Cast, of_two_clubs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    here = api_keys.access_to
    monkeypatch.setattr(api_keys, "access_to", lambda user, club, key: here(user, club, None))
    before = Membership.objects.count()
    assert ApiClient(key=of_two_clubs)("DELETE", "me/clubs/roessli").status_code == 204
    assert Membership.objects.count() == before - 1


def test_a_key_is_created_only_for_a_club_of_its_owner(owner: ApiClient) -> None:
    assert is_problem(owner.post("me/api-keys", {"name": "a program", "club": "sternen"}), 404)


def test_a_key_without_the_scope_money_replays_no_season(people: Cast, table: Table) -> None:
    url, asked = f"clubs/roessli/seasons/{people.home.season.slug}/replay", {"game": "chratze", "values": {"stake": 50}}
    answer = ApiClient(key=key_for(people.home.owner, "read", "manage")).post(url, asked, key="")
    assert is_problem(answer, 403)
    assert ApiClient(key=key_for(people.home.owner)).post(url, asked, key="").status_code == 200


# --- One key, one request ---------------------------------------------------------------------------------------


def test_the_same_key_with_another_method_is_another_request(people: Cast, owner: ApiClient) -> None:
    key, url = uuid.uuid4(), f"clubs/roessli/people/{people.home.member.pk}"
    change = {"role": "recorder"}
    assert owner("PATCH", url, change, key=key, match="*").status_code == 200
    assert is_problem(owner("DELETE", url, change, key=key), 400)
    assert is_problem(owner("DELETE", url, key=key), 422, "key_reused")


# --- No change is lost ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "change"), [("players/{player}", {"nickname": "Köbi"}), ("seasons/2026", {"planned_evenings": 7})]
)
def test_a_change_of_an_outdated_object_is_refused(
    path: str, change: dict[str, Any], people: Cast, owner: ApiClient
) -> None:
    url = f"clubs/roessli/{path.format(player=PlayerFactory(club=people.home.club).pk)}"
    seen = owner.get(url)["ETag"]
    assert is_problem(owner("PATCH", url, change), 428, "match_missing")
    assert owner("PATCH", url, change, match=seen).status_code == 200
    assert is_problem(owner("PATCH", url, change, match=seen), 412, "changed")


# --- The body, before its fields are checked --------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        '{"a": "\\u0000"}',
        '{"a": "\\ud800"}',
        '{"a": ["\\ud800"]}',
        '{"\\ud800": 1}',
        '{"a": 9223372036854775808}',
        '{"a": [9223372036854775808]}',
        '{"a": 1e999}',
        '{"a": NaN}',
        '{"a": -Infinity}',
        "[1]",
        '"a"',
        "null",
    ],
)
def test_a_body_that_no_database_can_hold_is_refused(body: str) -> None:
    with pytest.raises(ParseError):
        StrictJSONParser().parse(io.BytesIO(body.encode()))


def test_a_body_that_a_database_can_hold_is_read() -> None:
    body = b'{"a": [9223372036854775807, 1.5, "\\u00e4", null, {"b": true}]}'
    assert StrictJSONParser().parse(io.BytesIO(body)) == {"a": [2**63 - 1, 1.5, "ä", None, {"b": True}]}


# --- Refusals of the games --------------------------------------------------------------------------------------


def test_the_dealer_of_a_corrected_hand_must_be_one_of_its_players(owner: ApiClient, table: Table) -> None:
    players = list(table.places.order_by("seat").values_list("player_id", flat=True))
    sent = {"kind": "changed", "number": 1, "players": players, "record": {"declarer": None}, "dealer": 2**40}
    assert is_problem(owner.post(at(table, "/corrections"), sent), 422, "dealer")


def test_a_previewed_hand_must_agree_with_its_table(owner: ApiClient, table: Table) -> None:
    sent = {"record": {"declarer": None, "pot_before": 12345}}
    assert is_problem(owner.post(at(table, "/hands/preview"), sent, key=""), 409)


def test_a_closed_evening_has_no_last_hand(owner: ApiClient, table: Table) -> None:
    evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    url = f"clubs/roessli/evenings/{table.evening_id}/last-hand"
    assert is_problem(owner.post(url, {"on": True}), 409, "closed")


def test_nobody_withdraws_the_dispute_of_another_player(people: Cast, table: Table) -> None:
    anna = Player.objects.get(club=people.home.club, nickname="Anna")
    Player.objects.filter(pk=anna.pk).update(user=people.home.member)
    url = at(table, "/hands/1/disputes")
    assert ApiClient(key=key_for(people.home.member)).post(url, {"player": anna.pk, "text": "no"}).status_code == 201
    assert is_problem(ApiClient(key=key_for(people.home.recorder)).post(f"{url}/withdraw", {"player": anna.pk}), 403)
    assert Dispute.objects.count() == 1


@pytest.mark.parametrize("query", ["evenings?game=jass", "evenings?state=half", "rules?version=x", "rules?game=jass"])
def test_a_query_with_an_unknown_value_is_refused(owner: ApiClient, query: str) -> None:
    assert is_problem(owner.get(f"clubs/roessli/{query}"), 400)


def test_the_finder_needs_player_and_balance_together(owner: ApiClient, table: Table) -> None:
    answer = owner.get(at(table, "/difference-finder?balance_minor=100"))
    assert is_problem(answer, 400)
    assert answer.json()["errors"][0]["code"] == "balance"


@pytest.mark.parametrize("path", ["/hands/9", "/hands/9/history", "/hands/9/disputes"])
def test_a_missing_hand_is_not_found(owner: ApiClient, table: Table, path: str) -> None:
    assert is_problem(owner.get(at(table, path)), 404)
