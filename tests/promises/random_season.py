"""A season with random operations on it, for `test_counting_at_random.py`. A run follows from its seed, so that a
failure repeats.

Every operation is called for in turn: they are dealt like cards, and dealt again when all were played. Each run has an
import and an import that is undone, at the latest from a random step on. `done` counts those that changed something,
`refused` those that were not possible.
"""

from __future__ import annotations

import random
import uuid
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from django.db import transaction

from games.closing.services import evening_close, evening_reopen, payments_mark
from games.corrections.edits import Change, Edit, Move, PutIn, TakeOut
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
    UncountedPosting,
)
from league.roster.merging import players_merge, players_unmerge
from league.standings import counting
from league.standings.seasons import season_change
from tests.factories import (
    FAILED,
    FREE,
    MADE,
    MUSS,
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
from tests.zwicken_hands import ALONE, FORCED, NOBODY, TWO

from . import plain_winnings

STEPS = 40
LATE = 20
"""From this step on every other step is for an operation that the run has not had yet."""
CHECKS = 5
"""The number of times at which a run is compared with a count from scratch and with the plain model."""
BETWEEN = 3
"""After so many steps the winnings of each day are compared with the result rows, counted or not."""
FIRST_DAY = date(2026, 10, 1)
HANDS = (MADE, MADE, FAILED, FAILED, WALKOVER, PASSED_OUT)
CHANGES: tuple[dict[str, Any], ...] = (
    {"best_evenings": None},
    {"best_evenings": 2},
    {"ranking": "balance"},
    {"ranking": "points"},
    {"points_declared": 4},
    {"points_declared": 2},
)
NOTHING = object()
"""Returned by an operation that found nothing to work on."""

Operation = Callable[[], object]


class RandomSeason:
    """A season with evenings of every game, and random operations on them."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.season: Season = SeasonFactory(
            best_evenings=self.rng.choice((None, 1, 2)), ranking=self.rng.choice(("points", "balance"))
        )
        self.players = PlayerFactory.create_batch(9, club=self.season.club)
        self.tables: list[Table] = []
        self.owner = UserFactory()
        for _ in range(3):
            self.begin_evening()
            self.hand()
        self.begin_kratzen()
        self.kratzen_hand()
        self.begin_zwicken()
        self.zwicken_hand()

    def often(self) -> list[Operation]:
        """Return operations that are dealt three times."""
        return [self.hand, self.hand, self.kratzen_hand, self.zwicken_hand, self.undo, self.count]

    def seldom(self) -> list[Operation]:
        """Return operations that are dealt once."""
        return [
            *(self.begin_evening, self.begin_kratzen, self.begin_zwicken, self.close, self.reopen, self.mark),
            *(self.change_hand, self.put_in, self.take_out, self.move),
            *(self.imported, self.imported_hands, self.import_undone),
            *(self.merge, self.unmerge, self.change),
        ]

    def certain(self) -> list[tuple[int, Operation]]:
        """Return the operations that no run lacks, each with the step from which on it is called for."""
        half = STEPS // 2
        return [(self.rng.randint(1, half), self.imported), (self.rng.randint(half, STEPS - 5), self.import_undone)]

    def run(self) -> list[str]:
        """Run random operations; return the differences, at any of the checks, from a count from scratch."""
        deck: list[Operation] = []
        certain = self.certain()
        for step in range(1, STEPS + 1):
            due = [candidate for since, candidate in certain if step >= since and not self.done[candidate.__name__]]
            if not due and step > LATE and step % 2:
                # What was not possible, or not dealt, is called for once more: a few runs together lack nothing.
                due = [candidate for candidate in (*self.often(), *self.seldom()) if not self.done[candidate.__name__]]
                self.rng.shuffle(due)
            if not deck:
                deck = [*self.often() * 3, *self.seldom()]
                self.rng.shuffle(deck)
            operation = due[0] if due else deck.pop()
            if not self.do(operation) and not due:
                # It may be possible later.
                deck.insert(self.rng.randint(0, len(deck)), operation)
            # Before and after the count: with scores that are not up to date, and with those that are.
            problems = plain_winnings.differences(self.season.club) if step % BETWEEN == 0 else []
            if step % (STEPS // CHECKS) == 0:
                problems += self.check() + plain_winnings.differences(self.season.club)
            if problems:
                return problems
        return []

    def do(self, operation: Operation) -> bool:
        """Run an operation; return True if it did something. An impossible one is refused and changes nothing."""
        name, changed = operation.__name__, False
        try:
            with transaction.atomic():
                changed = operation() is not NOTHING
        except Refused:
            self.refused[name] += 1
        self.done[name] += changed
        return changed

    def check(self) -> list[str]:
        """Count the season; return the differences from a count from scratch."""
        self.count()
        (part,) = (part for part in verify.parts([self.season]) if part.kind == verify.SEASON)
        assert not UncountedPosting.objects.exists()
        return verify.check(part)

    def count(self) -> None:
        counting.count_season(self.season.pk)

    # --- Evenings and hands -------------------------------------------------------------------------------

    def day(self) -> date:
        """Return a day: some evenings are before others, some on one day."""
        return FIRST_DAY + timedelta(days=7 * self.rng.randint(0, 5))

    def begin_evening(self) -> None:
        seated = self.rng.sample(self.players, k=self.rng.choice((3, 4, 5)))
        self.tables.append(create_table(season=self.season, players=seated, held_on=self.day()))

    def begin_kratzen(self) -> None:
        seated = self.rng.sample(self.players, k=4)
        self.tables.append(create_table(season=self.season, players=seated, held_on=self.day(), game="kratzen"))

    def begin_zwicken(self) -> None:
        seated = self.rng.sample(self.players, k=4)
        self.tables.append(create_table(season=self.season, players=seated, held_on=self.day(), game="zwicken"))

    def table(self, game: str = "") -> Table:
        """Most hands are of the evening that was begun last."""
        known = [table for table in self.tables if game in ("", table.evening.game)]
        return known[-1] if self.rng.random() < 0.5 else self.rng.choice(known)

    def evening(self) -> Evening:
        return Evening.objects.select_related("club", "season", "house_rules").get(pk=self.table().evening_id)

    def record(self) -> dict[str, Any]:
        return dict(self.rng.choice(HANDS))

    def hand(self) -> None:
        enter(self.table("chratze"), self.record())

    def kratzen_hand(self) -> None:
        """Enter a hand of a table of four: everybody has to play, or the one after next of the dealer declares."""
        table = self.table("kratzen")
        seats = list(table.places.order_by("seat").values_list("player_id", flat=True))
        dealer = seats.index(Table.objects.get(pk=table.pk).dealer_id)
        try:
            with transaction.atomic():
                enter(table, turned(MUSS, dealer - 3))
        except Refused:
            enter(table, turned(FREE, dealer - 3))

    def zwicken_hand(self) -> None:
        """Enter a hand of a table of four: a forced one, or one that two play, one alone, or nobody."""
        table = self.table("zwicken")
        try:
            with transaction.atomic():
                enter(table, FORCED)
        except Refused:
            enter(table, self.rng.choice((TWO, ALONE, NOBODY)))

    def undo(self) -> object:
        table, changed = self.table(), NOTHING
        for _ in range(self.rng.choice((1, 1, 1, 9))):
            if Table.objects.get(pk=table.pk).hands:
                changed = void(table)
        return changed

    def close(self) -> None:
        evening = self.evening()
        players = list(
            Player.objects.filter(pk__in=evening.tables.values("places__player")).values_list("pk", flat=True)
        )
        pot = self.rng.choice(("carry", "share", "share", "kitty"))
        evening_close(evening=evening, author=None, key=uuid.uuid4(), pot=pot, present=players)

    def reopen(self) -> None:
        closed = list(
            Evening.nights.filter(season=self.season, state="closed").order_by("pk").values_list("pk", flat=True)
        )
        evening = Evening.objects.select_related("club", "season", "house_rules").get(
            pk=self.rng.choice(closed or [self.table().evening_id])
        )
        evening_reopen(evening=evening, author=None, key=uuid.uuid4(), owner=True)

    def mark(self) -> object:
        known = list(
            Payment.objects.filter(closing__evening__season=self.season).order_by("pk").select_related("closing")
        )
        if not known:
            return NOTHING
        chosen = self.rng.choice(known)
        evening = Evening.objects.select_related("club", "season").get(pk=chosen.closing.evening_id)
        paid = self.rng.random() < 0.7
        return payments_mark(evening=evening, author=None, key=uuid.uuid4(), paid=paid, numbers=[chosen.pk])

    # --- Corrections --------------------------------------------------------------------------------------

    def correct(self, table: Table, edit: Edit) -> None:
        correct(table=table, edit=edit, author=None, key=uuid.uuid4())

    def played(self, game: str = "") -> tuple[Table, int]:
        """Return a table of an open evening with hands, and the number of one of them; any table if there is none."""
        known = Table.objects.filter(
            pk__in=[candidate.pk for candidate in self.tables], hands__gt=0, evening__state="open"
        )
        chosen = list((known.filter(evening__game=game) if game else known).order_by("pk"))
        table = self.rng.choice(chosen) if chosen else self.table()
        return table, self.rng.randint(1, max(1, table.hands))

    def change_hand(self) -> None:
        table, number = self.played("chratze")
        self.correct(table, Change(number, seated(table), self.record()))

    def put_in(self) -> None:
        table, number = self.played("chratze")
        self.correct(table, PutIn(number, seated(table), self.record()))

    def take_out(self) -> None:
        table, number = self.played()
        self.correct(table, TakeOut(number))

    def move(self) -> None:
        """Move one of two new hands before the other."""
        table, _number = self.played("chratze")
        for record in (MADE, FAILED):
            enter(table, record)
        last = Table.objects.get(pk=table.pk).hands
        self.correct(table, Move(last, last - 1))

    # --- Players and settings -----------------------------------------------------------------------------

    def merge(self) -> None:
        """Merge two players who never sat at one table, if there are any."""
        pairs = [(player, other) for player in self.players for other in self.players if player != other]
        together = [set(seated(table)) for table in self.tables]
        apart = [pair for pair in pairs if not any({member.pk for member in pair} <= each for each in together)]
        twin, other = self.rng.choice(apart or pairs)
        players_merge(club=self.season.club, player=fresh(twin), main=fresh(other), reason="one person", actor=None)

    def unmerge(self) -> None:
        merged = list(Player.objects.filter(club=self.season.club, main__isnull=False).order_by("pk"))
        player = self.rng.choice(merged or self.players)
        players_unmerge(club=self.season.club, player=player, reason="two persons", actor=None)

    def change(self) -> None:
        season_change(season=self.season, actor=None, changes=self.rng.choice(CHANGES))

    # --- Imports ------------------------------------------------------------------------------------------

    def imported(self) -> None:
        """Import evenings, some of them on days of others; a day that was imported before is refused."""
        lines = ["Datum;Name;Betrag;Punkte;Spiele"]
        for day in self.rng.sample(range(0, 36, 3), k=2):
            changes = [self.rng.randint(-50, 50) for _ in range(self.rng.choice((1, 2, 3)))]
            changes.append(-sum(changes))
            for player, change in zip(self.rng.sample(self.players, k=len(changes)), changes, strict=True):
                counts = (self.rng.randint(-3, 9), self.rng.randint(1, 9))
                held_on = FIRST_DAY + timedelta(days=day)
                lines.append(f"{held_on};{player.nickname};{change / 10:.2f};{counts[0]};{counts[1]}")
        game = self.rng.choice(("chratze", "chratze", "kratzen"))
        imported(self.season, self.owner, "\n".join(lines), game=game)

    def imported_hands(self) -> None:
        """Import an evening of a few hands; a day that was imported before with one of its people is refused."""
        seated = self.rng.sample(self.players, k=3)
        held_on = FIRST_DAY + timedelta(days=self.rng.choice(range(0, 36, 3)))
        lines = ["Datum;Spiel;Name;Ansage;Gemacht"]
        for number in range(1, self.rng.randint(2, 4)):
            cells = self.rng.choice(
                (("c;1", "m;1", "w;"), ("c;0", "m;1", "m;1"), ("c;", "w;", "w;"), ("w;", "w;", "w;"))
            )
            for player, cell in zip(seated, self.rng.sample(cells, k=3), strict=True):
                lines.append(f"{held_on};{number};{player.nickname};{cell}")
        imported(self.season, self.owner, "\n".join(lines), kind="hands")

    def import_undone(self) -> object:
        known = list(Import.objects.filter(season=self.season, undone_at__isnull=True).order_by("pk"))
        return import_undo(stored=self.rng.choice(known), actor=None) if known else NOTHING


def turned(record: dict[str, Any], by: int) -> dict[str, Any]:
    """Return a record of a table of four with its seats moved on by so many places."""
    seats = {
        "declarer": (record["declarer"] + by) % 4,
        "joiners": sorted((seat + by) % 4 for seat in record["joiners"]),
        "tricks": {str((int(seat) + by) % 4): tricks for seat, tricks in record["tricks"].items()},
    }
    return record | seats


def seated(table: Table) -> tuple[int, ...]:
    """Return the players of a table by seat."""
    return tuple(table.places.order_by("seat").values_list("player_id", flat=True))


def fresh(player: Player) -> Player:
    """Return a player as stored now."""
    return Player.objects.get(pk=player.pk)
