"""What a formula can have, read from the declarations of its parts: each option of a choice or a switch, each
tie-break, each other part with a value of its own. A new part is a new trait, and no run of the counting covers it
until `random_formula.composed` draws it.

`planned` deals the traits to runs: so many runs in a row, as `RUNS_TOGETHER` says, have every one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from league.standings.formula import parts

Values: TypeAlias = "dict[str, Any]"
Trait: TypeAlias = "tuple[str, Any]"
"""The name of a part, and an option, a tie-break, or `OWN`."""

OWN = "own"
OPTIONS: Mapping[str, tuple[Any, ...]] = {**parts.CHOICES, **dict.fromkeys(parts.SWITCHES, (True, False))}
PLAIN = parts.write(parts.Formula())
RUNS_TOGETHER = 3
DRAWS = 60
"""The number of formulas of which the one with most of the wanted traits is taken."""
MOST_DRAWS = 3000

WITHOUT_EFFECT: set[Trait] = {("best_of", OWN)}
"""It says how many evenings are planned, on pages; the best evenings count all the same (`parts.Formula`)."""


def _all_traits() -> list[Trait]:
    traits: list[Trait] = []
    for name in parts.FIELDS:
        options = parts.TIES if name == "ties" else OPTIONS.get(name, (OWN,))
        traits += [(name, option) for option in options]
    return traits


TRAITS = _all_traits()


def traits_of(values: Mapping[str, Any]) -> set[Trait]:
    """Return the traits of a formula, given as values of which any may be missing. How places are given is one only in
    a formula of places."""
    whole = parts.write(parts.read(values))
    traits = {(name, whole[name]) for name in OPTIONS if name != "places_by" or whole["counts"] == "places"}
    others = set(parts.FIELDS) - set(OPTIONS) - {"ties"}
    traits |= {(name, OWN) for name in others if whole[name] != PLAIN[name]}
    return traits | {("ties", tie) for tie in whole["ties"]}


def without(values: Mapping[str, Any], trait: Trait) -> Values:
    """Return all values of a formula, without one of its traits: the default instead, of a default another option."""
    name, option = trait
    whole = {**PLAIN, **values}
    if name == "ties":
        return whole | {"ties": [tie for tie in whole["ties"] if tie != option]}
    if option == PLAIN[name]:
        return whole | {name: next(other for other in OPTIONS[name] if other != option)}
    return whole | {name: PLAIN[name]}


def planned(nth: int, compose: Callable[[], Values]) -> list[Values]:
    """Return formulas that together have every trait of the `nth` run's deal; `compose` draws one.

    Raises:
        AssertionError: no formula was drawn that has a trait.
    """
    wanted = set(TRAITS[nth % RUNS_TOGETHER :: RUNS_TOGETHER])
    formulas: list[Values] = []
    for _ in range(MOST_DRAWS // DRAWS):
        if not wanted:
            return formulas
        best = max((compose() for _ in range(DRAWS)), key=lambda values: len(traits_of(values) & wanted))
        if traits_of(best) & wanted:
            wanted_ties = {tie for name, tie in wanted if name == "ties"}
            best["ties"].sort(key=lambda tie: (tie == "lot", tie not in wanted_ties))
            formulas.append(best)
            wanted -= traits_of(best)
    raise AssertionError(f"no formula was drawn with {sorted(map(str, wanted))}")
