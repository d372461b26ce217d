"""Draw the picture of a page: text in the fonts of the PDFs, lines and dots in the colours of the light pages.

Lengths are in pixels of the finished picture. It is drawn twice as large and made smaller, so that edges are smooth.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from fontTools.ttLib import TTFont
from PIL import Image, ImageColor, ImageDraw, ImageFont

from ..static_sources import text_path
from ..web.paper import FONTS
from .picture_size import EDGE, HEIGHT, WIDTH

FINER = 2
LEAST = 0.72
"""A text that is too long is made smaller, down to this part of its size; then it is cut off."""
INKS = ("ink", "soft", "felt", "pot", "rose", "line", "edge")
STEPS = 20
COLOURS = (len(INKS) + 1) * STEPS
"""The colours of the palette."""
MORE_COLOURS = 256 - COLOURS
"""The colours that are left for what is pasted: a logo, cards."""
MOST_COLOURS = 3 * 256
MARK_GOLD = "#e0ad4a"
"""The gold of the mark (`static/icon.svg`)."""
FACES = {False: FONTS / "inter-regular.ttf", True: FONTS / "inter-semibold.ttf"}
WIDE_FACE = FONTS / "dejavu-condensed.ttf"

Point = tuple[float, float]


@lru_cache(maxsize=1)
def colours() -> dict[str, str]:
    """Return the colours of the light pages by name."""
    text = text_path("css/tokens.css").read_text(encoding="utf-8")
    light = text[text.index(":root") : text.index("@media")]
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", light))


@lru_cache(maxsize=1)
def _palette() -> Image.Image:
    """Return an image with the palette of all pictures: each colour in steps from the paper, and the mark's."""
    paper, felt, gold = colours()["paper"], colours()["felt"], MARK_GOLD
    pairs = [*((paper, colours()[name]) for name in INKS), (felt, gold)]
    values: list[int] = []
    for begin, end in pairs:
        start, other = ImageColor.getrgb(begin), ImageColor.getrgb(end)
        for step in range(STEPS):
            part = step / (STEPS - 1)
            values += [round(a + (b - a) * part) for a, b in zip(start[:3], other[:3], strict=True)]
    image = Image.new("P", (1, 1))
    image.putpalette(values)
    return image


@lru_cache(maxsize=256)
def _font(face: Path, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(face), round(size * FINER))


@lru_cache(maxsize=4)
def _letters(face: Path) -> frozenset[int]:
    with TTFont(face) as font:
        return frozenset(font.getBestCmap())


@lru_cache(maxsize=1)
def _icon() -> Image.Image:
    """Return the mark of the product in the size of a picture."""
    side = 52 * FINER
    with Image.open(text_path("icons/any-192.png")) as icon:
        return icon.convert("RGBA").resize((side, side), Image.Resampling.LANCZOS)


def _runs(text: str, face: Path) -> Iterator[tuple[Path, str]]:
    """Cut a text into runs of one font: letters that the first one lacks are taken from the second."""
    known = _letters(face)
    for has, letters in groupby(text, lambda letter: ord(letter) in known):
        yield (face if has else WIDE_FACE), "".join(letters)


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a text."""
    return sum(_font(face, size).getlength(run) for face, run in _runs(text, FACES[bold])) / FINER


def fitted(text: str, width: float, size: float, *, bold: bool = False) -> tuple[str, float]:
    """Return the text and the size with which it fits the width: smaller first, then cut off."""
    taken = text_width(text, size, bold=bold)
    if taken <= width:
        return text, size
    size = max(size * LEAST, size * width / taken)
    if text_width(text, size, bold=bold) <= width + 1:
        return text, size
    while text and text_width(text + "…", size, bold=bold) > width:
        text = text[:-1].rstrip()
    return text + "…", size


class Picture:
    """A picture on paper, with the mark of the product at its top."""

    def __init__(self) -> None:
        self.image = Image.new("RGB", (WIDTH * FINER, HEIGHT * FINER), colours()["paper"])
        self.draw = ImageDraw.Draw(self.image)
        self._pasted: list[Image.Image] = []
        self.logo_width = 0.0
        self._mark()

    def _mark(self) -> None:
        small = _icon()
        self.image.paste(small, (EDGE * FINER, 44 * FINER), small)
        self.text(EDGE + 68, 80, settings.PRODUCT_NAME, 28, bold=True, colour="felt")

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        bold: bool = False,
        colour: str = "ink",
        width: float = WIDTH,
        right: bool = False,
    ) -> float:
        """Write one line with its base line at height `y`, from `x` on or, with `right`, up to it. Return the width."""
        text, size = fitted(text, width, size, bold=bold)
        taken = text_width(text, size, bold=bold)
        left = (x - taken if right else x) * FINER
        for face, run in _runs(text, FACES[bold]):
            font = _font(face, size)
            self.draw.text((left, y * FINER), run, font=font, fill=colours()[colour], anchor="ls")
            left += font.getlength(run)
        return taken

    def put_logo(self, logo: BinaryIO, right: float, y: float, box: tuple[int, int]) -> None:
        """Draw a logo (PNG) up to `right`, as large as the box allows. `logo_width` is its width with the gap."""
        with Image.open(logo) as source:
            image = source.convert("RGBA")
        scale = min(box[0] / image.width, box[1] / image.height) * FINER
        image = image.resize((max(1, round(image.width * scale)), max(1, round(image.height * scale))))
        self.put_image(image, right - image.width / FINER, y + (box[1] - image.height / FINER) / 2)
        self.logo_width = image.width / FINER + 32

    def put_image(self, image: Image.Image, x: float, y: float) -> None:
        """Paste an image (RGBA, `FINER` times as large as it is shown) with its upper left corner at a point."""
        self.image.paste(image, (round(x * FINER), round(y * FINER)), image)
        if not any(image is known for known in self._pasted):
            self._pasted.append(image)

    def _more_colours(self) -> list[int]:
        """Return the palette of all pasted images."""
        if not self._pasted:
            return []
        size = (sum(image.width for image in self._pasted), max(image.height for image in self._pasted))
        strip = Image.new("RGB", size, colours()["paper"])
        x = 0
        for image in self._pasted:
            strip.paste(image, (x, 0), image)
            x += image.width
        return strip.quantize(MORE_COLOURS).getpalette() or []

    def rule(self, x: float, y: float, x2: float, *, colour: str = "line", weight: float = 1.5) -> None:
        """Draw a horizontal line."""
        self.line([(x, y), (x2, y)], colour=colour, weight=weight)

    def line(self, points: Sequence[Point], *, colour: str, weight: float) -> None:
        """Draw a line through points."""
        fine = [(x * FINER, y * FINER) for x, y in points]
        self.draw.line(fine, fill=colours()[colour], width=round(weight * FINER), joint="curve")

    def dot(self, point: Point, radius: float, *, colour: str) -> None:
        """Draw a disc."""
        x, y = point
        box = [(x - radius) * FINER, (y - radius) * FINER, (x + radius) * FINER, (y + radius) * FINER]
        self.draw.ellipse(box, fill=colours()[colour])

    def png(self) -> bytes:
        """Return the picture as a PNG with a palette: its file is a third as large as without."""
        # The mean of the finer dots takes a tenth of the time of LANCZOS, and the file is a quarter smaller.
        small = self.image.reduce(FINER)
        file = io.BytesIO()
        palette = _palette()
        if more := self._more_colours():
            palette = palette.copy()
            palette.putpalette(((_palette().getpalette() or [])[: 3 * COLOURS] + more)[:MOST_COLOURS])
        small.quantize(palette=palette, dither=Image.Dither.NONE).save(file, "PNG")
        return file.getvalue()
