"""Imports of hands of Zwicken, and the file to begin with of every game."""

from __future__ import annotations

from typing import Any

import pytest

from games import engine_bridge
from games.imports.port import FileHands
from games.integrity import verify
from games.models import Revision
from league.imports import preview
from tests.cast import House
from tests.imported import club_of, imported, uploaded

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def home() -> House:
    return club_of("Anna", "Beni", "Carlo")


def problems_of(house: House, text: str, **more: Any) -> list[tuple[int, str]]:
    checked = preview.preview(uploaded(house.season, house.owner, text, kind="hands", **more))
    return [(problem.row, problem.column) for problem in checked.problems]


ZWICKEN = """Datum;Spiel;Name;Ansage;Stiche;Belli;Cuts
7.8.2026;1;Anna;;2;;{cuts}
7.8.2026;1;Beni;;1;;
7.8.2026;1;Carlo;{forced};;{lost};
7.8.2026;2;Anna;mit;3;;
7.8.2026;2;Beni;weg;;;
7.8.2026;2;Carlo;{said};{tricks};;
"""


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({}, []),
        ({"cuts": "A B x", "forced": "mit", "lost": "1"}, []),
        ({"cuts": "7dAs9h", "forced": "pflicht", "tricks": "0"}, []),
        ({"forced": "weg"}, [(2, "Ansage")]),
        ({"said": "metcho"}, [(7, "Ansage")]),
        ({"cuts": "W"}, [(2, "Cuts")]),
        ({"cuts": "A"}, [(2, "Cuts")]),
        ({"lost": "maybe"}, [(4, "Belli")]),
        ({"tricks": "4"}, [(7, "Stiche")]),
        ({"tricks": "1"}, [(5, "Stiche")]),
    ],
)
def test_a_forced_hand_needs_tricks_only_and_a_free_one_its_players(home, fields, wrong):
    text = ZWICKEN.format(**{"cuts": "x", "forced": "", "lost": "", "said": "mit", "tricks": ""} | fields)
    assert problems_of(home, text, game="zwicken") == wrong
    if not wrong:
        imported(home.season, home.owner, text, kind="hands", game="zwicken")
        first, second = Revision.objects.order_by("hand__number")
        assert (first.result["muss"], second.result["joiners"]) == (True, [0, 2])
        assert list(verify.differences([home.season])) == []


def test_every_game_has_a_file_to_begin_with(home):
    port = FileHands()
    for game in engine_bridge.GAMES:
        heading, *rows = port.sample(game)
        text = "\n".join(";".join(row) for row in [("Datum", *heading), *(("7.8.2026", *row) for row in rows)])
        assert problems_of(home, text + "\n", game=game) == []
