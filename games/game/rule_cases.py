"""House rules as a contract: each rule in sentences, and cases that show what it comes to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy

from ..engine_bridge import Record, Result
from .amounts import Unit
from .rule_form import RulesForm

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    Text = str | _StrPromise

Rules = Mapping[str, Any]
"""All house rules, with the defaults filled in."""
Sentence = tuple[str, str]
"""A heading, and the choice of the club."""
Clause = tuple[str, str, str]
"""A heading, the choice, and the meaning of the choice."""


@dataclass(frozen=True)
class Case:
    """A run of hands: each record has only the fields that the chain does not give; `pot` is the first pot, in
    Rappen."""

    key: str
    title: str
    hands: Sequence[Record]
    seats: int = 5
    pot: int = 0
    dealer: int | None = None
    """The last seat if None."""
    asks: bool = False
    """True if the case shows whether something is allowed, not the amounts."""


INTRO = gettext_lazy(
    "Five at the table unless it says otherwise; everybody's ante is already in the pot. Whoever is not named pays "
    "nothing more."
)


@dataclass(frozen=True)
class Parts:
    """What the cases call the players and the next hand.

    `declarer` is empty where nobody declares; `plays` returns the name of one of those who play, and of several of
    them with their number. `forced` and `free` say which kind of hand follows, in a game with both. `intro` stands
    before the cases.
    """

    declarer: Text
    plays: Callable[[int], str]
    forced: Text = ""
    free: Text = ""
    intro: Text = INTRO


def unchanged(record: Record, rules: Rules, old: Result | None = None) -> Record:
    """Return the fields of a hand, which are the same under all house rules."""
    return record


@dataclass(frozen=True)
class Contract:
    """The house rules of a game. `keys` are the names of its sentences, in their order: pages link to them.

    `sentences` returns the rules in short, `clauses` with the meaning of each choice. `cases` returns the cases whose
    pots follow from the first rules, also where other rules are compared with them (None: they are not compared).
    `passed_out` are the fields of a hand in which nobody plays. `under` returns the fields of a hand as a record under
    other house rules has them; its third argument is the result of a stored hand.
    """

    form: type[RulesForm]
    keys: tuple[str, ...]
    sentences: Callable[[Rules, Unit], list[Sentence]]
    clauses: Callable[[Rules, Unit], list[Clause]]
    cases: Callable[[Rules, Rules | None], list[Case]]
    parts: Parts
    passed_out: Mapping[str, Any]
    under: Callable[[Record, Rules, Result | None], Record] = unchanged


def with_meanings(sentences: Sequence[Sentence], meanings: Sequence[str]) -> list[Clause]:
    """Return the clauses: each sentence with its meaning."""
    return [(name, choice, meaning) for (name, choice), meaning in zip(sentences, meanings, strict=True)]


def counted(tricks: Mapping[int, int]) -> dict[str, int]:
    """Return the tricks by seat as a record has them."""
    return {str(seat): count for seat, count in tricks.items()}


def multiple(amount: int, coin: int) -> int:
    """Return the smallest multiple of the coin that is not below the amount."""
    return -(-amount // coin) * coin
