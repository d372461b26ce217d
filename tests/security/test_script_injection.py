"""Scripts in nicknames and every other text of a person: a real browser runs none of them.

The browser ignores the content security policy here: this second guard would hide a missing escape. A script that
runs writes to the console.
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
from games.corrections.edits import TakeOut
from games.corrections.services import correct
from games.models import Dispute, Hand, Table
from games.paper import sheet_code
from league.ledger.idempotency import submit
from league.models import Club, Invitation, Player
from league.standings.counting import count_season
from league.webhooks.services import webhook_add
from tests.cast import House, cast
from tests.factories import FAILED, MADE, WITH_CARDS, create_table, enter, void
from tests.page_events import console_read
from tests.permissions import ROUTES
from tests.security.addresses import every_address

pytestmark = [pytest.mark.rest, pytest.mark.django_db(transaction=True)]

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
    """Fill a club with scripts in every text; return the parameters of its addresses."""
    long = "".join(TEXTS)
    club, owner = house.club, house.owner
    Club.objects.filter(pk=club.pk).update(name=long[:120], place=long[:120])
    owner.first_name, owner.last_name = TEXTS[0], TEXTS[1]
    owner.save()
    house.season.name = long[:60]
    house.season.save()
    players = [Player.objects.create(club=club, nickname=text) for text in TEXTS]
    Player.objects.filter(pk=players[1].pk).update(publicity="pseudonym", pseudonym=TEXTS[4], user=owner)
    table = create_table(club=club, season=house.season, players=players, author=owner, seats=7)
    for record in (MADE, FAILED, MADE):
        enter(table, record, author=owner)
    void(table, author=owner)
    enter(table, MADE, author=owner)
    correct(table=table, edit=TakeOut(2), author=owner, key=uuid.uuid4(), reason=long[:200])
    ends = {"evening": table.evening, "author": owner}
    evening_close(key=uuid.uuid4(), **ends)
    evening_reopen(key=uuid.uuid4(), owner=True, reason=long[:200], **ends)
    closing = evening_close(key=uuid.uuid4(), **ends)
    with_cards = create_table(club=club, season=house.season, players=players[:5], author=owner)
    enter(with_cards, WITH_CARDS, author=owner)
    _dispute(with_cards, owner, long)
    week = timezone.now() + timedelta(days=7)
    Invitation.objects.create(club=club, note=long[:80], digest="x", expires_at=week, author=owner)
    webhook = webhook_add(club=club, actor=owner, url="https://webhook.example/?a='><b>", events=["hand.stored"])
    count_season(house.season.pk)
    return {
        "club": club.slug,
        "season": house.season.slug,
        "player": players[1].pk,
        "tables": [table.pk, with_cards.pk],
        "evenings": [table.evening_id, with_cards.evening_id],
        "code": sheet_code.code(with_cards.pk),
        "webhook": webhook.pk,
        "token": token_for(closing.pk, players[0].pk),
    }


def _dispute(table: Table, author: Any, text: str) -> None:
    hand = Hand.objects.get(table=table, number=1)
    claimed = submit(club_id=table.evening.club_id, key=uuid.uuid4(), body_hash="x", author=author)
    more = {"revision": 1, "kind": "raised", "text": text[:300], "submission": claimed}
    Dispute.objects.create(hand=hand, player_id=table.dealer_id, author=author, **more)


def pages(names: dict[str, Any]) -> Iterator[str]:
    """Return the addresses of all pages for which all parameters are known."""
    for address in every_address():
        if (
            address.name not in ROUTES
            or address.name.startswith("api-")
            or address.name in ("logout", "account_logout")
        ):
            continue
        for n in range(2 if address.parameters & {"table", "evening"} else 1):
            known = {**names, "table": names["tables"][n], "evening": names["evenings"][n], "number": 1}
            if address.parameters <= known.keys():
                yield reverse(address.name, kwargs={name: known[name] for name in address.parameters})


@pytest.fixture
def house() -> House:
    return cast().home


def showing(house: House) -> list[str]:
    """Return the pages that show an owner one of the texts."""
    client = Client()
    client.force_login(house.owner)
    urls = []
    for url in dict.fromkeys(pages(fill(house))):
        answer = client.get(url)
        is_page = answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html")
        if is_page and MARK in answer.content.decode():
            urls.append(url)
    return urls


@pytest.fixture
def opened(chromium: Browser, live_server: Any, house: House) -> Iterator[Any]:
    """Give a function that opens addresses as the owner and returns the scripts that ran, by address."""
    contexts: list[BrowserContext] = []

    def open_all(urls: list[str], *, policy: bool) -> dict[str, list[str]]:
        context = chromium.new_context(bypass_csp=not policy, base_url=live_server.url, service_workers="block")
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
            console_read(page)
            ran[url] = [text for text in heard if "EXECUTED" in text or "Content Security Policy" in text]
        return ran

    yield open_all
    for context in contexts:
        context.close()


def test_no_script_runs_on_a_page_that_shows_it(house: House, opened: Any) -> None:
    urls = showing(house)
    assert len(urls) > 35, urls
    ran = opened(urls, policy=False)
    assert {url: texts for url, texts in ran.items() if texts} == {}


def test_without_escaping_the_script_runs(house: House, opened: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same pages without the escaping of the templates."""
    club = [reverse("club", kwargs={"club": house.club.slug})]
    fill(house)
    monkeypatch.setattr(engines["django"].engine, "autoescape", False)
    assert "EXECUTED 1" in opened(club, policy=False)[club[0]]


def test_the_policy_alone_stops_the_script_too(house: House, opened: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    club = [reverse("club", kwargs={"club": house.club.slug})]
    fill(house)
    monkeypatch.setattr(engines["django"].engine, "autoescape", False)
    heard = opened(club, policy=True)[club[0]]
    assert not [text for text in heard if "EXECUTED" in text]
    assert [text for text in heard if "Content Security Policy" in text]
