"""A script in a nickname, and in every other text that somebody may choose: run in the browser, and nothing runs.

The browser is told to leave the content security policy aside: it is a second wall, and would hide a hole in the
first. Whatever a text manages to run shows in the console.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.template import engines
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext

from games.closing.receipts import token_for
from games.closing.services import evening_close, evening_reopen
from games.mending.corrections import correct
from games.mending.edits import TakeOut
from games.models import Dispute, Hand, Table
from games.paper import nights
from league.hooks.services import hook_add
from league.models import Club, Invitation, Player
from league.standings import count_season
from league.submissions import submit
from tests.cast import House, cast
from tests.factories import FAILED, MADE, TOLD, enter, open_table, void
from tests.permissions import ROUTES
from tests.security.walking import every_way

pytestmark = [pytest.mark.once, pytest.mark.django_db(transaction=True)]

MARK = "ran=1"
TEXTS = (
    "<script>ran=1</script>",
    "<img src=x onerror=ran=1>",
    '"><svg onload=ran=1>',
    "'><svg onload=ran=1>",
    "</script><script>ran=1</script>",
    '" autofocus onfocus=ran=1 x="',
    "</title><svg onload=ran=1>",
)
LISTEN = "Object.defineProperty(window, 'ran', { set(value) { console.log('EXECUTED ' + value); } });"


def fill(house: House) -> dict[str, Any]:
    """A club whose every text is a script; what the addresses of its pages name."""
    long = "".join(TEXTS)
    club, owner = house.club, house.owner
    Club.objects.filter(pk=club.pk).update(name=long[:120], place=long[:120])
    owner.first_name, owner.last_name = TEXTS[0], TEXTS[1]
    owner.save()
    house.season.name = long[:60]
    house.season.save()
    players = [Player.objects.create(club=club, nickname=text) for text in TEXTS]
    Player.objects.filter(pk=players[1].pk).update(publicity="pseudonym", pseudonym=TEXTS[4], user=owner)
    table = open_table(club=club, season=house.season, players=players, author=owner, seats=7)
    for record in (MADE, FAILED, MADE):
        enter(table, record, author=owner)
    void(table, author=owner)
    enter(table, MADE, author=owner)
    correct(table=table, edit=TakeOut(2), author=owner, key=uuid.uuid4(), reason=long[:200])
    ends = {"evening": table.evening, "author": owner}
    evening_close(key=uuid.uuid4(), **ends)
    evening_reopen(key=uuid.uuid4(), owner=True, reason=long[:200], **ends)
    closing = evening_close(key=uuid.uuid4(), **ends)
    told = open_table(club=club, season=house.season, players=players[:5], author=owner)
    enter(told, TOLD, author=owner)
    _dispute(told, owner, long)
    week = timezone.now() + timedelta(days=7)
    Invitation.objects.create(club=club, note=long[:80], digest="x", expires_at=week, author=owner)
    hook = hook_add(club=club, actor=owner, url="https://hook.example/?a='><b>", events=["hand.stored"])
    count_season(house.season.pk)
    return {
        "club": club.slug,
        "season": house.season.slug,
        "player": players[1].pk,
        "tables": [table.pk, told.pk],
        "evenings": [table.evening_id, told.evening_id],
        "code": nights.code(told.pk),
        "hook": hook.pk,
        "token": token_for(closing.pk, players[0].pk),
    }


def _dispute(table: Table, author: Any, text: str) -> None:
    hand = Hand.objects.get(table=table, number=1)
    claimed = submit(club_id=table.evening.club_id, key=uuid.uuid4(), body_hash="x", author=author)
    more = {"revision": 1, "kind": "raised", "text": text[:300], "submission": claimed}
    Dispute.objects.create(hand=hand, player_id=table.dealer_id, author=author, **more)


def pages(names: dict[str, Any]) -> Iterator[str]:
    """The addresses of all pages whose places can be filled."""
    for way in every_way():
        if way.name not in ROUTES or way.name.startswith("api-") or way.name in ("logout", "account_logout"):
            continue
        for n in range(2 if way.wants & {"table", "evening"} else 1):
            known = {**names, "table": names["tables"][n], "evening": names["evenings"][n], "number": 1}
            if way.wants <= known.keys():
                yield reverse(way.name, kwargs={name: known[name] for name in way.wants})


@pytest.fixture
def house() -> House:
    return cast().home


def showing(house: House) -> list[str]:
    """Pages that answer an owner with one of the texts in them."""
    client = Client()
    client.force_login(house.owner)
    found = []
    for url in dict.fromkeys(pages(fill(house))):
        answer = client.get(url)
        is_page = answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html")
        if is_page and MARK in answer.content.decode():
            found.append(url)
    return found


@pytest.fixture
def opened(chromium: Browser, live_server: Any, house: House) -> Iterator[Any]:
    """Opens addresses as the owner; what ran there, by address."""
    contexts: list[BrowserContext] = []

    def open_all(urls: list[str], *, policy: bool) -> dict[str, list[str]]:
        context = chromium.new_context(bypass_csp=not policy, base_url=live_server.url)
        contexts.append(context)
        client = Client()
        client.force_login(house.owner)
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
        context.add_init_script(LISTEN)
        page, ran = context.new_page(), {}
        heard: list[str] = []
        page.on("console", lambda message: heard.append(message.text))
        page.on("dialog", lambda dialog: (heard.append("EXECUTED dialog"), dialog.dismiss()))
        for url in urls:
            heard.clear()
            page.goto(url, wait_until="load")
            page.wait_for_timeout(50)
            ran[url] = [text for text in heard if "EXECUTED" in text or "Content Security Policy" in text]
        return ran

    yield open_all
    for context in contexts:
        context.close()


def test_nothing_runs_on_any_page_that_shows_it(house: House, opened: Any) -> None:
    urls = showing(house)
    assert len(urls) > 35, urls
    ran = opened(urls, policy=False)
    assert {url: texts for url, texts in ran.items() if texts} == {}


def test_without_escaping_it_would_run(house: House, opened: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: the same pages, with the templates' escaping off."""
    club = [reverse("club", kwargs={"club": house.club.slug})]
    fill(house)
    monkeypatch.setattr(engines["django"].engine, "autoescape", False)
    assert "EXECUTED 1" in opened(club, policy=False)[club[0]]


def test_the_policy_alone_would_stop_it_too(house: House, opened: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    club = [reverse("club", kwargs={"club": house.club.slug})]
    fill(house)
    monkeypatch.setattr(engines["django"].engine, "autoescape", False)
    heard = opened(club, policy=True)[club[0]]
    assert not [text for text in heard if "EXECUTED" in text]
    assert [text for text in heard if "Content Security Policy" in text]
