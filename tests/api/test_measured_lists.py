"""The speed table measures every list of the API."""

from __future__ import annotations

from bench.api_lists import LISTS, WITHOUT_ROWS, paged


def test_every_list_is_measured_or_known_to_be_empty():
    assert set(paged()) == LISTS.keys() | WITHOUT_ROWS
