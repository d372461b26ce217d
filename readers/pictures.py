"""Read an uploaded picture, and draw it again: nothing of the uploaded file is kept but its pixels."""

from __future__ import annotations

import base64
import io
import struct
import zlib
from typing import Any

from .faults import Unreadable

MAX_PIXELS = 16_000_000
"""A picture with more pixels is not decoded: a small file may hold a huge picture."""
LEAST_SIDE, SIDE = 32, 512
"""The least pixels of the shorter side, and the most of the longer one: a larger picture is made smaller."""
FORMATS = ("PNG", "JPEG")
FAULTS = (OSError, ValueError, SyntaxError, EOFError, struct.error, zlib.error)
"""The exceptions of Pillow for a file that is broken or no picture."""


def read(content: bytes) -> dict[str, Any]:
    """Return the picture as PNG (`content`, in Base64), upright, at most `SIDE` pixels wide and high, without anything
    else of the file; its `width` and `height`.

    Raises:
        Unreadable: `no_picture` for no PNG or JPEG and for a broken file; `too_many_pixels`, `too_small`.
    """
    from PIL import Image, ImageOps

    try:
        with Image.open(io.BytesIO(content), formats=FORMATS) as opened:
            _check_size(*opened.size)
            image = ImageOps.exif_transpose(opened).convert("RGBA")
    except (*FAULTS, Image.DecompressionBombError):
        raise Unreadable("no_picture") from None
    image.thumbnail((SIDE, SIDE), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    # From the pixels alone: an image that was read keeps texts, profiles and positions of the file.
    clean = Image.frombytes("RGBA", image.size, image.tobytes())
    clean.save(file, "PNG", optimize=True)
    width, height = clean.size
    return {"content": base64.b64encode(file.getvalue()).decode(), "width": width, "height": height}


def _check_size(width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        raise Unreadable("too_many_pixels")
    if min(width, height) < LEAST_SIDE:
        raise Unreadable("too_small", least=LEAST_SIDE)
