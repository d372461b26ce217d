"""The cast, for tests of the attacks."""

from __future__ import annotations

import pytest

from tests.cast import Cast, cast


@pytest.fixture
def people() -> Cast:
    return cast()
