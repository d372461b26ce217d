"""Sizes of paper, and the fonts of PDFs and pictures."""

from __future__ import annotations

from pathlib import Path

SIZES = {"a4": (210.0, 297.0), "a5": (148.0, 210.0)}
"""Paper by name: width and height in millimetres, upright."""

FONTS = Path(__file__).resolve().parent / "fonts"
