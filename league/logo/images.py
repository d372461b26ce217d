"""Have an uploaded picture drawn again, in a process of its own (`readers.pictures`): nothing of the uploaded file is
kept but its pixels."""

from __future__ import annotations

import base64
from dataclasses import dataclass

from django.utils.translation import gettext as _

from readers.faults import Unreadable

from .. import reading_process
from ..errors import Refused
from ..reading_process import Limits

MAX_BYTES = 512 * 1024
LIMITS = Limits(seconds=6, memory_mib=320)
"""16 million pixels take 64 MB, three times at once."""


@dataclass(frozen=True)
class Drawn:
    """A picture as PNG, with its size in pixels."""

    content: bytes
    width: int
    height: int


def redrawn(content: bytes, *, club: int | None = None) -> Drawn:
    """Return the picture as PNG, upright, at most 512 pixels wide and high, without anything else of the file. `club`:
    the id of the club whose file it is.

    Raises:
        Refused: 422 for no PNG or JPEG, a broken file, and one that is too large or too small; 413 for one that takes
            too much to read; 429 while too many files are being read.
    """
    if len(content) > MAX_BYTES:
        raise _refused(_("The file is too large: at most %(most)d KB.") % {"most": MAX_BYTES // 1024})
    try:
        picture = reading_process.read_limited("picture", content, LIMITS, club=club)
    except Unreadable as fault:
        sentences = {
            "no_picture": _("This is no picture that can be read: take a PNG or a JPEG."),
            "too_many_pixels": _("The picture has too many pixels: at most 16 million."),
            "too_small": _("The picture is too small: at least %(least)d pixels each way."),
        }
        sentence = sentences.get(fault.code)
        raise _refused(sentence % fault.values) if sentence else reading_process.refused(fault, "logo") from None
    return Drawn(base64.b64decode(picture["content"]), picture["width"], picture["height"])


def _refused(sentence: str) -> Refused:
    return Refused(status=422, code="logo", sentence=sentence, at="file")
