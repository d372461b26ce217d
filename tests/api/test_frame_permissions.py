"""P11 for the API: every address × method × person × own, foreign and absent, by session and by key."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from django.urls import get_resolver, reverse

from league.access import SCOPE_OF, Right
from league.api.base import ApiView, Who
from tests.api.asking import ALL, Asker, is_problem, key_for
from tests.api.things import ABSENT, things
from tests.cast import Cast
from tests.league.test_permissions import PEOPLE, looks, may
from tests.league.test_permissions import everybody as everybody  # a fixture
from tests.permissions import ROUTES, Api, ApiClub

pytestmark = pytest.mark.django_db

OF_A_CLUB = {name: route for name, route in ROUTES.items() if isinstance(route, ApiClub)}
OUTSIDE = {name: route for name, route in ROUTES.items() if isinstance(route, Api)}
CELLS = [(name, method) for name, route in OF_A_CLUB.items() for method in route.rights]
WAYS = ["session", "key"]
SEEN = [("listed", "session"), ("listed", "key"), ("unlisted", "key"), ("private", "session")]


def person(people: Cast, who: str | None) -> Any:
    if who is None:
        return None
    house, _, role = who.rpartition(".")
    return getattr(people, house).person(role) if house else getattr(people, role)


def asker(people: Cast, who: str | None, way: str) -> Asker:
    somebody = person(people, who)
    if somebody is None or way == "session":
        return Asker(person=somebody)
    return Asker(key=key_for(somebody))


def address(name: str, club: str, thing: dict[str, Any]) -> str:
    return reverse(name, kwargs={"club": club, **thing})


def views() -> dict[str, type[ApiView]]:
    found = {}

    def walk(resolver: Any) -> None:
        for entry in resolver.url_patterns:
            if hasattr(entry, "url_patterns"):
                walk(entry)
            elif isinstance(getattr(entry.callback, "cls", None), type):
                found[str(entry.name)] = entry.callback.cls

    walk(get_resolver())
    return found


def test_the_table_says_what_the_views_say():
    said = {name: {method: op.who for method, op in view.ops.items()} for name, view in views().items()}
    table = {name: route.rights for name, route in OF_A_CLUB.items()} | {n: r.who for n, r in OUTSIDE.items()}
    assert said == table


@pytest.mark.parametrize(("name", "method"), CELLS)
def test_who_may_and_who_may_not(everybody, name, method):
    house = everybody.home
    route = OF_A_CLUB[name]
    url = address(name, house.club.slug, things(house)[route.names])
    for (visibility, way), who in product(SEEN, PEOPLE):
        if house.club.visibility != visibility:
            house.club.visibility = visibility
            house.club.save()
        readable = visibility != "private"
        # Without a key of its own no write is carried out: what one asker takes away the next would miss.
        answer = asker(everybody, who, way)(method, url, key="")
        if may(who, route.rights[method], listed=readable):
            assert answer.status_code not in (401, 403, 404, 405), (who, answer.status_code, answer.content[:200])
            assert answer.status_code < 500
        elif not may(who, Right.READ, listed=readable):
            assert is_problem(answer, 404, "not_found"), who
        else:
            assert is_problem(answer, 401 if who is None else 403), who


@pytest.mark.parametrize(("name", "method"), [cell for cell in CELLS if OF_A_CLUB[cell[0]].names])
def test_what_is_foreign_or_absent_is_not_found_and_looks_the_same(everybody, name, method):
    kind = OF_A_CLUB[name].names
    everybody.away.season.slug = "away-only"
    everybody.away.season.save()
    urls = [address(name, everybody.home.club.slug, thing) for thing in (things(everybody.away)[kind], ABSENT[kind])]
    for who in PEOPLE:
        answers = [asker(everybody, who, "session")(method, url, {}, match="*") for url in urls]
        if may(who, OF_A_CLUB[name].rights[method], listed=True):
            assert answers[0].status_code == 404, (who, answers[0].status_code, answers[0].content[:200])
            assert is_problem(answers[0], 404), who
        else:
            assert answers[0].status_code in (401, 403), who
        assert looks(answers[0], urls[0]) == looks(answers[1], urls[1]), who


@pytest.mark.parametrize(("name", "method"), CELLS)
@pytest.mark.parametrize("way", WAYS)
def test_a_private_club_looks_like_one_that_is_not_there(everybody, name, method, way):
    house = everybody.home
    house.club.visibility = "private"
    house.club.save()
    thing = things(house)[OF_A_CLUB[name].names]
    urls = [address(name, slug, thing) for slug in (house.club.slug, "nowhere")]
    for who in (None, "stranger", "away.owner"):
        answers = [asker(everybody, who, way)(method, url, {}, match="*") for url in urls]
        assert is_problem(answers[0], 404, "not_found"), who
        assert looks(answers[0], urls[0]) == looks(answers[1], urls[1]), who


@pytest.mark.parametrize(("name", "method"), CELLS)
def test_an_unknown_club_is_not_found(everybody, name, method):
    url = address(name, "nowhere", things(everybody.home)[OF_A_CLUB[name].names])
    for who in PEOPLE:
        assert is_problem(asker(everybody, who, "session")(method, url), 404, "not_found"), who


@pytest.mark.parametrize(("name", "method"), CELLS)
def test_a_key_does_only_what_its_scopes_cover(everybody, name, method):
    route = OF_A_CLUB[name]
    url = address(name, everybody.home.club.slug, things(everybody.home)[route.names])
    needed = SCOPE_OF[route.rights[method]]
    without = [scope for scope in ALL if scope != needed]
    owner = everybody.home.owner
    assert Asker(key=key_for(owner, needed, "read"))(method, url, key="").status_code not in (401, 403, 404)
    if needed != "read":
        assert is_problem(Asker(key=key_for(owner, *without))(method, url), 403, "permission_denied")


@pytest.mark.parametrize(("name", "method"), CELLS)
def test_a_key_for_another_club_makes_its_owner_a_visitor(everybody, name, method):
    route = OF_A_CLUB[name]
    url = address(name, everybody.home.club.slug, things(everybody.home)[route.names])
    elsewhere = Asker(key=key_for(everybody.home.owner, club=everybody.away.club))
    answer = elsewhere(method, url)
    if route.rights[method] is Right.READ:
        assert answer.status_code < 400
    else:
        assert is_problem(answer, 403)
    everybody.home.club.visibility = "private"
    everybody.home.club.save()
    assert is_problem(elsewhere(method, url), 404)


@pytest.mark.parametrize("name", OUTSIDE)
@pytest.mark.parametrize("way", WAYS)
def test_addresses_outside_any_club(everybody, name, way):
    for method, wanted in OUTSIDE[name].who.items():
        for who in PEOPLE:
            answer = asker(everybody, who, way)(method, reverse(name, kwargs=ABSENT.get(name, {})))
            open_to = wanted is Who.ANYONE or (who is not None and wanted is Who.PERSON) or who == "server_admin"
            if open_to:
                assert answer.status_code not in (401, 403), (who, method)
            else:
                assert is_problem(answer, 401 if who is None else 403), (who, method)


@pytest.mark.parametrize("name", [*OF_A_CLUB, *OUTSIDE])
def test_no_address_answers_other_methods(everybody, name):
    route = ROUTES[name]
    if isinstance(route, ApiClub):
        known, url = set(route.rights), address(name, everybody.home.club.slug, things(everybody.home)[route.names])
    else:
        known, url = set(route.who), reverse(name, kwargs=ABSENT.get(name, {}))
    asks = asker(everybody, "home.owner", "key")
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"} - known:
        answer = asks(method, url)
        assert is_problem(answer, 405, "method_not_allowed"), method
        assert set(answer["Allow"].split(", ")) - {"HEAD"} == known


def test_a_role_taken_away_works_at_once_for_keys(everybody):
    asks = Asker(key=key_for(everybody.home.owner))
    url = address("api-club", everybody.home.club.slug, {})
    assert asks.get(url).json()["role"] == "owner"
    everybody.home.owner.memberships.update(role="member")
    assert asks.get(url).json()["role"] == "member"
    assert is_problem(asks("PATCH", url, {"name": "Mine"}, match="*"), 403)
