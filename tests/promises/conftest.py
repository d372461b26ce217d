"""A recorder and a table of four, committed: the server of these tests is another process.

A test file with another cast has fixtures of its own.
"""

from __future__ import annotations

import pytest

from games.models import Table
from league.models import Membership, User
from tests.factories import UserFactory, create_table


@pytest.fixture
def recorder(transactional_db: None) -> User:
    return UserFactory(email="beni@example.org")


@pytest.fixture
def table(recorder: User) -> Table:
    table = create_table(seats=4)
    Membership.objects.create(club=table.evening.club, user=recorder, role="recorder")
    return table
