"""A season with a formula: stored, counted by workers, changed, closed."""

from __future__ import annotations

import uuid
from datetime import date
from typing import Any

import pytest
from django.utils import timezone

from games.closing.services import evening_close
from games.integrity import verify
from league.audit import sentences
from league.errors import Refused
from league.models import AuditEntry, EveningScore, Player, Season, SeasonCount, SeasonFormula, Standing
from league.roster.merging import players_merge
from league.roster.services import player_change
from league.standings import counting
from league.standings.formula import services
from league.standings.formula.inputs import circumstances_of, evenings_of, formula_of
from league.standings.formula.preview import preview
from league.standings.formula.ranking import evaluate, stored
from league.standings.seasons import season_change, season_close, season_reopen
from tests.factories import FAILED, MADE, MUSS, PlayerFactory, SeasonFactory, create_table, enter, void

pytestmark = pytest.mark.django_db

NIGHTS = ((MADE, MADE), (FAILED,), (MADE, FAILED, MADE))


class League:
    """A season of three evenings. Anna declares and makes it with Beni, or fails."""

    def __init__(self, **values: Any) -> None:
        self.season: Season = SeasonFactory()
        self.players = [
            PlayerFactory(club=self.season.club, nickname=name) for name in ("Anna", "Beni", "Carlo", "Doris", "Emil")
        ]
        self.tables = []
        for nth, records in enumerate(NIGHTS):
            table = create_table(season=self.season, players=self.players, held_on=date(2026, 10, 5 + 7 * nth))
            self.tables.append(table)
            for record in records:
                enter(table, record)
        if values:
            self.set(**values)
        self.count()

    def set(self, **values: Any) -> None:
        self.season = services.formula_set(season=self.season, actor=None, values=values)

    def count(self) -> None:
        counting.count_season(self.season.pk)
        self.season = Season.objects.select_related("club").get(pk=self.season.pk)

    def close_evenings(self) -> None:
        for table in self.tables:
            evening_close(evening=table.evening, author=None, key=uuid.uuid4())

    def standings(self) -> list[str]:
        rows = Standing.objects.filter(season=self.season).order_by("rank", "player__nickname")
        return [
            f"{line.rank} {line.player.nickname} {line.points}{' ' + line.unranked if line.unranked else ''}"
            for line in rows
        ]

    def wrong(self) -> list[str]:
        (part,) = (part for part in verify.parts([self.season]) if part.kind == verify.SEASON)
        return verify.check(part)


FORMULAS: dict[str, dict[str, Any]] = {
    "the best": {"best": 2, "ties": ["evenings_won"]},
    "places": {"counts": "places", "places": [5, 3, 2], "ties": ["best_night", "lot"], "lot_seed": "1"},
    "net": {"counts": "net", "drop": 1},
    "average": {"counts": "average_hand", "hands_minimum": 4},
    "absences": {"drop": 1, "absences": "zero", "attendance_minimum": 2},
}  # fmt: skip


@pytest.mark.both_databases
@pytest.mark.parametrize("name", FORMULAS)
def test_counting_some_evenings_equals_counting_all(name):
    league = League(**FORMULAS[name])
    assert league.wrong() == []
    enter(league.tables[1], MADE)
    void(league.tables[0])
    enter(create_table(season=league.season, players=league.players[1:], held_on=date(2026, 10, 13)), FAILED)
    league.count()
    assert league.wrong() == []
    formula = formula_of(league.season)
    assert formula is not None
    circumstances = circumstances_of(league.season)
    lines = evaluate(
        formula, evenings_of(league.season).counted, guests=circumstances.guests, adjustments=circumstances.adjustments
    )
    for line in lines:
        standing = Standing.objects.get(season=league.season, player=line.player)
        assert (standing.rank, standing.unranked) == (line.rank, line.unranked)
        counted = standing.counted_minor if formula.in_money else standing.points
        assert counted == stored(formula, line.value)


def test_amounts_never_become_points():
    league = League()
    points = dict(Standing.objects.values_list("player", "points"))
    league.set(counts="net")
    league.count()
    assert league.season.ranking == "balance"
    assert dict(Standing.objects.values_list("player", "points")) == points
    for standing in Standing.objects.all():
        assert standing.counted_minor == standing.balance_minor
    nights = EveningScore.objects.filter(season=league.season, evening=league.tables[2].evening_id)
    assert dict(nights.values_list("player", "points_after")) == points


def test_without_its_formula_a_season_ranks_as_before():
    league = League()
    before = league.standings()
    league.set(counts="average_evening", attendance_minimum=9)
    league.count()
    assert league.season.points_scale == 1000
    assert all(line.endswith("evenings") for line in league.standings())
    league.season = services.formula_set(season=league.season, actor=None, values=None)
    league.count()
    assert (league.standings(), league.season.points_scale, league.wrong()) == (before, 1, [])


OWN = {"best_evenings": 2, "ranking": "points", "games": "chratze", "planned_evenings": 9}


def settings_of(season: Season) -> dict[str, Any]:
    return {name: getattr(season, name) for name in OWN}


@pytest.mark.both_databases
@pytest.mark.parametrize("own", [OWN, OWN | {"ranking": "balance"}], ids=lambda own: own["ranking"])
def test_without_its_formula_a_season_has_its_own_settings_of_before(own):
    league = League()
    enter(
        create_table(season=league.season, players=league.players[:4], held_on=date(2026, 11, 3), game="kratzen"), MUSS
    )
    season_change(season=league.season, actor=None, changes=own)
    league.count()
    before = league.standings()
    for values in (
        {"counts": "net", "games": "", "best": 1, "best_of": 12},
        {"counts": "places", "places": [3, 1], "games": "kratzen"},
        {"best": 1, "best_of": 11, "games": ""},
    ):
        league.set(**values)
        league.count()
        assert league.standings() != before
        assert settings_of(league.season)["games"] == values["games"]
    assert league.season.planned_evenings == 11
    removal = preview(league.season, None)
    league.season = services.formula_set(season=league.season, actor=None, values=None)
    league.count()
    assert settings_of(league.season) == own
    assert (league.standings(), league.wrong()) == (before, [])
    assert {move.player_id: move.rank_then for move in removal.moves} == dict(
        Standing.objects.filter(season=league.season).values_list("player", "rank")
    )


def test_a_season_that_became_one_in_points_only_ranks_by_points_without_its_formula():
    season = SeasonFactory(ranking="balance", planned_evenings=9)
    season = services.formula_set(season=season, actor=None, values={"best": 2, "best_of": 3})
    season = season_change(season=season, actor=None, changes={"points_only": True})
    # A formula that plans no evenings leaves their number to the season.
    season = services.formula_set(season=season, actor=None, values={"best": 2})
    assert season.planned_evenings == 9
    season = season_change(season=season, actor=None, changes={"planned_evenings": 10})
    season = services.formula_set(season=season, actor=None, values=None)
    assert (season.ranking, season.planned_evenings, season.own_settings) == ("points", 10, None)


def test_a_version_never_changes_and_the_same_formula_stores_nothing():
    league = League(best=2)
    mark = league.season.ledger_mark
    league.set(best=2)
    assert league.season.ledger_mark == mark
    league.set(best=1)
    assert list(SeasonFormula.objects.order_by("version").values_list("version", "values__best")) == [(1, 2), (2, 1)]
    with pytest.raises(Refused) as caught:
        services.formula_set(season=league.season, actor=None, values={"best": 3}, follows=1)
    assert caught.value.status == 409


def test_a_penalty_counts_until_it_is_undone():
    league = League(ties=[])
    before = league.standings()
    points = Standing.objects.get(player=league.players[0]).points
    given: dict[str, Any] = {"season": league.season, "actor": None, "reason": "came late"}
    late = services.adjustment_add(player=league.players[0], points=-50, **given)
    league.count()
    assert league.standings()[-1] == f"5 Anna {points - 50}"
    assert league.wrong() == []
    services.adjustment_undo(adjustment=late, actor=None)
    league.count()
    assert league.standings() == before


def test_a_merged_player_brings_penalties_and_a_handicap_along():
    league = League(attendance_bonus=1)
    anna = league.players[0]
    guest = PlayerFactory(club=league.season.club, nickname="Annas Zwilling")
    league.set(attendance_bonus=1, handicap={str(guest.pk): 3})
    services.adjustment_add(season=league.season, player=guest, points=-4, reason="x", actor=None)
    league.count()
    points = Standing.objects.get(player=anna).points
    players_merge(club=league.season.club, player=guest, main=anna, reason="one person", actor=None)
    league.count()
    assert Standing.objects.get(player=anna).points == points + 3 * len(NIGHTS) - 4
    assert league.wrong() == []


@pytest.mark.both_databases
def test_a_new_guest_leaves_a_ranking_without_guests():
    league = League(guests=False)
    assert "guest" not in " ".join(league.standings())
    anna = league.players[0]
    player_change(player=Player.objects.get(pk=anna.pk), actor=None, changes={"guest": True})
    league.count()
    assert league.standings()[-1].endswith("guest")
    assert league.wrong() == []


REFUSED = {
    "a wrong part": (422, {"best": 0}, "best"),
    "a player of another club": (422, {"handicap": {"1": 3}}, "handicap"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_impossible_formula_is_refused(name):
    status, values, path = REFUSED[name]
    with pytest.raises(Refused) as caught:
        services.formula_set(season=SeasonFactory(), actor=None, values=values)
    assert (caught.value.status, caught.value.at) == (status, path)
    assert not SeasonFormula.objects.exists()


def test_a_season_in_points_only_counts_no_amounts(en):
    season = SeasonFactory(points_only=True)
    for values in ({"counts": "net"}, {"counts": "places", "places": [1], "places_by": "net"}):
        with pytest.raises(Refused, match="points only"):
            services.formula_set(season=season, actor=None, values=values)


def test_points_and_a_reason_are_needed_for_a_penalty():
    season = SeasonFactory()
    player = PlayerFactory(club=season.club)
    given: dict[str, Any] = {"season": season, "player": player, "actor": None}
    for values, words, points, reason in (
        (None, 409, 1, "x"), ({"counts": "net"}, 422, 1, "x"), ({"best": 2}, 422, 0, "x"),
        ({"best": 2}, 422, 1001, "x"), ({"best": 2}, 422, 1, " "), ({"best": 2}, 422, 1, "x" * 201),
    ):  # fmt: skip
        services.formula_set(season=season, actor=None, values=values)
        with pytest.raises(Refused) as caught:
            services.adjustment_add(points=points, reason=reason, **given)
        assert caught.value.status == words


def test_a_closed_season_never_changes():
    league = League(best=2)
    given: dict[str, Any] = {"season": league.season, "actor": None}
    late = services.adjustment_add(player=league.players[0], points=-1, reason="late", **given)
    league.close_evenings()
    season_close(**given)
    league.count()
    before = league.standings()
    for attempt in (
        lambda: services.formula_set(values={"best": 1}, **given),
        lambda: services.formula_set(values=None, **given),
        lambda: services.adjustment_add(player=league.players[0], points=1, reason="x", **given),
        lambda: services.adjustment_undo(adjustment=late, actor=None),
        lambda: season_change(changes={"points_declared": 7}, **given),
    ):
        with pytest.raises(Refused) as caught:
            attempt()
        assert (caught.value.status, caught.value.code) == (409, "season_closed")
    season_change(changes={"name": "Winter"}, **given)
    league.count()
    assert league.standings() == before
    season_reopen(reason="x", **given)
    services.formula_set(values={"best": 1}, **given)


def test_settings_that_the_formula_replaces_cannot_be_changed(en):
    league = League(best=2)
    for changes in ({"best_evenings": 1}, {"ranking": "balance"}):
        with pytest.raises(Refused, match="formula"):
            season_change(season=league.season, actor=None, changes=changes)
    season_change(season=league.season, actor=None, changes={"points_declared": 3})


def test_every_change_is_in_the_log(en):
    league = League(best=2)
    anna = league.players[0]
    league.set(best=2, handicap={str(anna.pk): 5}, guests=False)
    given: dict[str, Any] = {"season": league.season, "actor": None}
    day = date(2026, 10, 12)
    late = services.adjustment_add(player=anna, points=-3, day=day, reason="late", **given)
    services.adjustment_undo(adjustment=late, actor=None)
    season_change(changes={"points_declared": 3, "name": "Winter"}, **given)
    league.close_evenings()
    season_close(**given)
    season_reopen(reason="x", **given)
    services.formula_set(values=None, **given)
    said = [
        line.sentence for line in sentences.lines_of(AuditEntry.objects.filter(what="season_changed").order_by("pk"))
    ]
    name = "Winter"
    assert said == [
        f"Somebody created version 1 of the formula of the season {name}: best evenings that count: 2 instead of all.",
        f"Somebody created version 2 of the formula of the season {name}: guests are no longer ranked; "
        "handicap of Anna: +5 instead of 0.",
        f"Somebody gave Anna a penalty or bonus in the season {name}, 12 Oct 2026: −3 points.",
        f"Somebody undid a penalty or bonus of Anna in the season {name}, 12 Oct 2026: −3 points.",
        f"Somebody changed the season {name}: name, points: declared and made (3 instead of 2).",
        f"Somebody closed the season {name}.",
        f"Somebody opened the season {name} again: “x”.",
        f"Somebody removed the formula of the season {name}: best evenings that count: all instead of 2; "
        "guests are ranked; handicap of Anna: 0 instead of +5.",
    ]


# --- Without its part the counts differ --------------------------------------------------------------------


def test_without_the_formula_some_evenings_are_ranked_wrongly(monkeypatch):
    league = League(best=1)
    monkeypatch.setattr(counting, "rank_by_formula", lambda season, **more: None)
    enter(league.tables[1], MADE)
    league.count()
    monkeypatch.undo()
    assert league.wrong() != []


def test_without_a_new_mark_a_guest_stays_ranked(monkeypatch):
    league = League(guests=False)
    monkeypatch.setattr("league.roster.services.guests_changed", lambda club_id: None)
    player_change(player=Player.objects.get(pk=league.players[0].pk), actor=None, changes={"guest": True})
    league.count()
    assert league.wrong() != []


# --- A count that continues where the one before it was ------------------------------------------------------


@pytest.fixture
def read(monkeypatch) -> list[bool]:
    """The counts of a season: True for each that read all evenings."""
    reads: list[bool] = []

    def noted(season, *, since=None):
        reads.append(since is None)
        return evenings_of(season, since=since)

    monkeypatch.setattr("league.standings.formula.counting.evenings_of", noted)
    return reads


def test_a_count_after_a_hand_reads_the_newest_evenings_only(read):
    league = League(best=2, drop=1, ties=["head_to_head"])
    enter(league.tables[2], MADE)
    league.count()
    enter(create_table(season=league.season, players=league.players[1:], held_on=date(2026, 10, 26)), FAILED)
    league.count()
    assert read == [True, False, False]
    enter(league.tables[1], MADE)
    league.count()
    assert read[3:] == [True]
    assert league.wrong() == []


def test_a_count_of_another_process_is_not_continued(read):
    league = League(best=2)
    SeasonCount.objects.update(counted_at=timezone.now())
    enter(league.tables[2], MADE)
    league.count()
    assert read == [True, True]
    # The newest evening loses its hands: the one before is ranked as the newest.
    for _hand in range(len(NIGHTS[2]) + 1):
        void(league.tables[2])
    league.count()
    assert read[2:] == [False, True]
    assert league.wrong() == []


@pytest.mark.both_databases
def test_the_race_of_evenings_that_lost_their_hands_is_not_continued():
    league = League(best=2, attendance_bonus=1)
    for table, records in zip(league.tables[:2], NIGHTS, strict=False):
        for _hand in records:
            void(table)
    # One evening is left: nothing is kept before it.
    league.count()
    enter(league.tables[2], MADE)
    league.count()
    assert league.wrong() == []


def test_a_count_that_ranks_nothing_leaves_the_race_as_it_is(read):
    league = League(best=2, games="chratze")
    enter(create_table(season=league.season, players=league.players[:4], game="kratzen"), MUSS)
    league.count()
    assert read == [True]
    enter(league.tables[2], MADE)
    league.count()
    assert read == [True, False]
    assert league.wrong() == []


def test_a_race_that_was_not_copied_counts_an_evening_twice(monkeypatch):
    monkeypatch.setattr("league.standings.formula.ranking.Race.copied", lambda race: race)
    league = League()
    league.set(best=9)
    league.count()
    enter(league.tables[2], MADE)
    league.count()
    assert league.wrong() != []
