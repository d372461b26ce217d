"""The parts of a season's formula: a frozen value that can be written as JSON and read back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from ...played_games import GAMES as PLAYED

Values: TypeAlias = "dict[str, Any]"

COUNTS = ("points", "net", "places", "average_hand", "average_evening")
AVERAGES = ("average_hand", "average_evening")
PLACES_BY = ("points", "net")
ABSENCES = ("skip", "zero")
GAMES = ("", *PLAYED)
TIES = ("evenings_won", "best_night", "evenings", "hands", "average", "head_to_head", "lot")

# Whole numbers: the smallest and the largest value.
WHOLE: dict[str, tuple[int, int]] = {
    "best": (1, 1000),
    "best_of": (1, 1000),
    "drop": (0, 1000),
    "drop_one_more_every": (1, 1000),
    "attendance_bonus": (-1000, 1000),
    "attendance_minimum": (0, 1000),
    "hands_minimum": (0, 100_000),
    "hands_minimum_evening": (0, 1000),
    "team_best": (1, 100),
}
OPTIONAL = ("best", "best_of", "drop_one_more_every", "team_best")
CHOICES: dict[str, tuple[str, ...]] = {
    "counts": COUNTS,
    "games": GAMES,
    "places_by": PLACES_BY,
    "absences": ABSENCES,
}
SWITCHES = ("guests", "tournaments")
MAX_PLACES = 100
MAX_POINTS = 1000
MAX_SEED = 20
THOUSANDTHS = 1000
DIGEST = 32


class FormulaFault(ValueError):
    """An invalid value of a formula. `field` names it; `code` is a key of the sentences of the services."""

    def __init__(self, field: str, code: str, **details: int | str) -> None:
        super().__init__(f"{field}: {code}")
        self.field = field
        self.code = code
        self.details = details


@dataclass(frozen=True)
class Formula:
    """How a season ranks its players.

    `counts`: the worth of an evening: its points, its amount won or lost (`net`), the points of `places` for the rank
    of the night (by points or amounts: `places_by`); or the season's average of points per hand or per evening.
    `games`: only evenings of this game count; every game, if empty.
    `best`: at most so many evenings count. `best_of`: so many evenings are planned, of which these are the best; more
    can be played, and then the best count all the same. `drop`: so many of the worst do not count, and one more for
    every `drop_one_more_every` evenings beyond `attendance_minimum`. `absences`: an evening that a player missed is
    left out of this (`skip`), or is an evening with 0 points, which can be dropped (`zero`).
    An evening with fewer hands than `hands_minimum_evening` does not count at all. A player with fewer evenings than
    `attendance_minimum` or fewer hands than `hands_minimum` is not ranked yet; nor is a guest without `guests`.
    `attendance_bonus`: points for each evening that was played. `handicap`: points of a player for each evening, as
    pairs of player and points. `tournaments`: points that tournaments gave are added.
    `team_best`: only so many members of a team count, the best ones; all without it.
    `ties`: the tie-breaks between equal players, in this order. `lot_seed` (digits) makes lots that anybody can
    repeat.
    """

    counts: str = "points"
    games: str = ""
    places: tuple[int, ...] = ()
    places_by: str = "points"
    best: int | None = None
    best_of: int | None = None
    drop: int = 0
    drop_one_more_every: int | None = None
    absences: str = "skip"
    attendance_bonus: int = 0
    attendance_minimum: int = 0
    hands_minimum: int = 0
    hands_minimum_evening: int = 0
    guests: bool = True
    tournaments: bool = True
    handicap: tuple[tuple[int, int], ...] = ()
    team_best: int | None = None
    ties: tuple[str, ...] = ()
    lot_seed: str = ""

    @property
    def scale(self) -> int:
        """The stored points for one point: averages are stored in thousandths."""
        return THOUSANDTHS if self.counts in AVERAGES else 1

    @property
    def in_money(self) -> bool:
        """Return True if the values are amounts, which only some people may see."""
        return self.counts == "net"

    @property
    def leaves_out(self) -> bool:
        """Return True if some evenings of a player may not count."""
        limits = (self.best, self.drop, self.drop_one_more_every, self.hands_minimum_evening)
        return any(limits)

    def too_few_after(self, nights: Iterable[tuple[int, int]]) -> set[int]:
        """Return the evenings after which a player had too few evenings or hands for a rank; `nights` are all of the
        player in order, each with its hands."""
        evenings = hands = 0
        too_few = set()
        for evening, played in nights:
            if played >= max(1, self.hands_minimum_evening):
                evenings, hands = evenings + 1, hands + played
            if evenings < self.attendance_minimum or hands < self.hands_minimum:
                too_few.add(evening)
        return too_few

    @property
    def by_amounts(self) -> bool:
        """Return True if evenings are measured by amounts: so are the places of the night, if they are by amounts."""
        return self.in_money or (self.counts == "places" and self.places_by == "net")


FIELDS = tuple(Formula.__dataclass_fields__)
_STANDARD = Formula()


def write(formula: Formula) -> Values:
    """Return every part as JSON values."""
    values: Values = {name: getattr(formula, name) for name in FIELDS}
    values["places"] = list(formula.places)
    values["ties"] = list(formula.ties)
    values["handicap"] = {str(player): points for player, points in formula.handicap}
    return values


def digest(formula: Formula) -> str:
    """Return a digest of all parts: a page sends it back, so that no other formula is stored than the one it showed."""
    written = json.dumps(write(formula), sort_keys=True)
    return hashlib.sha256(written.encode()).hexdigest()[:DIGEST]


def read(values: Mapping[str, Any]) -> Formula:
    """Return the formula of these values; a part that is missing has its default.

    Raises:
        FormulaFault: an unknown part, a value of the wrong type or out of bounds, parts that contradict each other.
    """
    for name in values:
        if name not in FIELDS:
            raise FormulaFault(str(name), "unknown")
    checked: Values = {}
    for name, options in CHOICES.items():
        checked[name] = _choice(name, values.get(name, getattr(_STANDARD, name)), options)
    for name, (least, most) in WHOLE.items():
        value = values.get(name, getattr(_STANDARD, name))
        checked[name] = None if value is None and name in OPTIONAL else _whole(name, value, least, most)
    for name in SWITCHES:
        checked[name] = _switch(name, values.get(name, True))
    checked["places"] = _places(values.get("places", ()))
    checked["ties"] = _ties(values.get("ties", ()))
    checked["handicap"] = _handicap(values.get("handicap", {}))
    checked["lot_seed"] = _seed(values.get("lot_seed", ""))
    formula = Formula(**checked)
    _check_together(formula)
    return formula


def _choice(name: str, value: Any, options: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in options:
        raise FormulaFault(name, "choice")
    return value


def _whole(name: str, value: Any, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise FormulaFault(name, "whole")
    if not least <= value <= most:
        raise FormulaFault(name, "bounds", least=least, most=most)
    return value


def _switch(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise FormulaFault(name, "switch")
    return value


def _places(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list | tuple):
        raise FormulaFault("places", "list")
    if len(value) > MAX_PLACES:
        raise FormulaFault("places", "long", most=MAX_PLACES)
    points = tuple(_whole("places", number, -MAX_POINTS, MAX_POINTS) for number in value)
    if any(later > earlier for earlier, later in pairwise(points)):
        raise FormulaFault("places", "falling")
    return points


def _ties(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise FormulaFault("ties", "list")
    ties = tuple(_choice("ties", tie, TIES) for tie in value)
    if len(set(ties)) < len(ties):
        raise FormulaFault("ties", "twice")
    if "lot" in ties[:-1]:
        raise FormulaFault("ties", "after_lot")
    return ties


def _handicap(value: Any) -> tuple[tuple[int, int], ...]:
    if not isinstance(value, Mapping):
        raise FormulaFault("handicap", "mapping")
    pairs = []
    for player, points in value.items():
        if not (isinstance(player, str) and player.isascii() and player.isdecimal() and len(player) < 16):
            raise FormulaFault("handicap", "player")
        pairs.append((int(player), _whole("handicap", points, -MAX_POINTS, MAX_POINTS)))
    return tuple(sorted(pair for pair in pairs if pair[1]))


def _seed(value: Any) -> str:
    # Digits only: a formula is never changed, so it must not contain the name of a person.
    if not isinstance(value, str) or not (value == "" or (value.isascii() and value.isdecimal())):
        raise FormulaFault("lot_seed", "digits")
    if len(value) > MAX_SEED:
        raise FormulaFault("lot_seed", "long", most=MAX_SEED)
    return value


def _check_together(formula: Formula) -> None:
    if (formula.counts == "places") != bool(formula.places):
        raise FormulaFault("places", "table")
    if formula.best_of is not None and formula.best is None:
        raise FormulaFault("best_of", "without_best")
    if formula.best_of is not None and formula.best_of < (formula.best or 0):
        raise FormulaFault("best_of", "below_best")
    if "lot" in formula.ties and not formula.lot_seed:
        raise FormulaFault("lot_seed", "seed")
    if formula.absences == "zero" and formula.counts == "average_hand":
        raise FormulaFault("absences", "no_hands")
    if formula.in_money and formula.attendance_bonus:
        raise FormulaFault("attendance_bonus", "amounts")
    if formula.by_amounts and formula.handicap:
        raise FormulaFault("handicap", "amounts")
