"""P11: every route and method as every person, with own, foreign and absent objects, by `tests/permissions.py`.

A short run tries a third of the cells, the rest of a run the others.
"""

from __future__ import annotations

import copy
import re
import uuid
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from games.closing.receipts import token_for
from games.closing.services import evening_close
from games.models import Table
from games.paper import sheet_code
from league.access import Right, rights_of
from league.models import Delivery, Import, Role, Team, Tournament, Upload
from league.standings.formula.services import formula_set
from league.standings.formula.team_services import team_add
from league.webhooks.services import EVENTS, webhook_add, webhook_ping
from tests.cast import Cast, House, cast
from tests.cell_checks import try_each_cell
from tests.factories import WITH_CARDS, create_table, enter
from tests.imported import imported, uploaded
from tests.member_fees import member_fee
from tests.permissions import ROUTES, Anyone, Club
from tests.planned import planned_evening
from tests.sizes import today
from tests.tournaments.cup_of_clubs import cup_things, cups_for
from tests.tournaments.rounds import tournament_of

pytestmark = pytest.mark.django_db

PEOPLE = [None, "stranger", "server_admin", *(f"home.{role}" for role in Role.values), "away.owner"]
OF_ITS_OWN = ("Date", "Content-Length", "X-Request-ID")
"""Headers that differ between two answers of the same page."""
OF_A_CLUB = {name: route for name, route in ROUTES.items() if isinstance(route, Club)}
CELLS = [(name, method) for name, route in OF_A_CLUB.items() for method in route.rights]
# Who has a role in the club reads it however it is seen: one of them tries that in a private club.
OF_PRIVATE_CLUB = [who for who in PEOPLE if not (who or "").startswith("home.") or who == "home.member"]
ASKED = [
    *(pytest.param(True, who, id=f"public club-{who}") for who in PEOPLE),
    *(pytest.param(False, who, id=f"private club-{who}") for who in OF_PRIVATE_CLUB),
]


def route_names(resolver: URLResolver) -> set[str]:
    """Names of all routes outside the admin, which has rules of its own."""
    names: set[str] = set()
    for entry in resolver.url_patterns:
        if isinstance(entry, URLPattern):
            names.add(str(entry.name))
        elif entry.namespace != "admin":
            names |= route_names(entry)
    return names


@pytest.fixture
def everybody() -> Cast:
    people = cast()
    for home in (people.home, people.away):
        table = create_table(club=home.club, season=home.season)
        enter(table, WITH_CARDS)
        webhook = webhook_add(club=home.club, actor=None, url="https://webhook.example/", events=EVENTS)
        webhook_ping(webhook=webhook, actor=None)
        tournament_of(home)
        imported(home.season, home.owner)
        uploaded(home.season, home.owner)
        formula_set(season=home.season, actor=None, values={"best": 1})
        team_add(season=home.season, name="Acorns", actor=None)
        cups_for(home.club)
    return people


def things(house: House) -> dict[str, dict[str, Any]]:
    """Return the route arguments for each kind of object in an address, without the club."""
    table = Table.objects.select_related("evening").get(evening__club=house.club, evening__season__in_chips=False)
    return {
        "": {},
        "player": {"player": table.dealer_id},
        "season": {"season": house.season.slug},
        "player-season": {"player": table.dealer_id, "season": house.season.slug},
        "evening": {"evening": table.evening_id},
        "evening-player": {"evening": table.evening_id, "player": table.dealer_id},
        "table": {"table": table.pk},
        "code": {"code": sheet_code.code(table.pk)},
        "planned": {"season": house.season.slug, "planned": planned_evening(house).pk},
        "fee": {"fee": member_fee(house).pk},
        **team_things(house),
        **import_things(house),
        **webhook_things(house),
        **tournament_things(house),
        **cup_things(house.club),
    }


def tournament_things(house: House) -> dict[str, dict[str, Any]]:
    """Return the route arguments of a tournament, of an entrant, of a table of its first round and of its badges."""
    tournament = Tournament.objects.filter(club=house.club).first()
    if tournament is None:
        return {}
    name = {"tournament": tournament.slug}
    return {
        "tournament": name,
        "entrant": name | {"number": 1},
        "round-table": name | {"number": 1, "table": 1},
        "paper": name | {"kind": "badges"},
    }


def team_things(house: House) -> dict[str, dict[str, Any]]:
    """Return the route arguments of a team."""
    team = Team.objects.filter(season=house.season).first()
    return {"season-team": {"season": house.season.slug, "number": team.number}} if team else {}


def import_things(house: House) -> dict[str, dict[str, Any]]:
    """Return the route arguments of an import and of an upload."""
    stored, other = Import.objects.filter(club=house.club).first(), Upload.objects.filter(club=house.club).first()
    return {"import": {"stored": stored.pk}, "upload": {"upload": other.pk}} if stored and other else {}


def webhook_things(house: House) -> dict[str, dict[str, Any]]:
    """Return the route arguments of a webhook and of a message to it."""
    delivery = Delivery.objects.filter(webhook__club=house.club).first()
    if delivery is None:
        return {}
    return {
        "webhook": {"webhook": delivery.webhook_id},
        "delivery": {"webhook": delivery.webhook_id, "delivery": delivery.pk},
    }


ABSENT = {
    "": {},
    "player": {"player": 10**9},
    "season": {"season": "never"},
    "player-season": {"player": 10**9, "season": "never"},
    "season-team": {"season": "never", "number": 1},
    "evening": {"evening": 10**9},
    "evening-player": {"evening": 10**9, "player": 10**9},
    "table": {"table": 10**9},
    "code": {"code": sheet_code.code(10**9)},
    "planned": {"season": "never", "planned": 10**9},
    "fee": {"fee": uuid.UUID(int=1)},
    "import": {"stored": uuid.uuid4()},
    "upload": {"upload": uuid.uuid4()},
    "webhook": {"webhook": uuid.uuid4()},
    "delivery": {"webhook": uuid.uuid4(), "delivery": uuid.uuid4()},
    "tournament": {"tournament": "never"},
    "entrant": {"tournament": "never", "number": 1},
    "round-table": {"tournament": "never", "number": 1, "table": 1},
    "paper": {"tournament": "never", "kind": "badges"},
    **{key: {"cup": "never"} for key in ("cup", "joined-cup", "cup-invitation")},
}


YEARS = {"club-year", "club-year-picture", "player-year", "player-year-picture"}
NUMBERED = {
    *("hand-paid", "hand-through", "hand-dispute", "hand-history", "hand-picture"),
    *("hand-edit", "hand-insert", "hand-out", "hand-move"),
}


def more_of(name: str) -> dict[str, Any]:
    """Return the route arguments that name no object: of each club there is the first hand, and each game."""
    if name in NUMBERED:
        return {"number": 1}
    if name in YEARS:
        return {"year": 2025, "screen": 1} if name.endswith("picture") else {"year": 2025}
    named = {"night-table": {"game": "chratze"}, "import-sample": {"kind": "sheet", "form": "csv"}}
    return dict(named.get(name, {}))


def address(name: str, house: House, thing: dict[str, Any]) -> str:
    return reverse(name, kwargs={"club": house.club.slug, **thing, **more_of(name)})


def signed_in(people: Cast, who: str | None) -> Client:
    client = Client()
    if who is not None:
        house, _, role = who.rpartition(".")
        client.force_login(getattr(people, house).person(role) if house else getattr(people, role))
    return client


def may(who: str | None, right: Right, *, listed: bool) -> bool:
    """Return True if a person has a right in the home club."""
    role = (who or "").removeprefix("home.") if (who or "").startswith("home.") else None
    return right in rights_of(role) if role else right is Right.READ and listed


def asking(people: Cast, who: str | None) -> Callable[[str, str], Any]:
    """Return a function that sends a request as this person; each request has the cookies of a fresh sign-in."""
    client = signed_in(people, who)
    cookies = copy.deepcopy(client.cookies)

    def ask(method: str, url: str) -> Any:
        client.cookies = copy.deepcopy(cookies)
        return getattr(client, method.lower())(url)

    return ask


def looks(answer: Any, url: str) -> tuple[int, dict[str, str], str]:
    """Return status, headers and text of an answer, without its address and without parts that change every time."""

    def without_address(text: str) -> str:
        return re.sub("/login/[?]next=.*", "/login/", text.replace(url, "…").replace(quote(url, ""), "…"))

    headers = {name: without_address(text) for name, text in answer.items() if name not in OF_ITS_OWN}
    if "RateLimit" in headers:
        # The second request has one less left.
        headers["RateLimit"] = re.sub("(r|t)=[0-9]+", r"\1=…", headers["RateLimit"])
    text = re.sub(r'(csrfmiddlewaretoken" value=")[^"]+', r"\1…", answer.content.decode())
    return answer.status_code, headers, without_address(text)


def test_every_route_is_in_the_table():
    assert route_names(get_resolver()) == set(ROUTES)


@pytest.mark.sized
@pytest.mark.parametrize(("listed", "who"), ASKED)
def test_each_role_reaches_exactly_its_routes(everybody, who, listed):
    house = everybody.home
    house.club.visibility = "listed" if listed else "private"
    house.club.save()
    named, ask = things(house), asking(everybody, who)

    def check(name, method):
        route = OF_A_CLUB[name]
        answer = ask(method, address(name, house, named[route.names]))
        if may(who, route.rights[method], listed=listed):
            assert answer.status_code < 400 or answer.status_code == 422, answer.status_code
            assert "/login/" not in answer.headers.get("Location", "")
        elif who is None and (listed or answer.status_code == 302):
            # A visitor is asked to sign in, or gets 404.
            assert answer.status_code in (302, 404), answer.status_code
            assert answer.status_code == 404 or "/login/" in answer.headers["Location"]
        else:
            assert answer.status_code == (403 if may(who, Right.READ, listed=listed) else 404), answer.status_code

    try_each_cell(today(CELLS), check)


@pytest.mark.sized
@pytest.mark.parametrize("who", PEOPLE, ids=str)
def test_foreign_and_absent_objects_get_the_same_404(everybody, who):
    foreign_of = things(everybody.away)
    everybody.away.season.slug = foreign_of["season"]["season"] = "away-only"
    everybody.away.season.save()
    foreign_of["player-season"]["season"] = foreign_of["season-team"]["season"] = "away-only"
    Tournament.objects.filter(club=everybody.away.club).update(slug="away-only")
    foreign_of["tournament"] = {"tournament": "away-only"}
    foreign_of["paper"] = {"tournament": "away-only", "kind": "badges"}
    ask = asking(everybody, who)

    def check(name, method):
        kind = OF_A_CLUB[name].names
        urls = [address(name, everybody.home, thing) for thing in (foreign_of[kind], ABSENT[kind])]
        answers = [ask(method, url) for url in urls]
        if may(who, OF_A_CLUB[name].rights[method], listed=True):
            assert answers[0].status_code == 404, answers[0].status_code
        else:
            assert answers[0].status_code in (302, 403, 404), answers[0].status_code
        assert looks(answers[0], urls[0]) == looks(answers[1], urls[1])

    try_each_cell(today([cell for cell in CELLS if OF_A_CLUB[cell[0]].names]), check)


@pytest.mark.rest
@pytest.mark.parametrize("who", [None, "stranger", "away.owner"], ids=str)
def test_a_private_club_looks_like_an_unknown_club(everybody, who):
    house = everybody.home
    house.club.visibility = "private"
    house.club.save()
    named, ask = things(house), asking(everybody, who)

    def check(name, method):
        there = address(name, house, named[OF_A_CLUB[name].names])
        absent = there.replace(f"/c/{house.club.slug}/", "/c/nowhere/")
        answers = [ask(method, url) for url in (there, absent)]
        assert answers[0].status_code == 404 or (who is None and answers[0].status_code == 302)
        assert looks(answers[0], there) == looks(answers[1], absent)

    try_each_cell(CELLS, check)


@pytest.mark.rest
@pytest.mark.parametrize("who", PEOPLE, ids=str)
def test_an_unknown_club_is_not_found(everybody, who):
    named, ask = things(everybody.home), asking(everybody, who)

    def check(name, method):
        there = address(name, everybody.home, named[OF_A_CLUB[name].names])
        answer = ask(method, there.replace(f"/c/{everybody.home.club.slug}/", "/c/nowhere/"))
        assert answer.status_code == 404 or (who is None and "/login/" in answer.headers["Location"])

    try_each_cell(CELLS, check)


def receipt_link(people: Cast) -> dict[str, Any]:
    """Close the evening, and return the route arguments of a participant's receipt."""
    table = Table.objects.select_related("evening").get(
        evening__club=people.home.club, evening__season=people.home.season
    )
    closing = evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    return {"token": token_for(closing.pk, table.dealer_id)}


@pytest.mark.parametrize("who", PEOPLE, ids=str)
def test_open_routes_answer_everybody(everybody, who):
    named: dict[str, dict[str, Any]] = {"receipt": receipt_link(everybody), "help-page": {"page": "at-the-table"}}
    ask = asking(everybody, who)

    def check(name, method):
        answer = ask(method, reverse(name, kwargs=named.get(ROUTES[name].names, {})))
        assert answer.status_code < 400, answer.status_code

    open_to_all = {name: route for name, route in ROUTES.items() if isinstance(route, Anyone)}
    try_each_cell([(name, method) for name, route in open_to_all.items() for method in route.methods], check)


@pytest.mark.sized
@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_no_route_answers_other_methods(everybody, method):
    named, ask = things(everybody.home), asking(everybody, "home.owner")

    def check(name):
        answer = ask(method, address(name, everybody.home, named[OF_A_CLUB[name].names]))
        assert answer.status_code == 405, answer.status_code

    try_each_cell(today([(name,) for name in OF_A_CLUB]), check)


def test_a_role_that_is_taken_away_ends_at_once(everybody):
    client = signed_in(everybody, "home.recorder")
    url = address("table", everybody.home, things(everybody.home)["table"])
    assert client.get(url).status_code == 200
    everybody.home.recorder.memberships.update(role=Role.MEMBER)
    assert client.get(url).status_code == 403
