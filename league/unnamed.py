"""The number in place of a name."""

from __future__ import annotations


class Unnamed(str):
    """The number in place of the name of a player of whom visitors see nobody: pages link to no such player."""

    __slots__ = ()
