"""The JSON in the documentation of the API equals the bodies and answers of the API."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.api.api_client import ApiClient, at, done
from tests.cast import Cast
from tests.factories import MADE, body, create_table

pytestmark = pytest.mark.django_db


def documented(page: str) -> list[Any]:
    """Return the JSON blocks of a page."""
    text = (Path("docs") / page).read_text()
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL)]


def test_a_refused_hand_is_answered_as_documented(api, table):
    sent = body(table, {"declarer": 0, "joiners": [1, 1], "made": [0]})
    assert api.post(at(table, "/hands"), sent, Accept_Language="en").json() == documented("api.md")[0]


@pytest.mark.parametrize(("place", "game"), [(0, "chratze"), (1, "kratzen"), (2, "zwicken")])
def test_a_hand_is_taken_as_documented(people: Cast, api: ApiClient, place: int, game: str):
    table = create_table(club=people.home.club, season=people.home.season, seats=4, game=game)
    seated = body(table, MADE)
    sent = documented("api-games.md")[place]
    assert len(sent["players"]) == len(seated["players"])
    done(api.post(at(table, "/hands/preview"), {"record": sent["record"]}))
    sent |= {"number": 1, "players": seated["players"]}
    assert done(api.post(at(table, "/hands"), sent))["hand"]["number"] == 1
