"""P12: a crawl of all public pages, files and API answers finds no canary of a private field."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from games.closing.services import evening_close
from games.models import Happening, Revision, Table
from league.access import ClubAccess, names
from league.models import Club, Entrant, Player, ResultRow, Season, Tournament, Transfer
from league.sharing.drawing import Picture
from league.standings import counting
from tests.cast import House, house
from tests.cell_checks import own_cache_keys
from tests.factories import WITH_CARDS, PlayerFactory, create_table, enter
from tests.permissions import ROUTES, Anyone, ApiClub
from tests.permissions import Club as ClubRoute
from tests.promises.canary import MARK, Canary, create_canary

pytestmark = pytest.mark.django_db

API = "application/json"


@pytest.fixture
def home() -> House:
    return house("roessli")


@pytest.fixture
def canary(home: House) -> Canary:
    """A club whose players agreed to nothing, with hands, corrections, a closed evening and one that runs; every
    private text contains the mark, and every amount is unique.
    """
    canary = create_canary(home)
    Club.objects.filter(pk=home.club.pk).update(currency="CHF")
    others = [PlayerFactory(club=home.club, nickname=f"{name}{MARK}") for name in ("Urs", "Ueli", "Vreni", "Xaver")]
    running = create_table(club=home.club, season=home.season, players=[canary.player, *others])
    enter(running, WITH_CARDS)
    Happening.objects.create(table=running, after=1, kind="left", data={"player": others[0].pk})
    Player.objects.filter(club=home.club).update(publicity=Player.Publicity.INITIALS, pseudonym="")
    for person in (home.owner, home.treasurer, home.recorder):
        person.first_name = f"{person.first_name}{MARK}"
        person.save()
    Season.objects.filter(pk=home.season.pk).update(ranking=Season.Ranking.BALANCE)
    Season.objects.filter(pk=home.season.pk).update(ledger_mark=10_000)
    while counting.count_season(home.season.pk):
        pass
    return canary


def addresses(canary: Canary) -> Iterator[str]:
    """Return every address of pages, files and API that a visitor can build."""
    # Everybody may see the chips of a tournament's evenings: they are no money.
    money = Table.objects.filter(evening__club=canary.club, evening__season__in_chips=False)
    tables = list(money.select_related("evening"))
    hands = list(Revision.objects.filter(hand__table__in=tables).values_list("hand_id", "hand__number", "hand__table"))
    known: dict[str, list[Any]] = {
        "club": [canary.club.slug],
        "slug": [canary.club.slug],
        "season": [canary.season.slug],
        "tournament": list(Tournament.objects.filter(club=canary.club).values_list("slug", flat=True)),
        "player": list(Player.objects.filter(club=canary.club).values_list("pk", flat=True)),
        "evening": [table.evening_id for table in tables],
        "table": [table.pk for table in tables],
        "number": sorted({number for _hand, number, _table in hands}),
        "hand": sorted({hand for hand, _number, _table in hands}, key=str),
        "closing": list(tables[0].evening.closings.values_list("pk", flat=True)),
    }
    for name, route in ROUTES.items():
        if not isinstance(route, ClubRoute | Anyone | ApiClub):
            continue
        yield from _of(name, known)


def _of(name: str, known: dict[str, list[Any]]) -> Iterator[str]:
    wanted = _arguments(name)
    if wanted is None or any(argument not in known for argument in wanted):
        return
    kwargs: list[dict[str, Any]] = [{}]
    for argument in wanted:
        kwargs = [each | {argument: value} for each in kwargs for value in known[argument]]
    for each in kwargs:
        try:
            yield reverse(name, kwargs=each)
        except NoReverseMatch:
            return


def _arguments(name: str) -> list[str] | None:
    from django.urls import get_resolver

    resolver = get_resolver()
    namespace, _, bare = name.rpartition(":")
    if namespace:
        resolver = resolver.namespace_dict[namespace][1]
    for possibility, *_rest in resolver.reverse_dict.getlist(bare):
        for _pattern, arguments in possibility:
            return list(arguments)
    return None


def crawl(canary: Canary, urls: Iterable[str], languages: Sequence[str]) -> tuple[list[str], int]:
    """Return the addresses whose answer to a visitor has a private word, and the number of answers.

    A picture has no text to search, so it is asked for in one language.
    """
    client, hits, read = Client(), [], 0
    for url in urls:
        for language in languages:
            client.cookies["django_language"] = language
            answer = client.get(url, follow=False)
            if answer.status_code != 200:
                break
            text = body(answer)
            read += 1
            if secret := private(text, amounts=canary.club.slug in url):
                hits.append(f"{url}: {secret}")
            if not text:
                break
    return hits, read


def some_hits(canary: Canary, kinds: Sequence[str], each: int) -> list[str]:
    """Return the first hits of a crawl in each kind of address: as many as `each` says."""
    urls, hits = [*dict.fromkeys(addresses(canary))], dict[str, str]()
    for kind in kinds:
        count = 0
        for url in (url for url in urls if kind in url and url not in hits):
            for hit in crawl(canary, [url], ["en"])[0]:
                hits[url], count = hit, count + 1
            if count == each:
                break
    return [*hits.values()]


def body(answer: Any) -> str:
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return str(content.decode() if not answer.headers["Content-Type"].startswith(("application/zip", "image")) else "")


def private(text: str, *, amounts: bool) -> str:
    """Return a private word with its context, or nothing; with `amounts` also an amount with currency or as a
    field value.

    Addresses outside a club are searched without `amounts`: they have examples and a calculator.
    """
    seen = text.replace("\xa0", " ")
    words = [re.escape(MARK), *([r"\bCHF\s?[+−]?\d", r"\d\s?Fr\.", r'"\w*_minor":\s*-?\d'] if amounts else [])]
    if match := re.search("|".join(words), seen, re.IGNORECASE):
        return seen[max(0, match.start() - 40) : match.end() + 40]
    return ", ".join(_csv_amounts(text)) if amounts else ""


def _csv_amounts(text: str) -> Iterator[str]:
    head, *lines = text.splitlines() or [""]
    columns = head.split(",")
    if "player_id" not in columns:
        return
    places = [place for place, name in enumerate(columns) if name.endswith("_minor")]
    for line in lines:
        cells = line.split(",")
        yield from (cells[place] for place in places if cells[place])


@pytest.mark.rest
def test_a_visitor_finds_nothing_private(canary, monkeypatch):
    # No pixel is searched: tests/league/test_sharing.py reads the texts of pictures.
    monkeypatch.setattr(Picture, "png", lambda self: b"")
    hits, read = crawl(canary, addresses(canary), ("de", "en"))
    assert hits == []
    assert read > 40, "the crawl read too little to prove anything"
    assert ResultRow.objects.exclude(change_minor=0).exists()
    assert Transfer.objects.exists()


@pytest.mark.rest
def test_a_visitor_finds_neither_name_nor_link_of_players_who_are_shown_by_nobody(canary, monkeypatch):
    monkeypatch.setattr(Picture, "png", lambda self: b"")
    Player.objects.filter(club=canary.club).update(publicity=Player.Publicity.NOBODY)
    urls = [url for url in dict.fromkeys(addresses(canary)) if url.startswith("/c/")]
    assert crawl(canary, urls, ("en",))[0] == []
    linked = [url for url in urls if re.search(r"/(p|sum)/\d+/", body(Client().get(url)))]
    assert linked == []
    # The requests above count towards no limit.
    with own_cache_keys():
        assert {Client().get(url).status_code for url in urls if re.search(r"/(p|sum)/\d+/", url)} == {302, 404}
    page = body(Client(headers={"accept-language": "en"}).get(canary.season.get_absolute_url()))
    assert "Player 1" in page


def test_without_the_guard_of_names_the_crawl_finds_names(canary, monkeypatch):
    monkeypatch.setattr(names.Names, "public", lambda self: dict(Player.objects.values_list("pk", "nickname")))
    kinds = ("/s/", "/e/", "/p/", ".csv", "/h/", "/tournaments/")
    hits = some_hits(canary, kinds, each=2)
    assert len(hits) > 10
    assert all(word in " ".join(hits) for word in kinds)


def test_names_in_the_hall_are_on_the_pages_of_their_tournament_alone(canary, home):
    """The desk chose to show names: no other page, file or answer has one, nor these after the person refused."""
    hall = Tournament.objects.filter(club=home.club)
    hall.update(names_shown_since=timezone.now())
    where = {"club": home.club.slug, "tournament": hall.get().slug}
    pages = {reverse(name, kwargs=where) for name in ("tournament", "tournament-seat", "tournament-screen")}
    urls = [url for url in addresses(canary) if "/picture.png" not in url]
    assert {url for url in urls if crawl(canary, [url], ["en"])[0]} == pages
    Entrant.objects.filter(tournament=hall.get()).update(name_hidden_since=timezone.now())
    assert crawl(canary, pages, ["en"])[0] == []


def test_without_the_guard_of_amounts_the_crawl_finds_amounts(canary, monkeypatch):
    monkeypatch.setattr(ClubAccess, "sees_money", lambda self, player_id=None: True)
    kinds = ("/s/", "/e/", "/p/", ".csv")
    hits = some_hits(canary, kinds, each=1)
    assert all(word in " ".join(hits) for word in kinds)


def test_a_private_club_is_a_404_for_visitors(canary):
    Club.objects.filter(pk=canary.club.pk).update(visibility=Club.Visibility.PRIVATE)
    client = Client()
    urls = [url for url in addresses(canary) if canary.club.slug in url and client.get(url).status_code == 200]
    assert urls == []


def test_sums_and_order_are_the_same_under_public_names(canary, home):
    visitor, owner = Client(), Client()
    owner.force_login(home.owner)
    Club.objects.filter(pk=home.club.pk).update(publishes_money=True)
    url = reverse("standings-csv", kwargs={"club": home.club.slug, "season": home.season.slug})
    files = [body(client.get(url)).splitlines() for client in (visitor, owner)]
    public, inside = ([line.split(",") for line in lines] for lines in files)
    place = public[0].index("player")
    shown = [row.pop(place) for row in public]
    assert len(set(shown)) == len(shown)
    assert MARK not in " ".join(shown)
    assert MARK in " ".join(row.pop(place) for row in inside)
    assert public == inside


def test_a_receipt_is_open_to_everybody_with_its_link(canary, home):
    evening_close(evening=Table.objects.order_by("-pk")[0].evening, author=None, key=uuid.uuid4())
    assert not [url for url in addresses(canary) if url.startswith("/r/")]
