"""The words of a game for a settled hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from ..engine_bridge import Result

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Given = Mapping[str, Any]
"""A record, or the result of one."""


@dataclass(frozen=True)
class HandWords:
    """The words for a settled hand.

    - `sentence`: the hand in one line, from its result and the names by seat.
    - `declares`: the declarer's action, or in a hand that everybody plays the name of that kind of hand; from record
      and result. `joins`: the word of those who join.
    - `role`: what a seat that plays did, from record, result and seat; `alone` is the same in a walkover.
    - `nobody_declared`, `nobody_declares`, `nobody_joins`: a hand in which nobody did.
    - `forced`: a hand that everybody has to play; empty in a game without one.
    - `remark`: what else is to be said about the hand, from its result and the names by seat.
    - `pot_stays`: nobody played, and no coin moved; from the name of the next dealer.
    """

    sentence: Callable[[Result, Mapping[int, str]], str]
    declares: Callable[[Given, Given], str]
    joins: str
    role: Callable[[Given, Given, int], str]
    alone: Callable[[str], str]
    nobody_declared: str | _StrPromise
    nobody_declares: str | _StrPromise
    nobody_joins: str | _StrPromise
    forced: str | _StrPromise
    pot_stays: Callable[[str], str]
    remark: Callable[[Result, Mapping[int, str]], str] = lambda _result, _names: ""


def with_failed(said: str, result: Result, names: Mapping[int, str]) -> str:
    """A sentence on the players of a hand, and those who failed."""
    failed = ", ".join(names[line["seat"]] for line in result["lines"] if line["kind"] == "penalty")
    if failed:
        return _("%(sentence)s; failed: %(failed)s") % {"sentence": said, "failed": failed}
    return _("%(sentence)s; all made it") % {"sentence": said}


def listed(seats: Sequence[int], names: Mapping[int, str]) -> str:
    """The names of some seats."""
    return ", ".join(names[seat] for seat in seats)
