"""Each part of a formula alone, worked out by hand on a short season. No database. The presets are in
`test_formula_presets.py`."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.standings.formula.moves import Ranked, reasons
from league.standings.formula.parts import Formula
from league.standings.formula.presets import BY_KEY
from league.standings.formula.ranking import (
    Adjustment,
    CountedEvening,
    NightScore,
    Race,
    RaceLine,
    evaluate,
    lot,
    stored,
)

ANNA, BENI, CARLA, DORA = 1, 2, 3, 4
NAMES = {ANNA: "Anna", BENI: "Beni", CARLA: "Carla", DORA: "Dora"}

# Points of four players on five evenings, and the hands of each evening; . for an absence.
SEASON = """
hands   10  8 12 10  6
Anna     6 -2  3  .  4
Beni     2  5  .  1  4
Carla   -3  4  7 -4  .
Dora     .  1  .  9 -2
"""


def nights_of(text: str) -> list[CountedEvening]:
    """Return the evenings of a table as above. Amounts are 20 Rappen a point."""
    head, *rows = (line.split() for line in text.strip().splitlines())
    players = {name: player for player, name in NAMES.items()}
    evenings = []
    for nth, hands in enumerate(head[1:]):
        scores, known = {}, False
        for name, *cells in rows:
            known = cells[nth] != "."
            if known or any(cell != "." for cell in cells[:nth]):
                points = int(cells[nth]) if known else 0
                scores[players[name]] = NightScore(int(hands) if known else 0, points, 20 * points)
        evenings.append(CountedEvening(100 + nth, date(2026, 10, 1 + 7 * nth), scores))
    return evenings


NIGHTS = nights_of(SEASON)


def table(lines: list[RaceLine]) -> list[str]:
    """Return each line as `rank name value`, with the reason of an unranked player, and the tie-break of equal
    players."""
    return [
        " ".join(filter(None, [str(line.rank), NAMES[line.player], str(line.value), line.unranked, line.tie]))
        for line in lines
    ]


# --- Each part -------------------------------------------------------------------------------------------

PARTS = {
    "net amounts": (Formula(counts="net"), ["1 Beni 240", "2 Anna 220", "3 Dora 160", "4 Carla 80"]),
    "the worst dropped": (Formula(drop=1), ["1 Anna 13", "2 Beni 11", "3 Dora 10", "4 Carla 8"]),
    "all but one dropped": (Formula(drop=9), ["1 Dora 9", "2 Carla 7", "3 Anna 6", "4 Beni 5"]),
    "a bonus for coming": (Formula(attendance_bonus=5), ["1 Beni 32", "2 Anna 31", "3 Carla 24", "4 Dora 23"]),
    "few hands do not count": (
        Formula(hands_minimum_evening=9), ["1 Anna 9", "1 Dora 9", "3 Beni 3", "4 Carla 0"],
    ),
    "guests do not count": (Formula(guests=False), ["1 Anna 11", "2 Dora 8", "3 Carla 4", "4 Beni 0 guest"]),
    "a handicap": (
        Formula(handicap=((CARLA, 2), (BENI, -1))), ["1 Carla 12", "2 Anna 11", "3 Beni 8", "3 Dora 8"],
    ),
    "a handicap changes places": (
        Formula(counts="places", places=(1,), handicap=((CARLA, 9),)),
        ["1 Carla 3", "2 Anna 2", "3 Beni 1", "3 Dora 1"],
    ),
    "places by amounts": (
        Formula(counts="places", places=(1,), places_by="net"), ["1 Anna 2", "1 Beni 2", "3 Carla 1", "3 Dora 1"],
    ),
    "absences of 0 points count before worse evenings": (
        Formula(best=4, absences="zero"), ["1 Anna 13", "2 Beni 12", "3 Dora 10", "4 Carla 8"],
    ),
    "absences in an average": (
        Formula(counts="average_evening", absences="zero"), ["1 Beni 12/5", "2 Anna 11/5", "3 Dora 8/5", "4 Carla 4/5"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PARTS)
def test_a_part_of_a_formula(name):
    formula, expected = PARTS[name]
    assert table(evaluate(formula, NIGHTS, guests=[BENI])) == expected


def test_points_of_a_tournament_are_added_and_never_dropped():
    award = CountedEvening(200, date(2026, 11, 30), {ANNA: NightScore(0, 3, 0), BENI: NightScore(0, 0, 0)})
    best = Formula(best=1)
    assert table(evaluate(best, [*NIGHTS, award]))[0] == "1 Anna 9"
    assert table(evaluate(replace(best, tournaments=False), [*NIGHTS, award]))[-2] == "3 Anna 6"
    average = Formula(counts="average_evening")
    assert evaluate(average, [*NIGHTS, award])[1].value == Fraction(11, 4)


# --- Equal players ---------------------------------------------------------------------------------------

EQUAL = nights_of("""
hands  10 10 20
Anna    4  1  1
Beni    1  4  1
Carla   2  .  4
Dora    .  .  6
""")
TIES = {
    (): ["1 Anna", "1 Beni", "1 Carla", "1 Dora"],
    ("evenings_won",): ["1 Anna", "1 Beni", "1 Dora", "4 Carla"],
    ("best_night",): ["1 Dora", "2 Anna", "2 Beni", "2 Carla"],
    ("evenings",): ["1 Anna", "1 Beni", "3 Carla", "4 Dora"],
    ("hands",): ["1 Anna", "1 Beni", "3 Carla", "4 Dora"],
    ("average",): ["1 Dora", "2 Carla", "3 Anna", "3 Beni"],
    # Lost and won against each other: Anna 3:3, Beni 2:4, Carla 3:2, Dora 3:0.
    ("head_to_head",): ["1 Dora", "2 Carla", "3 Anna", "4 Beni"],
    ("evenings_won", "best_night"): ["1 Dora", "2 Anna", "2 Beni", "4 Carla"],
    ("hands", "lot"): ["1 Beni", "2 Anna", "3 Carla", "4 Dora"],
}  # fmt: skip


@pytest.mark.parametrize("ties", TIES)
def test_tie_breaks_part_equal_players_in_their_order(ties):
    lines = evaluate(Formula(ties=ties, lot_seed="20261123"), EQUAL)
    assert {line.value for line in lines} == {6}
    assert [f"{line.rank} {NAMES[line.player]}" for line in lines] == TIES[ties]


ALONE = """
hands   5 10
Anna    1  2
Beni    .  3
Carla   {}  .
"""


def test_nobody_wins_an_evening_alone_at_the_table():
    won = Formula(ties=("evenings_won",), guests=False)
    ranked = evaluate(won, nights_of(ALONE.format(".")))
    assert table(ranked) == ["1 Beni 3 evenings_won", "2 Anna 3 evenings_won"]
    # A guest without a rank is company.
    assert table(evaluate(won, nights_of(ALONE.format("0")), guests=[CARLA]))[:2] == ["1 Anna 3", "1 Beni 3"]


@given(st.lists(st.dictionaries(st.sampled_from(sorted(NAMES)), st.integers(0, 1), min_size=2), min_size=2, max_size=8))
def test_a_ranking_after_each_evening_ends_as_one_after_the_last(points):
    """Equal players are compared over all evenings, also those who were equal in the ranking before."""
    formula = Formula(best=1, ties=("head_to_head",))
    each, once = Race(formula), Race(formula)
    for nth, of_evening in enumerate(points):
        scores = {player: NightScore(4, score, 20 * score) for player, score in of_evening.items()}
        evening = CountedEvening(nth, date(2026, 10, 1 + nth), scores)
        for race in (each, once):
            race.play(evening, last=nth == len(points) - 1)
        each.ranks()
    assert each.copied().ranks() == each.ranks() == once.ranks()


def test_a_reason_names_only_the_best_places(en):
    nights = nights_of("""
    hands  4 4 4 4
    Anna   9 4 2 1
    Beni   1 9 9 9
    Carla  1 1 8 8
    Dora   1 1 1 7
    """)
    ranked = []
    for formula in (Formula(), Formula(counts="places", places=(5, 3, 2))):
        race = Race(formula)
        for night in nights:
            race.play(night, last=night is nights[-1])
        ranked.append(Ranked(race, race.lines()))
    now, then = (next(line for line in ranking.lines if line.player == ANNA) for ranking in ranked)
    (why,) = reasons(*ranked, now, then)
    sentence = "1 × 1st, 1 × 2nd, 1 × 3rd, …: 10 points (3rd) instead of 16 points in 4 evenings (3rd)"
    assert why.replace("\N{NO-BREAK SPACE}", " ") == sentence


def test_lots_can_be_repeated_by_anybody():
    # printf '20261123:1' | sha256sum
    assert [lot("20261123", player)[:6] for player in (ANNA, BENI)] == ["82e922", "3e513e"]


# --- Adjustments and the course --------------------------------------------------------------------------


def course(formula: Formula, adjustments: tuple[Adjustment, ...]) -> list[list[str]]:
    """Return the ranks and values after each evening."""
    race = Race(formula, adjustments=adjustments)
    evenings = []
    for nth, night in enumerate(NIGHTS):
        race.play(night, last=night is NIGHTS[-1])
        ranks = race.ranks()
        evenings.append([f"{rank} {NAMES[player]} {value}" for player, (rank, value, *_rest) in ranks.items()])
        assert nth or len(ranks) == 3
    return evenings


def test_an_adjustment_counts_from_its_evening_on():
    penalty = Adjustment(ANNA, -5, date(2026, 10, 9))
    for_dora = Adjustment(DORA, 7, date(2026, 9, 1))
    late = Adjustment(CARLA, 1, date(2027, 1, 1))
    evenings = course(Formula(), (penalty, for_dora, late))
    assert evenings[0] == ["1 Anna 6", "2 Beni 2", "3 Carla -3"]
    assert evenings[1] == ["1 Dora 8", "2 Beni 7", "3 Anna 4", "4 Carla 1"]
    assert evenings[2] == ["1 Carla 8", "1 Dora 8", "3 Beni 7", "4 Anna 2"]
    assert evenings[4] == ["1 Dora 15", "2 Beni 12", "3 Anna 6", "4 Carla 5"]


@pytest.mark.parametrize("key", BY_KEY)
def test_the_end_of_the_course_is_the_ranking(key):
    formula = BY_KEY[key].formula
    ends = [f"{line.rank} {NAMES[line.player]} {line.value}" for line in evaluate(formula, NIGHTS)]
    assert course(formula, ())[-1] == ends


@pytest.mark.parametrize("key", BY_KEY)
def test_the_evenings_of_a_line_explain_its_value(key):
    formula = replace(BY_KEY[key].formula, attendance_bonus=1, hands_minimum_evening=8)
    lines = evaluate(formula, NIGHTS, adjustments=[Adjustment(BENI, 4, date(2026, 10, 1))])
    for line in lines:
        counted = [night for night in line.nights if night.counts]
        total = sum(night.worth for night in counted)
        if formula.counts == "average_evening":
            total = Fraction(total, len(counted))
        if formula.counts == "average_hand":
            hands = sum(night.hands for night in counted)
            total = Fraction(sum(night.worth * night.hands for night in counted), hands)
        assert total + line.bonus + line.adjusted == line.value
        assert [night.evening for night in line.nights] == sorted(night.evening for night in line.nights)


@pytest.mark.parametrize(
    ("value", "kept"),
    [(Fraction(1, 3), 333), (Fraction(-1, 3), -333), (Fraction(1, 2000), 0), (Fraction(3, 2000), 2), (4, 4000)],
)
def test_averages_are_stored_in_thousandths(value, kept):
    assert stored(Formula(counts="average_hand"), value) == kept
    assert stored(Formula(), 4) == 4
