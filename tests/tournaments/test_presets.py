"""The presets: every one can be played as it is."""

from __future__ import annotations

import re

import pytest
from django.utils import translation

from draw import Sizes, plan
from games.engine_bridge import GAMES, SEATS
from league.tournaments.formats import Format
from league.tournaments.outlook import outlook
from league.tournaments.presets import PRESETS, Preset

every_preset = pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)


@every_preset
def test_the_format_is_valid_and_survives_being_stored(preset: Preset) -> None:
    preset.format.check()
    assert Format.read(preset.format.stored()) == preset.format


@every_preset
def test_the_game_exists_and_has_tables_of_these_sizes(preset: Preset) -> None:
    assert preset.game in GAMES
    fewest, most = SEATS[preset.game]
    assert fewest <= preset.format.least <= preset.format.most <= most


@every_preset
def test_it_is_explained_in_two_sentences(preset: Preset) -> None:
    with translation.override("en"):
        assert len(re.findall(r"\.( |$)", str(preset.explained))) == 2
        assert str(preset.name)


@every_preset
@pytest.mark.parametrize("entrants", [8, 16, 37])
def test_it_can_be_played_by_a_few_and_by_many(preset: Preset, entrants: int) -> None:
    assert outlook(preset.format, entrants).refused == ""


@every_preset
def test_no_tie_is_left_open_and_every_round_has_an_end(preset: Preset) -> None:
    assert preset.format.tie_breaks[-1] == "lot"
    assert preset.format.hands or preset.format.minutes


def test_there_are_seven_and_each_differs() -> None:
    assert len(PRESETS) == 7
    assert [preset.code for preset in PRESETS.values()] == list(PRESETS)
    assert len({(preset.game, preset.format) for preset in PRESETS.values()}) == 7


def test_the_small_one_lets_everybody_meet_everybody() -> None:
    format = PRESETS["small"].format
    planned = plan(8, format.rounds, Sizes(format.wished, format.least, format.most), seed=1, seconds=1)
    met = {
        frozenset((seat, other))
        for played in planned.rounds
        for table in played.tables
        for seat in table.seats
        for other in table.seats
        if seat != other
    }
    assert len(met) == 8 * 7 // 2
