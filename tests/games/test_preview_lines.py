"""The preview of a hand and the page after it has been saved have the same sums, line by line."""

from __future__ import annotations

import re

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override

from games import engine_bridge
from games.engine_bridge import Start
from games.hands.preview import preview_of

NAMES = ["Anna", "Beni", "Carlo", "Doris"]
CUT = {"cuts": [["A", "x"], ["W", "7"], ["x"]]}
HANDS = {
    "chratze": ("chratze", {"declarer": 0, "joiners": [1, 2], "made": [1]}),
    "walkover": ("chratze", {"declarer": 0, "joiners": []}),
    "kratzen, failed with a trick": (
        "kratzen",
        CUT | {"declarer": 1, "joiners": [0, 3], "game_type": "oder", "tricks": {"0": 3, "1": 1, "3": 0}},
    ),
    "kratzen, all weiter": ("kratzen", CUT | {"declarer": None}),
}


@pytest.mark.parametrize("case", HANDS)
def test_the_preview_has_the_lines_of_the_saved_page(case: str) -> None:
    game, tally = HANDS[case]
    start = Start(1, game, {}, 4, 3, 1, 200)
    record, _differs = engine_bridge.complete(start, tally)
    result = engine_bridge.replay(record)
    assert result["ok"], result
    shown = preview_of(start, result, NAMES, record)
    with override("en"):
        before = render_to_string("games/table/_preview.html", {"preview": shown, "currency": "CHF"})
        after = render_to_string("games/table/_coins.html", {"after": shown, "currency": "CHF", "ended": True})
    lines = re.findall(r'class="name">(\w+)</span>.*?<b class="num \w*">(.[\d.]+)</b>', before, re.DOTALL)
    saved = re.findall(r'<li><span><b>(\w+)</b>.*?<b class="num \w*">(.)CHF\s([\d.]+)</b>', after, re.DOTALL)
    assert lines == [(name, sign + amount) for name, sign, amount in saved]
    assert len(lines) == len([line for line in result["lines"] if line["kind"] != "ante"]) > 0
