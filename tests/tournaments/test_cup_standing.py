"""The standing of a cup: by examples, and against another way of computing it."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from league.cups.people import Listed, people_of
from league.cups.standing import CupLine, Result, Rules, cup_standing

POINTS = (10, 8, 6, 5, 4, 3, 2, 1)


def ranks(lines: list[CupLine]) -> dict[int, tuple[int, int]]:
    return {line.person: (line.rank, line.points) for line in lines}


def results(*ranks: int | None) -> list[Result]:
    """Places in the tournaments 1, 2 and so on; None: not played."""
    return [Result(number, rank, 100 - rank) for number, rank in enumerate(ranks, start=1) if rank is not None]


def test_the_best_results_count() -> None:
    lines = cup_standing(Rules("places", POINTS, best_of=2), {1: results(1, 4, 2), 2: results(2, 1, 1), 3: []})
    assert ranks(lines) == {2: (1, 20), 1: (2, 18)}
    assert {cell.event for cell in lines[1].cells.values() if not cell.counts} == {2}


def test_equal_sums_are_decided_by_the_best_result_and_then_by_the_next() -> None:
    # 10 + 4, 8 + 6, and 8 + 6 + 0.
    lines = cup_standing(Rules("places", POINTS), {1: results(2, 3), 2: results(1, 5), 3: results(2, 3, 20)})
    assert ranks(lines) == {2: (1, 14), 1: (2, 14), 3: (2, 14)}
    assert [line.shared for line in lines] == [False, True, True]


def test_a_missed_tournament_is_worth_nothing_and_better_than_a_loss_among_equal_sums() -> None:
    lost = [Result(1, 1, 10), Result(2, 9, -3)]
    lines = cup_standing(Rules("chips", best_of=1), {1: lost, 2: [Result(1, 1, 10)]})
    assert ranks(lines) == {2: (1, 10), 1: (2, 10)}


def test_all_who_share_the_last_place_of_the_final_are_qualified() -> None:
    rules = Rules("places", POINTS, qualifiers=2)
    lines = cup_standing(rules, {1: results(1), 2: results(2), 3: results(2), 4: results(4)})
    assert [(line.person, line.qualified) for line in lines] == [(1, True), (2, True), (3, True), (4, False)]


def test_of_two_entries_of_a_person_in_one_tournament_the_better_counts() -> None:
    twice = [Result(1, 5, 3), Result(1, 2, 7)]
    assert ranks(cup_standing(Rules("places", POINTS), {1: twice})) == {1: (1, 8)}


@pytest.mark.parametrize("seed", range(60))
def test_random_cups_equal_another_computation(seed: int) -> None:
    lot = random.Random(seed)
    kind = lot.choice(["places", "chips", "points"])
    best_of = lot.choice([None, 1, 2, 3])
    table = POINTS[: lot.randint(1, 8)]
    people = {
        person: [
            Result(number, lot.randint(1, 10), lot.randint(-20, 20)) for number in range(1, 6) if lot.random() < 0.7
        ]
        for person in range(12)
    }
    lines = cup_standing(Rules(kind, table, best_of), people)  # type: ignore[arg-type]

    def worth(result: Result) -> int:
        if kind != "places":
            return result.total
        return dict(enumerate(table, start=1)).get(result.rank, 0)

    # One number for each person: the sum, then the results as digits of a large base.
    scores = {}
    for person, given in people.items():
        if not given:
            continue
        values = sorted((worth(result) for result in given), reverse=True)
        total = sum(values[: best_of or 99])
        digits = sorted(values + [0] * (5 - len(values)), reverse=True)
        score = Fraction(total)
        for place, digit in enumerate(digits, start=1):
            score += Fraction(digit + 500, 1000**place)
        scores[person] = (score, total)
    expected = {
        person: (1 + sum(other > score for other, _total in scores.values()), total)
        for person, (score, total) in scores.items()
    }
    assert ranks(lines) == expected


def listed(person: int, player: int, club: int, name: str, *, open: bool = True, account: int | None = None) -> Listed:
    return Listed(person, player, club, name, open, account)


def test_the_list_matches_open_nicknames_alone() -> None:
    people = people_of([listed(1, 1, 1, "Anna"), listed(1, 2, 2, "Änni"), listed(1, 3, 3, "Falke", open=False)])
    assert [(person.name, [each.player for each in person.players]) for person in people] == [
        ("Anna", [1, 2]),
        ("Falke", [3]),
    ]


def test_an_account_that_agreed_is_one_person_under_the_name_of_the_most_reserved_club() -> None:
    people = people_of([listed(1, 1, 1, "Anna", account=7), listed(2, 2, 2, "Falke", open=False, account=7)])
    assert [(person.number, person.name, person.clubs) for person in people] == [(1, "Falke", [1, 2])]


def test_consent_and_the_list_join_three_players() -> None:
    rows = [listed(1, 1, 1, "Anna"), listed(2, 2, 2, "Anna", account=7), listed(1, 3, 3, "Anna", account=7)]
    assert [[each.player for each in person.players] for person in people_of(rows)] == [[1, 3, 2]]
