"""The public pages of a tournament are kept: one body for all visitors, rendered once, never older than its state."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection, connections
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.corrections.edits import TakeOut
from games.corrections.services import correct
from league import state_queries, version_triggers
from league.models import Club, Player, Round, Tournament
from league.roster.merging import players_merge
from league.state_queries import StateQuery
from league.tournaments import draw_services, entries, rounds, services
from league.tournaments.room import versions, views
from tests.cast import House
from tests.clients import forget_pages, signed_in, visitor
from tests.factories import MADE, PlayerFactory, enter
from tests.tournaments.played_tournaments import drawn_round, made_tournament, play_round, with_entrants
from tests.tournaments.rounds import table_of

pytestmark = pytest.mark.django_db

PAGES = ("tournament", "tournament-seat", "tournament-screen")
LANGUAGES = ("de", "en")


@pytest.fixture
def tournament(home: House) -> Tournament:
    """A tournament whose second round is played."""
    made = made_tournament(home.club, None, rounds=3, minutes=40, drop_worst=1)
    with_entrants(made, None, 13)
    play_round(made, None)
    drawn_round(made, None, seed=2)
    rounds.round_start(tournament=made, author=None, number=2)
    return made


@pytest.fixture(autouse=True)
def no_kept_page() -> None:
    forget_pages()


def bodies(client: Client, tournament: Tournament) -> dict[str, bytes]:
    where = {"club": tournament.club.slug, "tournament": tournament.slug}
    answers = {name: client.get(reverse(name, kwargs=where)) for name in PAGES}
    assert {answer.status_code for answer in answers.values()} == {200}
    return {name: answer.content for name, answer in answers.items()}


# --- One body for all visitors -----------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_visitors_get_the_same_bytes_after_any_earlier_reader(home, tournament, language):
    first = bodies(visitor(language), tournament)
    forget_pages()
    for person in (home.owner, home.recorder, home.member):
        own = bodies(signed_in(person, language), tournament)
        assert all(own[name] != first[name] for name in PAGES)
    assert bodies(visitor(language, csrftoken="a" * 32, other="1"), tournament) == first
    assert bodies(visitor(language), tournament) == first
    for name, body in first.items():
        for personal in (b"csrfmiddlewaretoken", b"csrftoken", b"sessionid", b"&quot;Look&quot;", b"G1<", b"G12"):
            assert personal not in body, (name, personal)


def test_each_language_has_its_own_body(tournament):
    german, english = (bodies(visitor(language), tournament) for language in LANGUAGES)
    assert all(german[name] != english[name] for name in PAGES)
    assert bodies(visitor("en"), tournament) == english


def test_a_kept_page_sets_no_cookie_and_costs_one_query(tournament):
    where = {"club": tournament.club.slug, "tournament": tournament.slug}
    for name in PAGES:
        fresh = visitor().get(reverse(name, kwargs=where))
        assert not fresh.cookies, name
        with CaptureQueriesContext(connection) as queries:
            kept = visitor().get(reverse(name, kwargs=where))
            known = visitor().get(reverse(name, kwargs=where), headers={"if-none-match": fresh["ETag"]})
        assert kept.content == fresh.content
        assert (known.status_code, known.content) == (304, b"")
        assert len(queries) == 2, name


def renderings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that gets the address of each page that is rendered from now on."""
    rendered: list[str] = []
    render = views.render

    def counted(request: HttpRequest, *more: Any) -> HttpResponse:
        rendered.append(request.path)
        return render(request, *more)

    monkeypatch.setattr(views, "render", counted)
    return rendered


def test_two_hundred_readers_of_a_new_draw_cost_one_rendering(tournament, monkeypatch):
    rendered = renderings(monkeypatch)
    where = {"club": tournament.club.slug, "tournament": tournament.slug}
    url = reverse("tournament-seat", kwargs=where)
    with CaptureQueriesContext(connection) as queries:
        bodies = {visitor().get(url).content for _ in range(200)}
    assert len(bodies) == 1
    assert rendered == [url]
    assert len(queries) <= 199 + 12


def test_a_poll_of_the_clock_costs_one_query_and_goes_on_counting(tournament, monkeypatch):
    url = reverse("tournament-clock", kwargs={"club": tournament.club.slug, "tournament": tournament.slug})
    first = visitor().get(url).json()
    ticks = time.monotonic()
    monkeypatch.setattr("league.tournaments.clock.time.monotonic", lambda: ticks + 60)
    with CaptureQueriesContext(connection) as queries:
        later = visitor().get(url).json()
    assert len(queries) == 1
    assert 59 < first["remaining"] - later["remaining"] < 61
    Club.objects.filter(pk=tournament.club_id).update(visibility=Club.Visibility.PRIVATE)
    assert visitor().get(url).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_readers_at_the_same_moment_cost_one_rendering(tournament, monkeypatch):
    rendered = renderings(monkeypatch)
    url = reverse("tournament-seat", kwargs={"club": tournament.club.slug, "tournament": tournament.slug})
    begin = threading.Barrier(8)
    statuses: list[int] = []

    def ask() -> None:
        begin.wait()
        statuses.append(visitor().get(url).status_code)
        connections.close_all()

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 8
    assert len(rendered) == 1


@pytest.mark.parametrize("query", ["?who=3", "?other=1"])
def test_a_search_without_a_script_fills_no_cache(tournament, query, monkeypatch):
    stored: list[str] = []
    monkeypatch.setattr(caches["pages"], "set", lambda key, *more: stored.append(key))
    where = {"club": tournament.club.slug, "tournament": tournament.slug}
    assert visitor().get(reverse("tournament-seat", kwargs=where) + query).status_code == 200
    assert stored == []


# --- Never older than its state ----------------------------------------------------------------------------


def renamed(tournament: Tournament) -> None:
    Player.objects.filter(entries__tournament=tournament, entries__number=1).update(publicity="nickname", nickname="Q")


def substituted(tournament: Tournament) -> None:
    entries.substitute(tournament=tournament, author=None, number=3, newcomer=entries.Newcomer(nickname="Zora"))


def late(tournament: Tournament) -> None:
    entries.enter(tournament=tournament, author=None, people=[entries.Newcomer(nickname="Xaver", here=True)])


def withdrawn(tournament: Tournament) -> None:
    entries.withdraw(tournament=tournament, author=None, number=5)


def paused(tournament: Tournament) -> None:
    rounds.clock_pause(tournament=tournament, author=None, number=2)


def longer(tournament: Tournament) -> None:
    rounds.clock_resume(tournament=tournament, author=None, number=2)
    rounds.minutes_add(tournament=tournament, author=None, number=2, minutes=5)


def a_hand(tournament: Tournament) -> None:
    enter(table_of(tournament.rounds.get(number=2)), MADE)


def finished(tournament: Tournament) -> None:
    rounds.round_finish(tournament=tournament, author=None, number=2, despite_open=True)


def corrected(tournament: Tournament) -> None:
    correct(table=table_of(tournament.rounds.get(number=2)), edit=TakeOut(number=1), author=None, key=uuid.uuid4())


def next_drawn(tournament: Tournament) -> None:
    drawn_round(tournament, None, seed=3)


def swapped(tournament: Tournament) -> None:
    current = Round.objects.select_related("draw").get(tournament=tournament, number=3)
    first, second = (table["seats"][0] for table in current.draw.plan["tables"][:2])
    again = draw_services.draw_swap(tournament=tournament, author=None, proposed=current.draw, a=first, b=second)
    draw_services.draw_publish(tournament=tournament, author=None, proposed=again)


def taken_back(tournament: Tournament) -> None:
    draw_services.draw_take_back(tournament=tournament, author=None)


def merged(tournament: Tournament) -> None:
    guest = PlayerFactory(club=tournament.club, nickname="Guest")
    main = tournament.entrants.get(number=1).player
    players_merge(club=tournament.club, player=guest, main=main, reason="same", actor=None)


def changed(tournament: Tournament) -> None:
    services.tournament_change(tournament=tournament, author=None, changes={"fee": "CHF 20", "name": "Other"})


WRITES: list[Callable[[Tournament], object]] = [
    *(renamed, late, withdrawn, paused, longer, a_hand, changed, merged, finished, corrected, next_drawn, swapped),
    *(taken_back, substituted),
]


def outdated(tournament: Tournament, writes: Sequence[Callable[[Tournament], object]]) -> set[str]:
    """Write in these ways; return the pages that were kept although their content has changed."""
    names: set[str] = set()
    before = bodies(visitor(), tournament)
    for write in writes:
        write(tournament)
        after = bodies(visitor(), tournament)
        same = {name for name in PAGES if after[name] == before[name]}
        forget_pages()
        fresh = bodies(visitor(), tournament)
        names |= {name for name in same if fresh[name] != after[name]}
        before = fresh
    return names


@pytest.mark.rest
@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
def test_no_visitor_sees_a_page_that_is_older_than_a_write(tournament):
    assert outdated(tournament, WRITES) == set()


@pytest.mark.needs_sqlite
def test_without_the_triggers_pages_would_be_outdated(tournament):
    version_triggers.drop(connection, version_triggers.TOURNAMENTS_VERSIONED)
    assert outdated(tournament, [paused]) == set(PAGES)


@pytest.mark.needs_sqlite
def test_without_the_closings_a_corrected_round_would_be_outdated(tournament, monkeypatch):
    numbers = versions._TOURNAMENT.numbers.partition("(SELECT")[0] + "0"
    monkeypatch.setattr(state_queries, "QUERIES", [])
    query = StateQuery("unused", ("text", "text"), numbers, versions._TOURNAMENT.rest)
    a_hand(tournament)
    finished(tournament)
    version_triggers.drop(connection, version_triggers.LEAGUE_VERSIONED)
    monkeypatch.setattr(versions, "_TOURNAMENT", query)
    assert "tournament" in outdated(tournament, [corrected])


@pytest.mark.needs_sqlite
def test_with_the_closings_it_is_not(tournament):
    a_hand(tournament)
    finished(tournament)
    version_triggers.drop(connection, version_triggers.LEAGUE_VERSIONED)
    assert outdated(tournament, [corrected]) == set()
