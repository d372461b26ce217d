"""The outbox sends writes as JSON, in order and with their keys, and reads the answers; the server is a stub here."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Request, Route, expect

from games.models import Table

from .outbox_steps import FLUSH, NO_ANSWER, kept, nothing_kept
from .sign_in import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Answer = Callable[[dict[str, Any]], tuple[int, dict[str, Any]]]
URL = "/c/roessli/t/1/night/"
CLUB_URL = "/c/roessli/night/"
PUT = """async ([url, writes]) => {
  const outbox = await import("/static/js/outbox.js");
  for (const write of writes) {
    await outbox.put(outbox.itemOf(write, { url, title: write.kind, summary: write.key, number: write.number }));
  }
}"""


@pytest.fixture
def expected(expected: tuple[str, ...]) -> tuple[str, ...]:
    """Requests that the test cuts off are no fault, nor are answers of a server that is out of order."""
    return (*expected, NO_ANSWER, "status of 5")


class Server:
    """Answers every write with the result of `answer`; without a `network` no request arrives."""

    def __init__(self, phone: BrowserContext) -> None:
        self.network = True
        self.sent: list[dict[str, Any]] = []
        self.urls: list[str] = []
        self.requests = 0
        # The writes that one request stores before its time is over.
        self.most = 50
        self.answer: Answer = lambda write: (200, stored())
        phone.route(re.compile(r"/night/$"), self)

    def __call__(self, route: Route) -> None:
        if not self.network:
            route.abort()
            return
        request = route.request
        body = request.post_data_json or {}
        assert request.headers["x-csrftoken"]
        assert request.headers["outbox"] == "1"
        self.requests += 1
        status, answer = self.several(request, body["writes"]) if "writes" in body else self.one(request, body)
        route.fulfill(status=status, content_type="application/json", body=json.dumps(answer))

    def one(self, request: Request, write: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.sent.append(write)
        self.urls.append("/" + request.url.split("/", 3)[3])
        return self.answer(write)

    def several(self, request: Request, writes: list[dict[str, Any]]) -> tuple[int, dict[str, Any]]:
        """As the server answers several writes: each by itself, up to the first one that is refused."""
        answers: list[dict[str, Any]] = []
        snapshot = None
        for write in writes:
            if any("refused" in reply for reply in answers) or len(answers) >= self.most:
                answers.append({"not_tried": True})
                continue
            status, answer = self.one(request, write)
            if "stored" not in answer and "refused" not in answer:
                return status, answer
            snapshot = answer.pop("snapshot", snapshot)
            answers.append(answer)
        return 200, {"answers": answers, "snapshot": snapshot}

    @property
    def kinds(self) -> list[str]:
        return [write["kind"] for write in self.sent]


def stored(players: dict[str, Any] | None = None, table: int = 1) -> dict[str, Any]:
    url = f"/c/roessli/t/{table}/"
    fields = {"at": url, "table": table, "table_url": url, "number": None, "players": players or {}, "difference": None}
    snapshot = {"made_at": 1, "table": {"id": table, "position": 1}, "urls": {"night": f"{url}night/"}, "seats": []}
    return {"stored": fields, "snapshot": snapshot | {"roster": [], "club": {"slug": "roessli"}}}


def refused(sentence: str = "So nicht.", final_on: str | None = None) -> dict[str, Any]:
    fault = {"code": "seats", "sentence": sentence, "clause": "", "at": "", "details": {}}
    return {"refused": fault, "snapshot": None, "stories": None, "final_on": final_on}


def write(kind: str, table: int | str = 1, **fields: Any) -> dict[str, Any]:
    common = {"format": 1, "key": str(uuid.uuid4()), "kind": kind, "club": "roessli", "table": table, "at": 1}
    return common | fields


def come(table: int | str = 1) -> dict[str, Any]:
    return write("come", table, guest="Fritz", after=7)


def leave(player: int | str, table: int | str = 1) -> dict[str, Any]:
    return write("leave", table, player=player)


@pytest.fixture
def server(page: Page, phone: BrowserContext, table: Table) -> Server:
    """A signed-in page on which nothing waits."""
    sign_in(page, "/c/roessli/")
    return Server(phone)


def put(page: Page, *writes: dict[str, Any], url: str = URL) -> None:
    page.evaluate(PUT, [url, list(writes)])


def statuses(page: Page) -> dict[str, str]:
    return {item["write"]["kind"]: item["status"] for item in kept(page)}


def test_a_clock_that_is_set_back_changes_nothing_in_the_order(page: Page, server: Server) -> None:
    later, earlier = write("pause") | {"at": 2_000_000}, write("resume") | {"at": 1_000_000}
    put(page, later, earlier)
    page.evaluate(FLUSH)
    assert server.sent == [later, earlier]
    assert kept(page) == []


def test_two_tabs_take_turns(page: Page, phone: BrowserContext, server: Server) -> None:
    """Both tabs send at once: each write is sent once, in order."""
    other = phone.new_page()
    other.goto("/c/roessli/")
    writes = [write("pause"), write("resume"), write("pause"), write("resume")]
    put(page, *writes)
    send = FLUSH.replace("async () => {", "() => { (async () => {").removesuffix("}") + "})(); }"
    page.evaluate(send)
    other.evaluate(send)
    nothing_kept(page)
    assert server.sent == writes


def test_a_lost_answer_is_asked_for_with_the_same_key(page: Page, server: Server) -> None:
    first = write("pause")
    server.answer = lambda sent: (503, {}) if len(server.sent) == 1 else (200, stored())
    put(page, first)
    page.evaluate(FLUSH)
    assert statuses(page) == {"pause": "waiting"}
    page.reload()
    nothing_kept(page)
    assert [sent["key"] for sent in server.sent] == [first["key"], first["key"]]


def many(number: int) -> list[dict[str, Any]]:
    return [write(("pause", "resume")[place % 2]) for place in range(number)]


def test_a_request_carries_the_writes_of_a_table_in_order(page: Page, server: Server) -> None:
    """Fifty at most; those of another table go in another request."""
    writes = [*many(60), write("pause", 2), *many(3)]
    put(page, *writes)
    page.evaluate(FLUSH)
    assert server.sent == writes
    assert server.requests == 4
    assert kept(page) == []


def test_after_a_refusal_the_rest_of_the_request_waits(page: Page, server: Server) -> None:
    writes = [write("pause"), write("leave", player=7), write("resume"), write("pause", 2)]
    server.answer = lambda sent: (422, refused()) if sent["kind"] == "leave" else (200, stored())
    put(page, *writes)
    page.evaluate(FLUSH)
    assert server.sent == [writes[0], writes[1], writes[3]]
    assert statuses(page) == {"leave": "refused", "resume": "waiting"}


def test_what_a_slow_server_did_not_try_goes_in_the_next_request(page: Page, server: Server) -> None:
    writes = many(5)
    server.most = 2
    put(page, *writes)
    page.evaluate(FLUSH)
    assert (server.sent, server.requests) == (writes, 3)


def test_a_request_that_is_not_understood_goes_write_by_write(page: Page, server: Server) -> None:
    """A server of an older version, or a body that is too long on the way."""
    writes = many(3)
    server.several = lambda request, sent: (422, refused())  # type: ignore[method-assign]
    put(page, *writes)
    page.evaluate(FLUSH)
    assert server.sent == writes
    assert kept(page) == []


@pytest.mark.core
def test_a_lost_answer_to_several_loses_and_doubles_nothing(page: Page, server: Server) -> None:
    """After it one goes alone, and then more again."""
    writes = many(12)
    lost: list[int] = []
    server.answer = lambda sent: (200, stored()) if lost else (lost.append(1) or (503, {}))  # type: ignore[func-returns-value]
    put(page, *writes)
    page.evaluate(FLUSH)
    assert statuses(page) == {"pause": "waiting", "resume": "waiting"}
    page.evaluate(FLUSH)
    assert server.sent == [writes[0], *writes]
    assert server.requests == 4
    assert kept(page) == []


QUEUED = """async ([url, writes, order, discarded]) => {
  const outbox = await import("/static/js/outbox.js");
  const items = writes.map((write) => outbox.itemOf(write, { url, title: write.kind, summary: write.key }));
  for (const item of items) await outbox.put(item);
  const sends = order.map((place) => outbox.send(items[place]));
  for (const place of discarded) await outbox.discard(items[place].key);
  return (await Promise.all(sends)).map(({ kind }) => kind);
}"""
"""Send writes at once, in this order, and discard some while the first is under way; return the outcomes."""


@pytest.mark.parametrize(("order", "outcomes"), [([0, 1], ["stored", "gone"]), ([1], ["gone"])])
def test_a_write_that_was_discarded_is_not_sent(
    page: Page, server: Server, order: list[int], outcomes: list[str]
) -> None:
    """Its turn comes once the one before it has an answer."""
    first, second = write("pause"), write("resume")
    assert page.evaluate(QUEUED, [URL, [first, second], order, [1]]) == outcomes
    nothing_kept(page)
    assert server.sent == [first]


def test_a_write_that_was_stored_meanwhile_is_not_sent_again(page: Page, server: Server) -> None:
    """The last one is sent after those before it; then the turn of these comes."""
    writes = [write("pause"), write("resume"), write("pause")]
    assert page.evaluate(QUEUED, [URL, writes, [2, 1, 0], []]) == ["stored"] * 3
    assert server.sent == writes


def test_a_reference_to_a_newcomer_gets_the_id_from_the_answer(page: Page, server: Server) -> None:
    newcomer = come()
    gone = leave(newcomer["key"])
    server.most = 1
    server.answer = lambda sent: (200, stored({newcomer["key"]: {"player": 42, "name": "Fritz"}}))
    put(page, newcomer, gone)
    page.evaluate(FLUSH)
    assert server.sent == [newcomer, gone | {"player": 42}]


def test_writes_after_an_evening_go_to_its_table(page: Page, server: Server) -> None:
    begin = write("begin")
    del begin["table"]
    gone = leave(f"{begin['key']}:2", begin["key"])
    known = {f"{begin['key']}:2": {"player": 42, "name": "Fritz"}}
    server.answer = lambda sent: (200, stored(known, table=9))
    put(page, begin, gone, url=CLUB_URL)
    page.evaluate(FLUSH)
    assert server.sent == [begin, gone | {"player": 42, "table": 9}]
    assert server.urls == [CLUB_URL, "/c/roessli/t/9/night/"]


def test_a_reference_to_a_refused_write_waits_at_every_table(page: Page, server: Server) -> None:
    newcomer, elsewhere = come(), leave(7, 2)
    gone, again = leave(newcomer["key"], 2), write("pause", 2)
    server.answer = lambda sent: (422, refused()) if sent["kind"] == "come" else (200, stored())
    put(page, newcomer, elsewhere, gone, again)
    page.evaluate(FLUSH)
    assert server.kinds == ["come", "leave", "pause"]
    (first, second) = kept(page)
    assert (first["status"], first["why"]) == ("refused", "So nicht.")
    assert second["key"] == gone["key"]
    page.locator("#outbox [data-line] button").tap()
    reason = page.locator(f'#outbox-list [data-key="{gone["key"]}"] [data-why]')
    assert "come" in reason.inner_text()


def test_a_sign_in_that_lapsed_keeps_the_write(page: Page, server: Server) -> None:
    server.answer = lambda sent: (401, {})
    put(page, write("pause"))
    page.evaluate(FLUSH)
    assert statuses(page) == {"pause": "sign-in"}
    assert len(server.sent) == 1


def test_items_of_the_first_version_keep_their_order(page: Page, phone: BrowserContext, server: Server) -> None:
    page.goto("about:blank")
    page.goto("/healthz")
    page.evaluate(
        """() => new Promise((done) => {
          indexedDB.deleteDatabase("chratzete").onsuccess = () => {
            const asked = indexedDB.open("chratzete", 1);
            asked.onupgradeneeded = () => asked.result.createObjectStore("outbox", { keyPath: "key" });
            asked.onsuccess = () => {
              const work = asked.result.transaction("outbox", "readwrite");
              const put = (key, at) => work.objectStore("outbox").put({ key, at, url: "/", body: "", user: "0" });
              for (const [key, at] of [["a", 3], ["b", 1], ["c", 2]]) put(key, at);
              work.oncomplete = () => { asked.result.close(); done(); };
            };
          };
        })"""
    )
    page.goto("/c/roessli/")
    order = (
        "async () => (await (await import('/static/js/outbox_store.js')).all()).map((item) => [item.key, item.place])"
    )
    assert page.evaluate(order) == [["b", 1], ["c", 2], ["a", 3]]


def test_only_refused_writes_are_removed_30_days_after_the_evening_was_final(page: Page, server: Server) -> None:
    """A year later the write that was never answered is still there."""
    final = {"pause": "2026-01-10", "resume": "2026-02-10"}
    server.answer = lambda sent: (409, refused(final_on=final[sent["kind"]])) if sent["kind"] in final else (503, {})
    put(page, write("pause", 1), write("resume", 2), write("leave", 3, player=7))
    page.evaluate(FLUSH)
    page.clock.install(time="2026-02-09T20:00:00Z")
    page.reload()
    page.wait_for_function("async () => (await (await import('/static/js/outbox.js')).all()).length === 3")
    page.clock.set_fixed_time("2026-02-11T20:00:00Z")
    page.reload()
    page.wait_for_function("async () => (await (await import('/static/js/outbox.js')).all()).length === 2")
    page.clock.set_fixed_time("2027-02-11T20:00:00Z")
    page.reload()
    page.wait_for_function("async () => (await (await import('/static/js/outbox.js')).all()).length === 1")
    assert statuses(page) == {"leave": "waiting"}


STORAGE = """(granted) => {
  const asked = () => { sessionStorage.setItem("asked", String(Number(sessionStorage.getItem("asked")) + 1)); };
  navigator.storage.persisted = () => Promise.resolve(false);
  navigator.storage.persist = () => { asked(); return Promise.resolve(granted); };
}"""


@pytest.mark.parametrize("granted", [True, False])
def test_the_browser_is_asked_once_for_persistent_storage(page: Page, server: Server, granted: bool) -> None:
    page.evaluate(STORAGE, granted)
    server.network = False
    put(page, write("pause"), write("resume"))
    page.evaluate(FLUSH)
    page.evaluate(FLUSH)
    assert page.evaluate("sessionStorage.getItem('asked')") == "1"
    page.locator("#outbox [data-line] button").tap()
    expect(page.locator("#outbox-list [data-may-go]")).to_be_visible(visible=not granted)


def test_the_browser_is_not_asked_without_waiting_writes(page: Page, server: Server) -> None:
    page.evaluate(STORAGE, True)
    put(page, write("pause"))
    page.evaluate(FLUSH)
    assert page.evaluate("sessionStorage.getItem('asked')") is None


def test_a_full_storage_has_a_notice_and_the_write_is_sent(page: Page, server: Server) -> None:
    # As a browser does it: the transaction is aborted.
    page.evaluate("() => { IDBObjectStore.prototype.put = function () { this.transaction.abort(); }; }")
    server.network = False
    put(page, write("pause"))
    page.evaluate(FLUSH)
    page.locator("#outbox [data-line] button").tap()
    reason = page.locator("#outbox-list [data-why]")
    expect(reason).to_contain_text(re.compile("keeps nothing|behält nichts"))
    server.network = True
    page.evaluate(FLUSH)
    assert server.kinds == ["pause"]
    assert page.evaluate("async () => (await (await import('/static/js/outbox.js')).all()).length") == 0


NEWEST = """async (snapshots) => {
  const { keep, newest } = await import("/static/js/night/snapshots.js");
  for (const snapshot of snapshots) await keep(snapshot);
  const found = [await newest("9"), ...await Promise.all(snapshots.map((snapshot) => newest("9", snapshot)))];
  return found.map((one) => one.name);
}"""


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
def test_of_two_snapshots_with_one_position_the_later_one_counts(page: Page, server: Server, order: list[int]) -> None:
    """The order in which they arrive has no effect: a page that the phone kept is older than an answer."""
    many = [
        {"name": name, "format": 1, "made_at": made_at, "table": {"id": 9, "position": position}}
        for name, position, made_at in (("early", 4, 1), ("late", 4, 2), ("before", 3, 3))
    ]
    assert page.evaluate(NEWEST, [many[place] for place in order]) == ["late"] * 4
