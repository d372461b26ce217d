"""The table screen of Zwicken on the server: its form, its page without scripts, what is stored."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from games.hands.chain import Chain
from games.hands.selectors import chain_of
from games.models import Revision, Table
from games.zwicken.hand_form import ZwickenForm, cuts_of, shown_of
from tests.cast import House
from tests.factories import create_table, enter
from tests.page_forms import form_with, without_spare_parts

pytestmark = pytest.mark.django_db

FORCED: dict[str, Any] = {"cuts": ["x"], "tricks": {"1": 2, "3": 1}}
FREE: dict[str, Any] = {"cuts": ["x"], "players": [1, 2], "tricks": {"1": 2, "2": 1}}


@pytest.fixture
def table(home: House) -> Table:
    return create_table(club=home.club, season=home.season, author=home.recorder, seats=4, game="zwicken")


def chain(table: Table) -> Chain:
    return chain_of(Table.objects.get(pk=table.pk))[0]


def form(table: Table, **sent: Any) -> ZwickenForm:
    """The form of the next hand; `roles` and `tricks` are a letter each seat: `j` joins, `-` is out or empty."""
    start = chain(table).start
    roles, tricks = sent.pop("roles", ""), sent.pop("tricks", "")
    data = {"key": "8d7f9e5e-64a1-4c93-9d0c-1f2b7b1d6a01", "number": "1", "players": "1,2,3,4"} | sent
    data |= {f"role-{seat}": "joiner" for seat, role in enumerate(roles) if role == "j"}
    data |= {f"tricks-{seat}": count for seat, count in enumerate(tricks) if count != "-"}
    return ZwickenForm(data, start=start)


CUTS = {"": ["x"], "x": ["x"], "A": ["A", "x"], "7Bx": ["7", "B", "x"]}


@pytest.mark.parametrize("shown", CUTS)
def test_the_cards_shown_are_the_cuts_of_the_record(shown: str) -> None:
    assert cuts_of(shown) == CUTS[shown]
    assert cuts_of(shown_of(CUTS[shown])) == CUTS[shown]


def test_cards_of_a_record_are_letters() -> None:
    assert shown_of(["As", "7c", "7d", "Kh"]) == "A7B"


FORMS: dict[str, tuple[bool, dict[str, Any], dict[str, Any] | str]] = {
    "a forced hand names nobody": (
        False,
        {"tricks": "2--1"},
        {"cuts": ["x"], "tricks": {"0": 2, "1": 0, "2": 0, "3": 1}},
    ),
    "its roles do not count": (
        False,
        {"roles": "j---", "tricks": "111-"},
        {"cuts": ["x"], "tricks": {"0": 1, "1": 1, "2": 1, "3": 0}},
    ),
    "nor can nobody play it": (
        False,
        {"passed": "1", "tricks": "3---"},
        {"cuts": ["x"], "tricks": {"0": 3, "1": 0, "2": 0, "3": 0}},
    ),
    "in a free hand who plays is named": (
        True,
        {"roles": "j-j-", "tricks": "2---", "cuts": "a b"},
        {"cuts": ["A", "B", "x"], "players": [0, 2], "tricks": {"0": 2, "2": 1}},
    ),
    "one alone has no tricks": (True, {"roles": "-j--"}, {"cuts": ["x"], "players": [1]}),
    "nobody plays": (True, {"passed": "1"}, {"cuts": ["x"], "players": []}),
    "who lost Belli": (
        True,
        {"roles": "jj--", "tricks": "21--", "seven_lost": "1"},
        {"cuts": ["x"], "players": [0, 1], "tricks": {"0": 2, "1": 1}, "seven_lost": 1},
    ),
    "nobody is named": (True, {}, "players"),
    "a trick is missing": (True, {"roles": "jj--"}, "tricks"),
    "no card of a cut": (True, {"roles": "j---", "cuts": "K"}, "cuts"),
}


@pytest.mark.parametrize("case", FORMS)
def test_the_form_is_a_tally(table: Table, case: str) -> None:
    is_free, sent, expected = FORMS[case]
    if is_free:
        enter(table, FORCED)
    filled = form(table, **sent)
    problem = filled.problem()
    if isinstance(expected, str):
        assert problem is not None
        assert problem.at == expected
    else:
        assert problem is None
        assert filled.record() == expected


def test_without_moving_cuts_the_record_has_none(home: House) -> None:
    fixed = create_table(
        club=home.club, season=home.season, author=home.recorder, seats=4, game="zwicken", rules={"cut_moves": False}
    )
    filled = form(fixed, tricks="3---")
    assert filled.problem() is None
    assert filled.record() == {"tricks": {"0": 3, "1": 0, "2": 0, "3": 0}}


def text(answer: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", without_spare_parts(answer.content.decode())).split())


def stored() -> dict[str, Any]:
    """The fields of the tally that was stored last."""
    record = Revision.objects.latest("pk").record
    return {name: record[name] for name in ("cuts", "players", "tricks", "seven_lost") if name in record}


def test_hands_are_entered_without_scripts(recorder: Client, table: Table) -> None:
    """A forced hand, a free one with cuts and Belli, one alone, and one that nobody plays."""
    address = f"/c/roessli/t/{table.pk}/"
    page = recorder.get(address)
    assert "Forced hand: Doris has the pack, all play." in text(page)
    form = form_with(page, "role-0")
    form.fill("tricks-1", "2")
    form.fill("tricks-3", "1")
    assert form.submit(recorder, "Save hand 1").status_code == 303
    assert stored() == {"cuts": ["x"], "tricks": {"0": 0, "1": 2, "2": 0, "3": 1}}
    form = form_with(recorder.get(address), "role-0")
    for name, value in {
        "role-1": "joiner",
        "role-2": "joiner",
        "tricks-1": "2",
        "seven_lost": "2",
        "cuts": "AB",
    }.items():
        form.fill(name, value)
    checked = form.submit(recorder, "Check first")
    assert "Doris deals and speaks last. For the cut: Beni 0.30, Carlo 0.30, Doris 0.30." in text(checked)
    assert "Carlo pays for Belli −0.30" in text(checked)
    form = form_with(checked, "role-0")
    assert form.submit(recorder, "Save hand 2").status_code == 303
    assert stored() == {"cuts": ["A", "B", "x"], "players": [1, 2], "tricks": {"1": 2, "2": 1}, "seven_lost": 2}
    form = form_with(recorder.get(address), "role-0")
    form.fill("role-0", "joiner")
    assert form.submit(recorder, "Save hand 3").status_code == 303
    assert stored() == {"cuts": ["x"], "players": [0]}
    for _ in range(2):
        # The pot is empty: a forced hand comes before the one that nobody plays.
        page = recorder.get(address)
        form = form_with(page, "role-0")
        if "Forced hand: " in text(page):
            form.fill("tricks-0", "3")
        else:
            form.tick("passed", "1")
        saved = form.submit(recorder, f"Save hand {Revision.objects.count() + 1}")
        assert saved.status_code == 303
    assert stored() == {"cuts": ["x"], "players": []}


def test_a_refused_hand_keeps_every_choice(recorder: Client, table: Table) -> None:
    enter(table, FORCED)
    chosen = {"role-1": "joiner", "role-2": "joiner", "tricks-1": "3", "tricks-2": "0", "seven_lost": "1", "cuts": "7"}
    form = form_with(recorder.get(f"/c/roessli/t/{table.pk}/"), "role-0")
    for name, value in chosen.items():
        form.fill(name, value)
    refused = form.submit(recorder, "Save hand 2")
    assert refused.status_code == 422
    assert "Rule Z7.3" in text(refused)
    kept = form_with(refused, "role-0")
    assert {name: kept.control(name).value for name in chosen} == chosen
    assert Revision.objects.count() == 1
