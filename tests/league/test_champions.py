"""The end of a season: closing shows the champion and unfinished matters; then the champions' pages show the
champion."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.closing.services import evening_close
from league.errors import Refused
from league.models import Player, Season, Standing
from league.privacy.free_text import empty_texts
from league.standings.counting import count_season
from league.standings.formula import services as formulas
from league.standings.seasons import MAX_REASON, season_close, season_reopen
from tests.cast import House, cast
from tests.clients import reader
from tests.factories import MADE, create_table, enter
from tests.page_forms import form_with, page_forms

pytestmark = pytest.mark.django_db

RULES = {"stake": 12345}


@pytest.fixture
def home() -> House:
    """Two evenings: Anna declares and makes it three times, Beni joins and makes it each time."""
    house = cast().home
    for back in (28, 21):
        held_on = timezone.localdate() - timedelta(days=back)
        table = create_table(season=house.season, club=house.club, rules=RULES, held_on=held_on)
        for record in (MADE, MADE, MADE):
            enter(table, record)
    Player.objects.filter(club=house.club).update(publicity=Player.Publicity.INITIALS)
    count_season(house.season.pk)
    house.season.refresh_from_db()
    return house


def get(house: House, name: str, person: Any = None, **more: Any) -> str:
    url = reverse(name, kwargs={"club": house.club.slug, **more})
    answer = reader(person).get(url, headers={"accept-language": "en"})
    assert answer.status_code == 200
    text: str = answer.content.decode()
    return text


def closing(house: House) -> tuple[Client, str]:
    client = reader(house.owner)
    return client, reverse("season-close", kwargs={"club": house.club.slug, "season": house.season.slug})


def close_evenings(house: House) -> None:
    for evening in house.season.evenings.filter(state="open"):
        evening_close(evening=evening, author=None, key=uuid.uuid4())


def close(house: House) -> None:
    close_evenings(house)
    season_close(season=house.season, actor=house.owner)
    count_season(house.season.pk)


@pytest.mark.both_databases
def test_closing_lists_unfinished_matters_and_leads_to_the_champions(home):
    client, url = closing(home)
    shown = client.get(url)
    text = shown.content.decode()
    assert "Who would be champion" in text
    assert text.index("Anna") < text.index("Beni")
    assert "is still open." in text
    assert "Close the open evenings first" in text
    assert "Close it nevertheless" not in text
    close_evenings(home)
    count_season(home.season.pk)
    shown = client.get(url)
    assert "is provisional" in shown.content.decode()
    answer = form_with(shown, "seen").submit(client, "Close it nevertheless")
    champions = reverse("season-champions", kwargs={"club": home.club.slug, "season": home.season.slug})
    assert (answer.status_code, answer["Location"]) == (303, champions)
    assert Season.objects.get(pk=home.season.pk).closed_at is not None
    form = next(form for form in page_forms(client.get(url)) if any("Open" in button.text for button in form.buttons))
    refused = form.submit(client, "Open it again")
    assert refused.status_code == 422
    assert "Give a reason" in refused.content.decode()
    assert Season.objects.get(pk=home.season.pk).closed_at is not None
    for reason in ("", " \n", "x" * (MAX_REASON + 1)):
        with pytest.raises(Refused) as wrong:
            season_reopen(season=home.season, actor=home.owner, reason=reason)
        assert (wrong.value.status, wrong.value.at) == (422, "reason")
    form.fill("reason", "An evening of Anna was missing")
    opened = form.submit(client, "Open it again")
    assert opened["Location"] == url
    log = reverse("club-log", kwargs={"club": home.club.slug})
    said = "again: “An evening of Anna was missing”."
    assert said in client.get(log).content.decode()
    # The reason is emptied when a person in it is forgotten.
    empty_texts(names=["Anna"], clubs=[home.club])
    assert said not in client.get(log).content.decode()
    assert Season.objects.get(pk=home.season.pk).closed_at is None


def test_a_page_that_is_outdated_closes_nothing(home):
    client, url = closing(home)
    close_evenings(home)
    form = form_with(client.get(url), "seen")
    enter(create_table(season=home.season, club=home.club), MADE)
    answer = form.submit(client, "Close it nevertheless")
    assert answer.status_code == 409
    assert "Something changed meanwhile" in answer.content.decode()
    assert "The standings are not up to date yet." in answer.content.decode()
    assert Season.objects.get(pk=home.season.pk).closed_at is None


def test_a_season_that_runs_has_no_champions(home):
    text = get(home, "season-champions", season=home.season.slug)
    assert "The season is not closed yet" in text
    assert "A." not in text
    assert "No season is over yet" in get(home, "club-champions")


def test_names_by_consent_and_no_amount_for_visitors(home):
    Season.objects.filter(pk=home.season.pk).update(ranking=Season.Ranking.BALANCE)
    close(home)
    for name, more in (("season-champions", {"season": home.season.slug}), ("club-champions", {})):
        visitor, owner = get(home, name, **more), get(home, name, home.owner, **more)
        assert "Anna" in owner
        assert "Anna" not in visitor
        assert "CHF" not in visitor.replace("\xa0", " ")
    assert "CHF" in get(home, "season-champions", home.owner, season=home.season.slug).replace("\xa0", " ")


def test_equal_players_share_the_title(home):
    close(home)
    Standing.objects.filter(season=home.season, rank=2).update(rank=1)
    text = get(home, "season-champions", home.owner, season=home.season.slug)
    assert ">Champions</h2>" in text
    assert "in front after" not in text
    assert "Anna, Beni" in text


def test_a_formula_can_leave_nobody_ranked(home):
    formulas.formula_set(season=home.season, actor=home.owner, values={"attendance_minimum": 9})
    close(home)
    assert "Nobody reached what the season asks for." in get(home, "season-champions", season=home.season.slug)
    assert "Nobody is ranked" in get(home, "club-champions")


def test_the_list_counts_titles_of_closed_seasons_only(home):
    Season.objects.filter(pk=home.season.pk).update(ends_on=timezone.localdate() - timedelta(days=1))
    text = get(home, "club-champions", home.owner)
    assert "over, not closed yet" in text
    assert "Titles" not in text
    close(home)
    assert "Titles" in get(home, "club-champions", home.owner)


def test_the_season_leads_to_its_champions_once_it_is_closed(home):
    address = reverse("season-champions", kwargs={"club": home.club.slug, "season": home.season.slug})
    assert address not in get(home, "season", season=home.season.slug)
    assert reverse("club-champions", kwargs={"club": home.club.slug}) not in get(home, "club-pages")
    close(home)
    assert address in get(home, "season", season=home.season.slug)
    assert reverse("club-champions", kwargs={"club": home.club.slug}) in get(home, "club-pages")
    anna = Player.objects.get(club=home.club, nickname="Anna")
    table = get(home, "club-records", home.owner)
    row = table[table.index(f'/p/{anna.pk}/"') :]
    # Rank, points, seasons, won.
    assert '<td class="num">1</td><td class="num">1</td>' in row[: row.index("</tr>")]


def test_the_picture_shows_the_champion_under_a_public_name(home, monkeypatch):
    drawn: list[Any] = []
    monkeypatch.setattr("league.sharing.views.standings_picture", lambda *given: drawn.append(given) or b"png")
    close(home)
    url = reverse("champions-picture", kwargs={"club": home.club.slug, "season": home.season.slug})
    assert reader(home.owner).get(url)["Content-Type"] == "image/png"
    heading, rows, _empty = drawn[0]
    assert heading.title == rows[0].name
    assert "Anna" not in heading.title
