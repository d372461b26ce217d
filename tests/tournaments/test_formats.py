"""The format of a tournament: its refusals, and its unchanged storing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from league.errors import Refused
from league.tournaments import formats
from league.tournaments.formats import Format


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


def test_the_default_is_valid() -> None:
    Format().check()


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("rounds", 0),
        ("rounds", 31),
        ("rounds", "4"),
        ("rounds", 4.0),
        ("rounds", True),
        ("hands", -1),
        ("hands", 201),
        ("minutes", 601),
        ("minutes", None),
        ("wished", 2),
        ("least", 2),
        ("most", 8),
        ("chips", 0),
        ("chips", 10_001),
        ("drop_worst", -1),
        ("final_places", 8),
        ("final_hands", 0),
        ("team_size", 5),
        ("team_best", -1),
        ("break_minutes", 241),
    ],
)
def test_a_number_out_of_its_limits_is_refused_with_the_limits(part: str, value: Any) -> None:
    refused = refusal({part: value})
    assert refused.at == part
    low, high = formats._LIMITS[part]
    assert refused.sentence == f"Give a whole number from {low} to {high}."


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("mode", "swiss"),
        ("mode", None),
        ("result", "francs"),
        ("pot", "kitty"),
        ("missed", ""),
        ("slips", 1),
        ("slips", "true"),
        ("final_carries", None),
        ("hide_last", 0),
        ("two_sheets", "no"),
        ("team_size", 1),
    ],
)
def test_a_value_that_is_not_offered_is_refused(part: str, value: Any) -> None:
    refused = refusal({part: value})
    assert (refused.at, refused.sentence) == (part, "Choose one of the values that are offered.")


@pytest.mark.parametrize(
    ("parts", "path"),
    [
        ({"wished": 6}, "wished"),
        ({"least": 5}, "wished"),
        ({"most": 3}, "wished"),
        ({"hands": 0}, "hands"),
        ({"drop_worst": 4}, "drop_worst"),
        ({"rounds": 1, "drop_worst": 1}, "drop_worst"),
        ({"team_best": 1}, "team_best"),
        ({"team_size": 2, "team_best": 3}, "team_best"),
        ({"tie_breaks": ["lot", "lot"]}, "tie_breaks"),
        ({"tie_breaks": ["coin"]}, "tie_breaks"),
        ({"final_places": 6}, "final_places"),
        ({"final_places": 2}, "final_places"),
        ({"slips": True, "mode": "standing"}, "slips"),
    ],
)
def test_parts_that_do_not_fit_each_other_are_refused(parts: dict[str, Any], path: str) -> None:
    assert refusal(parts).at == path


@pytest.mark.parametrize(
    "parts",
    [
        {"hands": 0, "minutes": 30},
        {"drop_worst": 3},
        {"team_size": 2, "team_best": 2},
        {"tie_breaks": []},
        {"final_places": 5},
        {"final_places": 3},
        {"wished": 3, "least": 3, "most": 3},
        {"slips": True},
    ],
)
def test_the_nearest_parts_that_fit_are_taken(parts: dict[str, Any]) -> None:
    assert Format().changed(parts).stored() == Format().stored() | parts


@pytest.mark.parametrize("part", ["round", "_limits", ""])
def test_a_part_that_does_not_exist_is_refused(part: str) -> None:
    assert refusal({part: 1}).at == part


@pytest.mark.parametrize("value", [5, None, "lot", [["lot"]], [None], {"lot": 1}])
def test_tie_breaks_of_any_other_shape_are_refused(value: Any) -> None:
    assert refusal({"tie_breaks": value}).at == "tie_breaks"


@pytest.mark.parametrize("value", [["random"], {"a": 1}])
def test_a_choice_of_any_other_shape_is_refused(value: Any) -> None:
    assert refusal({"mode": value}).at == "mode"


def test_a_refused_change_leaves_the_format_as_it_was() -> None:
    format = Format()
    with pytest.raises(Refused):
        format.changed({"rounds": 5, "hands": -1})
    assert format == Format()


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "rounds": st.integers(1, 30),
            "hands": st.integers(1, 200),
            "minutes": st.integers(0, 600),
            "mode": st.sampled_from(formats.MODES),
            "order": st.sampled_from(formats.ORDERS),
            "result": st.sampled_from(formats.RESULTS),
            "pot": st.sampled_from(formats.POT_RESTS),
            "missed": st.sampled_from(formats.MISSED),
            "tie_breaks": st.lists(st.sampled_from(formats.TIE_BREAKS), unique=True),
            "final_places": st.sampled_from([0, 3, 4, 5]),
            "hide_last": st.booleans(),
        },
    )
)
def test_a_stored_format_is_read_back(parts: dict[str, Any]) -> None:
    format = Format().changed(parts)
    assert Format.read(json.loads(json.dumps(format.stored()))) == format
    assert format.all_rounds == format.rounds + (format.final_places > 0)


def test_a_stored_format_without_newer_parts_has_their_defaults() -> None:
    assert Format.read({"rounds": 7, "gone": 1}) == Format(rounds=7)


def test_twin_without_the_check_a_format_that_cannot_be_played_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Format, "check", lambda format: None)
    assert Format().changed({"hands": 0}).hands == 0


def refusal(parts: dict[str, Any]) -> Refused:
    with pytest.raises(Refused) as caught:
        Format().changed(parts)
    assert (caught.value.status, caught.value.code) == (422, "format")
    assert caught.value.sentence.endswith(".")
    return caught.value
