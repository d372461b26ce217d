"""The games of which a club can have house rules, and the contract of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from .. import engine_bridge
from ..evening.rule_sentences import RULE_KEYS, Antes
from . import chratze, kratzen
from .situations import Case, Outcome, Rules, Share, Situation, played


@dataclass(frozen=True)
class Contract:
    """The presentation of one game's house rules: as sentences (`clauses`, amounts in a currency) and as `cases`."""

    game: str
    name: str
    clauses: Callable[[Rules, str | Antes], list[tuple[str, str, str]]]
    cases: Callable[[Rules, Rules | None], list[Case]]


CONTRACTS = {
    contract.game: contract
    for contract in (
        Contract(engine_bridge.CHRATZE, "Chratze", chratze.clauses, chratze.cases),
        Contract(engine_bridge.KRATZEN, "Kratzen", kratzen.clauses, kratzen.cases),
    )
}


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


def lines(game: str, rules: Rules, currency: str | Antes, old: Rules | None = None) -> list[RuleLine]:
    """The rules as lines; a rule that differs from the `old` rules, where they are given, names its old choice."""
    contract = CONTRACTS[game]
    clauses = contract.clauses(rules, currency)
    before = contract.clauses(old, currency) if old is not None else clauses
    return [
        RuleLine(key, name, choice, meaning, was if was != choice else "")
        for key, (name, choice, meaning), (_same, was, _meant) in zip(RULE_KEYS[game], clauses, before, strict=True)
    ]


def situations(game: str, rules: Rules, old: Rules | None = None) -> list[Situation]:
    """The worked situations under `rules`, each compared with the `old` rules where they are given."""
    cases = CONTRACTS[game].cases(rules, None) if old is None else CONTRACTS[game].cases(old, rules)
    return [
        Situation(case, played(game, rules, case), None if old is None else played(game, old, case)) for case in cases
    ]


def in_antes(outcome: Outcome, antes: Antes) -> Outcome:
    """Return the outcome with hundredths of an ante in place of Rappen."""
    return replace(
        outcome,
        pot_minor=antes.hundredths(outcome.pot_minor),
        shares=tuple(Share(one.who, antes.hundredths(one.amount_minor)) for one in outcome.shares),
        left_minor=antes.hundredths(outcome.left_minor),
        next_pot_minor=antes.hundredths(outcome.next_pot_minor),
    )
