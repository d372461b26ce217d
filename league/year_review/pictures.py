"""The picture of a screen of a year, from plain data."""

from __future__ import annotations

from ..sharing.picture_size import EDGE, WIDTH
from ..sharing.pictures import Heading, headed, wrapped
from .screens import POT, Screen

VALUE, TEXT = 96, 34
"""The sizes of the value and of the sentences."""


def screen_picture(heading: Heading, screen: Screen) -> bytes:
    """Draw a screen below its heading: the value in large type, the sentences below it."""
    picture = headed(heading)
    y = 360.0
    colour = POT if screen.kind == POT else "felt"
    picture.text(EDGE, y, screen.value, VALUE, bold=True, colour=colour, width=WIDTH - 2 * EDGE)
    y += 74
    for sentence in (*screen.lines, screen.when):
        for line in filter(None, wrapped(sentence, 52, 60)):
            picture.text(EDGE, y, line, TEXT, colour="soft", width=WIDTH - 2 * EDGE)
            y += 46
    return picture.png()
