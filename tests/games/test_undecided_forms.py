"""Forms and typed lines that leave undecided who made it: the server asks, and completes only what the rules decide."""

from __future__ import annotations

from itertools import compress, product

import pytest
from django.test import Client
from django.utils.translation import override

import engine
from games.chratze.hand_form import ChratzeForm
from games.models import Correction, Hand, Table
from games.paper import line_notation, typing_back
from tests.cast import House
from tests.factories import create_table, enter
from tests.page_forms import form_with
from tests.possible_hands import Marks, all_marks, others_made_it, possible_results, results_of

pytestmark = pytest.mark.django_db

QUESTION = "Who made no trick?"
SAID = {None: "", True: "yes", False: "no"}


@pytest.fixture
def table(home: House) -> Table:
    return create_table(club=home.club, season=home.season, seats=5)


def form_of(marks: Marks) -> ChratzeForm:
    """The form of a hand in which seat 0 declares and all others join."""
    data = {"number": "1", "key": "0190a0a0-0000-7000-8000-000000000000", "mode": "made"}
    data["players"] = ",".join(str(seat + 1) for seat in range(len(marks)))
    for seat, mark in enumerate(marks):
        data |= {f"role-{seat}": "joiner" if seat else "declarer", f"made-{seat}": SAID[mark]}
    return ChratzeForm(data, seats=len(marks))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_form_is_stored_only_if_marks_rules_or_the_usual_result_decide_it(seats: int) -> None:
    with override("en"):
        for marks in all_marks(seats):
            form, possible, usual = form_of(marks), results_of(marks), others_made_it(marks)
            problem = form.problem()
            if problem is None and possible:
                made = tuple(seat in form.record()["made"] for seat in range(seats))
                assert made in possible
                failed = [seat for seat in range(seats) if not made[seat] and marks[seat] is None]
                assert all(not result[seat] for result in possible for seat in failed), marks
            assert (problem is None) == (not possible or len(possible) == 1 or usual in possible or ruled(marks)), marks
            assert problem is None or problem.sentence.startswith(QUESTION)


@pytest.mark.parametrize("seats", range(2, 8))
def test_the_engine_accepts_exactly_the_possible_results(seats: int) -> None:
    record = {"game": "chratze", "seats": seats, "dealer": 0, "pot_before": 0, "declarer": 0}
    for made in product((True, False), repeat=seats):
        names = list(compress(range(seats), made))
        ok = engine.replay(record | {"joiners": list(range(1, seats)), "made": names})["ok"]
        assert ok == (made in possible_results(seats)), made


def ruled(marks: Marks) -> bool:
    """Return True if the usual result is possible once the rules have decided what they can."""
    possible = results_of(marks)
    decided = [{result[seat] for result in possible} for seat in range(len(marks))]
    return tuple(next(iter(values)) if len(values) == 1 else True for values in decided) in possible


def test_the_table_asks_a_form_without_scripts(recorder: Client, table: Table) -> None:
    form = form_with(recorder.get(f"/c/roessli/t/{table.pk}/"), "role-0")
    for seat, role in enumerate(["declarer", "joiner", "joiner", "joiner"]):
        form.fill(f"role-{seat}", role)
    asked = form.submit(recorder, "Save hand 1")
    assert (asked.status_code, Hand.objects.count()) == (422, 0)
    assert QUESTION in asked.content.decode()
    again = form_with(asked, "role-0")
    assert [again.control(f"made-{seat}").value for seat in range(4)] == [""] * 4
    again.fill("made-2", "no")
    assert again.submit(recorder, "Save hand 1").status_code == 303
    assert Hand.objects.get().revisions.get().record["made"] == [0, 1, 3]


def test_a_correction_without_scripts_asks_the_same(recorder: Client, table: Table) -> None:
    """The joiners of a declarer who failed made it; now he made it, and two tricks are left for three of them."""
    enter(table, {"declarer": 0, "joiners": [1, 2, 3], "made": [1, 2, 3]})
    form = form_with(recorder.get(f"/c/roessli/t/{table.pk}/h/1/edit/"), "role-0")
    form.fill("made-0", "yes")
    for seat in (1, 2, 3):
        form.fill(f"made-{seat}", "")
    asked = form.submit(recorder, "What changes")
    assert asked.status_code == 422
    assert QUESTION in asked.content.decode()
    # The step that stores asks too, whatever was shown before.
    sent = {control.name: control.value for control in form.controls if control.sent}
    saved = recorder.post(f"/c/roessli/t/{table.pk}/h/1/edit/", {**sent, "step": "save"})
    assert saved.status_code == 422
    assert not Correction.objects.exists()
    again = form_with(asked, "role-0")
    again.fill("made-2", "no")
    shown = again.submit(recorder, "What changes")
    assert shown.status_code == 200
    assert QUESTION not in shown.content.decode()


def test_a_declarer_who_failed_alone_has_not_played(recorder: Client, table: Table) -> None:
    form = form_with(recorder.get(f"/c/roessli/t/{table.pk}/"), "role-0")
    form.fill("role-1", "declarer")
    form.fill("made-1", "no")
    asked = form.submit(recorder, "Save hand 1")
    assert (asked.status_code, Hand.objects.count()) == (422, 0)
    assert "The declarer failed: who joined and made it?" in asked.content.decode()


@pytest.mark.parametrize(
    ("line", "made"),
    [("1 2 3 4", None), ("1- 2 3 4 5", [1, 2, 3, 4]), ("1 2 3 4- 5", None), ("1 2- 3 4", [0, 2, 3]), ("1- 2", [1])],
)
def test_a_typed_line_asks_the_same(table: Table, line: str, made: list[int] | None) -> None:
    due = typing_back.next_start(table)
    if made is None:
        with override("en"), pytest.raises(line_notation.Misread, match="Who made no trick"):
            line_notation.read_line(line, due.start, due.names)
    else:
        assert line_notation.read_line(line, due.start, due.names).record["made"] == made
