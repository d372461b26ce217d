"""P9: a count of some evenings equals a count from scratch, after any writes in between."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.db import connection

from games.closing import cash_outs
from games.closing.services import evening_close, evening_reopen, payments_mark
from games.corrections.edits import Change, TakeOut
from games.corrections.services import correct
from games.integrity import verify
from games.models import Table
from league import triggers
from league.models import (
    Balance,
    Evening,
    EveningScore,
    Player,
    Season,
    SeasonCount,
    Standing,
    TeamShare,
    TeamStanding,
    UncountedPosting,
)
from league.roster.merging import players_merge, players_unmerge
from league.standings import counting
from league.standings.formula.services import formula_set
from league.standings.seasons import COUNTED, season_change
from tests.cell_checks import try_each_cell
from tests.factories import (
    FAILED,
    FREE,
    MADE,
    MUSS,
    PASSED_OUT,
    PlayerFactory,
    SeasonFactory,
    create_table,
    enter,
    void,
)

pytestmark = pytest.mark.django_db

FIRST, MIDDLE, LAST = 0, 1, 2


class League:
    """A season of three evenings with hands, and one of Kratzen between the last two. All of it is counted."""

    def __init__(self, **fields: Any) -> None:
        self.season: Season = SeasonFactory(**fields)
        self.tables = [create_table(season=self.season, held_on=date(2026, 10, 5 + 7 * nth)) for nth in range(3)]
        for table, hands in zip(self.tables, ((MADE, FAILED), (FAILED, MADE, MADE), (FAILED, PASSED_OUT)), strict=True):
            for record in hands:
                enter(table, record)
        self.kratzen = create_table(season=self.season, seats=4, game="kratzen", held_on=date(2026, 10, 14))
        enter(self.kratzen, MUSS)
        counting.count_season(self.season.pk)

    def newcomers(self, held_on: date) -> Table:
        """Return a table of a new evening: Anna with four players who never played in this season."""
        anna = Player.objects.get(club=self.season.club, nickname="Anna")
        return create_table(
            season=self.season, players=[*PlayerFactory.create_batch(4, club=anna.club), anna], held_on=held_on
        )

    def close(self, which: int, pot: str, *others: Player) -> Evening:
        evening = Evening.objects.select_related("club", "season").get(pk=self.tables[which].evening_id)
        present = [*self.tables[which].places.values_list("player_id", flat=True), *(player.pk for player in others)]
        evening_close(evening=evening, author=None, key=uuid.uuid4(), pot=pot, present=present)
        return evening


def void_all(table: Table) -> None:
    while Table.objects.get(pk=table.pk).hands:
        void(table)


def void_the_best_night(league: League) -> None:
    best = EveningScore.objects.filter(season=league.season).order_by("-points")[0]
    void_all(next(table for table in (*league.tables, league.kratzen) if table.evening_id == best.evening_id))


def hand_of_newcomers(held_on: date) -> Callable[[League], None]:
    return lambda league: void_some(league.newcomers(held_on))


def void_some(table: Table) -> None:
    for record in (MADE, FAILED, MADE):
        enter(table, record)
    void(table)


def only_hand_of_a_player_is_voided(league: League) -> None:
    """The rows of absence that followed the evening are due no more."""
    table = league.newcomers(date(2026, 10, 6))
    enter(table, MADE)
    counting.count_season(league.season.pk)
    void(table)


def change_a_hand(league: League) -> None:
    table = league.tables[MIDDLE]
    players = tuple(table.places.order_by("seat").values_list("player_id", flat=True))
    correct(table=table, edit=Change(1, players, MADE), author=None, key=uuid.uuid4())


def take_a_hand_out(league: League) -> None:
    correct(table=league.tables[FIRST], edit=TakeOut(1), author=None, key=uuid.uuid4())


def change_two_evenings(league: League) -> None:
    enter(league.tables[LAST], MADE)
    void(league.tables[FIRST])
    enter(league.kratzen, FREE)


def pay(league: League) -> None:
    evening = league.close(MIDDLE, "carry")
    payments_mark(evening=evening, author=None, key=uuid.uuid4(), paid=True)


def share_without_a_hand(league: League) -> None:
    """Somebody who plays on a later evening gets a share on the first one."""
    table = league.newcomers(date(2026, 10, 20))
    league.close(FIRST, "share", Player.objects.get(pk=table.places.get(seat=0).player_id))
    counting.count_season(league.season.pk)
    enter(table, MADE)


def open_a_closed_evening(league: League) -> None:
    evening = league.close(LAST, "share")
    counting.count_season(league.season.pk)
    evening_reopen(evening=evening, author=None, key=uuid.uuid4(), owner=True, reason="a hand was forgotten")


def cash_out(league: League) -> None:
    evening = league.tables[LAST].evening
    people = sorted(cash_outs.participants(evening).values(), key=lambda participant: participant.open_minor)
    loser, winner = people[0], people[-1]
    cash_outs.cash_out(
        evening=evening,
        author=None,
        key=uuid.uuid4(),
        player_id=loser.player_id,
        other_id=winner.player_id,
        open_minor=loser.open_minor,
    )


STORED: dict[str, Callable[[League], object]] = {
    "a hand in the newest evening": lambda league: enter(league.tables[LAST], FAILED),
    "a late hand in the first evening": lambda league: enter(league.tables[FIRST], FAILED),
    "a late hand of an evening of Kratzen": lambda league: enter(league.kratzen, FREE),
    "a new evening": hand_of_newcomers(date(2026, 11, 1)),
    "an evening before all others": hand_of_newcomers(date(2026, 9, 1)),
    "an evening on the day of another": hand_of_newcomers(date(2026, 10, 12)),
    "the only hand of a player is voided": only_hand_of_a_player_is_voided,
    "the best night is voided": void_the_best_night,
    "the first evening is voided": lambda league: void_all(league.tables[FIRST]),
    "the middle evening is voided": lambda league: void_all(league.tables[MIDDLE]),
    "the newest evening is voided": lambda league: void_all(league.tables[LAST]),
    "every hand is voided": lambda league: [void_all(table) for table in (*league.tables, league.kratzen)],
    "a hand is corrected": change_a_hand,
    "a hand is taken out": take_a_hand_out,
    "two evenings at once": change_two_evenings,
    "a shared pot": lambda league: league.close(LAST, "share"),
    "a shared pot of an evening without hands": lambda league: [
        void_all(league.tables[FIRST]), enter(league.tables[FIRST], PASSED_OUT), league.close(FIRST, "share")
    ],
    "a share of somebody without a hand": share_without_a_hand,
    "a shared pot is taken back": open_a_closed_evening,
    "payments": pay,
    "a cash-out": cash_out,
}  # fmt: skip

SEASONS = [
    pytest.param({}, id="all evenings", marks=pytest.mark.both_databases),
    pytest.param({"best_evenings": 2}, id="the two best evenings", marks=pytest.mark.both_databases),
    pytest.param({"best_evenings": 1}, id="the best evening"),
    pytest.param({"ranking": "balance"}, id="ranked by balance"),
    pytest.param({"games": "chratze"}, id="only Chratze"),
    pytest.param({"games": "kratzen"}, id="only Kratzen"),
]


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ways in which seasons were counted: from scratch, or some evenings."""
    used: list[str] = []
    for name, way in (("recount", "scratch"), ("count_waiting", "evenings")):
        real = getattr(counting, name)

        def count(season: Season, real: Any = real, way: str = way, **more: Any) -> Any:
            used.append(way)
            return real(season, **more)

        monkeypatch.setattr(counting, name, count)
    return used


def wrong(season: Season) -> list[str]:
    """Return the differences from a count from scratch."""
    (part,) = (part for part in verify.parts([season]) if part.kind == verify.SEASON)
    return verify.check(part)


def way_of_next_count(league: League, ways: list[str]) -> str:
    """Count the season and compare it with a count from scratch; return the way of counting."""
    ways.clear()
    assert counting.count_season(league.season.pk)
    (way,) = ways
    assert wrong(league.season) == []
    assert not UncountedPosting.objects.exists()
    return way


@pytest.mark.rest
@pytest.mark.parametrize("fields", SEASONS)
def test_counting_some_evenings_equals_counting_all(fields, ways):
    league = League(**fields)

    def check(store):
        STORED[store](league)
        assert way_of_next_count(league, ways) == "evenings"
        # The next count builds upon this one.
        for held_on in (date(2026, 10, 8), date(2026, 12, 1)):
            enter(league.newcomers(held_on), MADE)
        assert way_of_next_count(league, ways) == "evenings"

    try_each_cell([(store,) for store in STORED], check)


@pytest.mark.both_databases
@pytest.mark.parametrize("formula", [None, {"counts": "net"}, {"counts": "points"}], ids=str)
@pytest.mark.parametrize("ranking", ["points", "balance"])
def test_a_share_of_a_pot_alone_takes_no_rank(ranking, formula):
    league = League(ranking=ranking)
    if formula:
        formula_set(season=league.season, actor=None, values=formula)
    share = PlayerFactory(club=league.season.club)
    league.close(FIRST, "share", share)
    counting.count_season(league.season.pk)
    # Counted from the second evening on.
    enter(league.tables[MIDDLE], MADE)
    counting.count_season(league.season.pk)
    ranks = sorted(Standing.objects.filter(season=league.season).values_list("rank", flat=True))
    assert all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)
    for evening in EveningScore.objects.filter(season=league.season, player=share):
        others = EveningScore.objects.filter(evening=evening.evening_id).exclude(player=share)
        assert evening.rank_after == 1 + len(others)
    assert wrong(league.season) == []


@pytest.mark.rest
def test_merged_players_stay_one_line(ways):
    league = League()
    table = league.newcomers(date(2026, 10, 13))
    enter(table, MADE)
    main = Player.objects.get(club=league.season.club, nickname="Beni")
    other = Player.objects.get(pk=table.places.get(seat=0).player_id)
    players_merge(club=main.club, player=other, main=main, reason="one person", actor=None)
    assert way_of_next_count(league, ways) == "scratch"

    def check(store):
        STORED[store](league)
        assert way_of_next_count(league, ways) == "evenings"
        enter(table, FAILED)
        assert way_of_next_count(league, ways) == "evenings"
        assert not Standing.objects.filter(player=other).exists()
        players_unmerge(club=main.club, player=other, reason="two persons", actor=None)
        assert way_of_next_count(league, ways) == "scratch"

    try_each_cell([(store,) for store in STORED], check)


def test_more_waiting_postings_than_a_statement_names_are_counted(monkeypatch, ways):
    monkeypatch.setattr(counting, "AT_ONCE", 2)
    league = League()
    for table in (league.tables[FIRST], league.tables[LAST]):
        for record in (MADE, FAILED, MADE):
            enter(table, record)
    assert way_of_next_count(league, ways) == "evenings"


def test_only_the_rows_of_a_new_hand_are_written_again(ways):
    league = League()
    before = set(EveningScore.objects.exclude(evening=league.tables[LAST].evening).values_list("pk", "rank_after"))
    enter(league.tables[LAST], MADE)
    assert way_of_next_count(league, ways) == "evenings"
    after = set(EveningScore.objects.exclude(evening=league.tables[LAST].evening).values_list("pk", "rank_after"))
    assert before == after


def test_a_payment_writes_no_score(ways):
    league = League()
    evening = league.close(FIRST, "carry")
    counting.count_season(league.season.pk)
    before = set(EveningScore.objects.values_list("pk", flat=True))
    payments_mark(evening=evening, author=None, key=uuid.uuid4(), paid=True)
    assert way_of_next_count(league, ways) == "evenings"
    assert set(EveningScore.objects.values_list("pk", flat=True)) == before


# --- From scratch ----------------------------------------------------------------------------------------

CHANGES: dict[str, Any] = {
    **{field: 5 for field in COUNTED if field.startswith("points_")},
    "ranking": "balance",
    "games": "kratzen",
    "best_evenings": 1,
}


def test_every_field_of_the_formula_is_tried():
    assert CHANGES.keys() == set(COUNTED)


@pytest.mark.parametrize("field", CHANGES)
def test_a_changed_formula_is_counted_from_scratch(field, ways):
    league = League()
    season_change(season=league.season, actor=None, changes={field: CHANGES[field]})
    enter(league.tables[LAST], MADE)
    assert way_of_next_count(league, ways) == "scratch"
    enter(league.tables[LAST], MADE)
    assert way_of_next_count(league, ways) == "evenings"


@pytest.mark.both_databases
def test_rows_that_were_rebuilt_are_counted_from_scratch(ways):
    league = League()
    ways.clear()
    verify.rebuild(league.season)
    assert ways == ["scratch"]
    assert wrong(league.season) == []


def test_a_season_never_counted_is_counted_from_scratch(ways):
    league = League()
    league.season.count.delete()
    assert way_of_next_count(league, ways) == "scratch"


KEYS = {"id", "season_id", "evening_id", "player_id", "account_id"}
BY_SQL = [model for model in verify.COUNTED if model not in (TeamStanding, TeamShare)]
"""The lines that SQL counts: a formula ranks the teams (`tests/league/test_formula_teams.py`)."""
FIGURES = [
    (model, field.attname) for model in BY_SQL for field in model._meta.concrete_fields
    if field.attname not in KEYS
]  # fmt: skip


FORMULAS = [None, {"best": 2}, {"counts": "net", "drop": 1}]
"""A formula writes points and ranks over those of the SQL; one of amounts writes ranks alone."""


def season_by(formula: dict[str, Any] | None) -> Season:
    """Return a counted season of three evenings, which this formula ranks."""
    season = League().season
    if formula is None:
        return season
    ranked = formula_set(season=season, actor=None, values=formula)
    counting.count_season(ranked.pk)
    return ranked


def rows_of(model: Any, season: Season) -> set[tuple[Any, ...]]:
    return set(model.objects.filter(season=season).values_list())


@pytest.mark.both_databases
@pytest.mark.parametrize("formula", FORMULAS)
def test_from_scratch_every_wrong_figure_is_found(formula):
    season = season_by(formula)
    for model, figure in FIGURES:
        before = {row[1:] for row in rows_of(model, season)}
        model.objects.filter(season=season).update(**{figure: 77})
        assert {row[1:] for row in rows_of(model, season)} != before, figure
        counting.recount(season)
        assert {row[1:] for row in rows_of(model, season)} == before, figure


@pytest.mark.both_databases
@pytest.mark.parametrize("model", BY_SQL)
def test_from_scratch_no_line_is_missing_and_none_too_many(model):
    season = League().season
    before = {row[1:] for row in rows_of(model, season)}
    gone, kept = model.objects.filter(season=season).order_by("pk")[:2]
    gone.delete()
    table = create_table(season=season, players=PlayerFactory.create_batch(5, club=season.club))
    strange = {"account": table.pot_account} if model is Balance else {"player": table.places.get(seat=0).player}
    model.objects.filter(pk=kept.pk).update(**strange)
    counting.recount(season)
    assert {row[1:] for row in rows_of(model, season)} == before


@pytest.mark.both_databases
@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("model", [EveningScore, Balance])
def test_from_scratch_a_line_that_is_right_is_not_written_again(model, formula):
    season = season_by(formula)
    before = rows_of(model, season)
    # From here on the database refuses to change or to delete a line.
    triggers.create(connection, (model._meta.db_table,), practice=False)
    counting.recount(season)
    assert rows_of(model, season) == before


@pytest.mark.both_databases
def test_a_posting_of_an_older_version_of_the_program_is_counted_from_scratch(ways):
    league = League()
    enter(league.tables[LAST], MADE)
    # Such a version raises the season's mark and has no queue.
    UncountedPosting.objects.all().delete()
    if connection.vendor == "postgresql":
        # It did so in a transaction of its own: the next posting gets another mark.
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('chratzete.raised', '', true)")
    enter(league.tables[LAST], MADE)
    assert way_of_next_count(league, ways) == "scratch"


@pytest.mark.both_databases
def test_a_posting_counted_by_an_older_version_of_the_program_is_not_counted_twice(ways):
    league = League()
    enter(league.tables[LAST], MADE)
    # Such a version counts from scratch and leaves the queue as it is; then it posts as many hands as wait there.
    counting.recount(league.season)
    mark = Season.objects.get(pk=league.season.pk).ledger_mark
    SeasonCount.objects.filter(season=league.season).update(counted_mark=mark)
    known = list(UncountedPosting.objects.values_list("pk", flat=True))
    enter(league.tables[LAST], FAILED)
    UncountedPosting.objects.exclude(pk__in=known).delete()
    assert way_of_next_count(league, ways) == "scratch"


# --- The marks -------------------------------------------------------------------------------------------
