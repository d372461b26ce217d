"""'chratzt' counts the same hands on every page and in every answer: walkovers are counted apart, and so is a Muss."""

from __future__ import annotations

import csv
import io
import re
import uuid

import pytest
from django.urls import reverse

from games.closing.receipts import token_for
from games.closing.services import evening_close
from games.models import Table
from league.models import Closing, Player
from league.standings.counting import count_season
from tests.cast import House, cast
from tests.clients import reader
from tests.factories import FREE, MADE, MUSS, PASSED_OUT, WALKOVER, create_table, enter

pytestmark = pytest.mark.django_db

ANNA_FAILS = {"declarer": 0, "joiners": [2], "made": [2]}


@pytest.fixture
def home() -> House:
    return cast().home


def finished(home: House, records: list[dict[str, object]], **more: object) -> Table:
    table = create_table(season=home.season, club=home.club, **more)
    for record in records:
        enter(table, record)
    evening_close(evening=table.evening, author=home.owner, key=uuid.uuid4(), pot="carry", present=[])
    count_season(home.season.pk)
    return table


def page(name: str, **where: object) -> str:
    answer = reader().get(reverse(name, kwargs=where))
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def test_a_walkover_is_counted_apart_everywhere(home):
    table = finished(home, [MADE, WALKOVER, ANNA_FAILS, WALKOVER, PASSED_OUT, MADE])
    anna, doris = (Player.objects.get(nickname=name) for name in ("Anna", "Doris"))
    club, season = home.club.slug, home.season.slug
    made_of = "2/3"
    assert made_of in page("evening", club=club, evening=table.evening_id)
    shown = page("player", club=club, player=anna.pk)
    assert made_of in shown
    assert "made it 2 of 3" in shown
    assert "2 of 3" in page("season", club=club, season=season)
    closing = Closing.objects.get()
    receipt = page("receipt", token=token_for(closing.pk, doris.pk))
    assert re.search(r"Anna \d+ 2/3 – 2", receipt)

    counted = {"declared": 5, "declared_made": 2, "walkovers": 2}
    api = f"/api/v1/clubs/{club}"
    totals = reader().get(f"{api}/evenings/{table.evening_id}").json()["totals"]
    assert counted.items() <= next(row for row in totals if row["name"] == "Anna").items()
    standings = reader().get(f"{api}/seasons/{season}/standings").json()["items"]
    assert counted.items() <= next(row for row in standings if row["name"] == "Anna").items()
    others = reader().get(f"/api/v1/receipts/{token_for(closing.pk, doris.pk)}").json()["others"]
    assert counted.items() <= next(row for row in others if row["name"] == "Anna").items()
    text = reader().get(reverse("standings-csv", kwargs={"club": club, "season": season})).getvalue().decode()
    line = next(row for row in csv.DictReader(io.StringIO(text)) if row["player"] == "Anna")
    assert {name: int(line[name]) for name in counted} == counted


def test_a_muss_is_counted_apart_on_a_receipt(home):
    table = finished(home, [MUSS, FREE], game="kratzen", seats=4)
    dealer = table.places.get(seat=3).player
    reading = table.places.get(seat=0).player
    others = reader().get(f"/api/v1/receipts/{token_for(Closing.objects.get().pk, reading.pk)}").json()["others"]
    line = next(row for row in others if row["name"] == dealer.nickname)
    evening = reader().get(f"/api/v1/clubs/{home.club.slug}/evenings/{table.evening_id}").json()["totals"]
    total = next(row for row in evening if row["name"] == dealer.nickname)
    names = ("hands", "declared", "declared_made", "walkovers", "joined", "joined_made", "musses", "musses_made")
    assert {name: line[name] for name in names} == {name: total[name] for name in names}
    assert (line["musses"], line["musses_made"]) == (1, 1)
