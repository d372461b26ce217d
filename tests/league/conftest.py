"""Pages are read in English here, whatever catalogues happen to be compiled."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import translation


@pytest.fixture
def en() -> Iterator[None]:
    with translation.override("en"):
        yield
