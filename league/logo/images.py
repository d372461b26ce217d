"""Read an uploaded picture, and draw it again: nothing of the uploaded file is kept but its pixels."""

from __future__ import annotations

import io
import struct
import zlib
from dataclasses import dataclass

from django.utils.translation import gettext as _

from ..errors import Refused

MAX_BYTES = 512 * 1024
MAX_PIXELS = 16_000_000
"""A picture with more pixels is not decoded: a small file may hold a huge picture."""
LEAST_SIDE, SIDE = 32, 512
"""The least pixels of the shorter side, and the most of the longer one: a larger picture is made smaller."""
FORMATS = ("PNG", "JPEG")
FAULTS = (OSError, ValueError, SyntaxError, EOFError, struct.error, zlib.error, MemoryError)
"""The exceptions of Pillow for a file that is broken or no picture."""


@dataclass(frozen=True)
class Drawn:
    """A picture as PNG, with its size in pixels."""

    content: bytes
    width: int
    height: int


def redrawn(content: bytes) -> Drawn:
    """Return the picture as PNG, upright, at most `SIDE` pixels wide and high, without anything else of the file.

    Raises:
        Refused: 422 for no PNG or JPEG, a broken file, and one that is too large or too small.
    """
    from PIL import Image, ImageOps

    if len(content) > MAX_BYTES:
        raise _refused(_("The file is too large: at most %(most)d KB.") % {"most": MAX_BYTES // 1024})
    try:
        with Image.open(io.BytesIO(content), formats=FORMATS) as found:
            _check_size(*found.size)
            image = ImageOps.exif_transpose(found).convert("RGBA")
    except (*FAULTS, Image.DecompressionBombError) as error:
        raise _refused(_("This is no picture that can be read: take a PNG or a JPEG.")) from error
    image.thumbnail((SIDE, SIDE), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    # From the pixels alone: an image that was read keeps texts, profiles and positions of the file.
    clean = Image.frombytes("RGBA", image.size, image.tobytes())
    clean.save(file, "PNG", optimize=True)
    return Drawn(file.getvalue(), *clean.size)


def _check_size(width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        raise _refused(_("The picture has too many pixels: at most 16 million."))
    if min(width, height) < LEAST_SIDE:
        raise _refused(_("The picture is too small: at least %(least)d pixels each way.") % {"least": LEAST_SIDE})


def _refused(sentence: str) -> Refused:
    return Refused(status=422, code="logo", sentence=sentence, at="file")
