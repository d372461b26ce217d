"""PDF documents: fonts, lines of text that fit, QR codes. Lengths are in millimetres, font sizes in points."""

from __future__ import annotations

import math
import re
from contextlib import nullcontext
from typing import BinaryIO, cast

import segno
from django.utils import translation
from fpdf import FPDF
from fpdf.fonts import TTFFont
from PIL import Image

from .paper import FONTS, SIZES

FACE, WIDE_FACE = "Inter", "DejaVu"
GREY = 150
LEAST_SIZE = 6.0
SLANT = 10.0
"""Degrees: the fonts have no italics, so that upright letters are slanted."""


class Paper(FPDF):
    """A document with the fonts of the product."""

    # Only **bold** is markup. Other characters of Markdown are part of names.
    MARKDOWN_MARKERS = (FPDF.MARKDOWN_BOLD_MARKER,)  # type: ignore[assignment]
    MARKDOWN_LINK_REGEX = re.compile("(?!)")

    def __init__(self, size: str, title: str) -> None:
        super().__init__(unit="mm", format=SIZES[size])
        self.small = size == "a5"
        self.edge = 8.0 if self.small else 10.0
        self.set_auto_page_break(False)
        self.set_margin(0)
        self.c_margin = 0
        self.set_title(title)
        self.set_creator("Chratzete")
        self.set_lang(translation.get_language() or "en")
        self.add_font(FACE, "", FONTS / "inter-regular.ttf")
        self.add_font(FACE, "B", FONTS / "inter-semibold.ttf")
        self.wide = False
        self._ruler: Paper | None = None

    @staticmethod
    def _with_page() -> Paper:
        ruler = Paper("a4", "")
        ruler.add_page()
        return ruler

    def writes(self, text: str) -> None:
        """Load the second font if the first lacks a character of the text."""
        known = cast(TTFFont, self.fonts[FACE.lower()]).cmap
        if self.wide or all(ord(letter) in known for letter in text):
            return
        self.add_font(WIDE_FACE, "", FONTS / "dejavu-condensed.ttf")
        self.set_fallback_fonts([WIDE_FACE], exact_match=False)
        self.wide = True

    def fitted(self, text: str, width: float, size: float, *, bold: bool = False, least: float = LEAST_SIZE) -> float:
        """Set the font, made smaller in steps of half a point until the text fits; return the size."""
        self.writes(text)
        self.set_font(FACE, "B" if bold else "", size)
        taken = self.get_string_width(text)
        if taken > width and size > least:
            steps = math.ceil((size - max(width, 0) / taken * size) / 0.5)
            size = max(size - 0.5 * steps, least)
            self.set_font_size(size)
        return size

    def put(
        self,
        x: float,
        y: float,
        width: float,
        text: str,
        size: float,
        *,
        bold: bool = False,
        italic: bool = False,
        align: str = "L",
        least: float = LEAST_SIZE,
    ) -> float:
        """Write one line with its middle at height `y`; it is made smaller or cut off to fit the width. Return the
        width of the written text."""
        size = self.fitted(text, width, size, bold=bold, least=least)
        if self.get_string_width(text) > width:
            while text and self.get_string_width(text + "…") > width:
                text = text[:-1]
            text = text.rstrip() + "…"
        high = size * 0.36
        self.set_xy(x, y - high / 2)
        with self.skew(SLANT, 0, x, y) if italic else nullcontext():
            self.cell(width, high, text, align=align)
        return float(self.get_string_width(text))

    def put_logo(
        self, logo: BinaryIO | None, x: float, y: float, box: tuple[float, float], *, right: bool = False
    ) -> float:
        """Draw a club's logo (PNG) with its corner at `x`, `y`, as large as the box allows; with `right` up to `x`.
        Return the width that it takes with a gap; 0 without a logo."""
        if logo is None:
            return 0.0
        logo.seek(0)
        with Image.open(logo) as image:
            wide, high = image.size
        scale = min(box[0] / wide, box[1] / high)
        width, height = wide * scale, high * scale
        logo.seek(0)
        left = x - width if right else x
        self.image(logo, x=left, y=y + (box[1] - height) / 2, w=width, h=height)
        return width + 3.0

    def rule(self, x: float, y: float, x2: float, y2: float, *, weight: float = 0.1, grey: int = GREY) -> None:
        """Draw a straight line."""
        self.set_line_width(weight)
        self.set_draw_color(grey)
        self.line(x, y, x2, y2)

    def block(self, x: float, y: float, width: float, text: str, size: float, *, align: str = "L") -> float:
        """Write a paragraph (with **bold**), and return its height."""
        self.writes(text)
        self.set_font(FACE, "", size)
        self.set_xy(x, y)
        self.multi_cell(width, size * 0.47, text, markdown=True, align=align)
        return float(self.get_y() - y)

    def wrapped(self, text: str, width: float, size: float) -> list[str]:
        """Return a text in lines that fit the width, broken at spaces. Needs no page, unlike a paragraph."""
        self.writes(text)
        self.set_font(FACE, "", size)
        lines = [""]
        for word in text.split(" "):
            longer = f"{lines[-1]} {word}" if lines[-1] else word
            if lines[-1] and self.get_string_width(longer) > width:
                lines.append(word)
            else:
                lines[-1] = longer
        return lines

    def lines(self, x: float, y: float, width: float, text: str, size: float, *, bold: bool = False) -> float:
        """Write a text in lines, without markup, and return its height. Faster than a paragraph."""
        wrapped = self.wrapped(text, width, size)
        for place, line in enumerate(wrapped):
            self.put(x, y + (place + 0.5) * size * 0.47, width, line, size, bold=bold)
        return len(wrapped) * size * 0.47

    def block_height(self, width: float, text: str, size: float) -> float:
        """Return the height that a paragraph would take."""
        if not self.page:
            # fpdf2 measures on a page only.
            self._ruler = self._ruler or self._with_page()
            return self._ruler.block_height(width, text, size)
        self.writes(text)
        self.set_font(FACE, "", size)
        lines = self.multi_cell(width, size * 0.47, text, markdown=True, dry_run=True, output="LINES")
        return len(cast("list[str]", lines)) * size * 0.47

    def qr(self, x: float, y: float, side: float, text: str, *, mask: int | None = None) -> None:
        """Draw a text as a QR code, without the white edge that it needs on all sides.

        `mask`: one of the eight patterns, which a reader finds in the code; else the best one is searched, which takes
        six times as long.
        """
        matrix = segno.make(text, error="m", micro=False, boost_error=False, mask=mask).matrix
        step = side / len(matrix)
        self.set_fill_color(0)
        for row, cells in enumerate(matrix):
            begin = None
            for place, dark in enumerate([*cells, 0]):
                if dark and begin is None:
                    begin = place
                elif not dark and begin is not None:
                    # A little taller than a step, so that no printer leaves a gap between two rows.
                    self.rect(x + begin * step, y + row * step, (place - begin) * step, step * 1.02, "F")
                    begin = None
