"""The parts of a formula: written as JSON and read back, and each wrong value refused by the name of its part."""

from __future__ import annotations

import json

import pytest
from django.utils import translation

from league.standings.formula.parts import FIELDS, Formula, FormulaFault, read, write
from league.standings.formula.presets import PRESETS
from league.standings.formula.sentences import beyond_plan, dropping
from league.standings.formula.services import SENTENCES, formula_read, refusal

OTHER = Formula(
    counts="places", games="kratzen", places=(5, 3, 3), places_by="net", best=8, best_of=12, drop=1,
    drop_one_more_every=2, absences="zero", attendance_bonus=-2, attendance_minimum=5, hands_minimum=60,
    hands_minimum_evening=7, guests=False,
    tournaments=False, team_best=3, ties=("average", "lot"), lot_seed="0815",
)  # fmt: skip


@pytest.mark.parametrize(
    "formula", [Formula(), OTHER, Formula(handicap=((7, 2), (8, -1))), *(p.formula for p in PRESETS)]
)
def test_a_formula_is_read_as_it_was_written(formula):
    assert read(json.loads(json.dumps(write(formula)))) == formula


def test_every_part_is_written_and_the_missing_ones_have_their_defaults():
    assert set(write(Formula())) == set(FIELDS)
    assert read({}) == Formula()
    assert [name for name in FIELDS if getattr(OTHER, name) == getattr(Formula(), name)] == ["handicap"]


WRONG = {
    "unknown": {"luck": 1},
    "choice": {"counts": "stars"},
    "choice of another type": {"counts": ["points"]},
    "whole": {"drop": "1"},
    "whole and not a truth": {"drop": True},
    "whole and not a float": {"best": 8.0},
    "bounds": {"best": 0},
    "bounds above": {"attendance_bonus": 1001},
    "whole and not empty": {"drop": None},
    "switch": {"guests": 1},
    "list": {"ties": "lot"},
    "list of places": {"counts": "places", "places": "5"},
    "long list of places": {"counts": "places", "places": [1] * 101},
    "choice of a tie-break": {"ties": ["age"]},
    "twice": {"ties": ["hands", "hands"]},
    "after_lot": {"ties": ["lot", "hands"], "lot_seed": "1"},
    "seed": {"ties": ["lot"]},
    "without_best": {"best_of": 12},
    "below_best": {"best": 8, "best_of": 7},
    "bounds of planned evenings": {"best": 8, "best_of": 1001},
    "digits": {"lot_seed": "Anna"},
    "digits of another script": {"lot_seed": "٣"},
    "digits and not a number": {"lot_seed": 5},
    "long": {"lot_seed": "1" * 21},
    "falling": {"counts": "places", "places": [3, 5]},
    "table": {"counts": "places"},
    "table without places": {"places": [3]},
    "bounds of a place": {"counts": "places", "places": [5000]},
    "mapping": {"handicap": [1]},
    "player": {"handicap": {"Anna": 1}},
    "player in another script": {"handicap": {"٣": 1}},
    "player as a number": {"handicap": {7: 1}},
    "player beyond all": {"handicap": {"1" * 16: 1}},
    "bounds of a handicap": {"handicap": {"7": -1001}},
    "amounts and a bonus": {"counts": "net", "attendance_bonus": 1},
    "amounts and a handicap": {"counts": "net", "handicap": {"7": 1}},
    "no_hands": {"counts": "average_hand", "absences": "zero"},
}
AT = {"without_best": "best_of", "below_best": "best_of", "seed": "lot_seed", "table": "places", "no_hands": "absences"}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_value_is_refused_by_the_name_of_its_part(name):
    code = name.split()[0]
    with pytest.raises(FormulaFault) as caught:
        read(WRONG[name])
    assert caught.value.code == code
    assert caught.value.field == AT.get(code, next(reversed(WRONG[name])) if code != "after_lot" else "ties")
    refused = refusal(caught.value)
    assert (refused.status, refused.at, "%(" in refused.sentence) == (422, caught.value.field, False)


def test_a_formula_of_before_the_planned_evenings_is_read_and_ranks_as_it_did():
    older = {name: value for name, value in write(Formula(best=8, ties=("hands",))).items() if name != "best_of"}
    assert read(older) == Formula(best=8, ties=("hands",))
    with translation.override("en"):
        assert "".join(dropping(read(older))) == "The best 8 evenings count."
        assert "".join(dropping(read({**older, "best_of": 12}))) == "The best 8 of 12 evenings count."
        # Neither the number nor one beyond it changes which evenings count: the page says it.
        assert beyond_plan(read({**older, "best_of": 12}), 12) == beyond_plan(read(older), 13) == ""
        assert beyond_plan(read({**older, "best_of": 12}), 13) == (
            "13 evenings were played, 12 were planned: the best 8 of all of them count."
        )


def test_the_largest_values_are_taken():
    largest = {"counts": "places", "places": [1000] * 100, "handicap": {"9" * 15: 1000}, "lot_seed": "1" * 20}
    assert write(read(largest))["places"] == [1000] * 100


def test_every_fault_has_a_sentence():
    assert {name.split()[0] for name in WRONG} <= set(SENTENCES)
    assert formula_read({"best": 8}).best == 8
