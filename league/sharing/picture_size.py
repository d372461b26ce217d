"""The size of a picture, in its pixels."""

from __future__ import annotations

from ..templatetags.sharing import PICTURE_SIZE

WIDTH, HEIGHT = PICTURE_SIZE
EDGE = 64
