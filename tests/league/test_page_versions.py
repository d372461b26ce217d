"""Pages with many readers: one body for all visitors, never older than its state."""

from __future__ import annotations

import contextlib
import gzip
import re
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from datetime import time as clock
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache, caches
from django.db import OperationalError, connection, transaction
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games import version_triggers as games_triggers
from games.closing.services import evening_close
from games.corrections.edits import TakeOut
from games.corrections.services import correct
from games.models import Table
from games.seating.changes import Arrive
from games.seating.services import carry_out
from league import version_triggers
from league.models import Closing, Club, Evening, PlannedEvening, Player, Season
from league.privacy.forgetting import player_forget
from league.roster.merging import players_merge
from league.standings.counting import count_season
from league.web import page_versions
from league.web.page_versions import State, VersionedPages
from tests.cast import Cast
from tests.clients import forget_pages, signed_in, visitor
from tests.factories import FAILED, MADE, PlayerFactory, create_table, enter, void

pytestmark = pytest.mark.django_db

LANGUAGES = ("de", "en")
LIVE = ("season-standings", "evening-live")


@pytest.fixture
def table(people: Cast) -> Table:
    made = create_table(season=people.home.season, club=people.home.club, seats=5, held_on=timezone.localdate())
    for record in (MADE, FAILED, MADE):
        enter(made, record)
    count_season(people.home.season.pk)
    return made


@pytest.fixture(autouse=True)
def no_kept_page() -> None:
    forget_pages()


def addresses(table: Table) -> dict[str, str]:
    """The pages that are kept for visitors, and the parts of them that poll."""
    club, season = table.evening.club.slug, table.evening.season.slug
    player = table.places.earliest("seat").player_id
    names: dict[str, dict[str, Any]] = {
        "club": {"club": club},
        "season": {"club": club, "season": season},
        "season-standings": {"club": club, "season": season},
        "season-records": {"club": club, "season": season},
        "season-statistics": {"club": club, "season": season},
        "season-champions": {"club": club, "season": season},
        "club-records": {"club": club},
        "club-champions": {"club": club},
        "player": {"club": club, "player": player},
        "evening": {"club": club, "evening": table.evening_id},
        "evening-live": {"club": club, "evening": table.evening_id},
    }
    urls = {name: reverse(name, kwargs=kwargs) for name, kwargs in names.items()}
    return urls | {"player of a season": f"{urls['player']}?season={season}"}


def bodies(client: Client, urls: dict[str, str]) -> dict[str, bytes]:
    answers = {name: client.get(url) for name, url in urls.items()}
    assert {answer.status_code for answer in answers.values()} <= {200}
    return {name: answer.content for name, answer in answers.items()}


# --- One body for all visitors -----------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_visitors_get_the_same_bytes_after_any_earlier_reader(people, table, language):
    urls = addresses(table)
    first = bodies(visitor(language), urls)
    forget_pages()
    for person in (people.home.owner, people.home.member, people.stranger):
        bodies(signed_in(person, language), urls)
    assert bodies(visitor(language, csrftoken="a" * 32, other="1"), urls) == first
    assert bodies(visitor(language), urls) == first
    for name, body in first.items():
        assert b"csrfmiddlewaretoken" not in body, name
        assert b"&quot;Look&quot;" not in body, name


def test_each_language_has_its_own_body(table):
    urls = addresses(table)
    german, english = (bodies(visitor(language), urls) for language in LANGUAGES)
    assert all(german[name] != english[name] for name in urls)
    assert bodies(visitor("en"), urls) == english


def test_each_choice_of_the_standings_has_its_own_body(table):
    """One who asks for one part or order of a season leaves no other reader with it."""
    url = addresses(table)["season"]
    chosen = [url, f"{url}?sort=hands", f"{url}?sort=-hands", f"{url}?on=2020-01-01"]
    fresh = []
    for address in chosen:
        forget_pages()
        fresh.append(visitor().get(address).content)
    assert len(set(fresh)) == len(chosen)
    forget_pages()
    assert [visitor().get(address).content for address in chosen] == fresh


def test_a_kept_page_sets_no_cookie_and_keeps_the_headers_of_every_answer(table):
    client = visitor()
    for name, url in addresses(table).items():
        fresh, kept = client.get(url), client.get(url)
        assert not fresh.cookies
        assert not kept.cookies
        assert fresh.headers.pop("X-Request-ID") != kept.headers.pop("X-Request-ID")
        assert dict(fresh.headers) == dict(kept.headers), name
        assert kept["Cache-Control"] == "private, no-cache"
        assert {"Cookie", "Accept-Language", "Accept-Encoding"} <= set(re.split(", *", kept["Vary"])), name


def test_people_of_the_club_get_their_own_page(people, table):
    url = addresses(table)["season"]
    kept = visitor().get(url).content
    assert signed_in(people.home.owner).get(url).content != kept
    assert visitor().get(url).content == kept


def test_a_kept_page_costs_one_query_and_a_known_one_has_no_body(table):
    client = visitor()
    for name, url in addresses(table).items():
        etag = client.get(url)["ETag"]
        with CaptureQueriesContext(connection) as queries:
            known = client.get(url, headers={"if-none-match": etag})
        assert (known.status_code, known.content, known["ETag"]) == (304, b"", etag), name
        assert len(queries) == 1, name


def test_a_kept_page_is_compressed_for_each_browser_that_takes_it(table):
    url = addresses(table)["season"]
    plain = visitor().get(url)
    packed = visitor().get(url, headers={"accept-encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert int(packed["Content-Length"]) == len(packed.content) < len(plain.content) / 2


@pytest.mark.parametrize(
    "more", ["?player=1", "?season=2026&other=1", "?season=nothing-of-the-kind", "?season=2026&season=2026", "/p/00"]
)
def test_another_address_of_a_page_fills_no_cache(table, more, monkeypatch):
    stored: list[str] = []
    monkeypatch.setattr(caches["pages"], "set", lambda key, *more: stored.append(key))
    url = addresses(table)["player"]
    visitor().get(url.replace("/p/", more) if more.startswith("/") else url + more)
    assert stored == []
    visitor().get(url)
    assert len(stored) == 1


def test_simultaneous_requests_render_a_page_once():
    assert renderings() == 1


def test_without_the_lock_each_request_renders_it(monkeypatch):
    monkeypatch.setattr(page_versions, "_one_at_a_time", lambda key: contextlib.nullcontext())
    assert renderings() > 1


def renderings() -> int:
    """Let eight visitors ask for a page at once; return the number of renderings."""
    rendered: list[HttpRequest] = []
    begin = threading.Barrier(8)

    def render(request: HttpRequest) -> HttpResponse:
        rendered.append(request)
        time.sleep(0.2)
        return HttpResponse("page")

    pages = VersionedPages(render)
    key = uuid.uuid4().hex

    def ask() -> None:
        begin.wait()
        pages._kept(RequestFactory().get("/"), State(True, (key,)))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(rendered)


# --- Never older than its state ----------------------------------------------------------------------------


def renamed(table: Table) -> None:
    player = table.places.earliest("seat").player
    player.nickname, player.publicity = "Zita", Player.Publicity.NICKNAME
    player.save()


def renamed_by_a_statement(table: Table) -> None:
    Player.objects.filter(pk=table.places.earliest("seat").player_id).update(publicity="nickname", nickname="Quirin")


def merged(table: Table) -> None:
    guest = PlayerFactory(club=table.evening.club, nickname="Guest")
    main = table.places.earliest("seat").player
    players_merge(club=table.evening.club, player=guest, main=main, reason="same", actor=None)


def seated(table: Table) -> None:
    guest = PlayerFactory(club=table.evening.club, nickname="Walter", publicity=Player.Publicity.NICKNAME)
    after = table.places.order_by("seat")[0].player_id
    carry_out(table=table, change=Arrive(guest.pk, after), author=None, key=uuid.uuid4())


def corrected(table: Table) -> None:
    correct(table=table, edit=TakeOut(number=1), author=None, key=uuid.uuid4())


def counted(table: Table) -> None:
    count_season(table.evening.season_id)


def closed(table: Table) -> None:
    evening = Evening.objects.select_related("club", "season").get(pk=table.evening_id)
    evening_close(evening=evening, author=None, key=uuid.uuid4(), pot=Closing.Pot.CARRY)


def another_evening(table: Table) -> None:
    create_table(season=table.evening.season, club=table.evening.club, seats=4, held_on=timezone.localdate())


def changed_season(table: Table) -> None:
    Season.objects.filter(pk=table.evening.season_id).update(name="Winter", planned_evenings=30, best_evenings=2)


def changed_club(table: Table) -> None:
    Club.objects.filter(pk=table.evening.club_id).update(name="Other name", publishes_money=True)


def planned(table: Table) -> None:
    day = timezone.localdate() + timedelta(days=7)
    evening = table.evening
    PlannedEvening.objects.create(club=evening.club, season=evening.season, held_on=day, begins_at=clock(20))


def cancelled(table: Table) -> None:
    PlannedEvening.objects.filter(club=table.evening.club_id).update(cancelled_at=timezone.now())


WRITES: list[Callable[[Table], object]] = [
    *(lambda table: enter(table, MADE), lambda table: void(table), lambda table: enter(table, FAILED)),
    *(counted, corrected, counted, seated, renamed, renamed_by_a_statement, merged, counted, another_evening),
    *(changed_season, planned, cancelled, changed_club, closed, counted),
]


def outdated(table: Table, writes: Sequence[Callable[[Table], object]]) -> set[str]:
    """Write in these ways; return the pages that were kept although their content has changed."""
    urls, names = addresses(table), set()
    before = bodies(visitor(), urls)
    for write in writes:
        write(table)
        table = Table.objects.get(pk=table.pk)
        after = bodies(visitor(), urls)
        same = {name: url for name, url in urls.items() if after[name] == before[name]}
        with nothing_kept():
            names |= {name for name, body in bodies(visitor(), same).items() if body != after[name]}
        before = after
    return names


@contextlib.contextmanager
def nothing_kept() -> Iterator[None]:
    """Let pages be rendered although they are kept; those stay as they are for the next write."""
    pages = caches["pages"]
    prefix, pages.key_prefix = pages.key_prefix, uuid.uuid4().hex
    try:
        yield
    finally:
        pages.key_prefix = prefix


# On PostgreSQL the version of a club changes with the commit.
@pytest.mark.rest
@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
def test_no_visitor_sees_a_page_that_is_older_than_a_write(table):
    assert outdated(table, WRITES) == set()


@pytest.mark.needs_sqlite
def test_without_the_triggers_pages_would_be_outdated(table):
    version_triggers.drop(connection, version_triggers.LEAGUE_VERSIONED)
    assert {"club", "evening", "player"} <= outdated(table, [renamed_by_a_statement])


@pytest.mark.needs_sqlite
def test_without_their_triggers_planned_evenings_would_be_missing(table):
    version_triggers.drop(connection, version_triggers.PLAN_VERSIONED)
    assert {"club", "season"} <= outdated(table, [planned])


@pytest.mark.needs_sqlite
def test_without_the_triggers_of_tables_evenings_would_be_outdated(table):
    version_triggers.drop(connection, games_triggers.GAMES_VERSIONED)
    assert {"evening", "evening-live"} <= outdated(table, [lambda table: enter(table, MADE)])


def test_a_club_that_becomes_private_is_gone_for_visitors_at_once(table):
    urls = addresses(table)
    bodies(visitor(), urls)
    Club.objects.filter(pk=table.evening.club_id).update(visibility=Club.Visibility.PRIVATE)
    assert {visitor().get(url).status_code for url in urls.values()} == {404}


@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
def test_no_kept_page_names_somebody_who_was_forgotten(people, table, monkeypatch):
    player = table.places.earliest("seat").player
    stored: dict[str, object] = {}
    store = caches["pages"].set
    monkeypatch.setattr(caches["pages"], "set", lambda key, *more: (stored.update({key: more[0]}), store(key, *more)))
    bodies(signed_in(people.home.member), addresses(table))
    bodies(visitor(), addresses(table))
    assert any(player.nickname.encode() in body for body in stored.values() if isinstance(body, bytes))
    cache.set("counter", 1)
    player_forget(player=player, actor=None)
    assert caches["pages"].get_many(stored) == {}
    assert cache.get("counter") == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.needs_postgres
@pytest.mark.parametrize("late", [True, False], ids=["late", "at once"])
def test_the_version_of_a_club_is_locked_at_the_end_of_a_transaction(people, late):
    """A transaction that holds it longer could cause a deadlock."""
    waited: list[str] = []

    def rename() -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '500ms'")
            Player.objects.create(club=people.home.club, nickname="Other")
        except OperationalError as error:
            waited.append(str(error))
        finally:
            connection.close()

    with transaction.atomic():
        if not late:
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        Season.objects.filter(pk=people.home.season.pk).update(name="Winter")
        other = threading.Thread(target=rename)
        other.start()
        other.join()
    assert bool(waited) is not late


@pytest.mark.django_db(transaction=True)
@pytest.mark.needs_postgres
def test_a_connection_that_the_database_closed_is_replaced(table):
    url = addresses(table)["season"]
    before = visitor().get(url).content
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [backend] = cursor.fetchone()
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [backend])
    other.close()
    assert visitor().get(url).content == before
