"""Random operations on an evening and its closing: ledger and records agree, and the payments settle the evening."""

from __future__ import annotations

import contextlib
import random
import uuid
from collections.abc import Callable

import pytest

from games.closing import receipts
from games.closing.services import evening_close, evening_reopen, payments_mark, valid_closing
from games.corrections.edits import Move, TakeOut
from games.corrections.services import correct
from games.errors import Refused
from games.integrity import verify
from games.models import Table
from league.models import Account, Evening, Payment
from league.payments import services as payments
from league.standings.counting import count_season
from tests.factories import FAILED, MADE, PASSED_OUT, WALKOVER, create_table, enter, void

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

HANDS = (MADE, FAILED, WALKOVER, PASSED_OUT)


class RandomEvening:
    """An evening and random operations on it."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.table = create_table(seats=self.rng.choice((3, 4, 5)))
        self.doing: list[Callable[[], None]] = [self.hand, self.hand, self.undo, self.close, self.close, self.reopen]
        self.doing += [self.mark, self.unmark, self.take_out, self.move]
        for _ in range(4):
            self.hand()

    @property
    def evening(self) -> Evening:
        return Evening.objects.select_related("club", "house_rules").get(pk=self.table.evening_id)

    def step(self) -> None:
        """Run one operation; one that is not possible is refused and changes nothing."""
        with contextlib.suppress(Refused):
            self.rng.choice(self.doing)()
        fresh = Table.objects.get(pk=self.table.pk)
        assert fresh.pot_minor == 0 or self.evening.state == "open"

    def hand(self) -> None:
        enter(self.table, self.rng.choice(HANDS))

    def undo(self) -> None:
        if Table.objects.get(pk=self.table.pk).hands:
            void(self.table)

    def close(self) -> None:
        players = list(self.table.places.values_list("player_id", flat=True))
        present = self.rng.sample(players, k=self.rng.randint(1, len(players)))
        pot = self.rng.choice(("carry", "share", "kitty"))
        evening_close(evening=self.evening, author=None, key=uuid.uuid4(), pot=pot, present=present)

    def reopen(self) -> None:
        evening_reopen(evening=self.evening, author=None, key=uuid.uuid4(), owner=False)

    def mark(self, paid: bool = True) -> None:
        known = list(Payment.objects.filter(closing__evening=self.table.evening_id).values_list("pk", flat=True))
        if known:
            chosen = self.rng.sample(known, k=self.rng.randint(1, min(2, len(known))))
            payments_mark(evening=self.evening, author=None, key=uuid.uuid4(), paid=paid, numbers=chosen)

    def unmark(self) -> None:
        self.mark(paid=False)

    def take_out(self) -> None:
        number = self.rng.randint(1, 6)
        correct(table=self.table, edit=TakeOut(number), author=None, key=uuid.uuid4())

    def move(self) -> None:
        edit = Move(self.rng.randint(1, 5), self.rng.randint(1, 5))
        correct(table=self.table, edit=edit, author=None, key=uuid.uuid4())


@pytest.mark.parametrize("seed", range(4))
def test_ledger_and_records_agree_after_random_operations(seed):
    run = RandomEvening(seed)
    for _ in range(18):
        run.step()
    assert list(verify.differences()) == []
    if run.evening.state == "open":
        run.close()
    payments_mark(evening=run.evening, author=None, key=uuid.uuid4(), paid=True)
    sums = payments.sums(run.evening)
    assert {line.open_minor for line in sums} <= {0}
    assert sum(line.won_minor for line in sums) == 0
    closing = valid_closing(run.evening)
    assert closing is not None
    assert receipts.check(closing.receipt, run.evening).agrees
    count_season(run.evening.season_id)
    assert list(verify.differences()) == []
    assert Account.objects.filter(kind="box").count() <= 1
