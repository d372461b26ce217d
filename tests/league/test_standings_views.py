"""Public pages of clubs, seasons and players: content, amounts by reader, ETags and queries."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.models import Table
from league.intervals import FEWEST_TRIES
from league.models import Club, EveningScore, Player, ResultRow, Season, SeasonCount, Standing, Transfer
from league.money import format_money, format_price
from league.standings import standing_lines
from league.standings.counting import count_season
from league.standings.standing_lines import StandingLine
from tests.cast import Cast, House
from tests.clients import reader, shown
from tests.factories import (
    FAILED,
    MADE,
    NAMES,
    PASSED_OUT,
    WALKOVER,
    ClubFactory,
    PlayerFactory,
    SeasonFactory,
    create_table,
    enter,
)

pytestmark = pytest.mark.django_db

# An odd stake makes amounts that differ from every date and count.
RULES = {"stake": 12345}


def text_of(client: Client, name: str, house: House, **more: Any) -> str:
    answer = client.get(reverse(name, kwargs={"club": house.club.slug, **more}))
    assert answer.status_code == 200
    return answer.content.decode()


def play(season: Season, *, evenings: int = 1, seats: int = 5) -> Table:
    """Play some evenings of four hands, the last one today, and count them."""
    for back in reversed(range(evenings)):
        held_on = timezone.localdate() - timedelta(days=7 * back)
        table = create_table(season=season, club=season.club, seats=seats, rules=RULES, held_on=held_on)
        for record in (MADE, FAILED, WALKOVER, PASSED_OUT):
            enter(table, record)
    count_season(season.pk)
    return table


@pytest.fixture
def home(people: Cast) -> House:
    play(people.home.season, evenings=2)
    return people.home


def pages(house: House, player: Player) -> dict[str, dict[str, Any]]:
    evening = house.season.evenings.first()
    assert evening is not None
    return {
        "club": {},
        "season": {"season": house.season.slug},
        "season-standings": {"season": house.season.slug},
        "player": {"player": player.pk},
        "evening": {"evening": evening.pk},
        "evening-live": {"evening": evening.pk},
    }


def all_amounts(season: Season) -> set[str]:
    """Return every amount above 0 of a season, as a page formats it."""
    amounts = {t.amount_minor for t in Transfer.objects.filter(season=season)}
    for row in ResultRow.objects.filter(season=season):
        amounts |= {row.change_minor, row.pot_won_minor}
    for standing in Standing.objects.filter(season=season):
        amounts |= {standing.balance_minor, standing.biggest_pot_minor}
        amounts |= {standing.best_night_minor, standing.worst_night_minor}
    for score in EveningScore.objects.filter(season=season):
        amounts |= {score.change_minor, score.balance_after_minor}
    amounts |= set(Table.objects.values_list("pot_minor", flat=True))
    return {format_money(abs(amount)) for amount in amounts if amount}


def amounts_in(text: str, amounts: set[str]) -> set[str]:
    return {amount for amount in amounts if re.search(rf"(?<![\d’]){re.escape(amount)}", text)}


# --- Visible amounts -------------------------------------------------------------------------------------


@pytest.mark.parametrize("ranking", Season.Ranking.values)
@pytest.mark.parametrize("who", ["visitor", "stranger", "member", "recorder", "treasurer", "owner"])
def test_only_treasurer_and_owner_find_amounts_on_the_pages(people, home, who, ranking):
    home.season.ranking = ranking
    home.season.save()
    person = None if who == "visitor" else people.stranger if who == "stranger" else home.person(who)
    amounts = all_amounts(home.season)
    anna = Player.objects.get(nickname="Anna")
    texts = {name: text_of(reader(person), name, home, **more) for name, more in pages(home, anna).items()}
    visible = {name: amounts_in(text, amounts) for name, text in texts.items()}
    if who in ("treasurer", "owner"):
        # The twin: the same search finds them for a reader with the right.
        assert visible["season"]
        assert visible["player"]
        assert visible["evening"]
    else:
        assert not any(visible.values()), visible


def test_everybody_finds_amounts_where_the_club_publishes_them(home):
    home.club.publishes_money = True
    home.club.save()
    amounts = all_amounts(home.season)
    anna = Player.objects.get(nickname="Anna")
    for name, more in pages(home, anna).items():
        if name != "club":
            assert amounts_in(text_of(reader(), name, home, **more), amounts), name


def test_a_member_finds_only_their_own_amounts(home):
    mine = Player.objects.get(nickname="Anna")
    mine.user = home.member
    mine.save()
    client = reader(home.member)
    own = Standing.objects.get(season=home.season, player=mine)
    own_amounts = {format_money(abs(v)) for v in (own.balance_minor, own.best_night_minor, own.worst_night_minor)}
    assert amounts_in(text_of(client, "player", home, player=mine.pk), own_amounts)
    beni = Player.objects.get(nickname="Beni")
    assert not amounts_in(text_of(client, "player", home, player=beni.pk), all_amounts(home.season))

    evening = home.season.evenings.first()
    won = sum(ResultRow.objects.filter(evening=evening, player=mine).values_list("change_minor", flat=True))
    page = text_of(client, "evening", home, evening=evening.pk)
    # The evening is open: the ante for the next hand is in the pot.
    assert format_price(won - RULES["stake"], home.club.currency, plus="+") in page
    others = set(ResultRow.objects.filter(evening=evening).exclude(player=mine).values_list("change_minor", flat=True))
    own_changes = set(ResultRow.objects.filter(player=mine).values_list("change_minor", flat=True))
    assert not amounts_in(page, {format_money(abs(v)) for v in others - own_changes if abs(v) not in own_changes})


def test_a_season_ranked_by_balance_shows_visitors_ranks_without_amounts(home):
    home.season.ranking = Season.Ranking.BALANCE
    home.season.save()
    page = text_of(reader(), "season", home, season=home.season.slug)
    assert "Ranks over the season" in page
    assert "Balance" not in shown(page)
    assert "Balances over the season" in text_of(reader(home.owner), "season", home, season=home.season.slug)


# --- Content ---------------------------------------------------------------------------------------------


def rows_of(page: str) -> list[str]:
    body = page.split('class="figures standings"')[1].split("</table>")[0].split("<tbody>")[1]
    return [re.sub(r"<[^>]+>|\s+", " ", row) for row in body.split("<tr")[1:]]


def test_standings_show_ranks_and_their_changes(home):
    page = text_of(reader(), "season", home, season=home.season.slug)
    rows = rows_of(page)
    expected = list(Standing.objects.filter(season=home.season).order_by("rank", "player__nickname"))
    assert len(rows) == len(expected) == 5
    for row, standing in zip(rows, expected, strict=True):
        assert standing.player.nickname in row
        assert f" {standing.rank} " in row


@pytest.mark.parametrize(
    ("evenings", "planned", "title"),
    [
        (0, 20, "Standings"),
        (1, 20, "Standings after 1 of 20 evenings"),
        (1, None, "Standings after 1 evening"),
        (2, 1, "Standings after 2 evenings"),
    ],
)
def test_the_title_shows_the_number_of_evenings(people, evenings, planned, title):
    season = people.home.season
    season.planned_evenings = planned
    season.save()
    if evenings:
        play(season, evenings=evenings)
    page = text_of(reader(), "season", people.home, season=season.slug)
    assert f'<h2 id="standings-title">{title}</h2>' in page


def test_a_hand_waits_until_it_is_counted(home):
    table = Table.objects.order_by("-pk").first()
    enter(table, MADE)
    page = text_of(reader(), "season-standings", home, season=home.season.slug)
    assert "1 hand is waiting" in page
    assert 'hx-trigger="every 2s, look"' in page
    count_season(home.season.pk)
    page = text_of(reader(), "season-standings", home, season=home.season.slug)
    assert "waiting" not in page
    assert 'hx-trigger="every 5s, look"' in page
    counted = SeasonCount.objects.get(season=home.season).counted_at
    assert f'datetime="{counted.isoformat(timespec="seconds")}"' in page


@pytest.mark.parametrize("what", ["no season", "no evening", "no hand", "not counted"])
def test_every_empty_page_names_the_missing_data(people, what):
    house = people.home
    if what == "no season":
        Season.objects.filter(club=house.club).delete()
        assert "No season yet" in text_of(reader(), "club", house)
        return
    if what != "no evening":
        table = create_table(season=house.season, club=house.club)
        page = text_of(reader(), "evening", house, evening=table.evening_id)
        assert "No hand yet" in page
    if what == "not counted":
        enter(table, MADE)
    page = text_of(reader(), "season", house, season=house.season.slug)
    assert ("The first hands are being counted" if what == "not counted" else "Nobody has played yet") in page
    assert "No chart yet" in page
    assert "Not counted yet" in page
    assert ("No evening yet" in page) == (what == "no evening")
    player = PlayerFactory(club=house.club, nickname="Zoe")
    assert "Zoe has not played" in text_of(reader(), "player", house, player=player.pk) or what == "no evening"


def test_the_page_of_a_player_shows_small_samples_as_counts(home):
    anna = Player.objects.get(nickname="Anna")
    page = text_of(reader(), "player", home, player=anna.pk)
    standing = Standing.objects.get(season=home.season, player=anna)
    contested = standing.declared - standing.walkovers
    assert 0 < contested < FEWEST_TRIES
    assert f"{standing.declared_made} of {contested}" in page


@pytest.mark.parametrize(("of", "text"), [(FEWEST_TRIES - 1, "13 of 19"), (FEWEST_TRIES, "65 %")])
def test_standings_and_the_page_of_a_player_have_one_threshold_for_shares(home, of, text):
    anna = Player.objects.get(nickname="Anna")
    Standing.objects.filter(player=anna).update(declared=of, declared_made=13, walkovers=0)
    pages = (
        text_of(reader(), "season", home, season=home.season.slug),
        text_of(reader(), "player", home, player=anna.pk),
    )
    assert all(f">{text}<" in page or f">{text} <" in page for page in pages)


def test_the_players_page_changes_season_and_falls_back_to_the_current_one(home):
    old = SeasonFactory(club=home.club, slug="old", name="The old season", starts_on=date(2020, 8, 1))
    play(old)
    anna = Player.objects.get(nickname="Anna")
    url = reverse("player", kwargs={"club": home.club.slug, "player": anna.pk})
    for query, name in (("?season=old", old.name), ("", home.season.name), ("?season=%00'", home.season.name)):
        page = reader().get(url + query).content.decode()
        assert f'<h2 id="numbers-title">{name} <span' in page


def test_the_start_page_offers_the_running_evening_only_to_recorders(home):
    evening = home.season.evenings.first()
    resume = reverse("evening-record", kwargs={"club": home.club.slug, "evening": evening.pk})
    assert resume in text_at(reader(home.recorder), "/?all=1")
    assert resume not in text_at(reader(home.member), "/?all=1")
    watch = reverse("evening", kwargs={"club": home.club.slug, "evening": evening.pk})
    assert watch in text_at(reader(home.member), "/?all=1")
    assert ">running<" in text_at(reader(home.member), "/?all=1")
    home.season.evenings.update(held_on=timezone.localdate() - timedelta(days=3))
    page = text_at(reader(home.recorder), "/?all=1")
    assert resume not in page
    assert reverse("evening-new", kwargs={"club": home.club.slug}) in page


def text_at(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_visitors_find_the_listed_clubs_only(people):
    people.away.club.visibility = "private"
    people.away.club.save()
    page = text_at(reader(), "/")
    assert people.home.club.name in page
    assert people.away.club.name not in page
    assert people.away.club.name in text_at(reader(people.away.member), "/?all=1")


def test_the_list_of_clubs_continues_on_the_next_page(people):
    Club.objects.bulk_create(Club(slug=f"x{n:03d}", name=f"Xclub {n:03d}") for n in range(61))
    first = text_at(reader(), "/")
    following = re.search(r'href="(\?after=[^"]+)"', first)
    assert following
    second = text_at(reader(), "/" + following[1])
    names = set(re.findall(r"Xclub \d+", first)) | set(re.findall(r"Xclub \d+", second))
    assert len(names) == 61
    assert not set(re.findall(r"Xclub \d+", first)) & set(re.findall(r"Xclub \d+", second))


@pytest.mark.parametrize("after", ["%00", "'; --", "ä" * 500, "😀"])
def test_an_invalid_query_is_no_error(people, after):
    assert reader().get(f"/?after={after}").status_code == 200


def test_huge_ids_are_not_found(home):
    for path in (f"p/{10**30}/", f"e/{10**30}/", f"e/{2**63}/hands.csv"):
        assert reader().get(f"/c/{home.club.slug}/{path}").status_code == 404


def test_no_page_has_inline_styles_or_scripts(home):
    anna = Player.objects.get(nickname="Anna")
    texts = [text_of(reader(home.owner), name, home, **more) for name, more in pages(home, anna).items()]
    for text in [*texts, text_at(reader(home.owner), "/?all=1")]:
        assert not re.search(r"<[^>]+\sstyle=", text)
        assert not re.search(r"<[^>]+\son\w+=", text)
        assert not re.search(r"<script(?![^>]*\ssrc=)", text)


def test_a_nickname_cannot_write_html(home):
    Player.objects.filter(nickname="Anna").update(nickname="<b>&\"'")
    anna = Player.objects.get(nickname="<b>&\"'")
    for name, more in pages(home, anna).items():
        assert "<b>&\"'" not in text_of(reader(home.owner), name, home, **more)


# --- 304 and the cost of a page --------------------------------------------------------------------------


def standings_url(house: House) -> str:
    return reverse("season-standings", kwargs={"club": house.club.slug, "season": house.season.slug})


def test_an_unchanged_season_is_not_sent_again(home, django_assert_num_queries):
    url = standings_url(home)
    etag = reader().get(url)["ETag"]
    client = reader()
    with django_assert_num_queries(1):
        answer = client.get(url, headers={"if-none-match": etag})
    assert answer.status_code == 304
    assert answer["ETag"] == etag
    assert answer.content == b""


def test_an_unchanged_season_costs_a_member_five_queries(home, django_assert_num_queries):
    url = standings_url(home)
    client = reader(home.member)
    etag = client.get(url)["ETag"]
    with django_assert_num_queries(5):
        assert client.get(url, headers={"if-none-match": etag}).status_code == 304


def _waits(house: House) -> None:
    enter(Table.objects.order_by("-pk")[0], MADE)


def _counted(house: House) -> None:
    enter(Table.objects.order_by("-pk")[0], MADE)
    count_season(house.season.pk)


def _planned(house: House) -> None:
    Season.objects.update(planned_evenings=30)


def _published(house: House) -> None:
    Club.objects.update(publishes_money=True)


@pytest.mark.parametrize("change", [_waits, _counted, _planned, _published])
def test_a_changed_season_is_sent_again(home, change: Callable[[House], None]):
    url = standings_url(home)
    etag = reader().get(url)["ETag"]
    change(home)
    assert reader().get(url, headers={"if-none-match": etag}).status_code == 200


def test_the_etag_of_a_treasurer_is_not_valid_for_a_visitor(home):
    url = standings_url(home)
    etag = reader(home.treasurer).get(url)["ETag"]
    answer = reader().get(url, headers={"if-none-match": etag})
    assert answer.status_code == 200
    assert "private" in answer["Cache-Control"]
    assert "Cookie" in reader(home.treasurer).get(url)["Vary"]


def test_another_language_has_another_etag(home):
    url = standings_url(home)
    etag = reader().get(url)["ETag"]
    answer = Client(headers={"accept-language": "de"}).get(url, headers={"if-none-match": etag})
    assert answer.status_code == 200


def queries(client: Client, url: str) -> int:
    client.get(url)
    with CaptureQueriesContext(
        connection,
    ) as caught:
        assert client.get(url).status_code == 200
    return len(caught)


MOST = {"home": 8, "club": 17, "season": 13, "season-standings": 9, "player": 21, "evening": 11, "evening-live": 11}


def test_more_rows_need_no_more_queries(people):
    house = people.home
    play(house.season, evenings=1, seats=3)
    anna = Player.objects.get(nickname="Anna")
    urls = {name: reverse(name, kwargs={"club": house.club.slug, **more}) for name, more in pages(house, anna).items()}
    urls["home"] = "/?all=1"
    client = reader(house.owner)
    few = {name: queries(client, url) for name, url in urls.items()}
    table = play(house.season, evenings=6, seats=7)
    for _ in range(6):
        enter(table, FAILED)
    count_season(house.season.pk)
    for n in range(4):
        SeasonFactory(club=house.club, slug=f"more-{n}")
        ClubFactory()
    urls |= {
        n: reverse(n, kwargs={"club": house.club.slug, "evening": table.evening_id})
        for n in ("evening", "evening-live")
    }
    many = {name: queries(client, url) for name, url in urls.items()}
    assert many == few
    assert {name: count for name, count in few.items() if count > MOST[name]} == {}


def test_the_names_of_the_cast_are_those_of_the_table(home):
    # Tests above look players up by these.
    assert {p.nickname for p in Player.objects.filter(club=home.club)} == set(NAMES[:5])


def test_visitors_learn_nothing_about_the_people_behind_names(people, home):
    """P12: no public page names users, recorders or owners."""
    mine = Player.objects.get(nickname="Anna")
    mine.user = home.member
    mine.save()
    home.member.last_name = "Canary-Muster"
    home.member.save()
    enter(Table.objects.order_by("-pk")[0], MADE, author=home.recorder)
    texts = [text_of(reader(), name, home, **more) for name, more in pages(home, mine).items()]
    for text in [*texts, text_at(reader(), "/")]:
        assert "@" not in text
        assert "Canary" not in text
        assert "Recorder" not in text


def test_a_line_has_every_field_of_its_standing(home):
    fields = [*StandingLine._fields[:-1], "player__nickname"]
    stored = list(home.season.standings.order_by("rank", "player__nickname").values_list(*fields))
    assert standing_lines.season_standings(home.season) == stored != []
    assert standing_lines.season_standings(home.season, top=2) == stored[:2]
    columns = {field.attname for field in Standing._meta.concrete_fields} - {"id", "season_id"}
    assert columns == set(StandingLine._fields) - {"nickname"}
