"""How the hands of a game are written down on paper, and typed back, one line a hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..engine_bridge import Record, Start

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Example = tuple[str, str]
"""A line and its meaning."""


@dataclass(frozen=True)
class PaperLine:
    """How a hand of a game is written as one line.

    `read` turns the words of a line into the fields of a record that the chain does not decide, and raises `Misread`;
    `write` turns a record that the engine accepted, its result and the short names by seat into a line.

    `examples` returns lines of this game with their meaning, from the names and the short names by seat and the
    effective house rules; `pair` is a line with these two players. `order` says who comes first in a line, `begins` who
    deals (the dealer's name, and `muss` of `engine_bridge.due`). `legend` explains the marks in the cells of a sheet.
    """

    read: Callable[[Sequence[str], Start, Sequence[str]], Record]
    write: Callable[[Mapping[str, Any], Mapping[str, Any], Sequence[str]], str]
    examples: Callable[[Sequence[str], Sequence[str], Mapping[str, Any]], list[Example]]
    pair: Callable[[str, str], str]
    order: _StrPromise
    begins: Callable[[str, bool | None], str]
    legend: _StrPromise
