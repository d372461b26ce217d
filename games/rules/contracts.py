"""House rules as lines and as worked situations, compared with other ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from .. import engine_bridge
from ..game.amounts import Antes, Unit
from ..game.rule_cases import Rules
from ..offered import game_of
from .situations import Outcome, Share, Situation, played


@dataclass(frozen=True)
class RuleLine:
    """A rule of the contract; `before` is the choice that a new version replaces, empty where it stays. `key` is its
    place on the page, for links to it."""

    key: str
    name: str
    choice: str
    meaning: str
    before: str = ""


def effective(game: str, values: Rules) -> dict[str, Any]:
    """All house rules, with the defaults filled in. Raises `engine_bridge.Fault` (R4)."""
    return engine_bridge.house_rules(game, values)


def lines(game: str, rules: Rules, unit: Unit, old: Rules | None = None) -> list[RuleLine]:
    """The rules as lines; a rule that differs from the `old` rules, where they are given, names its old choice."""
    contract = game_of(game).texts.contract
    clauses = contract.clauses(rules, unit)
    before = contract.clauses(old, unit) if old is not None else clauses
    return [
        RuleLine(key, name, choice, meaning, was if was != choice else "")
        for key, (name, choice, meaning), (_same, was, _meant) in zip(contract.keys, clauses, before, strict=True)
    ]


def situations(game: str, rules: Rules, old: Rules | None = None) -> list[Situation]:
    """The worked situations under `rules`, each compared with the `old` rules where they are given."""
    contract = game_of(game).texts.contract
    cases = contract.cases(rules, None) if old is None else contract.cases(old, rules)
    return [
        Situation(case, played(game, rules, case), None if old is None else played(game, old, case)) for case in cases
    ]


def in_antes(outcome: Outcome, antes: Antes) -> Outcome:
    """Return the outcome with hundredths of an ante in place of Rappen."""
    return replace(
        outcome,
        pot_minor=antes.hundredths(outcome.pot_minor),
        shares=tuple(Share(share.who, antes.hundredths(share.amount_minor)) for share in outcome.shares),
        left_minor=antes.hundredths(outcome.left_minor),
        next_pot_minor=antes.hundredths(outcome.next_pot_minor),
    )
