"""The truth of a night, looked for everywhere: hands, balances, books, the receipt of a player, files, and verify."""

from __future__ import annotations

import uuid
from collections import defaultdict
from io import StringIO

from django.core.management import call_command
from playwright.sync_api import Page

from games.closing.services import evening_close
from games.integrity.verify import differences
from games.models import Revision, Table
from league import ledger
from league.models import Account, User
from tests.browser.evening_plan import PlannedTable
from tests.browser.test_long_evening import balances as sums_of_ledger
from tests.browser.test_long_evening import check_receipt, read_csv, receipt_of

from .night_story import evening_of
from .plain_model import balances

Hands = list[tuple[tuple[str, ...], tuple[int, ...]]]


def stored_hands() -> Hands:
    """Return players and results of the stored hands; each is the newest revision of its number."""
    newest: dict[int, Revision] = {}
    for revision in Revision.objects.select_related("hand").prefetch_related("seats__player").order_by("number"):
        newest[revision.hand.number] = revision
    return [
        (tuple(seat.player.nickname for seat in revision.seats.all()), tuple(revision.result["deltas"]))
        for _number, revision in sorted(newest.items())
    ]


def stored_sums() -> dict[str, int]:
    sums: dict[str, int] = defaultdict(int)
    for account in Account.objects.filter(player__isnull=False).select_related("player"):
        sums[account.player.nickname] += ledger.balance(account.pk)
    return {name: amount for name, amount in sums.items() if amount}


def faults_of(truth: PlannedTable) -> list[str]:
    """Return the differences between server and plain model, one line each."""
    table = Table.objects.select_related("dealer").get()
    seats = tuple(table.places.order_by("seat").values_list("player__nickname", flat=True))
    played: Hands = [(hand.players, tuple(hand.changes())) for hand in truth.hands]
    pairs = {
        "hands": (stored_hands(), played),
        "table": (
            (seats, table.dealer.nickname, table.deal_number, table.pot_minor),
            (truth.players, truth.dealer, truth.deal_number, truth.pot),
        ),
        "balances": (stored_sums(), {name: amount for name, amount in balances([truth]).items() if amount}),
        "books": ([str(difference) for difference in differences()], []),
    }
    return [f"{name}: {actual} instead of {wanted}" for name, (actual, wanted) in pairs.items() if actual != wanted]


def check_evening(page: Page, table: Table, truth: PlannedTable, author: User, name: str) -> None:
    """Close the evening, and compare hands file, ledger file, and the receipt of a player (`page`: of an owner)."""
    seated = list(table.places.values_list("player_id", flat=True))
    evening_close(evening=table.evening, author=author, key=uuid.uuid4(), pot="share", present=seated)
    evening = evening_of(truth)
    rows = [row for row in read_csv(page, f"e/{table.evening_id}/hands.csv") if row["state"] == "entered"]
    wanted = evening.lines()
    assert [{column: row[column] for column in wanted[0]} for row in rows] == wanted
    sums = evening.sums()
    won, _settled = sums_of_ledger(read_csv(page, "s/2026/ledger.csv"))
    assert {who: amount for who, amount in won.items() if amount} == {who: s for who, s in sums.items() if s}
    check_receipt(page, receipt_of(page, name), name, evening)
    # `manage.py verify` ends with an exit status of its own if anything differs.
    said = StringIO()
    call_command("verify", stdout=said, stderr=said)
    assert "Everything agrees" in said.getvalue()
