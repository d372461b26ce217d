"""The colours of both schemes have enough contrast, and are defined in one place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CSS = Path(__file__).resolve().parents[2] / "static" / "css"
TOKENS = (CSS / "tokens.css").read_text()
TEXTS = ("ink", "soft", "felt", "pot", "rose")
GROUNDS = ("paper", "sheet", "felt-wash", "pot-wash", "rose-wash")
PAIRS = [(text, ground) for text in TEXTS for ground in GROUNDS] + [("felt-ink", "felt"), ("rose-ink", "rose")]


def colours(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})\b", block))


LIGHT = colours(TOKENS.split("@media")[0])
DARK = LIGHT | colours(re.split(r"@media \(prefers-color-scheme: dark\)", TOKENS)[1].split("@media")[0])


def luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(colour: str, other: str) -> float:
    high, low = sorted((luminance(colour), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_text_has_enough_contrast(scheme: dict[str, str], text: str, ground: str) -> None:
    assert contrast(scheme[text], scheme[ground]) >= 4.5


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_edges_of_inputs_have_enough_contrast(scheme: dict[str, str]) -> None:
    assert contrast(scheme["edge"], scheme["sheet"]) >= 3


def test_contrast_is_computed_as_in_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("sheet", sorted(path.name for path in CSS.glob("*.css") if path.name != "tokens.css"))
def test_colours_are_defined_in_one_place(sheet: str) -> None:
    # Shades of black over a backdrop have no text on them.
    shades = [shade for shade in re.findall(r"#[0-9a-fA-F]{3,8}\b", (CSS / sheet).read_text()) if shade[:4] != "#000"]
    assert shades == []
