"""The pub screen: its scenes, their visibility, its state, and the link for a television."""

from __future__ import annotations

import re
from datetime import date, timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from games.models import Table
from league.access import ClubAccess
from league.audit.log import What
from league.chances.selectors import running_evening
from league.imports import services as imports
from league.models import AuditEntry, Club, Evening, Player, PubScreenLink, ResultRow, Role, Season, Tournament
from league.pub_screen import link, scenes
from league.pub_screen.scenes import Order, Scene
from league.standings.counting import count_season
from league.standings.overview import club_cards, latest_evenings, running_evenings
from tests.cast import Cast
from tests.factories import FAILED, MADE, create_table, enter
from tests.imported import imported
from tests.league.test_page_versions import WRITES, another_evening, closed, forget_pages
from tests.tournaments.rounds import create_tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(people: Cast) -> Table:
    """A running table with two hands."""
    made = create_table(season=people.home.season, club=people.home.club, seats=5, held_on=timezone.localdate())
    enter(made, MADE)
    enter(made, FAILED)
    count_season(people.home.season.pk)
    return made


def kinds(club: Club) -> list[str]:
    access = ClubAccess(club=Club.objects.get(pk=club.pk), role=None, player_ids=frozenset())
    return [scene.kind for scene in scenes.scenes_of(access)]


def test_tonights_tables_come_first_then_the_evening_and_the_standings(people, table):
    assert kinds(people.home.club) == ["table", "night", "ranks", "records"]
    assert kinds(people.away.club) == ["welcome"]
    closed(table)
    assert kinds(people.home.club) == ["night", "ranks", "records"]
    another_evening(table)
    assert kinds(people.home.club) == ["table", "ranks", "records"]


def test_announced_tournaments_and_prepared_evenings_are_coming_up(people):
    home, today = people.home, timezone.localdate()
    for name, state, days in (("Cup", "open", 9), ("Secret", "draft", 9), ("Old", "open", -1), ("Now", "running", 0)):
        tournament = create_tournament(home.club)
        Tournament.objects.filter(pk=tournament.pk).update(
            name=name, starts_on=today + timedelta(days=days), state=state
        )
    later = create_table(season=home.season, club=home.club, held_on=today + timedelta(days=3)).evening
    access = ClubAccess(club=home.club, role=None, player_ids=frozenset())
    with translation.override("en"):
        (scene,) = (candidate for candidate in scenes.scenes_of(access) if candidate.kind == "coming")
    assert [entry["name"] for entry in scene.data["dates"]] == [f"Evening {later.number}", "Cup"]
    assert "Coming up" in page(Client(), reverse("club-screen", kwargs={"club": "roessli"}))


def test_tonights_evening_runs_also_when_next_weeks_is_prepared(people, table):
    home, today = people.home, timezone.localdate()
    Evening.objects.filter(pk=table.evening_id).update(held_on=today)
    later = create_table(season=home.season, club=home.club, held_on=today + timedelta(days=7)).evening
    tonight = Evening.objects.get(pk=table.evening_id)
    assert "table" in kinds(home.club)
    assert (running_evenings([home.club.pk]), running_evening(home.season)) == ({home.club.pk: tonight}, tonight)
    recorder = Client()
    recorder.force_login(home.recorder)
    shown = page(recorder, home.club.get_absolute_url())
    assert f"Continue evening {tonight.number}" in shown
    assert f"Continue evening {later.number}" not in shown
    assert [card.open_evening for card in club_cards([home.club], [])] == [tonight]
    assert club_cards([home.club], [])[0].last_evening == tonight
    assert later not in latest_evenings(home.club)


def test_a_room_adds_a_scene_of_its_own(people, table, monkeypatch):
    monkeypatch.setattr(scenes, "_makers", [*scenes._makers])
    scenes.register(lambda access: [Scene(Order.WELCOME, "chess", "Chess", "x.html", 9, {})])
    assert kinds(people.home.club) == ["table", "night", "ranks", "records", "chess"]


def page(client: Client, url: str) -> str:
    answer = client.get(url, headers={"accept-language": "en"})
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode().replace("\xa0", " "))


def test_a_table_shows_pot_dealer_and_last_hand_without_amounts(people, table):
    Player.objects.filter(nickname="Anna").update(publicity=Player.Publicity.INITIALS)
    url = reverse("club-screen", kwargs={"club": "roessli"})
    shown = page(Client(), url)
    assert "Hand 3" in shown
    assert re.search(r'class="pot num[a-z ]*">[\d.]+ antes<', shown)
    assert re.search(rf'class="deals"><b>{Table.objects.get().dealer.nickname}</b>', shown)
    assert "<b>A.</b>" in shown
    assert "Anna" not in shown
    assert not re.search(r"CHF|\d\.\d\d<", shown)
    Club.objects.filter(pk=people.home.club.pk).update(publishes_money=True)
    assert re.search(r'class="pot num[a-z ]*">CHF \d', page(Client(), url))


def test_its_queries_do_not_grow_with_hands(people, table):
    def count() -> int:
        access = ClubAccess(club=people.home.club, role=None, player_ids=frozenset())
        with CaptureQueriesContext(connection) as made:
            scenes.scenes_of(access)
        return len(made)

    before = count()
    for record in (MADE, FAILED, MADE, MADE):
        enter(table, record)
    assert count() == before <= 28


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_no_screen_is_older_than_a_write(people, table):
    url = reverse("club-screen", kwargs={"club": "roessli"})
    client = Client()
    before = client.get(url)
    for write in WRITES:
        write(Table.objects.get(pk=table.pk))
        kept = client.get(url)
        forget_pages()
        fresh = client.get(url)
        assert kept.content == fresh.content
        known = client.get(url, headers={"if-none-match": before["ETag"]})
        assert (known.status_code == 304) == (fresh["ETag"] == before["ETag"])
        before = fresh


SUMS = """Datum;Name;Betrag;Punkte
7.8.2026;Anna;-2.50;1
7.8.2026;Beni;12.50;9
7.8.2026;Carlo;-10.00;3
"""


def podium(client: Client) -> str:
    shown = page(client, reverse("club-screen", kwargs={"club": "roessli"}))
    return shown.split('class="scene night"')[1].split("</section>")[0]


@pytest.mark.both_databases
def test_a_last_evening_of_imported_sums_has_its_podium(people, table):
    home = people.home
    closed(table)
    Evening.objects.filter(pk=table.evening_id).update(held_on=date(2026, 8, 1))
    from_file = imported(home.season, home.owner, SUMS)
    count_season(home.season.pk)
    shown = podium(Client())
    assert "Last evening, 7 August 2026" in shown
    assert " · imported</h2>" in shown
    assert re.findall(r"<b>(\w+)</b><span[^>]*>([+−]?\d+)<", shown) == [("Beni", "+9"), ("Carlo", "+3"), ("Anna", "+1")]
    assert "hand" not in shown
    imports.import_undo(stored=from_file, actor=home.owner)
    forget_pages()
    shown = podium(Client())
    assert "Last evening, 1 August 2026" in shown
    assert "2 hands" in shown


@pytest.mark.both_databases
def test_an_evening_without_a_hand_does_not_hide_the_one_before(people, table):
    closed(table)
    before = podium(Client())
    empty = create_table(season=people.home.season, club=people.home.club, held_on=timezone.localdate())
    closed(empty)
    # A pot that was divided makes rows, too.
    row = ResultRow.objects.filter(evening=table.evening).first()
    row.pk, row.evening, row.source, row.role = None, empty.evening, uuid4(), ResultRow.Role.SHARE
    row.save()
    forget_pages()
    assert podium(Client()) == before


# --- The link ----------------------------------------------------------------------------------------------


def address(people: Cast) -> str:
    made = link.link_renew(club=people.home.club, actor=people.home.owner)
    return reverse("screen-link", kwargs={"token": link.token_of(made)})


@pytest.mark.parametrize("who", [None, "stranger", "away.owner", "home.member"])
def test_the_link_opens_the_screen_of_a_private_club_with_public_names(people, table, who):
    Club.objects.filter(pk=people.home.club.pk).update(visibility=Club.Visibility.PRIVATE)
    Player.objects.update(publicity=Player.Publicity.INITIALS)
    client, url = Client(), address(people)
    if who:
        house, _, role = who.rpartition(".")
        client.force_login(getattr(people, house).person(role) if house else people.stranger)
    shown = page(client, url)
    assert "<b>A.</b>" in shown
    assert "Anna" not in shown
    assert "/c/roessli/" not in shown
    answer = client.get(url)
    assert (answer["X-Robots-Tag"], "no-store" in answer["Cache-Control"]) == ("noindex, nofollow", True)
    assert client.get(url, headers={"if-none-match": answer["ETag"]}).status_code == 304
    enter(table, MADE)
    assert client.get(url, headers={"if-none-match": answer["ETag"]}).status_code == 200
    assert client.get(reverse("club", kwargs={"club": "roessli"})).status_code == (200 if who == "home.member" else 404)


def test_a_renewed_an_ended_and_a_forged_link_open_nothing(people):
    first = address(people)
    second = address(people)
    assert Client().get(first).status_code == 404
    assert Client().get(second).status_code == 200
    assert Client().get(second[:-2] + "x/").status_code == 404
    link.link_end(club=people.home.club, actor=people.home.owner)
    assert Client().get(second).status_code == 404
    assert AuditEntry.objects.filter(what=What.CLUB_CHANGED).count() == 3
    link.link_end(club=people.home.club, actor=people.home.owner)
    assert AuditEntry.objects.filter(what=What.CLUB_CHANGED).count() == 3


def test_an_owner_makes_renews_and_ends_the_link_on_its_page(people):
    client, url = Client(), reverse("club-screen-link", kwargs={"club": "roessli"})
    client.force_login(people.home.person(Role.OWNER))
    assert "/screen/" not in page(client, url).replace("/c/roessli/screen/", "")
    client.post(url, {"do": "renew"})
    match = re.search(r'value="http://testserver(/screen/[^"]+)"', page(client, url))
    assert match
    assert Client().get(match[1]).status_code == 200
    client.post(url, {"do": "end"})
    assert not PubScreenLink.objects.exists()
    with translation.override("de"):
        assert page(client, reverse("club-log", kwargs={"club": "roessli"}))


def test_a_season_by_balance_shows_ranks_and_no_amounts(people, table):
    Season.objects.filter(pk=people.home.season.pk).update(ranking=Season.Ranking.BALANCE)
    shown = page(Client(), reverse("club-screen", kwargs={"club": "roessli"}))
    assert 'class="scene night"' in shown
    assert not re.search(r"CHF|[+−]?\d+\.\d\d", shown)
