"""Sentences for people: one for each clause of the rulebook that a hand can break, and a hand in one line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy

from ..engine_bridge import Result
from ..errors import Refused, is_clause
from ..offered import GAMES, game_of

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

_RECORD: dict[str, str | _StrPromise] = {
    "R1": gettext_lazy("The hand is not complete, or has a field that no hand has."),
    "R2": gettext_lazy("A card is named twice, or there is no such card in this game."),
    "R3": gettext_lazy("A seat is named twice, has two roles, or is not at this table."),
    "R4": gettext_lazy("There is no such house rule, or it cannot take this value."),
    "R5": gettext_lazy("The tricks do not add up: four in all, and only for those who play."),
    "R6": gettext_lazy("The amounts written down differ from what the rules give."),
}
SENTENCES = _RECORD | {clause: text for game in GAMES.values() for clause, text in game.records.clauses.items()}
"""The sentence of each clause of the record format and of the rulebooks, by clause."""

UNKNOWN_CLAUSE = gettext_lazy("The rules do not allow this hand.")


def clause_of(refused: Refused) -> str:
    """The clause that a refusal is about; empty for any other."""
    return refused.code if is_clause(refused.code) else ""


def sentence(clause: str) -> str:
    """The sentence of a clause, in the language of the reader."""
    return str(SENTENCES.get(clause, UNKNOWN_CLAUSE))


def refusal(error: Mapping[str, Any]) -> Refused:
    """Return the engine's error object as `Refused` (422)."""
    clause = str(error["clause"])
    return Refused(
        status=422,
        code=clause,
        sentence=sentence(clause),
        at=str(error["at"]),
        details={"message": error["message"]},
    )


def summary(game: str, result: Result, names: Mapping[int, str]) -> str:
    """A hand in one line: 'Beni chratzt, Anna and Doris metcho; Doris pays 2.40'."""
    return game_of(game).records.words.sentence(result, names)
