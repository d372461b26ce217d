"""`try_each_cell` reports every cell that fails, and rolls each back."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from league.models import Club
from tests.cell_checks import try_each_cell

pytestmark = pytest.mark.django_db


def test_every_cell_that_fails_is_reported_with_its_reason() -> None:
    def check(name: str, number: int) -> None:
        assert number != 2, "two"
        if number == 4:
            raise KeyError(name)

    with pytest.raises(pytest.fail.Exception) as failed:
        try_each_cell([("a", 1), ("b", 2), ("c", 3), ("d", 4)], check)
    head, *faults = str(failed.value).splitlines()
    assert head == "2 of 4 cells failed:"
    assert [fault.split(":")[0] for fault in faults] == ["b 2", "d 4"]
    assert "two" in faults[0]
    assert "KeyError: 'd'" in faults[1]


def test_writes_of_a_cell_are_rolled_back_before_the_next() -> None:
    def check(number: int) -> None:
        assert not Club.objects.exists()
        assert cache.get("seen") is None
        Club.objects.create(slug=f"club-{number}", name="Club")
        cache.set("seen", number)
        assert number != 2

    with pytest.raises(pytest.fail.Exception, match="1 of 3 cells failed"):
        try_each_cell([(1,), (2,), (3,)], check)
    assert not Club.objects.exists()


def test_a_table_without_cells_fails() -> None:
    with pytest.raises(pytest.fail.Exception, match="0 of 0"):
        try_each_cell([], lambda: None)
