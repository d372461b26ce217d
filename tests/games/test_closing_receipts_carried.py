"""Receipts of version 1, which sealed plain names, after the migration."""

from __future__ import annotations

import uuid
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection

from games.closing.receipts import digest_of, is_sealed, readable
from games.closing.services import evening_close
from games.integrity import closings
from games.models import Table
from league.models import Receipt, ReceiptName
from league.triggers import LEAGUE_APPEND_ONLY, create, drop
from tests.factories import MADE, create_table, enter

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.services]


def test_names_leave_the_seal_and_the_chain_is_whole():
    first = create_table()
    second = create_table(club=first.evening.club, season=first.evening.season)
    for table in (first, second):
        enter(table, MADE)
        evening = Table.objects.select_related("evening").get(pk=table.pk).evening
        evening_close(evening=evening, author=None, key=uuid.uuid4())
    drop(connection, LEAGUE_APPEND_ONLY)
    before = ""
    for receipt in Receipt.objects.order_by("number"):
        receipt.content = readable(receipt) | {"version": 1}
        before = receipt.digest = digest_of(receipt.content, before)
        receipt.save()
    ReceiptName.objects.all().delete()
    create(connection, LEAGUE_APPEND_ONLY)
    migration = import_module("league.migrations.0010_receipts_without_names")
    migration.renew(apps, SimpleNamespace(connection=connection))
    for receipt in Receipt.objects.order_by("number"):
        assert receipt.content["version"] == 2
        assert is_sealed(receipt)
        assert set(readable(receipt)["players"].values()) == {"Anna", "Beni", "Carlo", "Doris", "Emil"}
        assert "Anna" not in str(receipt.content)
    assert list(closings.chain_differences(first.evening.club)) == []
    assert list(closings.differences(first.evening.season)) == []
