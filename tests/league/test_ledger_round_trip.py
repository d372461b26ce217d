"""Rows that are written in one round trip: the stored values, their time, and the number of statements."""

from __future__ import annotations

import uuid

import pytest
from django.db import IntegrityError, connection, transaction

from games.models import Hand, Table
from league.ledger.round_trip import RoundTrip, insert_if_new
from league.models import AuditEntry, Submission
from tests.factories import ClubFactory, create_table

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def entries() -> list[AuditEntry]:
    """Two rows that are not stored: a text, JSON, no value, a time that the field sets."""
    club = ClubFactory()
    data = {"name": "Zoé 100 %s", "n": 3, "none": None}
    return [AuditEntry(club=club, what="club.changed", about=f"club:{n}", data=data) for n in (1, 2)]


def test_rows_are_stored_as_the_orm_stores_them():
    one, other = entries()
    one.save()
    writes = RoundTrip()
    writes.insert([other])
    writes.send()
    by_orm, by_text = AuditEntry.objects.order_by("about").values("club", "actor", "token", "what", "data")
    assert by_text == by_orm
    # The field sets the time, as it does for the ORM.
    assert AuditEntry.objects.get(about="club:2").at >= one.at


def test_nothing_is_written_before_it_is_sent_and_nothing_twice():
    writes = RoundTrip()
    writes.insert(entries())
    assert not AuditEntry.objects.exists()
    writes.send()
    writes.send()
    assert AuditEntry.objects.count() == 2


def test_statements_are_carried_out_in_their_order(django_assert_num_queries):
    table = create_table()
    hand = Hand(table=table, number=1)
    table.hands, table.pot_minor = 1, 777
    writes = RoundTrip()
    writes.insert([hand])
    writes.update(table, ["hands"])
    writes.add("UPDATE games_table SET deal_number = hands + 4 WHERE id = %s", [table.pk])
    with django_assert_num_queries(1 if connection.vendor == "postgresql" else 3):
        writes.send()
    stored = Table.objects.get(pk=table.pk)
    assert Hand.objects.get().pk == hand.pk
    # Only the named columns of an updated row are written.
    assert (stored.hands, stored.deal_number, stored.pot_minor) == (1, 5, 0)


def test_a_refused_statement_takes_the_others_back():
    table = create_table()
    writes = RoundTrip()
    writes.insert([Hand(table=table, number=1)])
    writes.insert([Hand(table=table, number=2), Hand(table=table, number=2)])
    with pytest.raises(IntegrityError), transaction.atomic():
        writes.send()
    assert not Hand.objects.exists()


def test_a_row_that_is_there_is_not_inserted_and_the_transaction_goes_on():
    club, key = ClubFactory(), uuid.uuid4()
    first = Submission(club=club, key=key, body_hash="a")
    assert insert_if_new(first)
    assert Submission.objects.get().pk == first.pk
    again = Submission(club=club, key=key, body_hash="b")
    assert not insert_if_new(again)
    assert again.pk is None
    assert list(Submission.objects.values_list("body_hash", flat=True)) == ["a"]


def test_a_plain_insert_ends_the_transaction():
    club, key = ClubFactory(), uuid.uuid4()
    insert_if_new(Submission(club=club, key=key, body_hash="a"))
    with pytest.raises(IntegrityError), transaction.atomic():
        Submission.objects.create(club=club, key=key, body_hash="b")
