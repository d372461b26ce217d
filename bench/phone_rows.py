"""The first visit of a phone on a slow network: the time until a hand can be entered."""

import statistics
import time
from collections.abc import Iterator

from bench.databases import SQLITE
from bench.demo_server import Demo, server
from bench.evening import OTHER_CLUB, OTHER_RECORDER, RecordedEvening
from bench.measure import ROUNDS, Row, not_measured
from bench.polled_part import signed_in
from tests.chromium import ARGUMENTS, program
from tests.servers import NoServer

SLOW_3G = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
"""400 ms for each request, 400 kbit/s: what browsers call slow 3G."""
READY = "#hand[data-heard]"
"""The entry has read the database of the phone, and hears taps."""
WHAT = "first visit of a slow 3G phone until a hand can be entered"


def rows(demo: Demo) -> Iterator[Row]:
    """Yield the row: the median of visits, each without anything kept."""
    if program() is None:
        yield not_measured(WHAT, NoServer("Chromium is not installed"))
        return
    data = demo.on(SQLITE).copy("phone")
    data.use()
    evening = RecordedEvening(OTHER_CLUB, OTHER_RECORDER)
    cookies = signed_in(OTHER_RECORDER)
    with server(data) as running:
        address = f"http://127.0.0.1:{running.port}"
        took = statistics.median(visits(address, f"/c/{evening.club.slug}/t/{evening.table.pk}/", cookies))
    data.remove()
    yield Row(WHAT, f"{took:.1f} s", f"{ROUNDS} visits", took, 4, 3.5, at_most=True, unit="s")


def visits(address: str, path: str, cookies: str) -> list[float]:
    """Return the seconds of each visit. The device stays the same one, so that it keeps the pencil."""
    from playwright.sync_api import sync_playwright

    kept = [
        dict(zip(("name", "value"), cookie.split("=", 1), strict=True), url=address) for cookie in cookies.split("; ")
    ]
    took = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program(), args=ARGUMENTS)
        # The first visit starts what the server starts once, and names the device.
        for number in range(ROUNDS + 1):
            phone = browser.new_context(viewport={"width": 360, "height": 640}, service_workers="block")
            phone.add_cookies(kept)
            page = phone.new_page()
            network = phone.new_cdp_session(page)
            network.send("Network.enable")
            network.send("Network.emulateNetworkConditions", SLOW_3G)
            begun = time.perf_counter()
            page.goto(address + path, wait_until="commit")
            page.wait_for_selector(READY)
            if number:
                took.append(time.perf_counter() - begun)
            kept = phone.cookies()
            phone.close()
        browser.close()
    return took
