"""Each preset of a formula as it is, with a season worked out by hand. No database.

Every table has the points of an evening; . is an absence. The expected lists have rank, name and value; `by`: what
parted equal players; `too few`: what a player has too little of, so that the player is listed below the ranked ones.
"""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import NamedTuple

import pytest

from league.standings.formula.presets import BY_KEY
from league.standings.formula.ranking import CountedEvening, NightLine, NightScore, RaceLine, evaluate

NAMES = ("Anna", "Beni", "Carla", "Dora", "Emil", "Fritz", "Gabi", "Hans", "Ida")

# A season of twelve evenings for the presets that need many.
#
# sum                     evenings  hands  of which are left out, by the preset
# Anna   6-2+8+3+5-4+7+2+4-1+9+3 = 40  12  240  best 8: -4 -2 -1 2         rising: three of 12 (-4 -2 -1)
# Beni     3+9+6-5+8+4+10+2+5+6 = 48   10  202  best 8: -5 and a 2         rising: two of 10 (-5 and 2)
# Carla               7+5+6+9+8 = 35    5  106
# Dora              12+11+10+9 = 42     4   76
# Emil                -3+4+2+6+3 = 12    5  100
# Fritz        1+10+3+4-2+9+10 = 35    7  136                              rising: one of 7 (-2)
# Gabi              6-1+8+5+3-1 = 20    6  120
TWELVE = """
evening  1  2  3  4  5  6  7  8  9 10 11 12
hands   20 18 22 16 20 24 18 20 16 22 20 24
Anna     6 -2  8  3  5 -4  7  2  4 -1  9  3
Beni     3  9  .  6 -5  8  4 10  .  2  5  6
Carla    7  .  5  .  .  6  .  9  .  .  8  .
Dora     . 12  . 11  .  . 10  .  .  .  .  9
Emil    -3  4  .  .  .  2  .  .  6  3  .  .
Fritz    .  .  1 10  3  4 -2  9 10  .  .  .
Gabi     .  6 -1  8  .  5  3  .  . -1  .  .
"""

# Four evenings with more people than the table has points for, and with equal ones.
#
# 1: all nine in a row: 10 8 6 5 4 3 2 1 0, nothing for the ninth.
# 2: Hans 10, Carla 8, Anna and Beni are third and get 6 each, Emil is fifth: 4, Ida sixth: 3.
# 3: Carla and Dora are first and get 10 each, Beni is third: 6, Ida fourth: 5, Fritz fifth: 4.
# 4: Emil 10, Anna 8, Gabi 6, Fritz 5, Carla and Dora are fifth: 4 each.
PLACES = """
evening  1  2  3  4
hands   10 10 10 10
Anna     9  4  .  7
Beni     8  4  2  .
Carla    7  5  6  1
Dora     6  .  6  1
Emil     5  1  .  9
Fritz    4  . -1  3
Gabi     3  .  .  5
Hans     2  8  .  .
Ida      1  0  0  .
"""

# Four rounds. Evenings won: 1 and 3 Beni, 2 Carla, 4 Emil.
ROUNDS = """
evening  1  2  3  4
hands   10 10 10 10
Anna     6  4  .  5
Beni     8 -1  3  4
Carla    .  9  .  2
Dora    -2  . -3  1
Emil     .  .  .  7
Fritz    4  1  .  .
Gabi    -3  1  .  4
"""


def evenings_of(text: str) -> list[CountedEvening]:
    """Return the evenings of a table as above."""
    (_title, *numbers), (_hands, *hands), *rows = (line.split() for line in text.strip().splitlines())
    evenings = []
    for nth, number in enumerate(numbers):
        scores = {}
        for name, *cells in rows:
            if cells[nth] != ".":
                scores[NAMES.index(name)] = NightScore(int(hands[nth]), int(cells[nth]), 20 * int(cells[nth]))
            elif set(cells[:nth]) - {"."}:
                scores[NAMES.index(name)] = NightScore(0, 0, 0)
        evenings.append(CountedEvening(int(number), date(2026, 9, 1 + 2 * nth), scores))
    return evenings


class Worked(NamedTuple):
    """A season with its expected result. `dropped`: the evenings of each player that do not count."""

    season: str
    ranking: list[str]
    dropped: dict[str, list[int]] = {}


WORKED = {
    # Fritz and Carla have 35 and won one evening each (the ninth, the first); Fritz's best is 10, Carla's 9.
    "sum": Worked(
        TWELVE,
        ["1 Beni 48", "2 Dora 42", "3 Anna 40", "4 Fritz 35 by best_night", "5 Carla 35 by best_night", "6 Gabi 20",
         "7 Emil 12"],
    ),
    # Anna 40 + 4 + 2 + 1 - 2 = 45, Beni 48 + 5 - 2 = 51; nobody else has more than eight. Anna passes Dora. Of Beni's
    # evenings the one with 2 is the tenth.
    "best": Worked(
        TWELVE,
        ["1 Beni 51", "2 Anna 45", "3 Dora 42", "4 Fritz 35 by best_night", "5 Carla 35 by best_night", "6 Gabi 20",
         "7 Emil 12"],
        {"Anna": [2, 6, 8, 10], "Beni": [5, 10]},
    ),
    # The same, but Dora has four evenings. Carla and Emil have exactly five.
    "best_minimum": Worked(
        TWELVE,
        ["1 Beni 51", "2 Anna 45", "3 Fritz 35 by best_night", "4 Carla 35 by best_night", "5 Gabi 20", "6 Emil 12",
         "7 Dora 42 too few evenings"],
        {"Anna": [2, 6, 8, 10], "Beni": [5, 10]},
    ),
    # Anna 40 + 4 + 2 + 1 = 47, Beni 48 + 5 - 2 = 51, Fritz 35 + 2 = 37. Six evenings (Gabi) drop none.
    "rising": Worked(
        TWELVE,
        ["1 Beni 51", "2 Anna 47", "3 Fritz 37", "4 Carla 35", "5 Gabi 20", "6 Emil 12", "7 Dora 42 too few evenings"],
        {"Anna": [2, 6, 10], "Beni": [5, 10], "Fritz": [7]},
    ),
    # Carla 35 / 106, Fritz 35 / 136, Beni 48 / 202 = 24 / 101, Anna 40 / 240 = Gabi 20 / 120 = 1 / 6 with fewer hands,
    # Emil 12 / 100 with exactly enough. Dora would be first with 42 / 76 = 21 / 38.
    "average_hand": Worked(
        TWELVE,
        ["1 Carla 35/106", "2 Fritz 35/136", "3 Beni 24/101", "4 Anna 1/6 by hands", "5 Gabi 1/6 by hands",
         "6 Emil 3/25", "7 Dora 21/38 too few hands"],
    ),
    # Carla 35 / 5, Fritz 35 / 7, Beni 48 / 10, Anna 40 / 12 = Gabi 20 / 6 with fewer evenings, Emil 12 / 5. Dora would
    # be first with 42 / 4.
    "average_evening": Worked(
        TWELVE,
        ["1 Carla 7", "2 Fritz 5", "3 Beni 24/5", "4 Anna 10/3 by evenings", "5 Gabi 10/3 by evenings", "6 Emil 12/5",
         "7 Dora 21/2 too few evenings"],
    ),
    # Carla 6+8+10+4, Anna 10+6+8, Beni 8+6+6, Dora 5+10+4, Emil 4+4+10, Fritz 3+4+5, Hans 1+10, Ida 0+3+5, Gabi 2+6:
    # neither Ida nor Gabi won an evening, Ida came three times and Gabi twice.
    "places": Worked(
        PLACES,
        ["1 Carla 28", "2 Anna 24", "3 Beni 20", "4 Dora 19", "5 Emil 18", "6 Fritz 12", "7 Hans 11",
         "8 Ida 8 by evenings", "9 Gabi 8 by evenings"],
    ),
    # Beni 8+3+4 without -1, Anna 6+4+5 without the missed round: Beni won two. Carla 9+2 and a missed round of 0, the
    # other one is dropped; Emil 7 and two. Fritz 4+1+0, Gabi 1+0+4 without -3: neither won, both have a best of 4, in
    # the first round Fritz was ahead, in the second they were equal. Dora -2+0+1 without -3.
    "rounds": Worked(
        ROUNDS,
        ["1 Beni 15 by evenings_won", "2 Anna 15 by evenings_won", "3 Carla 11", "4 Emil 7",
         "5 Fritz 5 by head_to_head", "6 Gabi 5 by head_to_head", "7 Dora -1"],
        {"Anna": [3], "Beni": [2], "Carla": [3], "Dora": [3], "Emil": [3], "Fritz": [4], "Gabi": [1]},
    ),
}  # fmt: skip


def said(line: RaceLine) -> str:
    """Return a line as the expected lists have it."""
    why = f" too few {line.unranked}" if line.unranked else f" by {line.tie}" if line.tie else ""
    return f"{line.rank} {NAMES[line.player]} {line.value}{why}"


@pytest.mark.parametrize("key", BY_KEY)
def test_a_season_under_a_preset_is_as_worked_out_by_hand(key):
    worked = WORKED[key]
    lines = evaluate(BY_KEY[key].formula, evenings_of(worked.season))
    assert [said(line) for line in lines] == worked.ranking
    dropped = {NAMES[line.player]: [night.evening for night in line.nights if not night.counts] for line in lines}
    assert {name: evenings for name, evenings in dropped.items() if evenings} == worked.dropped


def test_the_places_of_each_evening_are_as_worked_out_by_hand():
    lines = evaluate(BY_KEY["places"].formula, evenings_of(PLACES))
    places = {NAMES[line.player]: [by_evening(line.nights).get(number) for number in (1, 2, 3, 4)] for line in lines}
    assert places == {
        "Anna": [10, 6, None, 8],
        "Beni": [8, 6, 6, None],
        "Carla": [6, 8, 10, 4],
        "Dora": [5, None, 10, 4],
        "Emil": [4, 4, None, 10],
        "Fritz": [3, None, 4, 5],
        "Gabi": [2, None, None, 6],
        "Hans": [1, 10, None, None],
        "Ida": [0, 3, 5, None],
    }


def by_evening(nights: tuple[NightLine, ...]) -> dict[int, int | Fraction]:
    return {night.evening: night.worth for night in nights if night.kind == "played"}
