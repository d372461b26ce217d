"""The solver: payments bring every account to 0 and are as few as possible."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.payments.solver import MAX_EXACT, Due, Unbalanced, settle

pytestmark = pytest.mark.services

amounts = st.lists(st.integers(-40, 40).map(lambda coins: coins * 5), min_size=0, max_size=20)
few = st.lists(st.integers(-6, 6), min_size=1, max_size=6)


def balanced(values: list[int]) -> dict[int, int]:
    """Accounts 1, 2, … with these sums, and one more that makes them add to 0."""
    return dict(enumerate([*values, -sum(values)], start=1))


def groups(values: tuple[int, ...]) -> Iterator[list[list[int]]]:
    """Yield every way to split the values into groups."""
    if not values:
        yield []
        return
    first, *rest = values
    for parted in groups(tuple(rest)):
        yield [[first], *parted]
        for place, group in enumerate(parted):
            yield [*parted[:place], [first, *group], *parted[place + 1 :]]


def fewest(sums: dict[int, int]) -> int:
    """Find the fewest payments by trying every split: a group of k that adds to 0 needs k - 1."""
    values = tuple(value for value in sums.values() if value)
    return min(
        sum(len(group) - 1 for group in parted) for parted in groups(values) if all(sum(group) == 0 for group in parted)
    )


@given(amounts)
def test_payments_settle_exactly_and_are_fewer_than_the_accounts(values):
    sums = balanced(values)
    dues = settle(sums)
    left = dict(sums)
    for due in dues:
        assert due.amount_minor > 0
        assert due.payer != due.payee
        left[due.payer] += due.amount_minor
        left[due.payee] -= due.amount_minor
    assert set(left.values()) <= {0}
    owing = sum(1 for value in sums.values() if value)
    assert len(dues) <= max(0, owing - 1)
    # No account both pays and gets.
    assert all(sums[due.payer] < 0 < sums[due.payee] for due in dues)


@given(few)
def test_the_number_of_payments_is_the_smallest(values):
    sums = balanced(values)
    assert len(settle(sums)) == fewest(sums)


@given(amounts, st.randoms())
def test_the_order_of_the_sums_does_not_matter(values, rng):
    sums = balanced(values)
    shuffled = list(sums.items())
    rng.shuffle(shuffled)
    assert settle(dict(shuffled)) == settle(sums)


def test_two_groups_that_add_to_0_are_found():
    # Paying the largest sum to the largest would need four payments.
    assert len(settle({1: -500, 2: -300, 3: 400, 4: 250, 5: 150})) == 4
    assert settle({1: -500, 2: 500, 3: -300, 4: 100, 5: 200}) == [Due(1, 2, 500), Due(3, 5, 200), Due(3, 4, 100)]
    assert len(settle({1: -500, 2: -300, 3: 450, 4: 50, 5: 200, 6: 100})) == 4


def test_many_accounts_are_settled_too_and_equal_ones_in_pairs():
    sums = {n: (5 if n % 2 else -5) * (n // 2 + 1) for n in range(2 * MAX_EXACT)}
    sums[2 * MAX_EXACT] = -sum(sums.values())
    dues = settle(sums)
    assert len(dues) < len(sums)
    assert settle({}) == []
    assert settle({1: 0, 2: 0}) == []


def test_sums_that_do_not_add_up_are_a_fault():
    with pytest.raises(Unbalanced):
        settle({1: 5, 2: -4})
