"""Take pictures of every screen: phone and desktop, light and dark, in German; those of the phone also in English.
Of every PDF it takes the first pages, where `pdftoppm` (poppler-utils) is installed.

    scripts/screenshots.py [FOLDER] [--only PREFIX ...] [--hands N]
    scripts/screenshots.py --for-help

FOLDER (by default var/screenshots) gets a file for each picture, and contact sheets in FOLDER/sheets/. The list of
screens and PDFs is in tests/screens; a separate server with its own database serves them.

`--for-help` writes only the pictures of the help pages, small and in German, into static/help/.
"""

from __future__ import annotations

import argparse
import contextlib
import html
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image
from playwright.sync_api import Browser, StorageState, sync_playwright

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from tests.servers import free_port  # noqa: E402

if TYPE_CHECKING:
    from tests.screens.pdfs import Pdf
    from tests.screens.screen import Screen, World

SIZES = {"360": (360, 640), "1280": (1280, 800)}
START_SECONDS = 120
ACT_MS = 15_000
HANDS = 1440
PDF_PAGES, PDF_DOTS = 3, 80
"""So many pages of a PDF, with so many dots per inch."""
HELP_PICTURES, HELP_QUALITY = PROJECT / "static" / "help", 72
SHEET_WIDTH, SHEET_HEIGHT = 1560, 1500
PDFS_ON_A_SHEET = (4, 8)
SHEET = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; width: {width}px; font: 15px sans-serif; background: #808080; }}
main {{ display: grid; grid-template-columns: repeat({columns}, minmax(0, 1fr)); gap: 8px; padding: 8px; }}
figure {{ margin: 0; max-height: {height}px; overflow: hidden; }} img {{ width: 100%; display: block; }}
</style><main>{figures}</main>"""


@dataclass(frozen=True)
class Album:
    """A size, a scheme and a language; the names of its pictures contain them."""

    size: str
    scheme: str
    language: str = "de"

    @property
    def name(self) -> str:
        return f"{self.size}-{self.scheme}" + ("" if self.language == "de" else f"-{self.language}")

    @property
    def on_a_sheet(self) -> tuple[int, int]:
        """The number of columns of a contact sheet, and of pictures on it."""
        return (5, 5) if self.size == "360" else (2, 4)

    def window(self) -> dict[str, Any]:
        """The options of a browser context."""
        width, height = SIZES[self.size]
        return {
            "viewport": {"width": width, "height": height},
            "color_scheme": self.scheme,
            "locale": "de-CH" if self.language == "de" else "en-GB",
            "device_scale_factor": 2 if self.size == "360" else 1,
            "reduced_motion": "reduce",
            # The actions of the screens are taps, also in a wide window: a tablet has one.
            "has_touch": True,
        }


ALBUMS = (*(Album(size, scheme) for size in SIZES for scheme in ("light", "dark")), Album("360", "light", "en"))


def prepare(data: Path, hands: int) -> World:
    """Create a database in `data` with the clubs of the screens."""
    for name in ("DATABASE_URL", "REDIS_URL", "DEBUG"):
        os.environ.pop(name, None)
    os.environ |= {"DATA_DIR": str(data), "DJANGO_SETTINGS_MODULE": "league.config.settings", "LOG_LEVEL": "ERROR"}
    os.environ["EMAIL_URL"] = f"filemail:///{data}/mail"
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connections

    from tests.screens.clubs import build

    call_command("migrate", verbosity=0)
    # Some answers are rendered in this process; they must link to the collected styles and scripts.
    call_command("collectstatic", interactive=False, verbosity=0)
    world = build(hands=hands)
    connections.close_all()
    return world


@contextlib.contextmanager
def server() -> Iterator[str]:
    """Start the product on a free port; end it after the block."""
    port = free_port()
    running = subprocess.Popen(
        [sys.executable, "manage.py", "serve"],
        cwd=PROJECT,
        env=os.environ | {"PORT": str(port)},
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    base = f"http://127.0.0.1:{port}"
    try:
        wait_for(base, running)
        yield base
    finally:
        if running.poll() is None:
            running.terminate()
            running.wait(60)


def wait_for(base: str, running: subprocess.Popen[bytes]) -> None:
    """Wait until the start page answers."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        if running.poll() is not None:
            sys.exit(f"The server ended with {running.returncode} before it answered.")
        with contextlib.suppress(OSError, urllib.error.URLError):
            urllib.request.urlopen(f"{base}/", timeout=5)
            return
        time.sleep(0.2)
    sys.exit(f"The server did not answer within {START_SECONDS} s.")


class Photographer:
    """A browser with the server's address, the parameters of addresses and the people's cookies."""

    def __init__(self, browser: Browser, base: str, world: World) -> None:
        self.browser, self.base, self.world = browser, base, world
        self.kept: dict[str, StorageState | None] = {"visitor": None}

    def sign_in(self) -> None:
        """Sign each person in and keep the cookies."""
        from tests.screens.clubs import PASSWORD, PEOPLE

        for who, address in PEOPLE.items():
            context = self.browser.new_context(base_url=self.base, has_touch=True, service_workers="block")
            page = context.new_page()
            page.goto("/login/")
            page.fill("[name=username]", address)
            page.fill("[name=password]", PASSWORD)
            page.tap("main .btn")
            page.wait_for_url(lambda url: not url.endswith("/login/"))
            self.kept[who] = context.storage_state()
            context.close()

    def fetch(self, pdf: Pdf) -> bytes:
        """Return a PDF in German. Raises ValueError for any other answer."""
        context = self.browser.new_context(base_url=self.base, storage_state=self.kept[pdf.who], locale="de-CH")
        try:
            answer = context.request.get(pdf.address.format(**self.world))
            if answer.headers.get("content-type") != "application/pdf":
                raise ValueError(f"{answer.status} {answer.headers.get('content-type')} instead of a PDF")
            return answer.body()
        finally:
            context.close()

    def take(self, screen: Screen, album: Album, to: Path) -> None:
        """Take one picture in a new window, so that nothing typed on another screen is kept."""
        from tests.screens.screen import without_the_pencil

        # The service worker would request pages of its own.
        window = album.window() | {"service_workers": "block"}
        context = self.browser.new_context(base_url=self.base, storage_state=self.kept[screen.who], **window)
        context.set_default_timeout(ACT_MS)
        without_the_pencil(context)
        if album.language != "de":
            context.add_cookies([{"name": "django_language", "value": album.language, "url": self.base}])
        page = context.new_page()
        try:
            screen.open(page, self.world)
            page.screenshot(path=to, full_page=screen.whole)
        finally:
            context.close()


def help_pictures(photographer: Photographer, folder: Path, faults: list[str]) -> int:
    """Write the first view of the screen of each help page as WebP; return the number of pictures."""
    from tests.screens.help import PICTURES

    HELP_PICTURES.mkdir(exist_ok=True)
    for screen in PICTURES:
        to = folder / f"{screen.name}.png"
        try:
            photographer.take(screen, Album("360", "light"), to)
        except Exception as fault:
            faults.append(f"{screen.name}: {str(fault).splitlines()[0]}")
            continue
        with Image.open(to) as picture:
            picture.save(HELP_PICTURES / f"{screen.name}.webp", quality=HELP_QUALITY, method=6)
    return len(PICTURES) - len(faults)


def pdf_pages(photographer: Photographer, wanted: Sequence[Pdf], folder: Path, faults: list[str]) -> list[Path]:
    """Write each PDF and pictures of its first pages into the folder; return the pictures."""
    draws = shutil.which("pdftoppm")
    if draws is None:
        print("There are no pictures of PDFs: pdftoppm is not installed (apt-get install poppler-utils).")
    taken: list[Path] = []
    for pdf in wanted:
        to = folder / f"pdf-{pdf.name}.pdf"
        try:
            to.write_bytes(photographer.fetch(pdf))
        except Exception as fault:
            faults.append(f"{to.stem}: {str(fault).splitlines()[0]}")
            continue
        if draws:
            options = ["-png", "-r", str(PDF_DOTS), "-l", str(PDF_PAGES), str(to), str(to.with_suffix(""))]
            subprocess.run([draws, *options], check=True)
            taken += sorted(folder.glob(f"{to.stem}-[0-9]*.png"))
    return taken


def contact_sheets(
    browser: Browser, pictures: Sequence[Path], name: str, on_a_sheet: tuple[int, int], folder: Path
) -> None:
    """Put several pictures side by side; a very long one is cut off. `on_a_sheet`: columns, and pictures."""
    columns, most = on_a_sheet
    folder.mkdir(exist_ok=True)
    page = browser.new_page(viewport={"width": SHEET_WIDTH, "height": 100})
    for first in range(0, len(pictures), most):
        shown = pictures[first : first + most]
        figures = "".join(
            f'<figure><figcaption>{html.escape(each.stem)}</figcaption><img src="../{each.name}"></figure>'
            for each in shown
        )
        high = SHEET_HEIGHT * columns // most
        text = SHEET.format(width=SHEET_WIDTH, height=high, columns=columns, figures=figures)
        source = folder / f"{name}-{first // most + 1:02}.html"
        source.write_text(text)
        page.goto(source.as_uri())
        page.screenshot(path=source.with_suffix(".png"), full_page=True)
        source.unlink()
    page.close()


def screens_and_pdfs(photographer: Photographer, only: Sequence[str], folder: Path, faults: list[str]) -> int:
    """Take every screen in every album, and every PDF, whose name begins with one of `only`; return the number of
    pictures."""
    from tests.screens.pages import SCREENS
    from tests.screens.pdfs import PDFS

    folder.mkdir(parents=True, exist_ok=True)
    for album in ALBUMS:
        for old in (*folder.glob(f"*-{album.name}.png"), *folder.glob(f"sheets/{album.name}-*.png")):
            old.unlink()
    for old in (*folder.glob("pdf-*"), *folder.glob("sheets/pdf-*.png")):
        old.unlink()
    begins = tuple(only)
    wanted = [screen for screen in SCREENS if screen.name.startswith(begins)]
    pdfs = [pdf for pdf in PDFS if pdf.name.startswith(begins) or f"pdf-{pdf.name}".startswith(begins)]
    browser, count = photographer.browser, 0
    for album in ALBUMS:
        taken = []
        for screen in wanted:
            to = folder / f"{screen.name}-{album.name}.png"
            try:
                photographer.take(screen, album, to)
                taken.append(to)
            except Exception as fault:
                faults.append(f"{to.stem}: {str(fault).splitlines()[0]}")
        count += len(taken)
        contact_sheets(browser, taken, album.name, album.on_a_sheet, folder / "sheets")
    pages = pdf_pages(photographer, pdfs, folder, faults)
    contact_sheets(browser, pages, "pdf", PDFS_ON_A_SHEET, folder / "sheets")
    return count + len(pages)


def main(arguments: Sequence[str]) -> int:
    """Take the pictures; return 1 if one of them failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=PROJECT / "var" / "screenshots", metavar="FOLDER")
    parser.add_argument(
        "--only", nargs="+", default=[""], metavar="PREFIX", help="screens and PDFs whose names begin so; pdf: all PDFs"
    )
    parser.add_argument("--hands", type=int, default=HANDS, help="hands of the demo (default: %(default)s)")
    parser.add_argument("--for-help", action="store_true", help="write the pictures of the help pages instead")
    asked = parser.parse_args(arguments)
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        sys.exit("There is no Chromium here; install it first (apt-get install chromium).")
    folder: Path = HELP_PICTURES if asked.for_help else asked.folder.resolve()
    faults: list[str] = []
    with tempfile.TemporaryDirectory(prefix="chratzete-pictures-") as data:
        world = prepare(Path(data), asked.hands)
        with server() as base, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            photographer = Photographer(browser, base, world)
            photographer.sign_in()
            if asked.for_help:
                count = help_pictures(photographer, Path(data), faults)
            else:
                count = screens_and_pdfs(photographer, asked.only, folder, faults)
            browser.close()
    print(f"{count} pictures are in {folder}")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
