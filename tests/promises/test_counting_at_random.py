"""P9: random postings over several evenings, counted at random times, against counts from scratch; without a formula,
and with one."""

from __future__ import annotations

import contextlib
import os
import random
import uuid
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from games.closing.services import evening_close, evening_reopen, payments_mark
from games.corrections.edits import Move, TakeOut
from games.corrections.services import correct
from games.errors import Refused
from games.integrity import verify
from games.models import Table
from league.imports.services import import_undo
from league.models import (
    Evening,
    Import,
    Payment,
    Player,
    Season,
    SeasonAdjustment,
    SeasonAward,
    Standing,
    UncountedPosting,
)
from league.roster.merging import players_merge, players_unmerge
from league.roster.services import player_change
from league.standings import counting, counting_sql
from league.standings.formula import parts
from league.standings.formula import services as formulas
from league.standings.formula.team_services import stay_set, team_add
from league.standings.seasons import season_change
from tests.factories import (
    FAILED,
    MADE,
    PASSED_OUT,
    WALKOVER,
    PlayerFactory,
    SeasonFactory,
    UserFactory,
    create_table,
    enter,
    void,
)
from tests.imported import imported

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

RUNS = int(os.environ.get("COUNTING_RUNS", "6"))
STEPS = 40
FIRST_DAY = date(2026, 10, 1)
HANDS = (MADE, MADE, FAILED, FAILED, WALKOVER, PASSED_OUT)
CHANGES: tuple[dict[str, Any], ...] = (
    {"best_evenings": None},
    {"best_evenings": 2},
    {"ranking": "balance"},
    {"ranking": "points"},
    {"points_declared": 4},
)


class RandomSeason:
    """A season with some evenings, and random operations on them."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.season: Season = SeasonFactory(
            best_evenings=self.rng.choice((None, 1, 2)), ranking=self.rng.choice(("points", "balance"))
        )
        self.players = PlayerFactory.create_batch(9, club=self.season.club)
        self.tables: list[Table] = []
        self.owner = UserFactory()
        often: list[Callable[[], object]] = [self.hand, self.hand, self.hand, self.undo, self.undo, self.count]
        seldom: list[Callable[[], object]] = [self.close, self.reopen, self.mark, self.take_out, self.move]
        seldom += [self.begin_evening, self.begin_evening, self.merge, self.unmerge, self.change]
        seldom += [self.imported, self.imported, self.import_undone]
        self.doing = often * 3 + seldom
        for _ in range(3):
            self.begin_evening()
            self.hand()

    def run(self) -> list[str]:
        """Run random operations; return what differs from a count from scratch in the end."""
        for _ in range(STEPS):
            # What is not possible is refused and changes nothing.
            with contextlib.suppress(Refused), transaction.atomic():
                self.rng.choice(self.doing)()
        self.count()
        (part,) = (part for part in verify.parts([self.season]) if part.kind == verify.SEASON)
        assert not UncountedPosting.objects.exists()
        return verify.check(part)

    def count(self) -> None:
        counting.count_season(self.season.pk)

    def begin_evening(self) -> None:
        # Some before others, some on one day.
        held_on = FIRST_DAY + timedelta(days=7 * self.rng.randint(0, 5))
        seated = self.rng.sample(self.players, k=self.rng.choice((3, 4, 5)))
        self.tables.append(create_table(season=self.season, players=seated, held_on=held_on))

    def table(self) -> Table:
        """Most hands are of the evening that was begun last."""
        return self.tables[-1] if self.rng.random() < 0.5 else self.rng.choice(self.tables)

    def evening(self) -> Evening:
        return Evening.objects.select_related("club", "season", "house_rules").get(pk=self.table().evening_id)

    def hand(self) -> None:
        enter(self.table(), self.rng.choice(HANDS))

    def undo(self) -> None:
        table = self.table()
        for _ in range(self.rng.choice((1, 1, 1, 9))):
            if Table.objects.get(pk=table.pk).hands:
                void(table)

    def close(self) -> None:
        evening = self.evening()
        players = list(
            Player.objects.filter(pk__in=evening.tables.values("places__player")).values_list("pk", flat=True)
        )
        pot = self.rng.choice(("carry", "share", "share", "kitty"))
        evening_close(evening=evening, author=None, key=uuid.uuid4(), pot=pot, present=players)

    def reopen(self) -> None:
        evening_reopen(evening=self.evening(), author=None, key=uuid.uuid4(), owner=False)

    def mark(self) -> None:
        evening = self.evening()
        known = list(Payment.objects.filter(closing__evening=evening).values_list("pk", flat=True))
        if known:
            paid, chosen = self.rng.random() < 0.7, [self.rng.choice(known)]
            payments_mark(evening=evening, author=None, key=uuid.uuid4(), paid=paid, numbers=chosen)

    def take_out(self) -> None:
        correct(table=self.table(), edit=TakeOut(self.rng.randint(1, 3)), author=None, key=uuid.uuid4())

    def move(self) -> None:
        edit = Move(self.rng.randint(1, 3), self.rng.randint(1, 3))
        correct(table=self.table(), edit=edit, author=None, key=uuid.uuid4())

    def merge(self) -> None:
        one, other = self.rng.sample(self.players, k=2)
        players_merge(club=self.season.club, player=one, main=other, reason="one person", actor=None)

    def unmerge(self) -> None:
        one = self.rng.choice(self.players)
        players_unmerge(club=self.season.club, player=one, reason="two persons", actor=None)

    def imported(self) -> None:
        """Import evenings, some of them on days of others; a day that was imported before is refused."""
        lines = ["Datum;Name;Betrag;Punkte;Spiele"]
        for day in self.rng.sample(range(0, 36, 3), k=2):
            changes = [self.rng.randint(-50, 50) for _ in range(self.rng.choice((1, 2, 3)))]
            changes.append(-sum(changes))
            for player, change in zip(self.rng.sample(self.players, k=len(changes)), changes, strict=True):
                counts = (self.rng.randint(-3, 9), self.rng.randint(1, 9))
                held_on = date(2026, 10, 1) + timedelta(days=day)
                lines.append(f"{held_on};{player.nickname};{change / 10:.2f};{counts[0]};{counts[1]}")
        imported(self.season, self.owner, "\n".join(lines))

    def import_undone(self) -> None:
        known = list(Import.objects.filter(season=self.season))
        if known:
            import_undo(stored=self.rng.choice(known), actor=None)

    def change(self) -> None:
        season_change(season=self.season, actor=None, changes=self.rng.choice(CHANGES))


class RandomFormula(RandomSeason):
    """The same with a formula, which changes; with penalties, guests, teams, points of tournaments, and the end of the
    season."""

    FORMULAS: tuple[dict[str, Any], ...] = (
        {"best": 2, "team_best": 2, "ties": ["evenings_won", "best_night", "head_to_head"]},
        {"counts": "places", "places": [5, 3, 2, 1], "ties": ["evenings", "lot"], "lot_seed": "7"},
        {"counts": "places", "places": [5, 3], "places_by": "net", "drop": 1, "absences": "zero", "tournaments": False},
        {"counts": "average_hand", "hands_minimum": 3, "drop_one_more_every": 2, "attendance_minimum": 1},
        {"counts": "average_evening", "absences": "zero", "attendance_bonus": 1, "hands_minimum_evening": 2},
        {"counts": "net", "drop": 1, "guests": False, "ties": ["hands", "average"]},
    )

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.formula(seed)
        self.teams = [team_add(season=self.season, name=name, actor=None) for name in ("Acorns", "Bells")]
        self.settings = [self.formula, self.adjust, self.adjust, self.undo_adjustment, self.guest, self.put, self.put]
        self.doing += [*self.settings, self.award, self.end]

    def formula(self, number: int | None = None) -> None:
        chosen = dict(self.rng.choice(self.FORMULAS) if number is None else self.FORMULAS[number % 6])
        if chosen["counts" if "counts" in chosen else "best"] not in ("net", "places"):
            chosen["handicap"] = {str(self.rng.choice(self.players).pk): self.rng.randint(-2, 2)}
        formulas.formula_set(season=self.season, actor=None, values=chosen)

    def adjust(self) -> None:
        given: dict[str, Any] = {"player": self.rng.choice(self.players), "points": self.rng.choice((-3, -1, 2))}
        formulas.adjustment_add(season=self.season, reason="x", actor=None, **given)

    def undo_adjustment(self) -> None:
        known = list(SeasonAdjustment.objects.filter(season=self.season).select_related("season"))
        if known:
            formulas.adjustment_undo(adjustment=self.rng.choice(known), actor=None)

    def guest(self) -> None:
        one = Player.objects.get(pk=self.rng.choice(self.players).pk)
        player_change(player=one, actor=None, changes={"guest": not one.guest})

    def put(self) -> None:
        team, day = self.rng.choice((*self.teams, None)), self.rng.randint(-1, 36)
        one: dict[str, Any] = {"player": self.rng.choice(self.players), "since": FIRST_DAY + timedelta(days=day)}
        stay_set(season=self.season, team=team, actor=None, **one)

    def award(self) -> None:
        """Give points of a tournament, as an evening without hands."""
        known = Evening.objects.filter(season=self.season).latest("number")
        fields = {name: getattr(known, name) for name in ("club", "season", "held_on", "game", "house_rules")}
        evening = Evening.objects.create(number=known.number + 1, state="closed", **fields)
        for place, player in enumerate(self.rng.sample(self.players, k=2), 1):
            SeasonAward.objects.create(
                season=self.season, evening=evening, player=player, place=place, points=9 // place
            )
        formulas.recounted(self.season)

    def end(self) -> None:
        """Close the season, try what would change its final standings, and open it again."""
        for evening in Evening.objects.filter(season=self.season, state="open"):
            evening_close(evening=evening, author=None, key=uuid.uuid4(), pot="carry")
        formulas.season_close(season=self.season, actor=None)
        self.count()
        final = self.final_standings()
        for attempt in (*self.settings, self.take_out, self.move, self.reopen, self.merge, self.unmerge, self.mark):
            with contextlib.suppress(Refused), transaction.atomic():
                attempt()
        self.count()
        assert self.final_standings() == final
        formulas.season_close(season=self.season, actor=None, closed=False)

    def final_standings(self) -> list[tuple[Any, ...]]:
        rows = Standing.objects.filter(season=self.season).order_by("player")
        return list(rows.values_list("player", "rank", "points", "counted_minor", "unranked", "evenings", "hands"))


def test_every_part_of_a_formula_is_drawn():
    drawn = [parts.read(values) for values in RandomFormula.FORMULAS]
    plain = parts.Formula()
    never = {name for name in parts.FIELDS if all(getattr(one, name) == getattr(plain, name) for one in drawn)}
    assert never == {"handicap"}, "`formula` draws the handicap"
    assert {one.counts for one in drawn} == set(parts.COUNTS)
    assert {tie for one in drawn for tie in one.ties} == set(parts.TIES)
    assert len(drawn) <= RUNS


@pytest.mark.parametrize("seed", range(RUNS))
def test_random_evenings_with_a_formula_are_counted_as_from_scratch(seed):
    assert RandomFormula(seed).run() == []


@pytest.mark.parametrize("seed", range(RUNS))
def test_random_evenings_are_counted_as_from_scratch(seed):
    assert RandomSeason(seed).run() == []


# --- Without its part the counts differ --------------------------------------------------------------------

NOTHING = "SELECT 1"
BROKEN: dict[str, tuple[Any, str, Any]] = {
    "old evenings stay in the sums": (counting_sql, "STANDINGS_PART", NOTHING),
    "rows stay": (counting_sql, "NOT_KEPT", "DELETE FROM league_eveningscore WHERE evening_id IN ({changed})"),
    "later evenings are forgotten": (counting_sql, "LATER", ""),
    "earlier evenings are never among the best": (counting_sql, "EARLIER", ""),
    "nobody leaves": (counting_sql, "NOBODY", NOTHING),
    "ranks stay": (counting_sql, "STANDINGS_NOW", NOTHING),
    "transfers are not added": (counting_sql, "NEW_BALANCES", NOTHING),
    "nothing before": (counting, "_newest_with_scores", lambda evenings, number: []),
    "other settings are not seen": (counting, "_is_known", lambda season, count, waiting: True),
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_without_one_part_the_counts_differ(broken, monkeypatch):
    monkeypatch.setattr(*broken)
    found: list[str] = []
    for seed in range(40):
        try:
            with transaction.atomic():
                found = RandomSeason(seed).run()
        except IntegrityError as refused:
            found = [str(refused)]
        if found:
            return
    pytest.fail("every count was right")
