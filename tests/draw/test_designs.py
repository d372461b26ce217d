"""The constructions: each gives the rounds that the literature says, and nobody meets twice."""

from itertools import combinations

import pytest

from draw.blueprint import blueprint
from draw.designs import design, is_design
from draw.fields import Field
from draw.known import KNOWN as KNOWN_ROUNDS
from draw.model import Sizes
from draw.sizes import table_sizes
from draw.starters import STARTERS

KNOWN = [
    # tables, size, rounds, source
    (4, 4, 5, "field of 5"),
    (7, 4, 9, "field of 9"),
    (8, 4, 10, "Aguado 2004"),
    (9, 4, 11, "modulo 11"),
    (10, 4, 13, "field of 13"),
    (13, 4, 17, "field of 17"),
    (16, 4, 21, "16 elements, then 5 within"),
    (20, 4, 25, "4 and 5"),
    (5, 3, 7, "modulo 7"),
    (6, 3, 8, "modulo 4"),
    (7, 3, 10, "modulo 5"),
    (9, 3, 13, "9 elements, then 4 within"),
    (5, 5, 6, "5 elements, then 1 within"),
    (6, 5, 6, "modulo 6"),
    (11, 4, 14, "modulo 14"),
    (12, 4, 15, "modulo 15"),
    (14, 4, 18, "modulo 18"),
    (15, 4, 19, "modulo 19"),
    (12, 5, 12, "difference matrix of order 12"),
    (12, 6, 12, "difference matrix of order 12"),
    (7, 7, 8, "7 elements, then 1 within"),
]


@pytest.mark.parametrize(("tables", "size", "rounds", "source"), KNOWN)
def test_a_known_design_has_its_rounds(tables: int, size: int, rounds: int, source: str) -> None:
    made = design(tables, size)
    assert len(made.rounds) == rounds
    assert source in made.source


@pytest.mark.parametrize("size", range(3, 8))
def test_no_two_meet_twice_in_any_design(size: int) -> None:
    for tables in range(1, 34):
        assert is_design(design(tables, size).rounds, tables * size), (tables, size)


@pytest.mark.parametrize(("tables", "size"), STARTERS)
def test_a_developed_design_has_a_round_for_each_shift(tables: int, size: int) -> None:
    modulus, first_rounds = STARTERS[tables, size]
    made = design(tables, size)
    assert len(made.rounds) == modulus * len(first_rounds)
    assert is_design(made.rounds, tables * size)


def test_the_check_of_a_design_sees_a_second_meeting_and_a_missing_point() -> None:
    rounds = design(4, 4).rounds
    assert not is_design([*rounds, rounds[0]], 16)
    assert not is_design([rounds[0][1:]], 16)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 8, 9, 16, 25, 27, 49])
def test_a_field_is_a_field(size: int) -> None:
    field = Field(size)
    elements = range(size)
    assert sorted(field.powers) == list(elements[1:])
    for element in elements:
        assert field.add(element, field.negative(element)) == 0
        assert sorted(field.add(element, other) for other in elements) == list(elements)
        if element:
            assert sorted(field.multiply(element, other) for other in elements) == list(elements)
    for first, other, third in [(1, 2 % size, size - 1), (size // 2, size // 3, 1)]:
        product = field.multiply(first, field.add(other, third))
        assert product == field.add(field.multiply(first, other), field.multiply(first, third))


@pytest.mark.parametrize("size", [1, 6, 12])
def test_no_field_has_another_size(size: int) -> None:
    with pytest.raises(ValueError, match="There is no field of"):
        Field(size)


@pytest.mark.parametrize("players", range(12, 64))
def test_a_head_count_a_little_below_full_tables_follows_a_design_by_turns(players: int) -> None:
    made = blueprint(players, Sizes(), "sizes")
    turns = [0] * players
    for blocks in made.rounds:
        small = [point for block in blocks for point in block if len(block) == 3]
        assert sum(turns[point] for point in small) == sum(sorted(turns)[: len(small)])
        for point in small:
            turns[point] += 1
    assert is_design(made.rounds, players)


def test_without_a_point_all_rounds_stay() -> None:
    assert len(blueprint(31, Sizes()).rounds) == len(blueprint(32, Sizes()).rounds) == 10


def test_ten_rounds_of_8_tables_of_4_have_480_different_pairs() -> None:
    rounds, _source = KNOWN_ROUNDS[8, 4]
    pairs = {frozenset(pair) for blocks in rounds for block in blocks for pair in combinations(block, 2)}
    assert (len(rounds), len(pairs)) == (10, 480)
    assert all(sorted(point for block in blocks for point in block) == list(range(32)) for blocks in rounds)


@pytest.mark.parametrize(
    ("players", "sizes", "rounds"),
    [
        # Without people: 8 x 4 less one or two; 25 less two to four; tables of 5 beside those of 4.
        (31, Sizes(), 10),
        (30, Sizes(), 10),
        (23, Sizes(5, 4, 5), 5),
        (21, Sizes(5, 4, 5), 5),
        (33, Sizes(4, 4, 5), 8),
        (60, Sizes(5, 4, 5), 11),
    ],
)
def test_where_repeats_come_first_a_design_serves_fewer_people(players: int, sizes: Sizes, rounds: int) -> None:
    made = blueprint(players, sizes)
    assert len(made.rounds) >= rounds
    assert is_design(made.rounds, players)
    assert {tuple(sorted(map(len, blocks), reverse=True)) for blocks in made.rounds} == {table_sizes(players, sizes)}
