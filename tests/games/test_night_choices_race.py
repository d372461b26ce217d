"""Two phones that correct the same hand at once: one key is one correction, and none is replaced unseen."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from games.corrections import services as corrections
from games.models import Correction, Table
from games.night import choices
from tests.factories import FAILED, MADE, PASSED_OUT, WALKOVER
from tests.races import Race, at_once

from .test_corrections import played
from .test_night_choices import known, one, write

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.needs_postgres]


def correcting(table: Table, record: dict[str, Any], key: uuid.UUID) -> Callable[[], object]:
    sent = write(table, one(table, 2, record))
    current = Table.objects.select_related("evening__club", "evening__season", "evening__house_rules").get(pk=table.pk)
    return lambda: choices.correct(table=current, author=None, key=key, write=sent, player_of=known)


def test_one_key_at_once_is_one_correction(monkeypatch: pytest.MonkeyPatch) -> None:
    race = Race(monkeypatch)
    race.after(choices, "_as_seen")
    table, key = played(MADE, FAILED), uuid.uuid4()
    assert at_once([correcting(table, WALKOVER, key)] * 2) == ["", ""]
    assert race.met
    assert Correction.objects.count() == 1


@pytest.mark.parametrize("guarded", [True, False])
def test_of_two_corrections_that_saw_the_same_one_is_stored(monkeypatch: pytest.MonkeyPatch, guarded: bool) -> None:
    """Both phones have seen revision 1; without the fingerprint under the lock the second would replace the first."""
    race = Race(monkeypatch)
    race.after(choices, "_as_seen")
    if not guarded:
        stored = corrections.correct
        monkeypatch.setattr(corrections, "correct", lambda **given: stored(**given | {"seen": ""}))
    table = played(MADE, FAILED)
    calls = [correcting(table, record, uuid.uuid4()) for record in (WALKOVER, PASSED_OUT)]
    assert at_once(calls) == (["", "moved_on"] if guarded else ["", ""])
    assert race.met
    assert Correction.objects.count() == (1 if guarded else 2)
