"""Formulas with pathological values: each is refused in words or ranks the season, on pages and by the API."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.integrity import verify
from league.models import Player, Season
from league.standings.counting import count_season
from league.standings.formula import services
from league.standings.formula.parts import CHOICES, FIELDS, MAX_PLACES, MAX_POINTS, SWITCHES, TIES, WHOLE
from tests.api.api_client import ApiClient, key_for
from tests.cast import House
from tests.clients import reader
from tests.factories import FAILED, MADE, create_table, enter

pytestmark = [pytest.mark.django_db, pytest.mark.rest, pytest.mark.usefixtures("no_limits")]

SEED = 20
MIXED = 15
"""Formulas of several parts at their limits, at random."""
SHARE = int(os.environ.get("FORMULA_SHARE", "3"))
"""Each part is tried with every third odd value, from another one on for each part; with 1 each with all of them."""
ODD: tuple[Any, ...] = (
    *(None, True, "", "0", "-1", " ", "٣", "\u0000", "\ud7ff", "1e400", "NaN", "x" * 5000, "=1+1", "<b>"),
    *(-1, 0, 1, 2**31, 2**63, -(2**63), 10**60, 0.5, -0.0, 1e308),
    *([], [[]], [None], ["hands"] * 500, [0] * 5000, {}, {"": 1}, {"0": 0}, {"9" * 15: MAX_POINTS}, {"1": 10**30}),
    *({str(n): 1 for n in range(900)}, {"-1": 1}, {"1": {}}, [10**30], list(range(MAX_PLACES, 0, -1))),
)
RAW = (
    b"{",
    b"[]",
    b"null",
    b'{"best":1e999}',
    b'{"best":NaN}',
    b'{"best":' + b"9" * 5000 + b"}",
    b"\xff\xfe",
    b"[" * 900,
)


@pytest.fixture
def no_limits(settings: Any) -> None:
    settings.API_LIMITS = {who: {"read": 0, "write": 0} for who in settings.API_LIMITS}


@pytest.fixture
def home(people: Any) -> House:
    for records in ((MADE, FAILED), (FAILED,), (MADE, MADE)):
        table = create_table(club=people.home.club, season=people.home.season)
        for record in records:
            enter(table, record)
    count_season(people.home.season.pk)
    house: House = people.home
    return house


def at(home: House, name: str) -> str:
    return reverse(name, kwargs={"club": home.club.slug, "season": home.season.slug})


def is_explained(answer: Any) -> bool:
    """Return True if the answer refuses in words, False if it accepts."""
    assert answer.status_code < 500, answer.content[:500]
    if answer.status_code < 400:
        return False
    detail = answer.json()["detail"]
    assert detail.endswith((".", "?", "!")), detail
    return True


def put(api: ApiClient, home: House, values: dict[str, Any]) -> Any:
    url = at(home, "api-season-formula")
    return api("PUT", url, values, match=api.get(url)["ETag"])


def check_ranked(home: House, what: Any) -> None:
    """Count the season under its formula, compare with a count from scratch, and read what readers read."""
    count_season(home.season.pk)
    assert list(verify.differences([Season.objects.get(pk=home.season.pk)])) == [], what
    for name in ("season", "season-standings", "standings-csv", "api-standings"):
        assert Client().get(at(home, name)).status_code == 200, (what, name)


def test_each_part_with_each_odd_value_is_refused_or_ranks(home: House) -> None:
    api, refused, taken = ApiClient(key=key_for(home.owner)), 0, []
    for nth, part in enumerate((*FIELDS, "luck", "")):
        for value in ODD[nth % SHARE :: SHARE]:
            if is_explained(api("POST", at(home, "api-season-formula-preview"), {part: value})):
                refused += 1
            else:
                taken.append({part: value})
    assert refused > len(taken) > 0
    for values in taken[:: max(1, len(taken) // 10)]:
        assert not is_explained(put(api, home, values)), values
        check_ranked(home, values)


def test_malformed_bodies_are_refused(home: House) -> None:
    api = ApiClient(key=key_for(home.owner))
    for body in RAW:
        for method, name in (("PUT", "api-season-formula"), ("POST", "api-season-formula-preview")):
            answer = api.client.generic(
                method,
                at(home, name),
                body,
                content_type="application/json",
                headers={**api.headers, "Idempotency-Key": f"{hash(body)}-{method}"},
            )
            assert 400 <= answer.status_code < 500, (body[:20], answer.status_code)


def mixed(home: House) -> Iterator[dict[str, Any]]:
    """Yield formulas of several parts, each at one of its limits."""
    rng = random.Random(SEED)
    players = [str(pk) for pk in Player.objects.filter(club=home.club).values_list("pk", flat=True)]
    for _nth in range(MIXED):
        values: dict[str, Any] = {part: rng.choice(options) for part, options in CHOICES.items()}
        values |= {part: rng.choice(limits) for part, limits in WHOLE.items() if rng.random() < 0.5}
        values |= {part: rng.random() < 0.5 for part in SWITCHES}
        values["ties"] = rng.sample(TIES, rng.randrange(len(TIES)))
        if values["counts"] == "places":
            values["places"] = rng.choice(([MAX_POINTS] * MAX_PLACES, [-MAX_POINTS], [MAX_POINTS, 0, -MAX_POINTS]))
        if rng.random() < 0.5:
            values["handicap"] = {pk: rng.choice((-MAX_POINTS, MAX_POINTS)) for pk in players}
        if "lot" in values["ties"]:
            values["lot_seed"] = rng.choice(("0", "9" * 20, ""))
        yield values


def test_parts_at_their_limits_together_are_refused_or_rank(home: House) -> None:
    api, ranked = ApiClient(key=key_for(home.owner)), 0
    for values in mixed(home):
        if not is_explained(put(api, home, values)):
            ranked += 1
            check_ranked(home, values)
    assert ranked > 0


def test_the_page_refuses_in_words(home: House) -> None:
    owner = reader(home.owner)
    url = at(home, "season-formula")
    texts = [value if isinstance(value, str) else json.dumps(value) for value in ODD]
    for nth, part in enumerate(FIELDS):
        for text in texts[nth % (4 * SHARE) :: 4 * SHARE]:
            answer = owner.post(
                url, {"counts": "points", part: text, "do": "store" if nth % 2 else "", "seen": text[:40]}
            )
            assert answer.status_code < 500, (part, text[:20])
    for text in texts[:7]:
        for name in ("preset", "of", "version", "without"):
            assert owner.get(url, {name: text}).status_code < 500, (name, text[:20])
    services.formula_set(season=home.season, actor=None, values={"best": 1})
    check_ranked(home, "page")
