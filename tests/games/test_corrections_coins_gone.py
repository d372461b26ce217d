"""Corrections of hands whose coins went on to another table or evening."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client

from games.closing.services import evening_close, evening_reopen
from games.corrections.edits import TakeOut
from games.corrections.services import correct
from games.errors import Refused
from games.evening.services import evening_start
from games.integrity.verify import differences
from games.models import Table
from games.seating.changes import Merge, Split
from games.seating.services import carry_out
from league.money import format_price
from tests.cast import House
from tests.factories import FAILED

from .test_corrections_views import entry, played, seats, url

pytestmark = pytest.mark.django_db


def divided(home: House) -> tuple[Table, Table]:
    """A table whose pot went by heads to a second one after its last hand."""
    table = played(home, FAILED, seats=7)
    go = tuple(seats(table)[:3])
    carry_out(table=table, change=Split(go, go[0], by_heads=True), author=home.recorder, key=uuid.uuid4())
    second = Table.objects.get(evening=table.evening, number=2)
    assert second.pot_minor > 0
    return Table.objects.select_related("evening__club").get(pk=table.pk), second


def test_a_hand_before_the_table_was_divided_shows_the_obstacle(recorder: Client, home: House) -> None:
    table, second = divided(home)
    went = format_price(second.pot_minor, home.club.currency)
    link = f'href="{url(second, "table-seating")}"'
    for name in ("table", "hand-paid"):
        page = recorder.get(url(table, name, 1 if name == "hand-paid" else None)).content.decode()
        sheet = page.split('id="undo"', 1)[1].split("</div>", 1)[0]
        assert f"{went} of this pot went to table 2 at" in sheet
        assert link in sheet
        assert "<form" not in sheet
    refused = recorder.post(url(table, "hand-void"), {"key": str(uuid.uuid4()), "number": 1})
    assert refused.status_code == 409
    assert f"{went} of this pot went to table 2 at" in refused.content.decode()
    for answer in (
        recorder.post(url(table, "hand-edit", 1), entry("d------", step="preview")),
        recorder.get(url(table, "hand-out", 1)),
    ):
        assert f"{went} of this pot went to table 2 at" in answer.content.decode()
        assert link in answer.content.decode().split("went to table 2", 1)[1].split("</form>", 1)[0]
    # Once the tables are one again, both work.
    carry_out(table=second, change=Merge(table.pk, seats(table)[0]), author=home.recorder, key=uuid.uuid4())
    page = recorder.get(url(table, "table")).content.decode()
    assert "<form" in page.split('id="undo"', 1)[1].split("</div>", 1)[0]
    assert recorder.post(url(table, "hand-void"), {"key": str(uuid.uuid4()), "number": 1}).status_code == 303
    assert list(differences()) == []


@pytest.mark.both_databases
def test_coins_that_stayed_with_a_later_evening_are_named_in_a_refusal(home: House) -> None:
    table = played(home, FAILED)
    closed = {"evening": table.evening, "author": None}
    evening_close(**closed, key=uuid.uuid4(), pot="carry")
    seating = [f"p{player}" for player in seats(table)]
    following = evening_start(
        club=home.club,
        season=home.season,
        author=None,
        seating=seating,
        first_dealer=seating[0],
        held_on=table.evening.held_on,
        carry=True,
    )
    evening_reopen(**closed, key=uuid.uuid4(), owner=True, reason="why")
    table = Table.objects.select_related("evening__club").get(pk=table.pk)
    with pytest.raises(Refused) as caught:
        correct(table=table, edit=TakeOut(1), author=None, key=uuid.uuid4())
    assert f"Evening {following.evening.number} of" in caught.value.sentence
    assert list(differences()) == []
