"""Calls after the commit: once a transaction, and a fault fails no request."""

from __future__ import annotations

import logging

import pytest
from django.db import transaction

from league import after_commit

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_call_is_made_once_a_transaction_after_the_commit() -> None:
    made: list[int] = []
    for _ in range(2):
        with transaction.atomic():
            for number in (1, 2, 1):
                after_commit.once(made.append, number)
            already = list(made)
        assert made == [*already, 1, 2]


def test_a_call_of_a_transaction_that_is_rolled_back_is_not_made() -> None:
    made: list[int] = []

    @transaction.atomic
    def rolled_back() -> None:
        after_commit.once(made.append, 1)
        raise ZeroDivisionError

    with transaction.atomic():
        with pytest.raises(ZeroDivisionError):
            rolled_back()
        after_commit.once(made.append, 2)
    assert made == [2]


def test_a_call_that_fails_is_logged_and_the_next_one_is_made(caplog: pytest.LogCaptureFixture) -> None:
    made: list[int] = []
    with caplog.at_level(logging.ERROR), transaction.atomic():
        after_commit.once(int, "x")
        after_commit.once(made.append, 1)
    assert made == [1]
    assert "invalid literal" in caplog.text
