"""The frame of a printed page: its head and its foot. Lengths in millimetres."""

from __future__ import annotations

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ...web.pdf import Paper
from .printed_tournament import Content

EDGE = 14.0
FOOT = 14.0
DARK = 70
"""The grey of smaller text: readable on any printer."""


class Pages(Paper):
    """Pages on A4 with club and tournament on top, and the time of printing and the page number below."""

    def __init__(self, content: Content, title: str) -> None:
        super().__init__("a4", f"{content.name}: {title}")
        self.content = content
        self.heading = title
        self.set_author(content.club)

    @property
    def inner(self) -> float:
        """The width between the edges."""
        return float(self.w - 2 * EDGE)

    @property
    def bottom(self) -> float:
        """The height at which the foot begins."""
        return float(self.h - FOOT)

    def bare(self, *, landscape: bool = False) -> None:
        """Begin a page without head and foot."""
        self.add_page(orientation="landscape" if landscape else "portrait", same=False)
        self.ink()

    def begin(
        self, page: int, pages: int, about: str = "", *, landscape: bool = False, large: bool | None = None
    ) -> float:
        """Begin a page; return the height at which its content begins. `large`: the head of a page that is read alone,
        as the first page has it."""
        self.bare(landscape=landscape)
        content, right = self.content, self.w - EDGE
        half = self.inner / 2 - 3
        self.ink(DARK)
        self.put(EDGE, 13, half, content.name, 9.5, bold=True)
        self.put(right - half, 13, half, f"{content.club} · {content.day}", 9.5, align="R")
        self.ink()
        self.rule(EDGE, 17, right, 17, weight=0.5, grey=0)
        self._foot(page, pages)
        if not (page == 1 if large is None else large):
            self.put(EDGE, 23.5, self.inner, f"{self.heading} · {about}" if about else self.heading, 12, bold=True)
            return 29.0
        self.put(EDGE, 26.5, self.inner, self.heading, 24, bold=True)
        if not about:
            return 36.0
        self.ink(DARK)
        self.put(EDGE, 34.5, self.inner, about, 11)
        self.ink()
        return 41.0

    def ink(self, grey: int = 0) -> None:
        """Set the colour of the text that follows."""
        self.set_text_color(grey)

    def _foot(self, page: int, pages: int) -> None:
        right, y = self.w - EDGE, self.h - 8.5
        printed = date_format(timezone.localtime(self.content.at), "SHORT_DATETIME_FORMAT")
        self.rule(EDGE, y - 3.5, right, y - 3.5, weight=0.2, grey=DARK)
        self.ink(DARK)
        self.put(EDGE, y, self.inner / 2, _("printed %(at)s") % {"at": printed}, 8)
        self.put(right - 60, y, 60, page_text(page, pages), 8, align="R")
        self.ink()


def page_text(page: int, pages: int) -> str:
    """Return the page number as it is printed."""
    return _("Page %(page)d of %(pages)d") % {"page": page, "pages": pages}
