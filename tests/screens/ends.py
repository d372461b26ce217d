"""Evenings of the Krone that were closed: one with a part of it paid and then corrected, one opened again."""

from __future__ import annotations

import uuid

from django.utils import timezone

from games.closing.receipts import token_for
from games.closing.services import evening_close, evening_reopen, payments_mark
from games.mending.corrections import correct
from games.mending.edits import TakeOut
from games.models import Table
from league.models import Closing, Club, Evening, Player, Receipt, Season, User
from tests.factories import FAILED, MADE, PASSED_OUT, enter, open_table


def tell(club: Club, players: list[Player], owner: User) -> dict[str, str]:
    """Close them; the addresses of their pages and receipts."""
    season = Season.objects.get(club=club)

    def played() -> Table:
        table = open_table(club=club, season=season, players=players, author=owner, held_on=timezone.localdate())
        for record in (MADE, FAILED, PASSED_OUT, FAILED, PASSED_OUT):
            enter(table, record, author=owner)
        return table

    def close(table: Table, pot: str) -> Closing:
        present = [player.pk for player in players]
        return evening_close(evening=table.evening, author=owner, key=uuid.uuid4(), pot=pot, present=present)

    mended, opened = played(), played()
    first = close(mended, Closing.Pot.SHARE)
    payment = first.payments.order_by("number")[0]
    payments_mark(evening=mended.evening, author=owner, key=uuid.uuid4(), paid=True, numbers=[payment.pk])
    correct(table=mended, edit=TakeOut(2), author=owner, key=uuid.uuid4(), reason="Das Spiel zählte nicht")
    before = close(opened, Closing.Pot.CARRY)
    evening_reopen(evening=opened.evening, author=owner, key=uuid.uuid4(), owner=True, reason="Ein Spiel fehlt noch")
    shared = Receipt.objects.filter(closing__evening__club__slug="sternen").latest("number")
    newest = Receipt.objects.get(closing__evening=mended.evening, closing__kind=Closing.Kind.MENDED)
    older = Evening.objects.filter(club__slug="roessli", state=Evening.State.CLOSED).latest("held_on")
    someone = min(shared.content["players"], key=int)
    return {
        "mended_evening": str(mended.evening_id),
        "opened_evening": str(opened.evening_id),
        "unpaid_evening": str(older.pk),
        "receipt": token_for(shared.pk, int(someone)),
        "receipt_changed": token_for(first.pk, players[0].pk),
        "receipt_mended": token_for(newest.pk, players[0].pk),
        "receipt_opened": token_for(before.pk, players[0].pk),
    }
