"""The guards of teams that no other test looks for: names, limits, days, whose season."""

from __future__ import annotations

from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.errors import Refused
from league.models import AuditEntry, Player, Season, SeasonAdjustment, Team, TeamStay
from league.standings.counting import count_season
from league.standings.formula import services, team_services
from league.standings.formula.team_table import current_teams
from tests.api.api_client import ApiClient, done, is_problem, key_for
from tests.api.test_frame_behaviour import walk
from tests.cast import Cast, House
from tests.factories import MADE, PlayerFactory, SeasonFactory, create_table, enter

pytestmark = [pytest.mark.rest, pytest.mark.django_db]

DAY = date(2026, 9, 1)


def refused(call: Any, **values: Any) -> tuple[int, str]:
    with pytest.raises(Refused) as caught:
        call(**values)
    return caught.value.status, caught.value.code


@pytest.fixture
def season(home: House) -> Season:
    """A season with a formula and five players."""
    enter(create_table(season=home.season, club=home.club), MADE)
    return services.formula_set(season=home.season, actor=None, values={"best": 2})


@pytest.fixture
def other(home: House) -> Season:
    """Another season of the club with a formula."""
    return services.formula_set(season=SeasonFactory(club=home.club, slug="other"), actor=None, values={"best": 1})


def add(season: Season, name: str) -> Team:
    return team_services.team_add(season=season, name=name, actor=None)


def put(season: Season, player: Player, team: Team | None, since: date = DAY) -> TeamStay:
    return team_services.stay_set(season=season, player=player, team=team, since=since, actor=None)


def anna(season: Season) -> Player:
    return Player.objects.get(club=season.club, nickname="Anna")


@pytest.mark.both_databases
def test_each_season_has_its_own_names_numbers_and_limit(
    season: Season, other: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(team_services, "MAX_TEAMS", 2)
    assert [add(season, name).number for name in ("Acorns", "Bells")] == [1, 2]
    assert add(other, "acorns").number == 1
    assert refused(partial(add, season), name="Hearts") == (409, "teams")
    add(other, "x" * team_services.MAX_NAME)


@pytest.mark.both_databases
def test_a_team_keeps_its_name_in_other_capitals_and_the_same_name_stores_nothing(season: Season) -> None:
    team = add(season, "Acorns")
    rename = partial(team_services.team_rename, team=team, actor=None)
    entries = AuditEntry.objects.count()
    assert rename(name=" Acorns ").name == "Acorns"
    assert AuditEntry.objects.count() == entries
    assert rename(name="ACORNS").name == "ACORNS"
    assert refused(rename, name="a\nb") == (422, "name")


def test_a_player_is_in_a_team_from_day_to_day_in_each_season(season: Season, other: Season) -> None:
    player = anna(season)
    acorns, bells = add(season, "Acorns"), add(season, "Bells")
    put(season, player, acorns)
    put(season, player, bells, DAY + timedelta(days=60))
    # Between the two days, Anna may come to the Bells earlier.
    put(season, player, bells, DAY + timedelta(days=30))
    put(other, player, add(other, "Acorns"), DAY)
    put(other, player, None, DAY + timedelta(days=70))
    again = partial(put, season, player, bells)
    assert refused(again, since=DAY + timedelta(days=80)) == (422, "there")


@pytest.mark.both_databases
def test_one_row_is_taken_back_once(season: Season) -> None:
    acorns = add(season, "Acorns")
    stays = [put(season, player, acorns) for player in Player.objects.filter(club=season.club)[:2]]
    for _time in range(2):
        team_services.stay_remove(stay=stays[0], actor=None)
    assert list(TeamStay.objects.all()) == stays[1:]
    assert AuditEntry.objects.filter(data__did="team_stay_removed").count() == 1


def test_the_page_lists_only_teams_rows_and_players_of_its_own_season(
    owner: Client, people: Cast, season: Season, other: Season
) -> None:
    url = reverse("season-teams", kwargs={"club": season.club.slug, "season": season.slug})
    add(season, "Acorns")
    bells = (add(other, "Hearts"), add(other, "Bells"))[1]
    elsewhere = put(other, anna(season), bells)
    assert [card.team.name for card in owner.get(url).context["cards"]] == ["Acorns"]
    offered = owner.get(url).context["putting"].form.fields["team"].choices
    assert [number for number, _name in offered] == ["", 1, 0]
    for sent in (
        *({"do": do, "team": 2, "team-2-name": "x"} for do in ("rename", "remove")),
        *({"do": "take_back", "stay": stay} for stay in (elsewhere.pk, "x", "-1")),
    ):
        assert owner.post(url, sent).status_code == 404
    merged = PlayerFactory(club=season.club, main=anna(season))
    for player in (merged, PlayerFactory(club=people.away.club)):
        assert (
            owner.post(url, {"do": "look_put", "player": player.pk, "team": 1, "since": "2026-09-01"}).status_code
            == 422
        )
    assert list(TeamStay.objects.all()) == [elsewhere]
    services.formula_set(season=season, actor=None, values=None)
    assert not owner.get(url).context["writable"]


def test_the_team_of_today_is_of_this_season_and_has_begun(season: Season, other: Season) -> None:
    player = anna(season)
    acorns = add(season, "Acorns")
    put(other, player, add(other, "Hearts"))
    assert current_teams(season) == {}
    put(season, player, acorns, timezone.localdate() + timedelta(days=1))
    assert current_teams(season) == {}
    put(season, player, acorns, timezone.localdate())
    assert current_teams(season) == {player.pk: acorns.pk}
    # The stay of a merged player on the same day is stored later, and does not count.
    twin = PlayerFactory(club=season.club)
    put(season, twin, add(season, "Bells"), timezone.localdate())
    Player.objects.filter(pk=twin.pk).update(main=player)
    assert current_teams(season) == {player.pk: acorns.pk}


def test_members_of_a_team_have_public_names_for_visitors(people: Cast, season: Season) -> None:
    acorns = add(season, "Acorns")
    beni = Player.objects.get(club=season.club, nickname="Beni")
    put(season, anna(season), acorns)
    count_season(season.pk)
    put(season, beni, acorns)
    Player.objects.filter(club=season.club).update(publicity=Player.Publicity.INITIALS)
    url = f"clubs/{season.club.slug}/seasons/{season.slug}/teams"
    for api, named in ((ApiClient(), False), (ApiClient(key=key_for(people.home.owner)), True)):
        text = api.get(url).content.decode()
        assert ("Anna" in text, "Beni" in text, "Acorns" in text) == (named, named, named)


def test_the_api_puts_players_and_teams_of_this_season_alone(people: Cast, season: Season, other: Season) -> None:
    api = ApiClient(key=key_for(people.home.owner))
    add(season, "Acorns")
    bells = (add(other, "Hearts"), add(other, "Bells"))[1]
    url = f"clubs/{season.club.slug}/seasons/{season.slug}"
    stranger = PlayerFactory(club=people.away.club)
    body = {"player": anna(season).pk, "team": 1, "since": "2026-09-01"}
    assert is_problem(api.post(f"{url}/team-stays", body | {"player": stranger.pk}), 422, "player")
    assert is_problem(api.post(f"{url}/team-stays", body | {"team": bells.number}), 422, "team")
    elsewhere = put(other, anna(season), bells)
    assert is_problem(api("DELETE", f"{url}/team-stays/{elsewhere.pk}"), 404)
    assert is_problem(api("DELETE", f"{url}/teams/{bells.number}"), 404)
    assert TeamStay.objects.get() == elsewhere
    assert walk(api, f"{url}/team-stays") == []


def test_the_api_lists_and_undoes_penalties_of_this_season_alone(people: Cast, season: Season, other: Season) -> None:
    api = ApiClient(key=key_for(people.home.owner))
    url = f"clubs/{season.club.slug}/seasons/{season.slug}/adjustments"
    give = partial(services.adjustment_add, player=anna(season), points=-1, reason="late", actor=None)
    elsewhere, first, second = give(season=other), give(season=season), give(season=season)
    assert [item["id"] for item in walk(api, url)] == [second.pk, first.pk]
    for wrong in (elsewhere.pk, 10**8):
        assert is_problem(api.post(f"{url}/{wrong}/undo"), 404)
    assert done(api.post(f"{url}/{second.pk}/undo"))["id"] == second.pk
    undone = SeasonAdjustment.objects.filter(undone_at__isnull=False)
    assert list(undone) == [second]
    body = {"player": PlayerFactory(club=people.away.club).pk, "points": -2, "reason": "late"}
    assert is_problem(api.post(url, body), 422, "player")
