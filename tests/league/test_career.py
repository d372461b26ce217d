"""The page of a person: news since the last look, rivals and form."""

from __future__ import annotations

import json
import re
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from games.closing.services import evening_close, payments_mark
from games.disputes.services import dispute_raise, dispute_settle
from games.models import Table
from league.access import access_to
from league.career import last_look, news, person
from league.career.games import games_played
from league.career.last_look import Seen, evening_key, visit
from league.career.news import news_since
from league.career.person import form, rivals
from league.models import Club, Evening, EveningScore, Membership, Player, PlayerLook, Season
from league.money import per_hand
from league.payments.services import outstanding_payments
from league.records.selectors import Spot, longest_evening
from league.records.shown import Holder, Link, Record
from league.standings.counting import count_season
from league.standings.formula.services import formula_set
from league.standings.nights import nights_of
from league.statistics.meetings import Cell
from league.statistics.meetings import cell as heat_cell
from tests.cast import House, cast
from tests.factories import FAILED, FREE, MADE, MUSS, PlayerFactory, create_table, enter
from tests.imported import imported
from tests.league.test_statistics import night

NOW = datetime(2026, 11, 23, 20, tzinfo=UTC)


def seen(hours_ago: int, **more: Any) -> Seen:
    known: dict[str, Any] = {"points": 10, "season_id": 1, "rank": 3, "newest": ("2026-01-01", 1)}
    return Seen(NOW - timedelta(hours=hours_ago), **(known | more))


def test_the_first_look_has_no_news_and_is_kept():
    now = seen(0)
    assert visit([], now) == (None, [now])


def test_a_new_visit_compares_with_the_one_before_and_reloading_loses_nothing():
    week, now = seen(24 * 7), seen(0)
    assert visit([week], now) == (week, [week, now])
    assert visit([week, seen(1)], now) == (week, [week, seen(1)])
    assert visit([week, seen(48)], now) == (seen(48), [seen(48), now])


def test_the_last_look_is_the_same_after_packing():
    for look in (seen(1), seen(0, rank=None, rating=1012, records=("pot", "won"))):
        assert Seen.unpacked(json.loads(json.dumps(look.packed()))) == look


def test_news_are_new_evenings_the_rank_and_what_corrections_changed():
    nights = [night(1, 1, 4), night(2, 1, 6)]
    before = seen(100, points=5)
    now = seen(0, points=10, rank=1, newest=evening_key(nights[-1]))
    news = news_since(before, now, nights)
    assert [evening.evening_id for evening in news.evenings] == [2]
    assert (news.points, news.corrected, news.moved, news.rank_before, news.rank) == (6, -1, True, 3, 1)
    assert not news_since(now, now, nights).any
    assert not news_since(before, seen(0, season_id=2, points=5, newest=before.newest), []).any


def test_to_be_ranked_for_the_first_time_is_news():
    news = news_since(seen(9, rank=None), seen(0), [])
    assert (news.moved, news.rank_before, news.rank) == (True, None, 3)


def test_a_change_of_the_rating_and_of_records_is_news():
    set_now, lost = record("won", "Anna"), record("susi", "Beni")
    before, now = seen(9, rating=1000, records=("susi",)), seen(0, rating=1020, records=("won",))
    with translation.override("en"):
        items = [*news._rating(before, now), *news._records([1], before, now, [set_now, lost])]
        assert [item.number for item in items] == ["+20", set_now.value, lost.value]
        assert [item.href for item in items[1:]] == ["/own", "/first"]
        assert "now Beni" in items[2].text
        assert "for the first time" in next(news._rating(seen(9), now)).text
    assert list(news._rating(now, now)) == []
    assert list(news._records([1], now, now, [set_now, lost])) == []


def record(kind: str, who: str) -> Record:
    """A record that two players hold; the second one is the reader's."""
    first, own = (Link(Spot(evening), Evening(), href, "") for evening, href in ((1, "/first"), (2, "/own")))
    holders = (Holder(2, who, (first,)), Holder(1, who, (own,)))
    return Record(kind, 1, kind, f"value of {kind}", who, holders, first)


@pytest.fixture
def home(db: None) -> House:
    house = cast().home
    table = create_table(season=house.season, club=house.club)
    for record in (MADE, FAILED, MADE):
        enter(table, record)
    count_season(house.season.pk)
    return house


def address(house: House, name: str) -> str:
    player = Player.objects.get(club=house.club, nickname=name)
    return reverse("player", kwargs={"club": house.club.slug, "player": player.pk})


def own_page(house: House, name: str = "Anna") -> tuple[Player, Client]:
    """Make the member the player of this name; return the player, and the member's browser."""
    player = Player.objects.get(club=house.club, nickname=name)
    Player.objects.filter(pk=player.pk).update(user=house.member)
    client = Client(headers={"accept-language": "en"})
    client.force_login(house.member)
    return player, client


@pytest.mark.django_db
def test_only_the_own_page_keeps_a_look_and_one_visit_writes_once(home):
    player, client = own_page(home)
    client.get(address(home, "Beni"))
    Client().get(address(home, "Anna"))
    client.head(address(home, "Anna"))
    assert not PlayerLook.objects.exists()
    client.get(address(home, "Anna"))
    kept = PlayerLook.objects.get(user=home.member, player=player)
    assert client.get(address(home, "Anna")).context["news"] is None
    assert PlayerLook.objects.get().updated_at == kept.updated_at
    assert last_look.read(home.member, player.pk)[0].rank == 2
    PlayerLook.objects.update(looks=[{"at": "x"}])
    assert last_look.read(home.member, player.pk) == []


def long_ago(player: Player) -> None:
    """Let the last visit of this player's page have been two days ago."""
    look = PlayerLook.objects.get(player=player)
    then = (timezone.now() - timedelta(days=2)).isoformat()
    PlayerLook.objects.filter(pk=look.pk).update(looks=[{**look.looks[-1], "at": then}])


@pytest.mark.django_db
def test_every_browser_of_an_account_shows_the_news_on_all_its_pages(home):
    player, phone = own_page(home)
    phone.get(address(home, "Anna"))
    long_ago(player)
    table = create_table(season=home.season, club=home.club)
    for record in (MADE, MADE, FAILED):
        enter(table, record)
    evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot="kitty")
    count_season(home.season.pk)
    laptop = Client(headers={"accept-language": "en"})
    laptop.force_login(home.member)
    for browser in (laptop, phone):
        text = browser.get(address(home, "Anna")).content.decode()
        assert "Since you last looked" in text
        assert "new payment" in text


@pytest.mark.django_db
def test_payments_and_answers_are_news_of_the_own_club_and_player_alone(home):
    player, client = own_page(home)
    client.get(address(home, "Anna"))
    long_ago(player)
    table = Table.objects.get(evening__club=home.club)
    beni = Player.objects.get(club=home.club, nickname="Beni")
    for owner, text in ((player, "It stays so"), (beni, "Of somebody else")):
        give = {"table": table, "number": 1, "player_id": owner.pk, "author": None}
        dispute_raise(**give, key=uuid.uuid4(), text="No")
        dispute_settle(**give, key=uuid.uuid4(), text=text)
    evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot="kitty")
    news = client.get(address(home, "Anna")).context["news"]
    said = " ".join(item.text for item in news.items)
    assert "It stays so" in said
    assert "Of somebody else" not in said
    own = outstanding_payments(home.club, [player.pk])
    assert own.exists()
    assert f"{own.count()} new payment" in said
    payments_mark(evening=table.evening, author=None, key=uuid.uuid4(), paid=True)
    said = " ".join(item.text for item in client.get(address(home, "Anna")).context["news"].items)
    assert "marked as paid" in said
    assert "new payment" not in said


@pytest.mark.django_db
def test_the_page_of_a_player_without_a_rank_shows_that_in_every_place(home):
    formula_set(season=home.season, actor=None, values={"attendance_minimum": 3})
    count_season(home.season.pk)
    page = Client(headers={"accept-language": "en"}).get(address(home, "Anna"))
    assert page.context["season_rows"][0].rank is None
    assert (page.context["gap"], page.context["ranked"]) == (None, 0)
    assert page.context["why_unranked"] == "not ranked yet: 1 of 3 evenings"
    assert page.context["unranked"] == {Table.objects.get(evening__club=home.club).evening_id}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "values", [{"counts": "average_hand"}, {"counts": "average_evening"}, {"best": 1}, None], ids=str
)
def test_points_per_hand_are_of_all_hands_whatever_ranks(home, values):
    for records in ((MADE, FAILED), (MADE,)):
        table = create_table(season=home.season, club=home.club)
        for record in records:
            enter(table, record)
    if values:
        formula_set(season=home.season, actor=None, values=values)
    count_season(home.season.pk)
    scores = EveningScore.objects.filter(season=home.season, player__nickname="Anna")
    points, hands = (sum(getattr(score, name) for score in scores) for name in ("points", "hands"))
    page = Client(headers={"accept-language": "en"}).get(address(home, "Anna"))
    shown = next(figure.value for figure in page.context["figures"] if figure.name == "Per hand")
    assert shown == per_hand(points, hands, "points") != "+0.00"


@pytest.mark.django_db
def test_hands_and_the_longest_evening_are_of_the_game_that_counts(home):
    kratzen = create_table(season=home.season, club=home.club, seats=4, game="kratzen")
    for record in (MUSS, FREE):
        enter(kratzen, record)
    for game, day, hands in (("kratzen", "4.9.2026", 40), ("chratze", "11.9.2026", 100)):
        lines = [f"{day};{name};{amount};1;{hands}" for name, amount in (("Anna", "1.00"), ("Beni", "-1.00"))]
        imported(home.season, home.owner, "\n".join(["Datum;Name;Betrag;Punkte;Spiele", *lines]), game=game)
    formula_set(season=home.season, actor=None, values={"games": "kratzen"})
    count_season(home.season.pk)
    page = Client(headers={"accept-language": "en"}).get(address(home, "Anna"))
    assert "40 imported" in next(figure.note for figure in page.context["figures"] if figure.name == "Hands")
    longest = longest_evening([Season.objects.get(pk=home.season.pk)])
    assert (longest.game, longest.hands_count) == ("kratzen", 2)


@pytest.mark.django_db
def test_what_goes_on_is_marked_and_what_is_over_is_not(home):
    table = create_table(season=home.season, club=home.club, held_on=timezone.localdate())
    enter(table, MADE)
    count_season(home.season.pk)
    first, now = Table.objects.filter(evening__club=home.club).order_by("evening__number")
    Evening.objects.filter(pk=first.evening_id).update(held_on=timezone.localdate() - timedelta(7))
    reader = Client(headers={"accept-language": "en"})
    page = reader.get(address(home, "Anna"))
    assert page.context["running"] == {now.evening_id: 2}
    text = page.content.decode()
    assert "2 of 2 evenings" in text
    assert "Evening 2 is running: its figures still change." in text
    row = next(record for record in page.context["records"] if record.kind == "there_in_a_row")
    assert (row.number, row.running) == (2, True)
    assert next(record for record in page.context["records"] if record.kind == "longest_evening").value == "3 hands"
    # Somebody else's evening ends the run; a closed evening and a season that is over do not run.
    evening_close(evening=now.evening, author=None, key=uuid.uuid4(), pot="kitty")
    home.season.ends_on = timezone.localdate() - timedelta(1)
    home.season.save()
    count_season(home.season.pk)
    page = reader.get(address(home, "Anna"))
    assert page.context["running"] == {}
    assert not any(record.running for record in page.context["records"])
    assert not page.context["season_rows"][0].running
    assert "running" not in page.content.decode()


@pytest.mark.django_db
def test_a_run_that_was_missed_does_not_go_on(home):
    season, club = home.season, home.club
    day = timezone.localdate()
    Evening.objects.filter(season=season).update(held_on=day - timedelta(9))
    for back in (3, 2):
        enter(create_table(season=season, club=club, held_on=day - timedelta(back)), MADE)
    others = list(Player.objects.filter(club=club).exclude(nickname="Anna"))
    others.append(PlayerFactory(club=club, nickname="Zoe"))
    enter(create_table(season=season, club=club, held_on=day - timedelta(1), players=others), MADE)
    count_season(season.pk)
    page = Client(headers={"accept-language": "en"}).get(address(home, "Anna"))
    run = next(record for record in page.context["records"] if record.kind == "there_in_a_row")
    assert (run.number >= 2, run.running) == (True, False)


@pytest.mark.django_db
def test_each_game_has_its_evenings_points_and_form(home):
    nights = nights_of([home.season])
    anna = Player.objects.get(club=home.club, nickname="Anna").pk
    both = games_played([*nights, night(9, anna, 7)._replace(game="kratzen")], anna)
    assert [game_line.title for game_line in both] == ["Chratze", "Kratzen"]
    assert (both[0].evenings, both[0].points, both[0].mean_tenths, both[0].form[0].rank) == (1, 2, 20, 2)
    assert games_played(nights, anna) == []


@pytest.mark.django_db
def test_other_clubs_are_listed_to_the_person_alone_and_where_the_person_may_read():
    people = cast()
    home, away = people.home, people.away
    table = create_table(season=home.season, club=home.club)
    enter(table, MADE)
    count_season(home.season.pk)
    _player, client = own_page(home)
    other = PlayerFactory(club=away.club, nickname="Nanni", user=home.member)
    away.club.visibility = Club.Visibility.PRIVATE
    away.club.save()
    assert client.get(address(home, "Anna")).context["elsewhere"] == []
    Membership.objects.create(club=away.club, user=home.member, role="member")
    page = client.get(address(home, "Anna"))
    assert [(entry.player, entry.evenings, entry.newest) for entry in page.context["elsewhere"]] == [(other, 0, None)]
    owner = Client()
    owner.force_login(home.owner)
    assert owner.get(address(home, "Anna")).context["elsewhere"] == []


@pytest.mark.django_db
def test_form_and_rivals_of_one_evening(home):
    nights = nights_of([home.season])
    anna = Player.objects.get(club=home.club, nickname="Anna").pk
    (last,) = form(nights, anna)
    # 2 - 2 + 2 for Anna, 1 + 1 + 1 for Beni.
    assert (last.rank, last.points) == (2, 2)
    cells = {rival.name: rival.cell for rival in rivals(access_to(home.owner, home.club), nights, anna)}
    assert (cells["Beni"], cells["Emil"]) == (Cell(0, 1, 0), Cell(1, 0, 0))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("ahead", "behind", "shown"),
    [
        (3, 0, "100 %, 99 % interval: 31 to 100 %, too few evenings to say"),
        (17, 1, "94 %, 99 % interval: 66 to 99 %, ahead"),
        (2, 14, "13 %, 99 % interval: 2 to 45 %, behind"),
        (0, 0, "too few evenings to say"),
    ],
)
def test_a_rival_has_an_interval_and_a_lead_only_where_head_to_head_has_one(home, monkeypatch, ahead, behind, shown):
    anna, beni = (Player.objects.get(club=home.club, nickname=name).pk for name in ("Anna", "Beni"))
    monkeypatch.setattr(person, "meetings", lambda nights: {(anna, beni): (ahead, behind, 3)})
    page = Client().get(address(home, "Anna"), headers={"accept-language": "en"}).content.decode()
    card = page.split('class="rivals"')[1].split("</ul>")[0].replace("\xa0", " ")
    assert f">Beni{shown}{ahead} : {behind}" in " ".join(re.sub(r"<[^>]+>", "", card).split())
    pale = not shown.endswith(("ahead", "behind"))
    assert ("<svg" in card, 'class="duel few"' in card) == (ahead + behind > 0, pale and ahead > 0)
    assert (heat_cell({(anna, beni): (ahead, behind, 3)}, anna, beni).words == "") == pale
