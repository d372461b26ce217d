"""The reason of a revised hand on the evening's page: corrected itself, or only recalculated."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games.corrections.edits import Change, Edit, Move, PutIn, Reseat, TakeOut
from games.corrections.services import correct
from games.hands.why_revised import why_revised
from games.models import Revision, Table
from tests.cast import House, house
from tests.factories import FAILED, MADE, PASSED_OUT, create_table, enter, void

pytestmark = pytest.mark.django_db

OTHER: dict[str, Any] = {"declarer": 1, "joiners": [2], "made": [1, 2]}
FORGOTTEN: dict[str, Any] = {"declarer": 3, "joiners": [4], "made": [4]}


@pytest.fixture
def home() -> House:
    return house("roessli")


@pytest.fixture
def table(home: House) -> Table:
    """Four hands; a change of the second one changes the amounts of the later ones."""
    table = create_table(club=home.club, season=home.season, author=home.recorder)
    for record in (MADE, FAILED, {"declarer": 2, "joiners": [3], "made": [3]}, MADE):
        enter(table, record, author=home.recorder)
    return table


def seats(table: Table) -> tuple[int, ...]:
    return tuple(table.places.order_by("seat").values_list("player_id", flat=True))


def make_correction(table: Table, edit: Edit) -> None:
    correct(table=Table.objects.get(pk=table.pk), edit=edit, author=None, key=uuid.uuid4())


def why(table: Table) -> dict[int, str]:
    return {number: said for (_table, number), said in sorted(why_revised([table.pk]).items())}


CASES: list[tuple[str, Callable[[Table], Edit], dict[int, str]]] = [
    ("changed", lambda t: Change(2, seats(t), OTHER), {2: "changed", 3: "recounted", 4: "recounted"}),
    ("put in", lambda t: PutIn(2, seats(t), FORGOTTEN), {2: "inserted", 3: "recounted", 4: "recounted"}),
    ("taken out", lambda t: TakeOut(2), {2: "recounted", 3: "recounted"}),
    ("moved", lambda t: Move(2, 3), {2: "recounted", 3: "moved"}),
    ("seats", lambda t: Reseat(2, 2, ((seats(t)[0], seats(t)[1]), (seats(t)[1], seats(t)[0]))), {2: "seats"}),
]


@pytest.mark.parametrize(("edit", "said"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_only_the_hands_that_a_correction_is_about_are_corrected(table: Table, edit: Any, said: dict[int, str]) -> None:
    assert why(table) == {}
    make_correction(table, edit(table))
    reasons = why(table)
    assert {number: reasons.get(number) for number in said} == said
    assert set(reasons.values()) <= {*said.values(), "recounted"}


@pytest.mark.both_databases
def test_a_corrected_hand_keeps_its_reason_when_others_are_corrected_or_it_gets_another_number(table: Table) -> None:
    make_correction(table, Change(3, seats(table), OTHER))
    make_correction(table, Change(1, seats(table), PASSED_OUT))
    assert (why(table)[1], why(table)[3]) == ("changed", "changed")
    make_correction(table, PutIn(2, seats(table), FORGOTTEN))
    assert [why(table)[number] for number in (1, 2, 4)] == ["changed", "inserted", "changed"]
    make_correction(table, TakeOut(1))
    assert [why(table)[number] for number in (1, 3)] == ["inserted", "changed"]


def test_a_hand_undone_and_entered_again_has_that_reason(table: Table) -> None:
    void(table)
    assert why(table) == {}
    enter(table, OTHER)
    assert why(table) == {4: "again"}
    make_correction(table, Change(1, seats(table), PASSED_OUT))
    assert why(table)[4] == "recounted"


def test_revision_numbers_alone_would_call_all_of_them_entered_again(table: Table) -> None:
    make_correction(table, Change(2, seats(table), OTHER))
    again = Revision.objects.filter(kind="entered", number__gt=1).values_list("hand__number", flat=True)
    assert sorted(again) == [2, 3, 4]


def test_one_query(table: Table, django_assert_num_queries: Any) -> None:
    make_correction(table, Change(2, seats(table), OTHER))
    with django_assert_num_queries(1):
        why_revised([table.pk])


def test_the_evenings_page_shows_the_reason(table: Table, home: House) -> None:
    make_correction(table, Change(2, seats(table), OTHER))
    client = Client(headers={"accept-language": "en"})
    client.force_login(home.recorder)
    page = client.get(f"/c/roessli/e/{table.evening_id}/").content.decode()
    lines = {number: page.split(f'id="hand-1-{number}"')[1].split("</li>")[0] for number in (1, 2, 3)}
    assert "tag quiet" not in lines[1]
    assert '<span class="tag quiet">corrected</span>' in lines[2]
    assert '<span class="tag quiet">recalculated</span>' in lines[3]
