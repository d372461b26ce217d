"""Draw a card of a pack as an image, for the pictures of shared links, from the file that pages show
(`static/cards`).

It understands the elements of these files: rectangles, circles, paths and letters, in groups that move and scale.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree

from fontTools.pens.basePen import BasePen
from fontTools.svgLib.path.parser import parse_path
from PIL import Image, ImageDraw, ImageFont

from league.sharing.drawing import FACES, FINER
from league.static_sources import text_path

WIDTH, HEIGHT = 60, 92
"""The size of a card in the units of its file."""
SMOOTHER = 2
"""A card is drawn so many times larger than it is pasted, so that its edges are smooth."""
PARTS = 14
"""A curve is drawn as so many straight lines."""
STYLES = ("fill", "stroke", "stroke-width", "stroke-dasharray")
PROPORTION = WIDTH / HEIGHT

NUMBER = re.compile(r"-?\d+(?:\.\d+)?|-?\.\d+")
FALLBACK = re.compile(r"var\(--[\w-]+, ([^)]+)\)")

Point = tuple[float, float]
Style = Mapping[str, str]


class _Outline(BasePen):  # type: ignore[misc] # fontTools has no types
    """Collects a path as points: one list for each of its parts, and whether the part is closed."""

    def __init__(self) -> None:
        super().__init__(None)
        self.parts: list[tuple[list[Point], bool]] = []
        self._points: list[Point] = []

    def _moveTo(self, pt: Point) -> None:  # noqa: N802 - fontTools names it
        self._points = [pt]

    def _lineTo(self, pt: Point) -> None:  # noqa: N802 - fontTools names it
        self._points.append(pt)

    def _curveToOne(self, pt1: Point, pt2: Point, pt3: Point) -> None:  # noqa: N802 - fontTools names it
        x0, y0 = self._points[-1]
        (x1, y1), (x2, y2), (x3, y3) = pt1, pt2, pt3
        for step in range(1, PARTS + 1):
            t = step / PARTS
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            self._points.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))

    def _closePath(self) -> None:  # noqa: N802 - fontTools names it
        self.parts.append((self._points, True))

    def _endPath(self) -> None:  # noqa: N802 - fontTools names it
        self.parts.append((self._points, False))


@lru_cache(maxsize=256)
def _outline(path: str) -> tuple[tuple[list[Point], bool], ...]:
    pen = _Outline()
    parse_path(path, pen)
    return tuple(pen.parts)


@dataclass(frozen=True)
class _Place:
    """The position of a group: its scale and its origin, in pixels."""

    scale: float
    x: float = 0
    y: float = 0

    def at(self, point: Point) -> Point:
        return self.x + self.scale * point[0], self.y + self.scale * point[1]

    def within(self, transform: str) -> _Place:
        """Return the place of a group inside this one: `translate(x y) scale(s)`."""
        x, y, scale = (float(number) for number in NUMBER.findall(transform))
        return _Place(self.scale * scale, *self.at((x, y)))


@dataclass
class _Sheet:
    """An image on which the elements of a card are drawn."""

    draw: ImageDraw.ImageDraw
    drawn_as: Mapping[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.drawn_as = {"rect": self._rect, "circle": self._circle, "path": self._path, "text": self._text}

    def element(self, element: ElementTree.Element, place: _Place, style: Style) -> None:
        """Draw an element with all that is in it."""
        style = {**style, **{name: element.attrib[name] for name in STYLES if name in element.attrib}}
        kind = element.tag.rpartition("}")[2]
        if kind in ("g", "symbol"):
            inside = place.within(element.attrib["transform"]) if "transform" in element.attrib else place
            for child in element:
                self.element(child, inside, style)
            return
        self.drawn_as[kind](element, place, style)

    def _rect(self, element: ElementTree.Element, place: _Place, style: Style) -> None:
        x, y, width, height, radius = (float(element.get(name, 0)) for name in ("x", "y", "width", "height", "rx"))
        box = (*place.at((x, y)), *place.at((x + width, y + height)))
        self.draw.rounded_rectangle(
            box,
            radius * place.scale,
            fill=_ink(style, "fill"),
            outline=_ink(style, "stroke"),
            width=_weight(style, place),
        )

    def _circle(self, element: ElementTree.Element, place: _Place, style: Style) -> None:
        x, y, radius = (float(element.get(name, 0)) for name in ("cx", "cy", "r"))
        stroke, weight = _ink(style, "stroke"), _weight(style, place)
        more = weight / 2 / place.scale if stroke else 0
        box = (*place.at((x - radius - more, y - radius - more)), *place.at((x + radius + more, y + radius + more)))
        if "stroke-dasharray" not in style:
            self.draw.ellipse(box, fill=_ink(style, "fill"), outline=stroke, width=weight)
            return
        on, off = (float(number) * 57.3 / radius for number in NUMBER.findall(style["stroke-dasharray"]))
        for step in range(int(360 / (on + off))):
            begin = step * (on + off)
            self.draw.arc(box, begin, begin + on, fill=stroke, width=weight)

    def _path(self, element: ElementTree.Element, place: _Place, style: Style) -> None:
        fill, stroke, weight = _ink(style, "fill"), _ink(style, "stroke"), _weight(style, place)
        for points, closed in _outline(element.attrib["d"]):
            there = [place.at(point) for point in points]
            if fill and len(there) > 2:
                self.draw.polygon(there, fill=fill)
            if stroke:
                self._stroke([*there, there[0]] if closed else there, stroke, weight)

    def _stroke(self, points: list[Point], colour: str, weight: int) -> None:
        """Draw a line with round joints and ends."""
        self.draw.line(points, fill=colour, width=weight)
        half = weight / 2
        for x, y in points:
            self.draw.ellipse((x - half, y - half, x + half, y + half), fill=colour)

    def _text(self, element: ElementTree.Element, place: _Place, style: Style) -> None:
        size = float(element.attrib["font-size"])
        font = ImageFont.truetype(str(FACES[True]), round(size * place.scale))
        gap = float(element.get("letter-spacing", 0)) * place.scale
        text = element.text or ""
        x, y = place.at((float(element.attrib["x"]), float(element.attrib["y"])))
        if element.get("text-anchor") == "middle":
            x -= font.getlength(text) / 2
        for letter in text:
            self.draw.text((x, y), letter, font=font, fill=_ink(style, "fill"), anchor="ls")
            x += font.getlength(letter) + gap


def _ink(style: Style, name: str) -> str | None:
    """Return a colour of the light pages, or None for none."""
    colour = style.get(name, "none")
    match = FALLBACK.fullmatch(colour)
    return None if colour == "none" else match[1] if match else colour


def _weight(style: Style, place: _Place) -> int:
    return max(1, round(float(style.get("stroke-width", 1)) * place.scale))


@lru_cache(maxsize=8)
def _pack(pack: str) -> Mapping[str, ElementTree.Element]:
    """Return the cards of a file by name."""
    root = ElementTree.fromstring(text_path(f"cards/{pack}.svg").read_text(encoding="utf-8"))  # noqa: S314 - our own
    return {symbol.attrib["id"]: symbol for symbol in _symbols(root)}


def _symbols(root: ElementTree.Element) -> Iterator[ElementTree.Element]:
    return (element for element in root.iter() if element.tag.endswith("symbol"))


@lru_cache(maxsize=256)
def card_image(pack: str, name: str, height: int) -> Image.Image:
    """Return a card (`As`, `Weli`, `back`) of a pack's file (`swiss`), to be pasted `height` pixels high on a picture.

    The image is `FINER` times as large. Raises `KeyError` for a card that the pack does not have.
    """
    scale = height * FINER / HEIGHT
    fine = scale * SMOOTHER
    large = Image.new("RGBA", (round(WIDTH * fine), round(HEIGHT * fine)), (255, 255, 255, 0))
    _Sheet(ImageDraw.Draw(large)).element(_pack(pack)[name], _Place(fine), {"fill": "#000000"})
    return large.resize((round(WIDTH * scale), round(HEIGHT * scale)), Image.Resampling.LANCZOS)
