"""The games of which a club can have house rules, and the contract of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .. import recording
from . import chratze, kratzen
from .situations import Case, Rules, Situation, played


@dataclass(frozen=True)
class Book:
    """How one game's house rules are told: in words by `clauses` (amounts in a currency), by example in `cases`."""

    game: str
    name: str
    clauses: Callable[[Rules, str], list[tuple[str, str, str]]]
    cases: Callable[[Rules, Rules | None], list[Case]]


BOOKS = {
    book.game: book
    for book in (
        Book(recording.CHRATZE, "Chratze", chratze.clauses, chratze.cases),
        Book(recording.KRATZEN, "Kratzen", kratzen.clauses, kratzen.cases),
    )
}


@dataclass(frozen=True)
class Line:
    """A rule of the contract; `before` is the choice that a new version would replace, '' where it stays."""

    name: str
    words: str
    meaning: str
    before: str = ""


def effective(game: str, values: Rules) -> dict[str, Any]:
    """All house rules, defaults filled in. Raises `recording.Fault` (R4)."""
    return recording.house_rules(game, values)


def lines(game: str, rules: Rules, currency: str, old: Rules | None = None) -> list[Line]:
    """The rules in words, with what stood there before where `old` rules are given and say something else."""
    told = BOOKS[game].clauses(rules, currency)
    before = BOOKS[game].clauses(old, currency) if old is not None else told
    return [
        Line(name, words, meaning, was if was != words else "")
        for (name, words, meaning), (_same, was, _meant) in zip(told, before, strict=True)
    ]


def situations(game: str, rules: Rules, old: Rules | None = None) -> list[Situation]:
    """The worked situations under `rules`, and under `old` ones beside them where they are given."""
    cases = BOOKS[game].cases(rules, None) if old is None else BOOKS[game].cases(old, rules)
    return [
        Situation(case, played(game, rules, case), None if old is None else played(game, old, case)) for case in cases
    ]
