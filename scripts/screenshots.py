"""Pictures of every screen into var/screenshots/: phone and desk, light and dark, German and English.

Starts a server of its own on a fresh demo league, begins an evening in it and plays a few hands.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from tests.servers import free_port  # noqa: E402

OUT = PROJECT / "var" / "screenshots"
SIZES = {"360": (360, 640), "1280": (1280, 800)}
SCHEMES = ("light", "dark")
START_SECONDS = 300
OWNER, PASSWORD, CLUB = "doris@roessli.example", "chratze-demo", "roessli"
SEATED = ("Anna", "Beni", "Carlo", "Doris", "Emil")
LONG = ("Bartholomäus von Arx zu Oberdorf", "Maximiliana-Theresia")


@contextlib.contextmanager
def server(data: Path) -> Iterator[str]:
    """The product on a free port with the demo league; ends with the block."""
    shutil.rmtree(data, ignore_errors=True)
    port = free_port()
    env = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL", "DEBUG"}}
    env |= {"DATA_DIR": str(data), "PORT": str(port)}
    command = [sys.executable, "manage.py", "serve", "--demo"]
    running = subprocess.Popen(command, cwd=PROJECT, env=env, stdout=subprocess.DEVNULL, start_new_session=True)
    base = f"http://127.0.0.1:{port}"
    try:
        wait_for(base, running)
        yield base
    finally:
        os.killpg(running.pid, signal.SIGINT)
        running.wait(30)
        shutil.rmtree(data, ignore_errors=True)


def wait_for(base: str, running: subprocess.Popen[bytes]) -> None:
    """Until the season's standings answer."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        if running.poll() is not None:
            sys.exit(f"The server ended with {running.returncode} before it answered.")
        with contextlib.suppress(OSError, urllib.error.URLError):
            urllib.request.urlopen(f"{base}/c/{CLUB}/", timeout=5)
            return
        time.sleep(0.3)
    sys.exit(f"The server did not answer within {START_SECONDS} s.")


class Album:
    """One browser window: size, scheme and language are in the names of its pictures."""

    def __init__(self, browser: Browser, base: str, *, size: str, scheme: str, language: str = "de") -> None:
        width, height = SIZES[size]
        self.tail = f"{size}-{scheme}" + ("" if language == "de" else f"-{language}")
        self.context = browser.new_context(
            base_url=base,
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            locale="de-CH" if language == "de" else "en-GB",
            device_scale_factor=2 if size == "360" else 1,
            reduced_motion="reduce",
        )
        if language != "de":
            self.context.add_cookies([{"name": "django_language", "value": language, "url": base}])
        self.page: Page = self.context.new_page()

    def take(self, name: str, *, whole: bool = False) -> None:
        """A picture of what is on the screen, or of the whole page."""
        self.page.wait_for_load_state("networkidle")
        self.page.screenshot(path=OUT / f"{name}-{self.tail}.png", full_page=whole)

    def sign_in(self) -> None:
        self.page.goto("/login/")
        self.page.fill("[name=username]", OWNER)
        self.page.fill("[name=password]", PASSWORD)
        self.page.click("main .btn")
        self.page.wait_for_url(lambda url: not url.endswith("/login/"))

    def tap(self, *seats: int) -> None:
        for seat in seats:
            self.page.click(f'[data-seat="{seat}"] [data-tap]')

    def save(self) -> None:
        self.page.wait_for_selector("#told [data-accepted]")
        self.page.click("[data-save]")
        self.page.wait_for_url(re.compile(r"/h/\d+/$"))


def begin(album: Album, names: tuple[str, ...]) -> str:
    """A new evening with these players, who are in the roster or come as guests; the address of its table."""
    page = album.page
    page.goto(f"/c/{CLUB}/e/new/")
    for name in names:
        page.fill("[data-guest]", name)
        page.click("[data-add-guest]")
    page.click("[data-order] > li:last-child .deals")
    if names == SEATED:
        album.take("evening-new-filled", whole=True)
    page.click("[data-start]")
    page.wait_for_url(re.compile(r"/t/\d+/$"))
    return page.url


def play(album: Album, table: str) -> None:
    """Five hands, so that the screens have something to show."""
    hands: list[Callable[[], None]] = [
        lambda: album.tap(0, 1),
        lambda: album.page.click("[data-pass]"),
        lambda: album.tap(2, 0, 4),
        lambda: album.tap(3),
        lambda: (album.tap(1, 0, 3), album.page.click('[data-seat="3"] [data-mark="no"]'))[0],
    ]
    for enter in hands:
        album.page.goto(table)
        enter()
        album.save()


def recording(album: Album, table: str, many: str) -> None:
    """The screens of a recorder. Nothing is stored."""
    page = album.page
    page.goto(f"/c/{CLUB}/e/new/")
    album.take("evening-new")
    page.goto(table)
    album.take("table-first")
    album.take("table-whole", whole=True)
    album.tap(1, 0, 3)
    page.click('[data-seat="3"] [data-mark="no"]')
    page.wait_for_selector("#told [data-accepted]")
    album.take("table-entry")
    page.click("[data-counting]")
    page.click('[data-seat="1"] [data-step="1"]')
    album.take("table-tricks")
    page.click("[data-counting]")
    for seat in (0, 1, 3):
        page.click(f'[data-seat="{seat}"] [data-mark="no"]')
    page.wait_for_selector("#told [data-refused]")
    album.take("table-refused")
    page.keyboard.press("Escape")
    album.tap(int(page.get_attribute("#hand", "data-dealer") or 0))
    album.take("table-blind")
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    album.take("table-passed-out")
    page.keyboard.press("Escape")
    page.click("[popovertarget=more]")
    album.take("table-menu")
    page.goto(f"{table}h/5/")
    album.take("table-paid")
    page.click("[popovertarget=undo]")
    album.take("table-undo")
    page.goto(many)
    album.tap(0, 1, 2, 3, 4, 5, 6)
    page.wait_for_selector("#told [data-accepted]")
    album.take("table-seven")
    page.keyboard.press("Escape")


READING = {"season": r"/s/[\w-]+/$", "evening": r"/e/\d+/$", "player": r"/p/\d+/"}


def reading(album: Album) -> None:
    """What everybody may read, as the owner sees it."""
    page = album.page
    page.goto("/")
    album.take("home", whole=True)
    page.goto(f"/c/{CLUB}/")
    addresses: dict[str, str] = {"club": f"/c/{CLUB}/"}
    for name in ("season", "evening", "player"):
        links = page.eval_on_selector_all("main a", "links => links.map((link) => link.getAttribute('href'))")
        addresses[name] = next(link for link in links if re.search(READING[name], link))
        if name == "season":
            page.goto(addresses[name])
    for name, address in addresses.items():
        page.goto(address)
        album.take(name)
        album.take(f"{name}-whole", whole=True)
    page.goto("/nothing-here/")
    album.take("not-found")


def main() -> None:
    """Every screen in every scheme; an earlier album is thrown away."""
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        sys.exit("There is no Chromium here; install it first (apt-get install chromium).")
    with server(OUT / ".data") as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        first = Album(browser, base, size="360", scheme="light")
        first.sign_in()
        table, many = begin(first, SEATED), begin(first, (*SEATED, *LONG))
        play(first, table)
        for size in SIZES:
            for scheme in SCHEMES:
                album = Album(browser, base, size=size, scheme=scheme)
                album.page.goto("/login/")
                album.take("sign-in")
                album.sign_in()
                recording(album, table, many)
                reading(album)
        english = Album(browser, base, size="360", scheme="light", language="en")
        english.sign_in()
        recording(english, table, many)
        browser.close()
    print(f"{len(list(OUT.glob('*.png')))} pictures are in {OUT}")


if __name__ == "__main__":
    main()
