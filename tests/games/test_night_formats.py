"""Writes of an older app: each format is accepted for at least a year after a newer one appeared (docs/night.md)."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.integrity import verify
from games.models import Correction, Happening, Revision, Table
from games.night.writes import FORMATS, KINDS
from league.models import AuditEntry, Evening, ResultRow, Submission
from league.privacy.retention import tidy
from tests.cast import House
from tests.factories import PlayerFactory
from tests.games.night_writes import begin, post, refused, stored

pytestmark = pytest.mark.django_db

NAMES = ("Anna", "Beni", "Carlo", "Doris", "Emil")


def kept(format: int, home: House) -> dict[str, list[dict[str, Any]]]:
    """The kept writes of a format; "@Anna" in them is a player, "@season" the season."""
    ids = {f"@{name}": PlayerFactory(club=home.club, nickname=name).pk for name in NAMES} | {"@season": home.season.pk}
    text = (Path(__file__).parent.parent / "data" / f"night_writes_{format}.json").read_text(encoding="utf-8")
    for name, pk in ids.items():
        text = text.replace(f'"{name}"', str(pk))
    nights: dict[str, list[dict[str, Any]]] = json.loads(text)
    return nights


@pytest.mark.both_databases
@pytest.mark.parametrize("format", FORMATS)
def test_an_older_app_is_understood(recorder: Client, home: House, format: int) -> None:
    nights = kept(format, home)
    answers = [stored(post(recorder, entry)) for night in nights.values() for entry in night]
    assert [answer["difference"] for answer in answers] == [None] * len(answers)
    assert {entry["kind"] for night in nights.values() for entry in night} == set(KINDS)
    assert [table.hands for table in Table.objects.order_by("pk")] == [4, 2]
    assert (Correction.objects.count(), Happening.objects.count()) == (1, 7)
    assert AuditEntry.objects.filter(what="hand_left_out").count() == 2
    assert list(verify.differences()) == []
    # A year later the phone has still no answer. Its session has lapsed; signed in again, it sends everything again.
    tidy(timezone.now() + timedelta(days=400))
    assert "/login/" in post(recorder, nights["chratze"][0])["Location"]
    recorder.force_login(home.recorder)
    assert [stored(post(recorder, entry)) for night in nights.values() for entry in night] == answers
    assert Submission.objects.count() == len(answers)


def test_every_format_has_its_kept_writes() -> None:
    files = (Path(__file__).parent.parent / "data").glob("night_writes_*.json")
    assert {file.name for file in files} == {f"night_writes_{format}.json" for format in FORMATS}


@pytest.mark.parametrize("format", [0, max(FORMATS) + 1, "1", 1.5, True, None, [1]])
def test_an_unknown_format_is_refused_in_words(recorder: Client, home: House, format: Any) -> None:
    anna, beni = (PlayerFactory(club=home.club).pk for _ in range(2))
    answer = refused(post(recorder, begin(home.season, [anna, beni]) | {"format": format}), 422, "format")
    assert "Load the page again" in answer["refused"]["sentence"]
    assert not Evening.objects.exists()
    assert not Submission.objects.exists()


def test_the_result_rows_follow_from_the_records(recorder: Client, home: House) -> None:
    for night in kept(1, home).values():
        for entry in night:
            post(recorder, entry)
    newest = {revision.hand_id: revision for revision in Revision.objects.order_by("number")}
    sums: dict[int, int] = {}
    for revision in newest.values():
        players = revision.seats.order_by("number").values_list("player_id", flat=True)
        for player, change in zip(players, revision.result["deltas"], strict=True):
            sums[player] = sums.get(player, 0) + change
    rows: dict[int, int] = {}
    for row in ResultRow.objects.all():
        rows[row.player_id] = rows.get(row.player_id, 0) + row.change_minor
    assert rows == sums
    assert sum(rows.values()) + sum(Table.objects.values_list("pot_minor", flat=True)) == 0
