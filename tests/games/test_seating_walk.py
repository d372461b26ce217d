"""Random evenings: players come, leave and change seats, tables are divided and merged, hands are entered and voided.

After every step the tables equal a plain model in seats, dealers and pots, and the books are right.
"""

from __future__ import annotations

import os
import random
import uuid
from dataclasses import dataclass, field

import pytest

from games.errors import Refused
from games.integrity import verify
from games.models import Table
from games.seating.changes import NEWCOMER, Arrive, Leave, Merge, NameDealer, Order, Pause, Resume, SeatingChange, Split
from games.seating.services import Guest, carry_out
from league import ledger
from league.models import Account, Player
from tests.factories import create_table, enter, void
from tests.promises.plain_model import COIN, PlainHand, PlainTable

pytestmark = pytest.mark.django_db

STEPS = int(os.environ.get("NIGHT_STEPS", "40"))
MOST, LEAST = 7, 2


@dataclass
class WalkTable(PlainTable):
    """A plain table with seating changes. `named`: the dealer was named; `moved`: coins that came into the pot."""

    named: bool = False
    moved: int = 0
    gone: bool = False
    before: list[tuple[bool, int]] = field(default_factory=list)

    def enter(self, declarer: int | None, joiners: tuple[int, ...], made: frozenset[int]) -> PlainHand:
        self.before.append((self.named, self.moved))
        self.named, self.moved = False, 0
        return super().enter(declarer, joiners, made)

    def sit(self, players: tuple[str, ...]) -> None:
        was, self.players = self.players, players
        if self.dealer not in players:
            self.deals(self.after(was, self.dealer))

    def after(self, was: tuple[str, ...], name: str) -> str:
        """The first of the present players after a player, in the former order."""
        turn = was.index(name)
        return next(candidate for candidate in (*was[turn + 1 :], *was[:turn]) if candidate in self.players)

    def deals(self, name: str) -> None:
        self.dealer, self.deal_number, self.named = name, 1, True

    def move(self, coins: int) -> None:
        self.pot += coins
        self.moved += coins

    def may_void(self) -> bool:
        return bool(self.hands) and not self.gone and self.hands[-1].pot_before + self.moved >= 0

    def void(self) -> PlainHand:
        hand, (named, moved) = self.hands.pop(), self.before.pop()
        self.pot = hand.pot_before + self.moved
        self.moved += moved
        self.named, self.dealer, self.deal_number = named, hand.dealer, hand.deal_number
        if hand.dealer not in self.players:
            self.deals(self.after(hand.players, hand.dealer))
        return hand


class Walk:
    """One evening, step by step, with its model."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        first = create_table(seats=self.dice.choice((2, 4, 7)))
        self.evening = first.evening
        names = tuple(first.places.order_by("seat").values_list("player__nickname", flat=True))
        self.model: dict[int, WalkTable] = {first.pk: WalkTable(evening=0, players=names, dealer=names[-1])}
        self.rows = {first.pk: first}

    def ids(self, *names: str) -> tuple[int, ...]:
        known = dict(Player.objects.filter(club=self.evening.club_id).values_list("nickname", "pk"))
        return tuple(known[name] for name in names)

    def do(self, pk: int, change: SeatingChange, guest: str = "") -> None:
        who = Guest(guest) if guest else None
        carry_out(table=self.rows[pk], change=change, author=None, key=uuid.uuid4(), guest=who)

    def step(self) -> None:
        pk = self.dice.choice([pk for pk, table in self.model.items() if not table.gone])
        steps = [self.hand] * 5 + [self.comes, self.goes, self.swap, self.dealer, self.pause, self.divide, self.join]
        self.dice.choice([*steps, self.take_back, self.take_back])(pk, self.model[pk])
        self.check()

    def hand(self, pk: int, table: WalkTable) -> None:
        seats = range(len(table.players))
        declarer = self.dice.choice([None, *seats, *seats])
        others = [seat for seat in seats if seat != declarer]
        joiners = (
            [] if declarer is None else sorted(self.dice.sample(others, self.dice.randint(0, min(3, len(others)))))
        )
        made: list[int] = []
        if joiners:
            made = sorted({*joiners[:1], *([declarer] if self.dice.random() < 0.5 and len(joiners) < 3 else [])})
        record = {"declarer": declarer} | ({"joiners": joiners, "made": made} if joiners else {})
        enter(self.rows[pk], record)
        table.enter(declarer, tuple(joiners), frozenset(made))

    def take_back(self, pk: int, table: WalkTable) -> None:
        pk = self.dice.choice([*self.model, pk])
        table = self.model[pk]
        if table.may_void():
            void(self.rows[pk])
            table.void()
        else:
            with pytest.raises(Refused):
                void(self.rows[pk])

    def comes(self, pk: int, table: WalkTable) -> None:
        here = {name for other in self.model.values() if not other.gone for name in other.players}
        absent = sorted(set(Player.objects.values_list("nickname", flat=True)) - here)
        name = self.dice.choice([*absent, f"Guest {len(absent) + len(here)}"])
        place = self.dice.randint(1, len(table.players))
        change = Arrive(NEWCOMER, self.ids(table.players[place - 1])[0])
        if len(table.players) == MOST:
            with pytest.raises(Refused):
                self.do(pk, change, name)
            return
        self.do(pk, change, name)
        table.sit((*table.players[:place], name, *table.players[place:]))

    def goes(self, pk: int, table: WalkTable) -> None:
        name = self.dice.choice([table.dealer, *table.players])
        change = Leave(self.ids(name)[0])
        if len(table.players) == LEAST:
            with pytest.raises(Refused):
                self.do(pk, change)
            return
        self.do(pk, change)
        table.sit(tuple(player for player in table.players if player != name))

    def swap(self, pk: int, table: WalkTable) -> None:
        order = self.dice.sample(table.players, len(table.players))
        if tuple(order) != table.players:
            self.do(pk, Order(self.ids(*order)))
            table.sit(tuple(order))

    def dealer(self, pk: int, table: WalkTable) -> None:
        name = self.dice.choice([player for player in table.players if player != table.dealer])
        self.do(pk, NameDealer(self.ids(name)[0]))
        table.deals(name)

    def pause(self, pk: int, table: WalkTable) -> None:
        self.do(pk, Pause() if Table.objects.get(pk=pk).paused_at is None else Resume())

    def divide(self, pk: int, table: WalkTable) -> None:
        if len(table.players) < 2 * LEAST:
            return
        go = self.dice.sample(table.players, self.dice.randint(LEAST, len(table.players) - LEAST))
        first, by_heads = self.dice.choice(go), self.dice.random() < 0.7
        self.do(pk, Split(self.ids(*go), self.ids(first)[0], by_heads))
        coins = table.pot * len(go) // len(table.players) // COIN * COIN if by_heads else 0
        row = Table.objects.filter(evening=self.evening).latest("number")
        new = WalkTable(0, tuple(player for player in table.players if player in go), first)
        new.move(coins)
        table.move(-coins)
        table.sit(tuple(player for player in table.players if player not in go))
        self.model[row.pk], self.rows[row.pk] = new, row

    def join(self, pk: int, table: WalkTable) -> None:
        others = [other for other, candidate in self.model.items() if other != pk and not candidate.gone]
        if not others:
            return
        into = self.dice.choice(others)
        there = self.model[into]
        change = Merge(into, self.ids(there.players[0])[0])
        if len(there.players) + len(table.players) > MOST:
            with pytest.raises(Refused):
                self.do(pk, change)
            return
        self.do(pk, change)
        there.sit((there.players[0], *table.players, *there.players[1:]))
        there.move(table.pot)
        table.move(-table.pot)
        table.gone = True

    def check(self) -> None:
        for row in Table.objects.filter(evening=self.evening).select_related("dealer"):
            table = self.model[row.pk]
            names = tuple(row.places.order_by("seat").values_list("player__nickname", flat=True))
            stored = (names, row.dealer.nickname, row.deal_number, row.pot_minor, row.hands, row.dissolved)
            assert stored == (table.players, table.dealer, table.deal_number, table.pot, len(table.hands), table.gone)
        assert list(verify.differences()) == []
        assert sum(ledger.balance(pk) for pk in Account.objects.values_list("pk", flat=True)) == 0


@pytest.mark.parametrize("seed", [pytest.param(0, marks=pytest.mark.both_databases), 1, 2])
def test_after_every_step_of_a_random_evening_all_sums_are_right(seed):
    walk = Walk(seed)
    for _nth in range(STEPS):
        walk.step()
