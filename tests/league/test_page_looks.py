"""The polls of pages with many readers: 304 to a look of this session that finds nothing new."""

from __future__ import annotations

import html
import json
import re
import time

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Table
from games.table import pencil
from league.models import Club, Membership, Player
from league.standings.counting import count_season
from league.web import page_versions
from tests.clients import signed_in, visitor
from tests.factories import MADE, enter
from tests.league.test_page_versions import addresses
from tests.league.test_page_versions import no_kept_page as no_kept_page  # a fixture
from tests.league.test_page_versions import table as table  # a fixture

pytestmark = pytest.mark.django_db


def look(client: Client, url: str) -> tuple[str, dict[str, str]]:
    """Load a page; return the address of its poll, and the headers that it sends."""
    page = client.get(url).content.decode()
    match = re.search(r'hx-get="([^"]+)"[^>]*hx-headers="([^"]+)"', page)
    assert match
    return html.unescape(match[1]), json.loads(html.unescape(match[2]))


def looked_at(table: Table) -> dict[str, str]:
    urls = addresses(table)
    where = {"club": table.evening.club.slug, "table": table.pk}
    return {"season": urls["season"], "evening": urls["evening"], "table": reverse("table", kwargs=where)}


@pytest.mark.parametrize("page", ["season", "evening", "table"])
def test_a_look_costs_one_query_until_something_changes(people, table, page):
    client = signed_in(people.home.recorder)
    url, headers = look(client, looked_at(table)[page])
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(url, headers=headers)
    assert (answer.status_code, answer["ETag"], len(queries)) == (304, headers["If-None-Match"], 1)
    enter(table, MADE)
    count_season(table.evening.season_id)
    changed = client.get(url, headers=headers)
    assert changed.status_code == 200
    # The new part has a look of its own.
    assert "Look" in html.unescape(changed.content.decode())


@pytest.mark.parametrize("page", ["season", "evening"])
def test_people_of_equal_rights_share_a_part_and_each_has_a_look(people, table, page):
    Membership.objects.filter(user=people.home.treasurer).update(role="member")
    clients = [signed_in(user) for user in (people.home.member, people.home.treasurer)]
    looks = [look(client, looked_at(table)[page]) for client in clients]
    enter(table, MADE)
    answers, queries = [], []
    for client, (url, headers) in zip(clients, looks, strict=True):
        with CaptureQueriesContext(connection) as made:
            answers.append(client.get(url, headers=headers).content.decode())
        queries.append(len(made))
    look_headers = [json.loads(html.unescape(re.search(r'hx-headers="([^"]+)"', text)[1])) for text in answers]  # type: ignore[index]
    assert look_headers[0]["Look"] != look_headers[1]["Look"]
    assert answers[0].replace(look_headers[0]["Look"], "") == answers[1].replace(look_headers[1]["Look"], "")
    assert queries[1] < queries[0]
    for client, (url, _old), headers in zip(clients, looks, look_headers, strict=True):
        assert client.get(url, headers=headers).status_code == 304


def test_a_player_gets_a_part_of_their_own(people, table):
    Player.objects.filter(pk=table.places.earliest("seat").player_id).update(user=people.home.member)
    Membership.objects.filter(user=people.home.treasurer).update(role="member")
    url = addresses(table)["season-standings"]
    mine, other = (signed_in(user).get(url).content for user in (people.home.member, people.home.treasurer))
    assert (b'class="mine"' in mine, b'class="mine"' in other) == (True, False)


def test_a_reader_who_lost_the_right_gets_nothing_new(people, table):
    Club.objects.update(visibility=Club.Visibility.PRIVATE)
    client = signed_in(people.home.recorder)
    looks = [look(client, url) for url in looked_at(table).values()]
    Membership.objects.filter(user=people.home.recorder).delete()
    enter(table, MADE)
    for url, headers in looks:
        assert client.get(url, headers=headers).status_code == 404


def test_a_look_is_invalid_in_another_session(people, table):
    url, headers = look(signed_in(people.home.recorder), looked_at(table)["table"])
    assert visitor().get(url, headers=headers).status_code == 302
    assert signed_in(people.stranger).get(url, headers=headers).status_code == 403


@pytest.mark.parametrize("made_up", ["x", "9999999999-0:abc", "9999999999"])
def test_a_forged_look_is_invalid(people, table, made_up):
    client = signed_in(people.home.recorder)
    url, headers = look(client, looked_at(table)["evening"])
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(url, headers=headers | {"Look": made_up})
    assert answer.status_code == 200
    assert len(queries) > 1


def test_a_look_expires_and_the_answer_has_a_new_one(people, table, monkeypatch):
    client = signed_in(people.home.recorder)
    url, headers = look(client, looked_at(table)["evening"])
    later = time.time() + page_versions.LOOK_SECONDS + 1
    monkeypatch.setattr(page_versions.time, "time", lambda: later)
    renewed = client.get(url, headers=headers)
    assert renewed.status_code == 200
    match = re.search(r'hx-headers="([^"]+)"', renewed.content.decode())
    assert match
    assert client.get(url, headers=json.loads(html.unescape(match[1]))).status_code == 304


def test_a_look_of_one_language_does_not_hide_the_other(people, table):
    client = signed_in(people.home.member)
    url, headers = look(client, looked_at(table)["evening"])
    answer = client.get(url, headers=headers | {"accept-language": "en"})
    assert answer.status_code == 200
    assert b"hands" in answer.content


@pytest.mark.parametrize("state", ["taken", "asked"])
def test_a_look_at_a_table_sees_the_pencil_move(people, table, state):
    client = signed_in(people.home.recorder)
    pencil.take_over(table, people.home.recorder, "mine")
    url, headers = look(client, looked_at(table)["table"])
    assert client.get(url, headers=headers).status_code == 304
    if state == "taken":
        pencil.take_over(table, people.home.owner, "other")
    else:
        pencil.ask(table, people.home.owner, "other")
    assert client.get(url, headers=headers).status_code == 200
