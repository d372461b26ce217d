"""P11 for the API: every address × method × person × own, foreign and absent, by session and by key.

A short run tries a third of the cells, the rest of a run the others.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import get_resolver, reverse

from league.access import SCOPE_OF, Right
from league.api.permissions import Audience
from tests.api.api_client import ALL, ApiClient, is_problem, key_for
from tests.api.operations import rights_of
from tests.api.path_arguments import ABSENT, path_arguments
from tests.cast import Cast
from tests.cell_checks import try_each_cell
from tests.league.test_access_permissions import PEOPLE, looks, may
from tests.league.test_access_permissions import everybody as everybody  # a fixture
from tests.permissions import ROUTES, Api, ApiClub
from tests.sizes import today

pytestmark = pytest.mark.django_db

OF_A_CLUB = {name: route for name, route in ROUTES.items() if isinstance(route, ApiClub)}
OUTSIDE = {name: route for name, route in ROUTES.items() if isinstance(route, Api)}
CELLS = [(name, method) for name, route in OF_A_CLUB.items() for method in route.rights]
WAYS = ["session", "key"]
SEEN = [("listed", "session"), ("listed", "key"), ("unlisted", "key"), ("private", "session")]
SEEN_FROM_WITHIN = [("listed", "session"), ("private", "key")]
"""Who has a role in the club reads it however it is seen: each role is tried both ways, and each way of being seen."""
ASKED = [
    (visibility, way, who)
    for who in PEOPLE
    for visibility, way in (SEEN_FROM_WITHIN if (who or "").startswith("home.") else SEEN)
]


def person(people: Cast, who: str | None) -> Any:
    if who is None:
        return None
    house, _, role = who.rpartition(".")
    return getattr(people, house).person(role) if house else getattr(people, role)


def asker(people: Cast, who: str | None, way: str) -> ApiClient:
    somebody = person(people, who)
    if somebody is None or way == "session":
        return ApiClient(person=somebody)
    return ApiClient(key=key_for(somebody))


def address(name: str, club: str, thing: dict[str, Any]) -> str:
    return reverse(name, kwargs={"club": club, **thing})


def rights_of_views() -> dict[str, dict[str, Any]]:
    """Return the rights of each method of each address of the API, by the name of the address."""
    rights = {}

    def walk(resolver: Any) -> None:
        for entry in resolver.url_patterns:
            if hasattr(entry, "url_patterns"):
                walk(entry)
            elif isinstance(getattr(entry.callback, "cls", None), type):
                rights[str(entry.name)] = rights_of(entry.callback)

    walk(get_resolver())
    return rights


def test_the_table_agrees_with_the_views():
    table = {name: route.rights for name, route in OF_A_CLUB.items()} | {n: r.who for n, r in OUTSIDE.items()}
    assert rights_of_views() == table


@pytest.mark.sized
@pytest.mark.parametrize(("visibility", "way", "who"), ASKED)
def test_every_right_of_every_role(everybody, visibility, way, who):
    house = everybody.home
    house.club.visibility = visibility
    house.club.save()
    readable = visibility != "private"
    named, ask = path_arguments(house), asker(everybody, who, way)

    def check(name, method):
        route = OF_A_CLUB[name]
        # Without an idempotency key no write is carried out.
        answer = ask(method, address(name, house.club.slug, named[route.names]), key="")
        if may(who, route.rights[method], listed=readable):
            assert answer.status_code not in (401, 403, 404, 405), (answer.status_code, answer.content[:200])
            assert answer.status_code < 500
        elif not may(who, Right.READ, listed=readable):
            assert is_problem(answer, 404, "not_found")
        else:
            assert is_problem(answer, 401 if who is None else 403)

    try_each_cell(today(CELLS), check)


@pytest.mark.sized
@pytest.mark.parametrize("who", PEOPLE, ids=str)
def test_foreign_and_absent_things_are_equally_not_found(everybody, who):
    everybody.away.season.slug = "away-only"
    everybody.away.season.save()
    foreign_of, ask = path_arguments(everybody.away), asker(everybody, who, "session")

    def check(name, method):
        kind = OF_A_CLUB[name].names
        urls = [address(name, everybody.home.club.slug, thing) for thing in (foreign_of[kind], ABSENT[kind])]
        answers = [ask(method, url, {}, match="*") for url in urls]
        if may(who, OF_A_CLUB[name].rights[method], listed=True):
            assert answers[0].status_code == 404, (answers[0].status_code, answers[0].content[:200])
            assert is_problem(answers[0], 404)
        else:
            assert answers[0].status_code in (401, 403)
        assert looks(answers[0], urls[0]) == looks(answers[1], urls[1])

    try_each_cell(today([cell for cell in CELLS if OF_A_CLUB[cell[0]].names]), check)


@pytest.mark.rest
@pytest.mark.parametrize("who", [None, "stranger", "away.owner"], ids=str)
@pytest.mark.parametrize("way", WAYS)
def test_a_private_club_looks_like_an_absent_one(everybody, who, way):
    house = everybody.home
    house.club.visibility = "private"
    house.club.save()
    named, ask = path_arguments(house), asker(everybody, who, way)

    def check(name, method):
        urls = [address(name, slug, named[OF_A_CLUB[name].names]) for slug in (house.club.slug, "nowhere")]
        answers = [ask(method, url, {}, match="*") for url in urls]
        assert is_problem(answers[0], 404, "not_found")
        assert looks(answers[0], urls[0]) == looks(answers[1], urls[1])

    try_each_cell(CELLS, check)


@pytest.mark.rest
@pytest.mark.parametrize("who", PEOPLE, ids=str)
def test_an_unknown_club_is_not_found(everybody, who):
    named, ask = path_arguments(everybody.home), asker(everybody, who, "session")

    def check(name, method):
        assert is_problem(ask(method, address(name, "nowhere", named[OF_A_CLUB[name].names])), 404, "not_found")

    try_each_cell(CELLS, check)


@pytest.mark.sized
@pytest.mark.parametrize("scope", ALL)
def test_a_key_has_only_the_rights_of_its_scopes(everybody, scope):
    house, owner = everybody.home, everybody.home.owner
    named = path_arguments(house)
    has_it = ApiClient(key=key_for(owner, scope, "read"))
    lacks_it = ApiClient(key=key_for(owner, *(each for each in ALL if each != scope)))

    def check(name, method):
        url = address(name, house.club.slug, named[OF_A_CLUB[name].names])
        assert has_it(method, url, key="").status_code not in (401, 403, 404)
        if scope != "read":
            assert is_problem(lacks_it(method, url), 403, "permission_denied")

    try_each_cell(today([cell for cell in CELLS if SCOPE_OF[OF_A_CLUB[cell[0]].rights[cell[1]]] == scope]), check)


def test_every_cell_needs_a_scope_that_is_tried():
    assert {SCOPE_OF[OF_A_CLUB[name].rights[method]] for name, method in CELLS} == set(ALL)


@pytest.mark.sized
def test_a_key_for_another_club_makes_its_owner_a_visitor(everybody):
    club, named = everybody.home.club, path_arguments(everybody.home)
    elsewhere = ApiClient(key=key_for(everybody.home.owner, club=everybody.away.club))

    def check(name, method):
        route = OF_A_CLUB[name]
        url = address(name, club.slug, named[route.names])
        answer = elsewhere(method, url)
        if route.rights[method] is Right.READ:
            assert answer.status_code < 400
        else:
            assert is_problem(answer, 403)
        type(club).objects.filter(pk=club.pk).update(visibility="private")
        assert is_problem(elsewhere(method, url), 404)

    try_each_cell(today(CELLS), check)


@pytest.mark.parametrize("who", PEOPLE, ids=str)
@pytest.mark.parametrize("way", WAYS)
def test_addresses_outside_any_club(everybody, who, way):
    ask = asker(everybody, who, way)

    def check(name, method):
        wanted = OUTSIDE[name].who[method]
        answer = ask(method, reverse(name, kwargs=ABSENT.get(name, {})))
        open_to = wanted is Audience.ANYONE or (who is not None and wanted is Audience.PERSON) or who == "server_admin"
        if open_to:
            assert answer.status_code not in (401, 403), answer.status_code
        else:
            assert is_problem(answer, 401 if who is None else 403)

    try_each_cell([(name, method) for name, route in OUTSIDE.items() for method in route.who], check)


@pytest.mark.sized
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
def test_no_address_answers_other_methods(everybody, method):
    named, ask = path_arguments(everybody.home), asker(everybody, "home.owner", "key")

    def known(name):
        route = ROUTES[name]
        return set(route.rights if isinstance(route, ApiClub) else route.who)

    def check(name):
        if name in OF_A_CLUB:
            url = address(name, everybody.home.club.slug, named[OF_A_CLUB[name].names])
        else:
            url = reverse(name, kwargs=ABSENT.get(name, {}))
        answer = ask(method, url)
        assert is_problem(answer, 405, "method_not_allowed")
        assert set(answer["Allow"].split(", ")) - {"HEAD"} == known(name)

    try_each_cell(today([(name,) for name in [*OF_A_CLUB, *OUTSIDE] if method not in known(name)]), check)


def test_a_removed_role_is_effective_at_once_for_keys(everybody):
    asks = ApiClient(key=key_for(everybody.home.owner))
    url = address("api-club", everybody.home.club.slug, {})
    assert asks.get(url).json()["role"] == "owner"
    everybody.home.owner.memberships.update(role="member")
    assert asks.get(url).json()["role"] == "member"
    assert is_problem(asks("PATCH", url, {"name": "Mine"}, match="*"), 403)
