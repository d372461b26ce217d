"""Draw the icons of the app from static/icon.svg: `scripts/icons.py`. Their files are part of the repository.

`any` is the icon as it is. A `maskable` one fills its square, because a phone cuts its own shape out of it: the mark is
within the inner circle of 80 %. The touch icon of Apple fills its square as well; iOS rounds the corners.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from tests.chromium import ARGUMENTS, PROGRAMS  # noqa: E402

MARK = (PROJECT / "static" / "icon.svg").read_text(encoding="utf-8")
FULL = re.sub(r' rx="\d+"', "", MARK)
# The mark's circle has 19 of 32 units: in a maskable icon it stays as large, well inside the circle of 80 %.
PAGE = "<!doctype html><style>body {{ margin: 0 }} svg {{ display: block; width: {0}px }}</style>{1}"


def draw(page: Page, svg: str, size: int, path: Path) -> None:
    """Write a PNG of `size` pixels."""
    path.parent.mkdir(exist_ok=True)
    page.set_viewport_size({"width": size, "height": size})
    page.set_content(PAGE.format(size, svg))
    page.screenshot(path=path, omit_background=True)


def main() -> None:
    program = next(filter(None, map(shutil.which, PROGRAMS)))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        page = browser.new_page()
        for size in (192, 512):
            draw(page, MARK, size, PROJECT / "static" / "icons" / f"any-{size}.png")
            draw(page, FULL, size, PROJECT / "static" / "icons" / f"maskable-{size}.png")
        draw(page, FULL, 180, PROJECT / "public" / "apple-touch-icon.png")
        browser.close()


if __name__ == "__main__":
    main()
