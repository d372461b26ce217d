"""Holders of a link against every other address: a table card, a large file, a pub screen, a player's link and the
feeds of a private club open what they are for, and are nothing anywhere else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from games.hands.gate import CARD_PAGES
from games.models import Table
from league.attendance.link import link_renew as coming_renew
from league.attendance.link import token_of as coming_token
from league.large_files.link import link_to
from league.large_files.services import claim, file_ask, file_make
from league.models import Club, Player, User
from league.pub_screen.link import link_renew, token_of
from league.reports.feeds.link import key_of
from league.tournaments import rounds
from league.tournaments.table_cards import cards_of
from tests.cast import Cast, House
from tests.league.test_access_permissions import everybody, more_of, things  # noqa: F401
from tests.permissions import ROUTES, ApiClub, Own
from tests.permissions import Club as ClubRoute
from tests.tournaments.played_tournaments import drawn_round, made_tournament, with_entrants

from .addresses import every_address

pytestmark = [pytest.mark.django_db, pytest.mark.rest, pytest.mark.usefixtures("no_limits")]

FEEDS = frozenset({"club-calendar", "club-results-atom", "standings-embed", "standings-json"})
METHODS = ("GET", "POST")
HOME = "roessli"
PARAMETERS = {address.name: address.parameters for address in every_address()}


@pytest.fixture
def no_limits(settings: Any) -> None:
    """Every address is asked for in one minute."""
    settings.API_LIMITS = {who: {"read": 0, "write": 0} for who in settings.API_LIMITS}
    settings.DRAWN_LIMITS = dict.fromkeys(settings.DRAWN_LIMITS, 10_000)


@pytest.fixture
def private(everybody: Cast) -> Cast:  # noqa: F811
    Club.objects.update(visibility="private")
    return everybody


def addresses(house: House) -> Iterator[tuple[str, str]]:
    """Yield every address of a club and of an account, with the name of its route."""
    known = things(house)
    for name, route in ROUTES.items():
        if isinstance(route, ClubRoute | ApiClub) and route.names in known:
            values = {"club": house.club.slug, **known[route.names], **more_of(name)}
            if PARAMETERS[name] <= values.keys():
                yield name, reverse(name, kwargs={each: values[each] for each in PARAMETERS[name]})
        elif isinstance(route, Own) and not route.names and "logout" not in name:
            yield name, reverse(name)


def outcome(client: Client, method: str, url: str) -> tuple[int, str]:
    """Return the status of an answer, and where it sends the reader."""
    answer = getattr(client, method.lower())(url)
    return int(answer.status_code), re.sub(r"\?.*", "", answer.headers.get("Location", ""))


def expected(kind: str, name: str, method: str, house: House, visitor: tuple[int, str], own: str) -> tuple[int, str]:
    """Return what the holder of a link gets: what a visitor without a link gets, with two exceptions.

    The feeds of the club open. A table card does not open the pages of another table of its club: where a visitor is
    sent to the sign-in, its holder, who has no account, is sent back to the card, or reads after a POST that nothing
    was stored (409). This is the same for every table, whether it exists or not, and shows nothing of it.
    """
    if house.club.slug != HOME:
        return visitor
    if kind == "the feeds" and name in FEEDS and method == "GET":
        return 200, ""
    of_a_table = "table" in PARAMETERS[name] and "tournament" not in PARAMETERS[name]
    if kind == "a table card" and of_a_table and visitor == (302, "/login/"):
        return (303, own) if method == "GET" else (409, "")
    return visitor


def card(people: Cast) -> tuple[Callable[[], Client], str, str]:
    tournament = made_tournament(people.home.club, people.home.owner, rounds=3)
    with_entrants(tournament, people.home.owner, 8)
    drawn_round(tournament, people.home.owner)
    rounds.round_start(tournament=tournament, author=people.home.owner, number=1)
    code = cards_of(tournament, [1])[1].code
    holder = Client()
    assert holder.get(f"/t/{code}/").status_code == 200
    return lambda: holder, urlencode({"code": code}), f"/t/{code}/"


def large_file(people: Cast) -> tuple[Callable[[], Client], str, str]:
    about: dict[str, Any] = {"kind": "results", "subject": people.home.season.pk, "form": "xlsx", "options": {}}
    file_ask(club=people.home.club, asker=people.home.owner, language="en", **about)
    file = claim()
    assert file is not None
    assert file_make(file)
    link = link_to(file)
    assert Client().get(link).status_code != 200
    stranger = Client()
    stranger.force_login(people.stranger)
    assert stranger.get(link).status_code == 404
    return lambda: Client(), link.partition("?")[2], ""


def pub_screen(people: Cast) -> tuple[Callable[[], Client], str, str]:
    token = token_of(link_renew(club=people.home.club, actor=None))
    holder = Client()
    assert holder.get(reverse("screen-link", kwargs={"token": token})).status_code == 200
    return lambda: holder, urlencode({"token": token, "key": token}), ""


def feeds(people: Cast) -> tuple[Callable[[], Client], str, str]:
    return Client, urlencode({"key": key_of(people.home.club)}), ""


def coming(people: Cast) -> tuple[Callable[[], Client], str, str]:
    player = Player.objects.filter(club=people.home.club, active=True, main=None).earliest("pk")
    token = coming_token(coming_renew(player=player, actor=None))
    holder = Client()
    assert holder.get(reverse("coming-link", kwargs={"club": HOME, "token": token})).status_code == 200
    return lambda: holder, urlencode({"token": token, "key": token}), ""


LINKS = {
    "a table card": card,
    "a large file": large_file,
    "a pub screen": pub_screen,
    "a player's link": coming,
    "the feeds": feeds,
}


def test_a_link_opens_nothing_but_its_own_pages(private: Cast) -> None:
    links = {kind: make(private) for kind, make in LINKS.items()}
    asked, wrong = 0, []
    for house in (private.home, private.away):
        for name, url in addresses(house):
            # Of the other club it is enough to read.
            for method in METHODS if house is private.home else METHODS[:1]:
                visitor = outcome(Client(), method, url)
                for kind, (holder, query, own) in links.items():
                    seen, asked = outcome(holder(), method, f"{url}?{query}"), asked + 1
                    if seen != expected(kind, name, method, house, visitor, own):
                        wrong.append((kind, name, method, house.club.slug, visitor, seen))
    assert not wrong, "\n".join(map(str, wrong))
    assert asked > 1000


def test_a_table_card_opens_only_the_pages_of_hands_of_its_own_table(private: Cast) -> None:
    holder, _query, own = card(private)
    table = Table.objects.filter(evening__season__club=private.home.club, number=1).latest("pk")
    known = {"club": private.home.club.slug, "table": table.pk, "hand": 1}
    opened = set()
    for name, route in ROUTES.items():
        if isinstance(route, ClubRoute) and "table" in PARAMETERS[name] and PARAMETERS[name] <= known.keys():
            url = reverse(name, kwargs={each: known[each] for each in PARAMETERS[name]})
            if outcome(holder(), "GET", url) not in ((303, own), (404, "")):
                opened.add(name)
    assert {"table", "hand-void", "hand-type"} <= opened <= CARD_PAGES


def test_feeds_with_the_key_of_another_club_are_closed(private: Cast) -> None:
    key = urlencode({"key": key_of(private.away.club)})
    known = things(private.home)
    for name in FEEDS:
        url = reverse(name, kwargs={"club": private.home.club.slug, **known[ROUTES[name].names]})  # type: ignore[union-attr]
        assert Client().get(f"{url}?{key}").status_code == 404, name


def test_a_link_gives_no_session_to_an_account(private: Cast) -> None:
    before = User.objects.filter(is_active=True).count()
    for make in LINKS.values():
        holder, _query, _own = make(private)
        assert holder().get("/account/").status_code == 302
        assert User.objects.filter(is_active=True).count() == before
