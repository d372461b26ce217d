"""Settling up through the API: in coins or at the end, and players who go home early."""

from __future__ import annotations

import pytest

from league.models import Closing, Evening, Payment
from tests.api.api_client import done
from tests.factories import FAILED, MADE, enter

pytestmark = pytest.mark.django_db


def url(table, rest):
    return f"clubs/roessli/evenings/{table.evening_id}{rest}"


def test_a_player_settles_up_early_and_the_settlement_lists_it(api, table):
    for record in (MADE, FAILED):
        enter(table, record)
    before = done(api.get(url(table, "/cash-outs")))
    assert (before["settling"], before["payments"]) == ("end", [])
    pays = min(before["sums"], key=lambda line: line["outstanding_minor"])
    gets = max(before["sums"], key=lambda line: line["outstanding_minor"])
    sent = {"player": pays["player"], "other": gets["player"], "outstanding_minor": pays["outstanding_minor"]}
    refused = api.post(url(table, "/cash-outs"), sent | {"outstanding_minor": -1})
    assert (refused.status_code, refused.json()["code"]) == (409, "amount")
    after = api.post(url(table, "/cash-outs"), sent)
    assert after.status_code == 201
    [payment] = done(after)["payments"]
    assert (payment["payer"]["player"], payment["amount_minor"]) == (pays["player"], -pays["outstanding_minor"])
    left = {line["player"]: line["outstanding_minor"] for line in done(after)["sums"]}
    assert left[pays["player"]] == 0
    settlement = done(api.post(url(table, "/close"), {"pot": "kitty"}))
    assert [cash_out["id"] for cash_out in settlement["earlier"]] == [payment["id"]]
    assert api.get(url(table, "/cash-outs")).status_code == 409


def test_a_closing_says_that_the_coins_moved_after_each_hand(api, table):
    enter(table, FAILED)
    preview = done(api.post(url(table, "/close/preview"), {"pot": "kitty", "settling": "hands"}))
    assert (preview["settling"], preview["paid"]) == ("hands", True)
    assert done(api.post(url(table, "/close/preview"), {"pot": "kitty"}))["paid"] is False
    settlement = done(api.post(url(table, "/close"), {"pot": "kitty", "settling": "hands"}))
    assert settlement["outstanding_minor"] == 0 < settlement["paid_minor"]
    assert Evening.objects.get().settling == "hands"


def test_marks_of_debts_are_taken_back(api, table):
    enter(table, FAILED)
    api.post(url(table, "/close"), {"pot": "carry"})
    numbers = [str(pk) for pk in Payment.objects.filter(closing=Closing.objects.get()).values_list("pk", flat=True)]
    for paid in (True, False):
        assert done(api.post("clubs/roessli/debts", {"payments": numbers, "paid": paid}))["changed"] == len(numbers)
