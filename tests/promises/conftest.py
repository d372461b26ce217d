"""A recorder at a table of four, committed: the server that is asked is another process.

Where a test has another cast, its own fixtures come before these.
"""

from __future__ import annotations

import pytest

from games.models import Table
from league.models import Membership, User
from tests.factories import UserFactory, open_table


@pytest.fixture
def recorder(transactional_db: None) -> User:
    return UserFactory(email="beni@example.org")


@pytest.fixture
def table(recorder: User) -> Table:
    table = open_table(seats=4)
    Membership.objects.create(club=table.evening.club, user=recorder, role="recorder")
    return table
