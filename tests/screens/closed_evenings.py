"""Evenings of the Krone that end: one partly paid and then corrected, one reopened, one settled in coins after each
hand at two tables, and an open one from which two players went home."""

from __future__ import annotations

import uuid

from django.utils import timezone

from games.closing.cash_outs import cash_out, participants
from games.closing.receipts import token_for
from games.closing.services import evening_close, evening_reopen, payments_mark
from games.corrections.edits import TakeOut
from games.corrections.services import correct
from games.models import Table
from games.seating.changes import Leave, Split
from games.seating.services import carry_out
from league.models import Closing, Club, Evening, Player, Receipt, Season, User
from tests.factories import FAILED, MADE, PASSED_OUT, create_table, enter

PAIR = {"declarer": 0, "joiners": [1], "made": [0, 1]}


def build(club: Club, players: list[Player], owner: User) -> dict[str, str]:
    """Create the evenings; return the parameters of the addresses of their pages and receipts."""
    season = Season.objects.get(club=club)

    def played() -> Table:
        table = create_table(club=club, season=season, players=players, author=owner, held_on=timezone.localdate())
        for record in (MADE, FAILED, PASSED_OUT, FAILED, PASSED_OUT):
            enter(table, record, author=owner)
        return table

    def close(table: Table, pot: str) -> Closing:
        present = [player.pk for player in players]
        return evening_close(evening=table.evening, author=owner, key=uuid.uuid4(), pot=pot, present=present)

    def split(table: Table) -> None:
        there = tuple(player.pk for player in players[:3])
        carry_out(table=table, change=Split(there, there[0], by_heads=True), author=owner, key=uuid.uuid4())
        other = Table.objects.get(evening=table.evening, number=2)
        for target in (other, other, table, other):
            enter(target, PAIR, author=owner)

    def leave(table: Table, player: Player) -> int:
        carry_out(table=table, change=Leave(player.pk), author=owner, key=uuid.uuid4())
        return participants(table.evening)[player.pk].open_minor

    corrected, reopened, coins, early = played(), played(), played(), played()
    split(coins)
    paid = evening_close(
        evening=coins.evening, author=owner, key=uuid.uuid4(), pot=Closing.Pot.KITTY, settling=Club.Settling.HANDS
    )
    first_gone, second_gone = players[0], players[1]
    open_minor = leave(early, first_gone)
    cash_out(
        evening=early.evening,
        author=owner,
        key=uuid.uuid4(),
        player_id=first_gone.pk,
        other_id=players[2].pk,
        open_minor=open_minor,
    )
    leave(early, second_gone)
    first = close(corrected, Closing.Pot.SHARE)
    payment = first.payments.order_by("number")[0]
    payments_mark(evening=corrected.evening, author=owner, key=uuid.uuid4(), paid=True, numbers=[payment.pk])
    correct(table=corrected, edit=TakeOut(2), author=owner, key=uuid.uuid4(), reason="Das Spiel zählte nicht")
    before = close(reopened, Closing.Pot.CARRY)
    evening_reopen(evening=reopened.evening, author=owner, key=uuid.uuid4(), owner=True, reason="Ein Spiel fehlt noch")
    shared = Receipt.objects.filter(closing__evening__club__slug="sternen").latest("number")
    newest = Receipt.objects.get(closing__evening=corrected.evening, closing__kind=Closing.Kind.MENDED)
    older = Evening.nights.filter(club__slug="roessli", state=Evening.State.CLOSED).latest("held_on")
    someone = min(shared.content["players"], key=int)
    return {
        "corrected_evening": str(corrected.evening_id),
        "reopened_evening": str(reopened.evening_id),
        "coins_evening": str(coins.evening_id),
        "early_evening": str(early.evening_id),
        "early_table": str(early.pk),
        "paid_early": str(first_gone.pk),
        "gone_early": str(second_gone.pk),
        "receipt_tables": token_for(paid.pk, first_gone.pk),
        "unpaid_evening": str(older.pk),
        "receipt": token_for(shared.pk, int(someone)),
        "receipt_changed": token_for(first.pk, players[0].pk),
        "receipt_corrected": token_for(newest.pk, players[0].pk),
        "receipt_reopened": token_for(before.pk, players[0].pk),
    }
