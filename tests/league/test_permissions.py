"""P11: every route × method × person × own, foreign and absent object, as `tests/permissions.py` has it."""

from __future__ import annotations

import re
import uuid
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from games.closing.receipts import token_for
from games.closing.services import evening_close
from games.models import Table
from games.paper import nights
from league.access import Right, rights_of
from league.hooks.services import EVENTS as HOOKED
from league.hooks.services import hook_add, hook_ping
from league.models import Delivery, Role
from tests.cast import Cast, House, cast
from tests.factories import TOLD, enter, open_table
from tests.permissions import ROUTES, Anyone, Club

pytestmark = pytest.mark.django_db

PEOPLE = [None, "stranger", "server_admin", *(f"home.{role}" for role in Role.values), "away.owner"]
OF_A_CLUB = {name: route for name, route in ROUTES.items() if isinstance(route, Club)}
CELLS = [(name, method) for name, route in OF_A_CLUB.items() for method in route.rights]


def route_names(resolver: URLResolver) -> set[str]:
    """Names of all routes outside the admin, which has rules of its own."""
    found: set[str] = set()
    for entry in resolver.url_patterns:
        if isinstance(entry, URLPattern):
            found.add(str(entry.name))
        elif entry.namespace != "admin":
            found |= route_names(entry)
    return found


@pytest.fixture
def everybody() -> Cast:
    people = cast()
    for home in (people.home, people.away):
        table = open_table(club=home.club, season=home.season)
        enter(table, TOLD)
        hook_ping(hook=hook_add(club=home.club, actor=None, url="https://hook.example/", events=HOOKED), actor=None)
    return people


def things(house: House) -> dict[str, dict[str, Any]]:
    """What the addresses of a club name: by kind, the arguments of the route beside the club."""
    table = Table.objects.select_related("evening").get(evening__club=house.club)
    return {
        "": {},
        "player": {"player": table.dealer_id},
        "season": {"season": house.season.slug},
        "evening": {"evening": table.evening_id},
        "table": {"table": table.pk},
        "code": {"code": nights.code(table.pk)},
        **hook_things(house),
    }


def hook_things(house: House) -> dict[str, dict[str, Any]]:
    """A webhook, and a message to it."""
    one = Delivery.objects.filter(webhook__club=house.club).first()
    return {"hook": {"hook": one.webhook_id}, "delivery": {"hook": one.webhook_id, "delivery": one.pk}} if one else {}


ABSENT = {
    "": {},
    "player": {"player": 10**9},
    "season": {"season": "never"},
    "evening": {"evening": 10**9},
    "table": {"table": 10**9},
    "code": {"code": nights.code(10**9)},
    "hook": {"hook": uuid.uuid4()},
    "delivery": {"hook": uuid.uuid4(), "delivery": uuid.uuid4()},
}


NUMBERED = {
    *("hand-paid", "hand-through", "hand-dispute", "hand-history"),
    *("hand-edit", "hand-insert", "hand-out", "hand-move"),
}


def address(name: str, house: House, thing: dict[str, Any]) -> str:
    more = {"number": 1} if name in NUMBERED else {}
    return reverse(name, kwargs={"club": house.club.slug, **thing, **more})


def signed_in(people: Cast, who: str | None) -> Client:
    client = Client()
    if who is not None:
        house, _, role = who.rpartition(".")
        client.force_login(getattr(people, house).person(role) if house else getattr(people, role))
    return client


def may(who: str | None, right: Right, *, listed: bool) -> bool:
    """Whether somebody has a right in the home club."""
    role = (who or "").removeprefix("home.") if (who or "").startswith("home.") else None
    return right in rights_of(role) if role else right is Right.READ and listed


def send(client: Client, method: str, url: str) -> Any:
    return client.get(url) if method == "GET" else client.post(url, {})


def looks(answer: Any, url: str) -> tuple[int, dict[str, str], str]:
    """Status, headers and text of an answer, without the address that was asked, nor what differs from time to time."""

    def told(text: str) -> str:
        return re.sub("/login/[?]next=.*", "/login/", text.replace(url, "…").replace(quote(url, ""), "…"))

    headers = {name: told(text) for name, text in answer.items() if name not in ("Date", "Content-Length")}
    text = re.sub(r'(csrfmiddlewaretoken" value=")[^"]+', r"\1…", answer.content.decode())
    return answer.status_code, headers, told(text)


def test_every_route_is_in_the_table():
    assert route_names(get_resolver()) == set(ROUTES)


@pytest.mark.parametrize(("name", "method"), CELLS)
@pytest.mark.parametrize("listed", [True, False], ids=["public club", "private club"])
def test_who_may_and_who_may_not(everybody, name, method, listed):
    house = everybody.home
    house.club.visibility = "listed" if listed else "private"
    house.club.save()
    route = OF_A_CLUB[name]
    url = address(name, house, things(house)[route.names])
    for who in PEOPLE:
        answer = send(signed_in(everybody, who), method, url)
        if may(who, route.rights[method], listed=listed):
            assert answer.status_code < 400 or answer.status_code == 422, f"{who}: {answer.status_code}"
            assert "/login/" not in answer.headers.get("Location", ""), who
        elif who is None and (listed or answer.status_code == 302):
            # A visitor is asked to sign in, or told nothing.
            assert answer.status_code in (302, 404), answer.status_code
            assert answer.status_code == 404 or "/login/" in answer.headers["Location"]
        else:
            assert answer.status_code == (403 if may(who, Right.READ, listed=listed) else 404), who


@pytest.mark.parametrize(("name", "method"), [cell for cell in CELLS if OF_A_CLUB[cell[0]].names])
def test_what_is_foreign_or_absent_is_not_found_and_looks_the_same(everybody, name, method):
    kind = OF_A_CLUB[name].names
    foreign = things(everybody.away)[kind]
    if kind == "season":
        everybody.away.season.slug = foreign["season"] = "away-only"
        everybody.away.season.save()
    urls = [address(name, everybody.home, thing) for thing in (foreign, ABSENT[kind])]
    for who in PEOPLE:
        answers = [send(signed_in(everybody, who), method, url) for url in urls]
        if may(who, OF_A_CLUB[name].rights[method], listed=True):
            assert answers[0].status_code == 404, who
        else:
            assert answers[0].status_code in (302, 403, 404), who
        assert looks(answers[0], urls[0]) == looks(answers[1], urls[1]), who


@pytest.mark.parametrize(("name", "method"), CELLS)
def test_a_private_club_looks_like_one_that_is_not_there(everybody, name, method):
    house = everybody.home
    house.club.visibility = "private"
    house.club.save()
    there = address(name, house, things(house)[OF_A_CLUB[name].names])
    absent = there.replace(f"/c/{house.club.slug}/", "/c/nowhere/")
    for who in (None, "stranger", "away.owner"):
        answers = [send(signed_in(everybody, who), method, url) for url in (there, absent)]
        assert answers[0].status_code == 404 or (who is None and answers[0].status_code == 302)
        assert looks(answers[0], there) == looks(answers[1], absent), who


@pytest.mark.parametrize(("name", "method"), CELLS)
def test_an_unknown_club_is_not_found(everybody, name, method):
    route = OF_A_CLUB[name]
    more = {"number": 1} if name in NUMBERED else {}
    url = reverse(name, kwargs={"club": "nowhere", **things(everybody.home)[route.names], **more})
    for who in PEOPLE:
        answer = send(signed_in(everybody, who), method, url)
        assert answer.status_code == 404 or (who is None and "/login/" in answer.headers["Location"]), who


def receipt_link(people: Cast) -> dict[str, Any]:
    """What the address of a participant's receipt names, once the evening is closed."""
    table = Table.objects.select_related("evening").get(evening__club=people.home.club)
    closing = evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    return {"token": token_for(closing.pk, table.dealer_id)}


@pytest.mark.parametrize("name", [name for name, route in ROUTES.items() if isinstance(route, Anyone)])
def test_open_routes_answer_everybody(everybody, name):
    names = receipt_link(everybody) if ROUTES[name].names == "receipt" else {}
    for method in ROUTES[name].methods:
        for who in PEOPLE:
            answer = send(signed_in(everybody, who), method, reverse(name, kwargs=names))
            assert answer.status_code < 400, (who, method, answer.status_code)


@pytest.mark.parametrize("name", OF_A_CLUB)
@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_no_route_answers_other_methods(everybody, name, method):
    route = OF_A_CLUB[name]
    client = signed_in(everybody, "home.owner")
    url = address(name, everybody.home, things(everybody.home)[route.names])
    assert getattr(client, method)(url).status_code == 405


def test_a_role_taken_away_works_at_once(everybody):
    client = signed_in(everybody, "home.recorder")
    url = address("table", everybody.home, things(everybody.home)["table"])
    assert client.get(url).status_code == 200
    everybody.home.recorder.memberships.update(role=Role.MEMBER)
    assert client.get(url).status_code == 403
