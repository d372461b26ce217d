"""The preview of a shared link: canonical address and Open Graph tags of public pages, their pictures, and
robots.txt."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from games.cards import picture_views as hand_picture_views
from games.evening import picture_views
from league.access import Right
from league.models import Club, Player, Season
from league.sharing import drawing, season_views, views
from league.sharing.pictures import Heading, RankRow, standings_picture, title_picture, wrapped
from league.standings.counting import count_season
from league.templatetags.sharing import PAGES, PICTURE_SIZE
from tests.cast import Cast
from tests.clients import forget_pages
from tests.factories import MADE, WITH_CARDS, PlayerFactory, create_table, enter
from tests.league.test_access_permissions import more_of, things
from tests.permissions import ROUTES, Anyone
from tests.permissions import Club as ClubRoute

FILES = re.compile(r"\.\w+$")


# --- Drawing, without a database ---------------------------------------------------------------------------


def size_of(body: bytes) -> tuple[int, int]:
    with Image.open(io.BytesIO(body)) as image:
        assert image.format == "PNG"
        return image.size


def test_a_picture_has_the_size_that_its_tags_name_and_is_small():
    rows = [RankRow(rank, f"Ŋame № {rank}", f"{90 - rank}", rank + 1, (rank, None, 7)) for rank in range(1, 8)]
    for body in (
        standings_picture(Heading("Club", "Season", "after 3 evenings"), rows, ""),
        standings_picture(Heading("Club", "Season"), [], "Nobody has played."),
        title_picture(Heading("", "Title"), "A sentence. " * 20),
    ):
        assert size_of(body) == PICTURE_SIZE
        assert len(body) < 80_000


def test_possible_places_stand_in_place_of_a_rank_and_only_a_sure_first_one_leads():
    rows = [
        RankRow(None, name, "1’000", places=places) for name, places in (("Anna", "1–2"), ("Beni", "1"), ("Carlo", ""))
    ]
    assert [(row.before_name, row.leads) for row in rows] == [("1–2", False), ("1", True), ("", False)]
    ranked, unranked = RankRow(3, "Anna", "7"), RankRow(None, "Beni", "7")
    assert [(row.before_name, row.leads) for row in (ranked, unranked)] == [("3", True), ("–", True)]
    first = [standings_picture(Heading("Club", "Statistics"), [row], "") for row in (rows[0], rows[1], ranked)]
    assert len(set(first)) == 3
    assert {size_of(body) for body in first} == {PICTURE_SIZE}


def test_a_long_name_gets_smaller_and_then_is_cut():
    assert drawing.fitted("Anna", 400, 40) == ("Anna", 40)
    text, size = drawing.fitted("Maximiliana Theresia", 330, 40)
    assert (text, size < 40) == ("Maximiliana Theresia", True)
    text, size = drawing.fitted("Maximiliana-Theresia von Arx-Oberdorf", 200, 40)
    assert text.endswith("…")
    assert drawing.text_width(text, size) <= 201


def test_a_sentence_is_broken_at_spaces():
    text = "The book of clubs that play Chratze and Kratzen: hands, pots, standings and payments."
    lines = wrapped(text, 34, 46)
    assert " ".join(lines) == text
    assert all(len(line) <= 46 for line in lines)


# --- Tags of a page ----------------------------------------------------------------------------------------


@pytest.fixture
def table(people: Cast) -> Any:
    made = create_table(club=people.home.club, season=people.home.season)
    for record in (WITH_CARDS, MADE):
        enter(made, record)
    count_season(people.home.season.pk)
    return made


def addresses(people: Cast) -> dict[str, str]:
    """The shared pages of the home club, by route."""
    known, club = things(people.home), people.home.club.slug
    names = (
        *("club", "season", "player", "evening", "hand-through", "tournaments", "club-privacy", "club-feeds"),
        *("club-records", "season-records", "season-statistics", "season-chances", "season-luck"),
        *("season-sum", "season-report", "evening-report", "evening-corrections"),
    )
    return {
        name: reverse(name, kwargs={"club": club, **known[getattr(ROUTES[name], "names", "")], **more_of(name)})
        for name in names
    }


def tags(client: Client, url: str, language: str = "en") -> dict[str, str]:
    """Return the tags for sharing in the head of a page."""
    text = client.get(url, headers={"accept-language": language}).content.decode()
    properties = dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">', text))
    canonical = re.findall(r'<link rel="canonical" href="([^"]+)">', text)
    return properties | ({"canonical": canonical[0]} if canonical else {})


@pytest.mark.django_db
def test_each_public_page_is_shared_with_its_own_title_text_and_picture(people, table):
    client, titles, texts = Client(), set(), set()
    public = {"home": "/", "calculator": "/calculator/", "hand-worth": "/hand-worth/", "privacy": "/privacy/"}
    pages = {**addresses(people), **public}
    for name, url in pages.items():
        page_tags = tags(client, url)
        titles.add(page_tags["og:title"])
        texts |= {page_tags["og:description"], tags(client, url, "de")["og:description"]}
        assert page_tags["canonical"] == page_tags["og:url"] == f"http://testserver{url}", name
        assert page_tags["og:title"], name
        assert page_tags["og:description"], name
        picture = client.get(page_tags["og:image"].removeprefix("http://testserver"))
        assert size_of(picture.content) == (int(page_tags["og:image:width"]), int(page_tags["og:image:height"])), name
    assert len(titles) == len(pages)
    # Each page has its own text, in each language.
    assert len(texts) == 2 * len(pages)


NOT_SHARED = {
    "the way into an account, and what belongs to one": {
        *("login", "account_login", "logout", "account_logout", "account_request_login_code", "account_signup"),
        *("account_confirm_login_code", "mfa_login_webauthn", "mfa_authenticate", "account_email_verification_sent"),
        *("account_reset_password", "account_reset_password_done", "account_reset_password_from_key_done"),
        *("account_inactive", "receipt"),
    },
    "help for those who use the product": {"help", "help-page", "help-handout", "help-words"},
    "a part of a page, or an answer to a program": {
        *("healthz", "readyz", "language", "outbox", "worker", "manifest", "offline", "api-openapi"),
        *("season-standings", "season-chances-live", "evening-live", "tournament-clock", "standings-json"),
        *("tournament-seat-find", "club-standings"),
        *("standings-csv", "results-csv", "hands-csv", "luck-csv", "club-calendar", "club-results-atom"),
        *("cup-csv", "cup-atom"),
        *("club-year-picture", "player-year-picture"),
    },
    "has people of several clubs, who agreed to a page and to no picture": {"cups", "cup"},
    "stands in a page of another site": {"standings-embed"},
    "a form that people fill in once; the page of the tournament leads to it": {"tournament-own-entry"},
    "about one person, with amounts where the club publishes them": {"player-statement", "evenings-csv"},
    "names who corrected a hand and why to people of the club": {"hand-history"},
}
"""The routes for visitors that have no card, by reason."""


def test_each_public_page_has_a_card_or_a_reason():
    public = {
        name
        for name, route in ROUTES.items()
        if isinstance(route, Anyone) or (isinstance(route, ClubRoute) and route.rights.get("GET") == Right.READ)
    }
    public -= {page.picture for page in PAGES.values()}
    excused = set().union(*NOT_SHARED.values())
    assert public - excused == set(PAGES)
    assert excused - public == set()


@pytest.mark.django_db
def test_a_canonical_address_has_no_steps_filters_and_unknown_parameters(people, table):
    pages = addresses(people)
    client, here = Client(), "http://testserver"
    assert tags(client, f"{pages['evening']}?player=1&utm_source=x")["canonical"] == here + pages["evening"]
    assert tags(client, f"{pages['hand-through']}?step=3")["canonical"] == here + pages["hand-through"]
    assert tags(client, f"{pages['player']}?x=1&season=2026")["canonical"] == f"{here}{pages['player']}?season=2026"


@pytest.mark.django_db
def test_nobody_signed_in_and_no_error_page_is_given_tags(people, table):
    member = Client()
    member.force_login(people.home.member)
    assert [page_tags for url in addresses(people).values() if (page_tags := tags(member, url))] == []
    Club.objects.filter(pk=people.home.club.pk).update(visibility=Club.Visibility.PRIVATE)
    assert [url for url in addresses(people).values() if tags(Client(), url)] == []


# --- Pictures ----------------------------------------------------------------------------------------------


def pictures(people: Cast) -> dict[str, str]:
    known, club = things(people.home), people.home.club.slug
    return {
        name: reverse(name, kwargs={"club": club, **known[kind], **more_of(name)})
        for name, kind in (
            ("club-picture", ""),
            ("player-picture", "player"),
            ("season-picture", "season"),
            ("club-records-picture", ""),
            ("season-records-picture", "season"),
            ("statistics-picture", "season"),
            ("chances-picture", "season"),
            ("evening-picture", "evening"),
            ("hand-picture", "table"),
        )
    }


def all_drawn(client: Client, people: Cast, drawn: list[str]) -> str:
    drawn.clear()
    forget_pages()
    for url in pictures(people).values():
        assert client.get(url).status_code == 200, url
    return " | ".join(drawn)


def signed_in(people: Cast, role: str) -> Client:
    client = Client()
    client.force_login(people.home.person(role))
    return client


NICKNAMES = re.compile("Anna|Beni|Carlo|Doris|Emil")
AMOUNTS = re.compile(r"CHF|Fr\.|\d\.\d\d")


@pytest.mark.django_db
def test_a_picture_has_no_name_without_consent_and_no_amount_for_every_requester(people, table, drawn):
    Player.objects.filter(club=people.home.club).update(publicity=Player.Publicity.INITIALS)
    Season.objects.filter(pk=people.home.season.pk).update(ranking=Season.Ranking.BALANCE)
    for client in (Client(), signed_in(people, "owner"), signed_in(people, "member")):
        texts = all_drawn(client, people, drawn)
        assert not NICKNAMES.search(texts), texts
        assert not AMOUNTS.search(texts), texts
        assert texts.count("A.") >= 3
    Club.objects.filter(pk=people.home.club.pk).update(publishes_money=True)
    Player.objects.filter(club=people.home.club).update(publicity=Player.Publicity.NICKNAME)
    texts = all_drawn(Client(), people, drawn)
    assert NICKNAMES.search(texts)
    assert AMOUNTS.search(texts)


@pytest.mark.django_db
def test_the_picture_of_champions_names_nobody_without_consent(people, table, drawn, monkeypatch):
    Player.objects.filter(club=people.home.club).update(publicity=Player.Publicity.INITIALS)
    Season.objects.filter(pk=people.home.season.pk).update(ranking=Season.Ranking.BALANCE, closed_at=timezone.now())
    url = reverse("champions-picture", kwargs={"club": "roessli", "season": people.home.season.slug})
    for client in (Client(), signed_in(people, "owner")):
        drawn.clear()
        assert client.get(url).status_code == 200
        texts = " | ".join(drawn)
        assert not NICKNAMES.search(texts), texts
        assert not AMOUNTS.search(texts), texts
    monkeypatch.setattr(views, "as_visitor", lambda access: access)
    drawn.clear()
    signed_in(people, "owner").get(url)
    assert NICKNAMES.search(" | ".join(drawn))


@pytest.mark.django_db
def test_a_player_of_another_club_has_no_picture_there(people, table):
    stranger = PlayerFactory(club=people.away.club)
    url = reverse("player-picture", kwargs={"club": people.home.club.slug, "player": stranger.pk})
    assert (Client().get(url).status_code, signed_in(people, "owner").get(url).status_code) == (404, 404)


@pytest.mark.django_db
def test_a_tournament_is_no_season_in_the_picture_of_a_person(people, table, drawn):
    player = table.dealer_id
    url = reverse("player-picture", kwargs={"club": people.home.club.slug, "player": player})
    assert Client().get(url).status_code == 200
    assert people.home.season.name in drawn
    drawn.clear()
    forget_pages()
    Season.objects.filter(pk=people.home.season.pk).update(in_chips=True, points_only=True)
    assert Client().get(url).status_code == 200
    assert people.home.season.name not in drawn


@pytest.mark.django_db
def test_drawn_for_its_reader_a_picture_would_have_names_and_amounts(people, table, drawn, monkeypatch):
    Player.objects.filter(club=people.home.club).update(publicity=Player.Publicity.INITIALS)
    Season.objects.filter(pk=people.home.season.pk).update(ranking=Season.Ranking.BALANCE)
    for module in (views, season_views, picture_views, hand_picture_views):
        monkeypatch.setattr(module, "as_visitor", lambda access: access)
    texts = all_drawn(signed_in(people, "owner"), people, drawn)
    assert NICKNAMES.search(texts)
    assert AMOUNTS.search(texts)


@pytest.mark.django_db
def test_a_picture_is_drawn_once_for_all_visitors_and_again_after_a_change(people, table, drawn):
    all_drawn(Client(), people, drawn)
    drawn.clear()
    answers = {name: Client().get(url) for name, url in pictures(people).items()}
    assert drawn == []
    for name, url in pictures(people).items():
        known = Client().get(url, headers={"if-none-match": answers[name]["ETag"]})
        assert known.status_code == 304, name
    Player.objects.filter(club=people.home.club, nickname="Anna").update(nickname="Zita")
    for name, url in pictures(people).items():
        assert Client().get(url)["ETag"] != answers[name]["ETag"], name
    assert "Zita" in drawn


# --- robots.txt --------------------------------------------------------------------------------------------


def may_crawl(path: str) -> bool:
    """Read robots.txt as RFC 9309 says: the longest matching rule counts, `Allow` where two are equally long."""
    rules = re.findall(r"^(Allow|Disallow): (\S+)$", b"".join(Client().get("/robots.txt")).decode(), re.MULTILINE)
    matching = [
        (len(rule), kind == "Allow")
        for kind, rule in rules
        if re.match(re.escape(rule).replace(r"\*", ".*").replace(r"\$", "$"), path)
    ]
    return max(matching, default=(0, True))[1]


@pytest.mark.django_db
def test_robots_leave_out_exactly_the_pages_that_need_a_sign_in(people, table):
    known = things(people.home)
    wrong = []
    crawled = ("home", "calculator", "hand-worth", "privacy", "api-docs", "site-picture")
    for name, route in ROUTES.items():
        if isinstance(route, ClubRoute) and route.names in known:
            url = reverse(name, kwargs={"club": people.home.club.slug, **known[route.names], **more_of(name)})
            public = route.rights.get("GET") == Right.READ and name not in PARTS
            if may_crawl(url) != public and (public or "GET" in route.rights) and not FILES.search(url):
                wrong.append(url)
        elif isinstance(route, Anyone) and name in crawled:
            assert may_crawl(reverse(name)), name
    assert wrong == []
    assert not may_crawl("/api/v1/clubs")
    assert not may_crawl("/r/token/")
    assert all(may_crawl(url) for url in pictures(people).values())


PARTS = {"season-standings", "season-chances-live", "evening-live", "tournament-clock", "tournament-seat-find"}
"""Parts of pages and answers to programs, which no crawler needs."""
