"""An entry that was begun before the seats changed moves with its players."""

from __future__ import annotations

import html
import re
import uuid
from typing import Any

import pytest
from django.test import Client

from games.models import Place, Table
from league.models import Player
from tests.factories import MADE, PlayerFactory, enter

from .test_table_views import entry, table, text, url

pytestmark = pytest.mark.django_db

__all__ = ["table"]


def sit(table: Table, *names: str) -> None:
    """Seat these players from now on, in this order."""
    seated = {place.player.nickname: place.player for place in table.places.select_related("player")}
    table.places.all().delete()
    for seat, name in enumerate(names):
        player = seated.get(name) or PlayerFactory(club=table.evening.club, nickname=name)
        Place.objects.create(table=table, seat=seat, player=player)


def roles(answer: Any) -> dict[str, str]:
    return {row.nickname: row.entry.role for row in answer.context["rows"] if row.entry.role != "out"}


@pytest.mark.parametrize(
    ("now", "kept"),
    [
        (("Beni", "Carlo", "Anna", "Doris", "Emil"), {"Beni": "declarer", "Emil": "joiner"}),
        (("Anna", "Beni", "Emil", "Doris"), {"Beni": "declarer", "Emil": "joiner"}),
        (("Anna", "Zoe", "Beni", "Carlo", "Doris", "Emil"), {"Beni": "declarer", "Emil": "joiner"}),
        (("Anna", "Beni", "Carlo", "Doris", "Zoe"), {"Beni": "declarer"}),
    ],
)
def test_an_entry_moves_with_its_players_when_the_seats_change(
    recorder: Client, table: Table, now: tuple[str, ...], kept: dict[str, str]
) -> None:
    data = entry(table, "-d--J")
    Table.objects.filter(pk=table.pk).update(dealer=Player.objects.get(nickname="Doris"))
    sit(table, *now)
    said = recorder.post(url(table, "preview/"), data, headers={"hx-request": "true"})
    assert 'data-refused="seats"' in text(said)
    assert "takes" not in text(said)
    assert roles(recorder.post(url(table, "preview/"), data)) == kept
    answer = recorder.post(url(table), data)
    assert answer.status_code == 409
    assert roles(answer) == kept
    failed = {row.nickname for row in answer.context["rows"] if row.entry.made is False}
    assert failed == {"Emil"} & kept.keys()


def test_a_conflict_names_the_players_of_the_entry(recorder: Client, table: Table) -> None:
    data = entry(table, "-dJ--")
    enter(table, MADE)
    stranger = PlayerFactory(nickname="Elsewhere")
    sit(table, "Emil", "Carlo", "Beni", "Anna", "Doris")
    page = text(recorder.post(url(table), data))
    assert "Beni chratzt, metcho Carlo; failed: Carlo" in page
    forgotten = re.search(r'href="([^"]+/h/1/insert/[^"]+)"', page)
    assert forgotten
    form = recorder.get(html.unescape(forgotten.group(1)))
    assert {row.nickname: row.entry.role for row in form.context["rows"]} == {
        "Anna": "out",
        "Beni": "declarer",
        "Carlo": "joiner",
        "Doris": "out",
        "Emil": "out",
    }
    assert [row.nickname for row in form.context["rows"] if not row.entry.made] == ["Carlo"]
    data |= {"players": data["players"].replace(data["players"].split(",")[1], str(stranger.pk)), "key": uuid.uuid4()}
    assert "Elsewhere" not in text(recorder.post(url(table), data))


def test_the_polled_basis_changes_with_seats_dealer_and_pot(recorder: Client, table: Table) -> None:
    def stand() -> str:
        match = re.search(r'data-basis="([^"]+)"', text(recorder.get(url(table, "live/?as=recorder"))))
        return match.group(1) if match else ""

    stood = stand()
    assert f'data-basis="{stood}"' in text(recorder.get(url(table))).split('id="hand"')[1]
    seen = {stood}
    sit(table, "Beni", "Anna", "Carlo", "Doris", "Emil")
    seen.add(stand())
    Table.objects.filter(pk=table.pk).update(dealer=Player.objects.get(nickname="Carlo"))
    seen.add(stand())
    Table.objects.filter(pk=table.pk).update(pot_minor=740)
    seen.add(stand())
    assert len(seen) == 4
