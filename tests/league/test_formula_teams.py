"""Teams of a season: their members by day, the shares of members, and the pages, files and API with them."""

from __future__ import annotations

import csv
import io
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.audit import sentences
from league.club_admin.input_previews import digest_of
from league.errors import Refused
from league.models import AuditEntry, Player, Season, Standing, Team, TeamShare, TeamStanding, TeamStay
from league.money import format_count
from league.privacy.forgetting import player_forget
from league.roster.merging import players_merge, players_unmerge
from league.standings import counting
from league.standings.formula import services, team_services
from league.standings.formula.parts import Formula
from league.standings.formula.preview import Preview
from league.standings.formula.ranking import Adjustment, Race, evaluate
from league.standings.formula.teams import Share, Stay, race_lines, team_lines
from league.standings.seasons import season_close, season_reopen
from tests.api.api_client import ApiClient, done, is_problem, key_for
from tests.factories import FAILED, MADE, PlayerFactory, SeasonFactory, create_table, enter
from tests.league.test_formula_counting import League
from tests.league.test_formula_seasons import ANNA, BENI, CARLA, DORA, NAMES, NIGHTS

pytestmark = pytest.mark.django_db

ACORNS, BELLS = 1, 2
SEPTEMBER, FROM_THE_THIRD = date(2026, 9, 1), date(2026, 10, 15)


# --- The ranking, without a database -------------------------------------------------------------------------


def ranked(formula: Formula, stays: dict[int, list[Stay]], adjustments: tuple[Adjustment, ...] = ()) -> list[str]:
    race = Race(formula, adjustments=adjustments)
    for night in NIGHTS:
        race.play(night, last=night is NIGHTS[-1])
    about: dict[str, Any] = {"teams": (ACORNS, BELLS), "stays": stays, "adjustments": adjustments}
    about["days"] = {night.evening: night.held_on for night in NIGHTS}
    lines = race_lines(formula, race, **about)
    assert lines == team_lines(formula, race.lines(), **about)
    return [f"{line.rank} {line.team} {line.value}: {' '.join(map(shown, line.shares))}" for line in lines]


def shown(share: Share) -> str:
    return f"{NAMES[share.player]} {share.value}" if share.counts else f"({NAMES[share.player]} {share.value})"


ALL_SEASON = {
    ANNA: [Stay(SEPTEMBER, ACORNS)],
    BENI: [Stay(SEPTEMBER, BELLS)],
    CARLA: [Stay(SEPTEMBER, BELLS)],
    DORA: [Stay(SEPTEMBER, ACORNS)],
}
# Carla has -3 +4 with the Bells, +7 -4 with the Acorns.
CHANGED = ALL_SEASON | {CARLA: [Stay(SEPTEMBER, BELLS), Stay(FROM_THE_THIRD, ACORNS)]}
TEAMS = {
    "the sum of all": (Formula(), ALL_SEASON, ["1 1 19: Anna 11 Dora 8", "2 2 16: Beni 12 Carla 4"]),
    "the best one": (Formula(team_best=1), ALL_SEASON, ["1 2 12: Beni 12 (Carla 4)", "2 1 11: Anna 11 (Dora 8)"]),
    "a change of team": (Formula(), CHANGED, ["1 1 22: Anna 11 Dora 8 Carla 3", "2 2 13: Beni 12 Carla 1"]),
    "left for none": (
        Formula(),
        ALL_SEASON | {CARLA: [Stay(SEPTEMBER, BELLS), Stay(FROM_THE_THIRD, None)]},
        ["1 1 19: Anna 11 Dora 8", "2 2 13: Beni 12 Carla 1"],
    ),
    # The best evening of each: Anna 6, Beni 5, Carla 7, Dora 9.
    "only what counts for the player": (
        Formula(best=1), CHANGED, ["1 1 22: Dora 9 Carla 7 Anna 6", "2 2 5: Beni 5 Carla 0"],
    ),
    # Beni +2 and +5 in 18 hands; Carla 1 in 18 hands.
    "averages are added": (
        Formula(counts="average_hand"),
        {BENI: [Stay(SEPTEMBER, BELLS), Stay(FROM_THE_THIRD, None)], CARLA: CHANGED[CARLA][:1]},
        ["1 2 22/45: Beni 7/18 Carla 1/10", "2 1 0: "],
    ),
    "for coming": (
        Formula(attendance_bonus=10, best=1), {CARLA: CHANGED[CARLA]}, ["1 1 27: Carla 27", "2 2 20: Carla 20"],
    ),
    "equal teams share a rank": (
        Formula(counts="places", places=(1,)), {ANNA: ALL_SEASON[ANNA], BENI: ALL_SEASON[BENI]},
        ["1 1 2: Anna 2", "1 2 2: Beni 2"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TEAMS)
def test_a_team_has_the_sum_of_its_members_shares(name):
    formula, stays, expected = TEAMS[name]
    assert ranked(formula, stays) == expected


def test_a_penalty_belongs_to_the_team_of_its_day():
    late = (Adjustment(CARLA, -5, date(2026, 10, 20)), Adjustment(CARLA, 2, date(2026, 9, 9)))
    assert ranked(Formula(), CHANGED, late) == ["1 1 17: Anna 11 Dora 8 Carla -2", "2 2 15: Beni 12 Carla 3"]


@pytest.mark.parametrize(
    "formula",
    [Formula(), Formula(counts="average_evening", absences="zero", drop=1), Formula(best=2, attendance_bonus=3)],
    ids=lambda formula: formula.counts,
)
def test_a_player_who_stayed_in_one_team_brings_the_whole_value(formula):
    lines = evaluate(formula, NIGHTS)
    stays = {line.player: [Stay(SEPTEMBER, ACORNS)] for line in lines}
    days = {night.evening: night.held_on for night in NIGHTS}
    (team,) = team_lines(formula, lines, teams=[ACORNS], stays=stays, days=days)
    assert {share.player: share.value for share in team.shares} == {line.player: line.value for line in lines}


BEFORE = Adjustment(ANNA, -5, date(2026, 8, 1))
SETTLED: dict[str, tuple[dict[int, list[Stay]], tuple[Adjustment, ...], list[int]]] = {
    "nobody moved": (ALL_SEASON, (), []),
    "Carla moved": (CHANGED, (), [CARLA]),
    "Anna came later": (ALL_SEASON | {ANNA: [Stay(FROM_THE_THIRD, ACORNS)]}, (), [ANNA]),
    "in no team": (ALL_SEASON | {ANNA: [Stay(SEPTEMBER, None)]}, (), []),
    "a penalty before all days": (ALL_SEASON, (BEFORE,), [ANNA, BENI, CARLA, DORA]),
    "a penalty on a day of the team": (ALL_SEASON, (Adjustment(ANNA, -5, FROM_THE_THIRD),), []),
}


@pytest.mark.parametrize("name", SETTLED)
@pytest.mark.parametrize(
    "formula",
    [
        Formula(ties=("lot",), lot_seed="1"),
        Formula(counts="average_evening", absences="zero", best=2),
        Formula(counts="average_hand", drop=1),
        Formula(counts="net"),
        Formula(hands_minimum_evening=99),
    ],
    ids=lambda formula: f"{formula.counts} {formula.hands_minimum_evening}",
)
def test_only_the_nights_of_those_who_moved_are_read(name, formula, monkeypatch):
    stays, adjustments, moved = SETTLED[name]
    read: list[int] = []
    contribution = Race.contribution
    monkeypatch.setattr(Race, "contribution", lambda race, player: read.append(player) or contribution(race, player))
    ranked(formula, stays, adjustments)
    assert sorted(read) == sorted(moved)


# --- Stored, counted, changed ------------------------------------------------------------------------------


class Teams(League):
    """The season of three evenings with two teams: Anna and Beni, Carlo and Doris."""

    def __init__(self, **values: Any) -> None:
        super().__init__(**(values or {"ties": []}))
        self.teams = [team_services.team_add(season=self.season, name=n, actor=None) for n in ("Acorns", "Bells")]
        for nth, player in enumerate(self.players[:4]):
            self.put(player, self.teams[nth // 2])
        self.count()

    def put(self, player: Player, team: Team | None, since: date = SEPTEMBER) -> TeamStay:
        return team_services.stay_set(season=self.season, player=player, team=team, since=since, actor=None)

    def ranking(self) -> list[str]:
        rows = TeamStanding.objects.filter(season=self.season).order_by("rank", "team__number")
        return [f"{standing.rank} {standing.team.name} {standing.points}" for standing in rows.select_related("team")]


@pytest.fixture
def league() -> Teams:
    return Teams()


def test_a_team_is_counted_with_its_players(league):
    points = dict(Standing.objects.filter(season=league.season).values_list("player__nickname", "points"))
    assert set(league.ranking()) == {
        f"1 Acorns {points['Anna'] + points['Beni']}",
        f"2 Bells {points['Carlo'] + points['Doris']}",
    }
    enter(league.tables[1], MADE)
    league.count()
    assert league.wrong() == []
    league.put(league.players[0], league.teams[1], date(2026, 10, 10))
    league.count()
    assert TeamShare.objects.filter(player=league.players[0]).count() == 2
    assert league.wrong() == []
    league.season = services.formula_set(season=league.season, actor=None, values=None)
    league.count()
    assert not TeamStanding.objects.exists()
    assert league.wrong() == []


@pytest.mark.both_databases
def test_a_player_is_in_one_team_at_a_time(league):
    anna, (acorns, bells) = league.players[0], league.teams
    for values in ((acorns, SEPTEMBER), (acorns, date(2026, 12, 1))):
        with pytest.raises(Refused) as caught:
            league.put(anna, *values)
        assert (caught.value.status, caught.value.code) == (422, "there")
    # The row of the same day changes.
    league.put(anna, bells)
    assert TeamStay.objects.get(player=anna).team == bells


def test_an_impossible_change_is_refused_with_a_sentence(league):
    season, (acorns, _bells) = league.season, league.teams
    stranger = PlayerFactory()
    elsewhere = Team.objects.create(season=SeasonFactory(club=stranger.club), number=1)
    Season.objects.filter(pk=season.pk).update(ends_on=date(2026, 12, 31))
    arguments: dict[str, Any] = {"season": season, "player": league.players[4], "since": SEPTEMBER, "actor": None}
    for path, action in (
        ("name", lambda: team_services.team_add(season=season, name=" ", actor=None)),
        ("name", lambda: team_services.team_add(season=season, name="ACORNS", actor=None)),
        ("name", lambda: team_services.team_rename(team=acorns, name="x" * 41, actor=None)),
        ("player", lambda: team_services.stay_set(**arguments | {"player": stranger, "team": acorns})),
        ("team", lambda: team_services.stay_set(**arguments | {"team": elsewhere})),
        ("since", lambda: team_services.stay_set(**arguments | {"team": acorns, "since": date(2027, 1, 1)})),
        ("team", lambda: team_services.stay_set(**arguments | {"team": None})),
    ):
        with pytest.raises(Refused) as caught:
            action()
        assert (caught.value.status, caught.value.at) == (422, path)


def test_teams_belong_to_a_formula_and_end_with_the_season(league):
    acorns = league.teams[0]
    league.close_evenings()
    season_close(season=league.season, actor=None)
    stay = TeamStay.objects.first()
    for action in (
        lambda: team_services.team_remove(team=acorns, actor=None),
        lambda: team_services.stay_remove(stay=stay, actor=None),
        lambda: league.put(league.players[4], acorns),
    ):
        with pytest.raises(Refused) as caught:
            action()
        assert (caught.value.status, caught.value.code) == (409, "season_closed")
    season_reopen(season=league.season, actor=None, reason="x")
    services.formula_set(season=league.season, actor=None, values=None)
    with pytest.raises(Refused) as caught:
        team_services.team_add(season=league.season, name="Hearts", actor=None)
    assert (caught.value.status, caught.value.code) == (409, "no_formula")


def test_a_removed_team_returns_its_members_to_their_earlier_team(league):
    anna, (acorns, bells) = league.players[0], league.teams
    league.put(anna, bells, date(2026, 10, 10))
    team_services.team_remove(team=bells, actor=None)
    assert list(TeamStay.objects.filter(player=anna).values_list("team", flat=True)) == [acorns.pk]
    league.count()
    assert [line.split()[1] for line in league.ranking()] == ["Acorns"]
    assert league.wrong() == []


def test_a_merged_player_brings_the_team_along(league):
    anna = league.players[0]
    twin = PlayerFactory(club=league.season.club, nickname="Annas Zwilling")
    league.put(twin, league.teams[1], date(2026, 10, 10))
    arguments = {"club": league.season.club, "player": twin, "reason": "x", "actor": None}
    before = league.ranking()
    players_merge(main=anna, **arguments)
    league.count()
    assert TeamShare.objects.filter(player=anna).count() == 2
    assert league.wrong() == []
    players_unmerge(**arguments)
    league.count()
    assert league.ranking() == before


def test_the_name_of_a_team_is_emptied_with_the_person_in_it(league, en):
    anna = Player.objects.get(pk=league.players[0].pk)
    team_services.team_rename(team=league.teams[0], name="Annas Freunde", actor=None)
    player_forget(player=anna, actor=None)
    assert Team.objects.get(pk=league.teams[0].pk).name == ""
    assert TeamStay.objects.filter(player=anna).exists()
    league.count()
    assert league.wrong() == []


def test_every_change_is_in_the_log(league, en):
    stay = league.put(league.players[0], None, date(2026, 12, 24))
    team_services.stay_remove(stay=stay, actor=None)
    team_services.team_rename(team=league.teams[1], name="Hearts", actor=None)
    team_services.team_remove(team=league.teams[1], actor=None)
    rows = AuditEntry.objects.filter(what="season_changed").order_by("pk")
    said = [line.sentence for line in sentences.lines_of(rows)]
    name = league.season.name
    assert said[1] == f"Somebody added team 1 to the season {name}."
    assert said[3].startswith(f"Somebody put Anna into team 1 of the season {name}, from ")
    assert said[-4].startswith(f"Somebody took Anna out of the teams of the season {name}, from ")
    assert said[-3:] == [
        f"Somebody took back which team Anna was in, in the season {name}.",
        f"Somebody renamed team 2 of the season {name}.",
        f"Somebody removed team 2 from the season {name}.",
    ]


# --- Pages, files, API -------------------------------------------------------------------------------------


@pytest.fixture
def season(people) -> Season:
    """A season of the house with a formula and one evening."""
    season = people.home.season
    table = create_table(club=people.home.club, season=season)
    for record in (MADE, FAILED, MADE):
        enter(table, record)
    return services.formula_set(season=season, actor=None, values={"team_best": 1})


def at(name: str, season: Season, **names: Any) -> str:
    return reverse(name, kwargs={"club": season.club.slug, "season": season.slug, **names})


def test_an_owner_names_teams_and_puts_players_into_them(owner, season):
    url = at("season-teams", season)
    anna = Player.objects.get(club=season.club, nickname="Anna")
    assert owner.post(url, {"do": "look_add", "new-name": ""}).status_code == 422
    assert previewed(owner, url, "add", {"new-name": "Acorns"}) == 303
    assert b"already has a team" in owner.post(url, {"do": "look_add", "new-name": "acorns"}).content
    put = {"player": anna.pk, "team": 1, "since": "2026-09-01"}
    assert owner.post(url, put | {"do": "look_put", "since": "soon"}).status_code == 422
    # Nothing is stored without its preview.
    assert owner.post(url, put | {"do": "put"}).status_code == 200
    assert owner.post(url, put | {"do": "put", "previewed": "x"}).status_code == 422
    assert not TeamStay.objects.exists()
    assert previewed(owner, url, "put", put) == 303
    assert b"is in this team on that day" in owner.post(url, put | {"do": "look_put"}).content
    assert owner.post(url, put | {"do": "look_put", "team": ""}).status_code == 422
    assert previewed(owner, url, "put", put | {"team": 0, "since": "2099-01-01"}) == 303
    TeamStay.objects.get(team=None).delete()
    assert owner.post(url, {"do": "rename", "team": 1, "team-1-name": "Bells"}).status_code == 303
    counting.count_season(season.pk)
    page = owner.get(at("season", season)).content.decode()
    assert "Bells" in page
    assert "The best member of a team counts." in page
    visitor = Client(headers={"Accept-Language": "en"}).get(at("season", season)).content.decode()
    assert ("Bells" in visitor, "Team 1" in visitor) == (False, True)
    assert b"Bells" in owner.get(at("season-report", season)).content
    row = csv_of(owner, season)["Anna"]
    assert (row["team"], row["team_name"], row["team_rank"]) == ("1", "Bells", "1")
    assert owner.post(url, {"do": "take_back", "stay": TeamStay.objects.get().pk}).status_code == 303
    assert owner.post(url, {"do": "take_back", "stay": 10**8}).status_code == 404
    assert owner.post(url, {"do": "remove", "team": 1}).status_code == 303
    assert b"No team yet" in owner.get(url).content


def previewed(client: Client, url: str, do: str, sent: dict[str, Any]) -> int:
    """Look at the preview of a form of the page, then store it; return the status."""
    looked = client.post(url, sent | {"do": f"look_{do}"})
    shown = looked.context["putting" if do == "put" else "adding"].shown
    return client.post(url, sent | {"do": do, "previewed": shown}).status_code


@pytest.fixture
def two_teams(season) -> Season:
    """Anna is in the first team, Beni and Carlo in the second one."""
    for name, members in (("Acorns", ["Anna"]), ("Bells", ["Beni", "Carlo"])):
        team = team_services.team_add(season=season, name=name, actor=None)
        for player in Player.objects.filter(club=season.club, nickname__in=members):
            team_services.stay_set(season=season, player=player, team=team, since=SEPTEMBER, actor=None)
    services.formula_set(season=season, actor=None, values={})
    counting.count_season(season.pk)
    return Season.objects.get(pk=season.pk)


def teams_then(change: Preview) -> list[tuple[str, int, str]]:
    return [(team.title, team.rank_then, team.value_then) for team in change.teams]


def counted_teams(season: Season) -> list[tuple[str, int, str]]:
    counting.count_season(season.pk)
    rows = TeamStanding.objects.filter(season=season).order_by("rank", "team__pk")
    return [
        (standing.team.name, standing.rank, format_count(standing.points)) for standing in rows.select_related("team")
    ]


@pytest.mark.both_databases
def test_a_preview_of_the_teams_equals_the_later_count_and_names_who_goes(owner, two_teams):
    url = at("season-teams", two_teams)
    before = counted_teams(two_teams)
    carlo = Player.objects.get(club=two_teams.club, nickname="Carlo")
    sent = {"player": carlo.pk, "team": 1, "since": "2026-09-01"}
    page = owner.post(url, sent | {"do": "look_put"})
    change = page.context["putting"].change
    (left,) = [team for team in change.teams if team.title == "Bells"]
    assert [name for name, _value in left.gone] == ["Carlo"]
    assert "without Carlo (now" in page.content.decode()
    # A script gets the preview alone.
    alone = owner.post(url, sent | {"do": "look_put"}, headers={"HX-Request": "true"}).content.decode()
    assert ("<h1" in alone, "data-store" in alone) == (False, True)
    assert counted_teams(two_teams) == before
    assert previewed(owner, url, "put", sent) == 303
    assert counted_teams(two_teams) == teams_then(change)
    # Taking that back, removing a team and adding one: the same.
    stay = TeamStay.objects.get(player=carlo, team__number=1)
    taken = owner.get(f"{url}?take_back={stay.pk}").context["removing"].change
    removed = owner.get(f"{url}?remove=1").context["removing"].change
    added = owner.post(url, {"do": "look_add", "new-name": "Hearts"}).context["adding"].change
    assert previewed(owner, url, "add", {"new-name": "Hearts"}) == 303
    assert counted_teams(two_teams) == teams_then(added)
    Team.objects.get(name="Hearts").delete()
    owner.post(url, {"do": "take_back", "stay": stay.pk})
    assert counted_teams(two_teams) == teams_then(taken)
    stay.save(force_insert=True)
    owner.post(url, {"do": "remove", "team": 1})
    assert counted_teams(two_teams) == teams_then(removed)
    assert owner.get(f"{url}?remove=7").status_code == owner.get(f"{url}?take_back=x").status_code == 404


def test_teams_of_a_closed_season_are_neither_previewed_nor_stored(owner, two_teams):
    Season.objects.filter(pk=two_teams.pk).update(closed_at=timezone.now())
    url, stays = at("season-teams", two_teams), TeamStay.objects.count()
    sent = {"player": Player.objects.get(club=two_teams.club, nickname="Emil").pk, "team": 1, "since": "2026-09-01"}
    looked = owner.post(url, sent | {"do": "look_put"})
    assert (looked.status_code, looked.context["putting"].change) == (422, None)
    shown = digest_of({"player": sent["player"], "team": 1, "since": "2026-09-01"})
    assert owner.post(url, sent | {"do": "put", "previewed": shown}).status_code == 422
    assert "removing" not in owner.get(f"{url}?remove=1").context
    assert (TeamStay.objects.count(), Team.objects.filter(season=two_teams).count()) == (stays, 2)


def csv_of(client: Client, season: Season) -> dict[str, dict[str, str]]:
    text = b"".join(client.get(at("standings-csv", season)).streaming_content).decode()
    return {row["player"]: row for row in csv.DictReader(io.StringIO(text))}


def test_amounts_of_teams_are_for_those_who_see_them(owner, season):
    services.formula_set(season=season, actor=None, values={"counts": "net"})
    team = team_services.team_add(season=season, name="Acorns", actor=None)
    for player in Player.objects.filter(club=season.club, nickname__in=["Anna", "Beni"]):
        team_services.stay_set(season=season, player=player, team=team, since=SEPTEMBER, actor=None)
    counting.count_season(season.pk)
    standing = TeamStanding.objects.get()
    assert (standing.points, standing.counted_minor is None) == (0, False)
    url = f"/api/v1/clubs/{season.club.slug}/seasons/{season.slug}/teams"
    (seen,) = ApiClient().get(url).json()["items"]
    assert (seen["name"], seen["counted_minor"]) == ("Team 1", None)
    assert {member["counted_minor"] for member in seen["members"]} == {None}


def test_the_api_has_the_teams(people, season):
    api = ApiClient(key=key_for(people.home.owner))
    url = f"clubs/{season.club.slug}/seasons/{season.slug}/teams"
    stays = url.replace("teams", "team-stays")
    anna = Player.objects.get(club=season.club, nickname="Anna")
    made = done(api.post(url, {"name": "Acorns"}))
    assert (made["number"], made["rank"], made["members"]) == (1, None, [])
    assert is_problem(api.post(url, {"name": "Acorns"}), 422, "name")
    body = {"player": anna.pk, "team": 1, "since": "2026-09-01"}
    assert is_problem(api.post(stays, body | {"team": 9}), 422, "team")
    assert is_problem(api.post(stays, body | {"player": 10**9}), 422, "player")
    stay = done(api.post(stays, body))
    assert (stay["player"], stay["team"], stay["since"]) == (anna.pk, 1, "2026-09-01")
    assert [item["id"] for item in done(api.get(f"{stays}?player={anna.pk}"))["items"]] == [stay["id"]]
    counting.count_season(season.pk)
    (team,) = done(api.get(url))["items"]
    points = Standing.objects.get(season=season, player=anna).points
    assert (team["rank"], team["points"], team["members"][0]["points"]) == (1, points, points)
    assert done(api("PATCH", f"{url}/1", {"name": "Bells"}))["name"] == "Bells"
    assert api("DELETE", f"{stays}/{stay['id']}").status_code == 204
    assert api("DELETE", f"{url}/1").status_code == 204
    assert done(api.get(url))["items"] == []


# --- Without its part the counts differ --------------------------------------------------------------------


def test_without_the_teams_a_count_is_wrong(league, monkeypatch):
    monkeypatch.setattr("league.standings.formula.counting._write_teams", lambda *args: None)
    enter(league.tables[0], FAILED)
    league.count()
    monkeypatch.undo()
    assert league.wrong() != []


def test_a_name_that_only_the_database_knows_as_taken_is_refused(season, monkeypatch):
    """Databases differ in the capitals of one letter."""
    first = team_services.team_add(season=season, name="Acorns", actor=None)
    second = team_services.team_add(season=season, name="Bells", actor=None)
    monkeypatch.setattr(team_services, "_name", lambda team, name: name)
    for change in (
        lambda: team_services.team_add(season=season, name="ACORNS", actor=None),
        lambda: team_services.team_rename(team=second, name="ACORNS", actor=None),
    ):
        with pytest.raises(Refused) as caught:
            change()
        assert (caught.value.status, caught.value.at) == (422, "name")
    assert sorted(Team.objects.values_list("name", flat=True)) == [first.name, second.name]
