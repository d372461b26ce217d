"""The year in review: each figure recounted from the stored hands, as this reader may see it, in its own club alone."""

from __future__ import annotations

import io
import re
from collections import Counter
from datetime import date
from itertools import groupby
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from PIL import Image

from games.models import Hand, Table
from league.access import access_to
from league.intervals import Share
from league.models import Club, Player, ResultRow
from league.records.selectors import Spot
from league.records.shown import Scope
from league.roster.merging import players_merge
from league.standings import years
from league.standings.counting import count_season
from league.templatetags.sharing import PICTURE_SIZE
from league.year_review import player_year, selectors, views
from league.year_review.club_year import club_screens
from league.year_review.player_year import player_screens
from league.year_review.screens import SCREENS, Screen, Year
from tests.cast import Cast, House, cast
from tests.clients import reader
from tests.factories import FAILED, MADE, WALKOVER, PlayerFactory, SeasonFactory, create_table, enter

pytestmark = pytest.mark.django_db

YEAR = 2025
DAYS = (date(2025, 1, 3), date(2025, 2, 7), date(2025, 3, 7), date(2025, 11, 7), date(2025, 12, 5))
HANDS = ((MADE, MADE, FAILED), (FAILED, FAILED, FAILED, WALKOVER), (MADE,), (WALKOVER, MADE, MADE), (FAILED, MADE))


@pytest.fixture
def people() -> Cast:
    """Five evenings of a season of 2025; one evening before, and one after, with many hands."""
    houses = cast()
    for house in (houses.home, houses.away):
        season = SeasonFactory(club=house.club, slug="then", name="Then", starts_on=date(2024, 8, 1))
        if house is houses.home:
            for day, records in ((date(2024, 12, 30), (MADE,) * 6), *zip(DAYS, HANDS, strict=True)):
                table = create_table(club=house.club, season=season, held_on=day)
                for record in records:
                    enter(table, record)
            table = create_table(club=house.club, season=season, held_on=date(2026, 1, 2))
            for _nth in range(6):
                enter(table, FAILED)
        else:
            enter(create_table(club=house.club, season=season, held_on=DAYS[0]), FAILED)
        count_season(season.pk)
    return houses


@pytest.fixture
def home(people: Cast) -> House:
    return people.home


def player(house: House, nickname: str) -> Player:
    return Player.objects.get(club=house.club, nickname=nickname)


def year_of(house: House, person: Any, who: Player | None = None) -> Year:
    seasons = selectors.seasons_of(house.club.pk, YEAR)
    nights = selectors.nights_of_year(seasons, YEAR, who.pk if who else None)
    return Year(Scope(access_to(person, house.club), seasons, who.pk if who else None), YEAR, nights)


def screens(house: House, person: Any, who: Player | None = None) -> dict[str, Screen]:
    year = year_of(house, person, who)
    with translation.override("en"):
        shown = player_screens(year, who.pk) if who else club_screens(year)
    assert len(shown) == SCREENS
    return {screen.kind: screen for screen in shown}


def raw(house: House) -> list[list[ResultRow]]:
    """The result rows of the year by hand, in the order of evenings and hands: read apart from what is tested."""
    of_hand = {
        hand.pk: (hand.table.evening.held_on, hand.table.number, hand.number)
        for hand in Hand.objects.select_related("table__evening").filter(table__evening__club=house.club)
    }
    rows = [row for row in ResultRow.objects.exclude(role="share") if row.source in of_hand]
    rows = [row for row in rows if of_hand[row.source][0].year == YEAR]
    rows.sort(key=lambda row: of_hand[row.source])
    return [list(hand) for _source, hand in groupby(rows, key=lambda row: row.source)]


@pytest.mark.both_databases
@pytest.mark.parametrize("nickname", ["Anna", "Beni", "Emil"])
def test_a_players_year_is_recounted_from_raw_hands(home: House, nickname: str) -> None:
    who = player(home, nickname)
    shown, hands = screens(home, home.owner, who), raw(home)
    own = [{row.player_id: row for row in hand} for hand in hands if who.pk in {row.player_id for row in hand}]
    assert shown["played"].value == f"{len({hand[who.pk].evening_id for hand in own})} evenings"
    assert shown["played"].lines[0] == f"{len(own)} hands"

    together = Counter(other for hand in own for other in hand if other != who.pk)
    most = max(together.values())
    rivals = {Player.objects.get(pk=other).nickname for other, times in together.items() if times == most}
    assert shown["rival"].value in rivals
    assert shown["rival"].lines[0] == f"{most} hands together"

    runs = [len(list(run)) for took, run in groupby(own, key=lambda hand: hand[who.pk].pot_won_minor > 0) if not took]
    assert shown["drought"].value == (f"{max(runs)} hand" + "s" * (max(runs) != 1) if runs else "0 hands")

    susi = sum(hand[who.pk].susi for hand in own)
    assert shown["susi"].value == (f"{susi} time" + "s" * (susi != 1) if susi else "never")

    declared = [hand[who.pk] for hand in own if hand[who.pk].role == "declarer" and not hand[who.pk].walkover]
    assert shown["luck"].value == f"{sum(row.made is True for row in declared)} of {len(declared)}"


def test_a_clubs_year_is_recounted_from_raw_hands(home: House) -> None:
    shown, hands = screens(home, home.owner), raw(home)
    names = dict(Player.objects.filter(club=home.club).values_list("pk", "nickname"))
    assert shown["played"].value == f"{len(DAYS)} evenings"
    assert shown["hands"].value == f"{len(hands)} hands"
    nights = {(row.player_id, row.evening_id) for hand in hands for row in hand}
    there = Counter(player for player, _evening in nights)
    faithful = sorted(names[person] for person, times in there.items() if times == max(there.values()))
    assert shown["faithful"].value == ", ".join(faithful)
    assert shown["faithful"].lines == (f"{max(there.values())} of {len(DAYS)} evenings",)
    susi = Counter(row.player_id for hand in hands for row in hand if row.susi)
    if susi:
        most = max(susi.values())
        assert shown["susi"].value == ", ".join(sorted(names[person] for person, n in susi.items() if n == most))
    else:
        assert shown["susi"].value == "nobody"


def test_evenings_of_other_years_do_not_count(home: House) -> None:
    who = player(home, "Anna")
    assert len(raw(home)) == sum(len(records) for records in HANDS)
    assert {night.held_on for night in year_of(home, home.owner, who).nights} == set(DAYS)
    pot = screens(home, home.owner)["pot"]
    assert re.search(r"2025, hand \d", pot.when), pot


def test_a_merged_player_counts_as_the_main_one(home: House) -> None:
    """Emilio sits in Emil's place on one evening; then he and Emil turn out to be the same person."""
    anna, emil = player(home, "Anna"), player(home, "Emil")
    emilio = PlayerFactory(club=home.club, nickname="Emilio")
    season = home.club.seasons.get(slug="then")
    table = create_table(club=home.club, season=season, held_on=date(2025, 5, 2), players=[anna, emilio])
    for _nth in range(3):
        enter(table, {"declarer": 0, "joiners": [1], "made": [0]})
    count_season(season.pk)

    def met() -> dict[int, int]:
        return selectors.hands_together(year_of(home, home.owner, anna).evenings, anna.pk)

    before = met()
    assert before[emilio.pk] == 3
    beside_anna = selectors.hands_together(year_of(home, home.owner, emil).evenings, emil.pk)[anna.pk]
    own = len(selectors.hands_of(year_of(home, home.owner, emil).evenings, emil.pk))
    players_merge(club=home.club, player=emilio, main=emil, reason="the same", actor=home.owner)
    count_season(season.pk)
    assert emilio.pk not in met()
    assert met()[emil.pk] == before[emil.pk] + 3
    year = year_of(home, home.owner, emil)
    assert len(selectors.hands_of(year.evenings, emil.pk)) == own + 3
    beside_emil = selectors.hands_together(year.evenings, emil.pk)
    assert (beside_emil[anna.pk], emil.pk in beside_emil) == (beside_anna + 3, False)


def test_a_drought_is_the_first_longest_run() -> None:
    hands = [selectors.Taken(Spot(1, 1, nth), bool(took)) for nth, took in enumerate([1, 0, 0, 1, 0, 0, 1], 1)]
    assert [hand.spot.number for hand in selectors.longest_drought(hands)] == [2, 3]
    assert selectors.longest_drought(hands[:1]) == []


@pytest.mark.parametrize(
    ("own", "others", "word"), [((55, 60), (20, 60), "More"), ((5, 60), (40, 60), "Less"), ((30, 60), (28, 60), "may")]
)
def test_luck_is_named_only_if_the_intervals_do_not_touch(own: Any, others: Any, word: str) -> None:
    with translation.override("en"):
        assert word in player_year._verdict(Share(*own), Share(*others))


# --- From which day on ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("today", "newest"), [(date(2026, 11, 30), 2025), (date(2026, 12, 1), 2026), (date(2027, 1, 1), 2026)]
)
def test_a_year_can_be_read_from_its_december_on(today: date, newest: int) -> None:
    assert years.newest_year(today) == newest


def test_a_later_year_is_a_404(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = player(home, "Anna")
    monkeypatch.setattr(views, "newest_year", lambda: YEAR - 1)
    for name, more in (("club-year", {}), ("player-year", {"player": anna.pk})):
        assert page(name, home, home.owner, **more).status_code == 404
        assert page(f"{name}-picture", home, home.owner, screen=1, **more).status_code == 404


# --- Who sees it ---------------------------------------------------------------------------------------------


def page(name: str, house: House, person: Any = None, *, year: int = YEAR, **more: Any) -> Any:
    url = reverse(name, kwargs={"club": house.club.slug, "year": year, **more})
    return reader(person).get(url, headers={"accept-language": "en"})


def test_a_visitor_reads_public_names_and_antes(home: House) -> None:
    anna = player(home, "Anna")
    Player.objects.filter(club=home.club).update(publicity=Player.Publicity.INITIALS)
    shown = page("player-year", home, player=anna.pk).content.decode()
    assert "Anna" not in shown
    assert "A." in shown
    value = re.search(r'of-pot".*?<p class="value num">(.*?)</p>', shown, re.DOTALL)
    assert value
    assert "Fr." not in value[1]
    assert "CHF" not in value[1]
    own = page("player-year", home, home.owner, player=anna.pk).content.decode()
    assert "Anna" in own
    assert "Fr." in own or "CHF" in own


def test_a_player_whom_visitors_do_not_see_has_a_year_for_the_club_and_no_picture(home: House) -> None:
    anna = player(home, "Anna")
    Player.objects.filter(pk=anna.pk).update(publicity=Player.Publicity.NOBODY)
    assert page("player-year", home, player=anna.pk).status_code == 404
    shown = page("player-year", home, home.member, player=anna.pk)
    assert shown.status_code == 200
    assert ".png" not in re.sub(r"<head>.*</head>", "", shown.content.decode(), flags=re.DOTALL)
    for person in (None, home.member, home.owner):
        assert page("player-year-picture", home, person, player=anna.pk, screen=1).status_code == 404


def test_a_picture_is_the_same_for_every_reader_and_none_follows_the_seventh(home: House) -> None:
    anna = player(home, "Anna")
    for name, more in (("club-year-picture", {}), ("player-year-picture", {"player": anna.pk})):
        seen: list[bytes] = []
        for nth in range(1, SCREENS + 1):
            bodies = {page(name, home, who, screen=nth, **more).content for who in (None, home.member, home.owner)}
            assert len(bodies) == 1, (name, nth)
            seen += bodies
        assert len(set(seen)) == SCREENS
        with Image.open(io.BytesIO(seen[0])) as image:
            assert (image.format, image.size) == ("PNG", PICTURE_SIZE)
        for nth in (0, SCREENS + 1):
            assert page(name, home, home.owner, screen=nth, **more).status_code == 404


def test_a_private_club_and_another_clubs_player_are_404(people: Cast) -> None:
    home, away = people.home, people.away
    stranger = player(away, "Anna")
    assert page("player-year", home, home.owner, player=stranger.pk).status_code == 404
    assert page("player-year-picture", home, home.owner, player=stranger.pk, screen=1).status_code == 404
    assert page("club-year", away, away.owner).content.decode().count("year-screen of-") == SCREENS
    assert screens(away, away.owner)["hands"].value == "1 hand"
    Club.objects.filter(pk=home.club.pk).update(visibility=Club.Visibility.PRIVATE)
    for person, status in ((None, 404), (away.owner, 404), (home.member, 200)):
        assert page("club-year", home, person).status_code == status
        assert page("club-year-picture", home, person, screen=1).status_code == status


def test_the_page_works_without_a_script_and_links_to_its_neighbours(home: House) -> None:
    anna = player(home, "Anna")
    shown = page("player-year", home, home.owner, player=anna.pk).content.decode()
    for nth in range(1, SCREENS + 1):
        assert f'id="screen-{nth}"' in shown
    assert shown.count('href="#screen-') == 2 * (SCREENS - 1)


def test_a_year_without_a_hand_says_so(home: House) -> None:
    shown = page("club-year", home, home.owner, year=1999).content.decode()
    assert "No hand was counted in this year." in shown
    assert page("club-year-picture", home, home.owner, year=1999, screen=1).status_code == 200


def test_more_evenings_need_no_more_queries(home: House, django_assert_max_num_queries: Any) -> None:
    anna = player(home, "Anna")
    with django_assert_max_num_queries(8):
        screens(home, home.owner, anna)
    with django_assert_max_num_queries(8):
        screens(home, home.owner)
    season = Table.objects.filter(evening__club=home.club).latest("pk").evening.season
    for day in range(10, 25):
        enter(create_table(club=home.club, season=season, held_on=date(2025, 6, day)), MADE)
    count_season(season.pk)
    with django_assert_max_num_queries(8):
        screens(home, home.owner, anna)
    with django_assert_max_num_queries(8):
        screens(home, home.owner)


def test_pages_lead_to_it(home: House) -> None:
    anna, client = player(home, "Anna"), Client(headers={"accept-language": "en"})
    client.force_login(home.owner)
    year = reverse("player-year", kwargs={"club": home.club.slug, "player": anna.pk, "year": YEAR})
    assert year in client.get(reverse("player", kwargs={"club": home.club.slug, "player": anna.pk})).content.decode()
    club = reverse("club-year", kwargs={"club": home.club.slug, "year": years.newest_year()})
    assert club in client.get(reverse("club-records", kwargs={"club": home.club.slug})).content.decode()
