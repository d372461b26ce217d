"""The format of a tournament: everything that can be chosen before it starts, as one value that is stored as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal

from django.utils.translation import gettext as _

from ..errors import Refused

Mode = Literal["random", "balanced", "standing"]
Order = Literal["repeats", "sizes"]
RoundResult = Literal["chips", "points", "placing"]
PotRest = Literal["divided", "nobody"]
Missed = Literal["nothing", "mean"]
TieBreak = Literal["best_round", "rounds_won", "direct", "made", "missed", "lot"]

MODES = ("random", "balanced", "standing")
ORDERS = ("repeats", "sizes")
RESULTS = ("chips", "points", "placing")
POT_RESTS = ("divided", "nobody")
MISSED = ("nothing", "mean")
TIE_BREAKS = ("best_round", "rounds_won", "direct", "made", "missed", "lot")
TEAM_SIZES = (0, 2, 3, 4)
MAX_ROUNDS = 30
MAX_ENTRANTS = 2000
LEAST_ENTRANTS = 6
"""The fewest people for more than one table."""


@dataclass(frozen=True, slots=True)
class Format:
    """The format of a tournament.

    `rounds`: rounds before the final, if there is one. `hands`: hands a round and table, 0 without a limit; `minutes`:
    minutes a round, 0 without a clock; one of both at least. `wished`, `least`, `most`: people at a table (3 to 7).
    `order`: what a draw judges first, few repeats or tables of another size by turns.
    `chips`: chips of each entrant at the beginning of a round, in antes of the house rules. `drop_worst`: the number
    of worst rounds that do not count. `missed`: the worth of a round that was played before an entrant came.
    `final_places`: the number of entrants in the final after the last round (0: no final); `final_carries`: they keep
    their totals, else all begin at zero. `team_size`: 0 without teams; `team_best`: the members that count (0: all).
    `hide_last`: the standings leave the last round out until the prize giving. `two_sheets`: a sheet counts once two
    equal ones were handed in. `slips`: the first round is drawn person by person at check-in.
    """

    rounds: int = 4
    hands: int = 12
    minutes: int = 0
    wished: int = 4
    least: int = 3
    most: int = 5
    mode: Mode = "random"
    order: Order = "repeats"
    slips: bool = False
    chips: int = 50
    result: RoundResult = "chips"
    pot: PotRest = "divided"
    drop_worst: int = 0
    missed: Missed = "nothing"
    tie_breaks: tuple[TieBreak, ...] = ("best_round", "lot")
    final_places: int = 0
    final_hands: int = 12
    final_carries: bool = False
    team_size: int = 0
    team_best: int = 0
    hide_last: bool = False
    two_sheets: bool = False
    break_minutes: int = 10

    @property
    def all_rounds(self) -> int:
        """The number of rounds with the final."""
        return self.rounds + (1 if self.final_places else 0)

    def takes(self, people: int) -> bool:
        """Return True if a round can be drawn for so many: enough for two tables, or as many as one table has."""
        return people >= max(LEAST_ENTRANTS, self.least) or self.least <= people <= self.most

    def stored(self) -> dict[str, Any]:
        """Return the format as JSON."""
        return {**asdict(self), "tie_breaks": list(self.tie_breaks)}

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Format:
        """Read a stored format; parts that it does not name have their defaults. It was checked when it was stored."""
        known = {field.name: stored[field.name] for field in fields(cls) if field.name in stored}
        if "tie_breaks" in known:
            known["tie_breaks"] = tuple(known["tie_breaks"])
        return cls(**known)

    def changed(self, parts: Mapping[str, Any]) -> Format:
        """Return the format with other parts, checked.

        Raises:
            Refused: 422 for a part or a value that does not exist, or for parts that do not fit each other; `at` names
                the part.
        """
        for name in parts:
            if name not in _NAMES:
                raise _refused(name, _("A format has no such part."))
        known = dict(parts)
        if "tie_breaks" in known:
            known["tie_breaks"] = _names(known["tie_breaks"])
        try:
            changed = replace(self, **known)
        except TypeError as fault:
            raise _refused("", _("A format has no such part.")) from fault
        changed.check()
        return changed

    def check(self) -> None:
        """Refuse a value out of its limits and parts that do not fit each other. Raises as `changed` does."""
        for name, (low, high) in _LIMITS.items():
            value = getattr(self, name)
            if type(value) is not int or not low <= value <= high:
                sentence = _("Give a whole number from %(low)d to %(high)d.") % {"low": low, "high": high}
                raise _refused(name, sentence)
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise _refused(name, _("Choose one of the values that are offered."))
        for name in _SWITCHES:
            if type(getattr(self, name)) is not bool:
                raise _refused(name, _("Choose one of the values that are offered."))
        self._check_together()

    def _check_together(self) -> None:
        if not self.least <= self.wished <= self.most:
            raise _refused("wished", _("The wished size of a table lies between the least and the greatest."))
        if not self.hands and not self.minutes:
            raise _refused("hands", _("A round ends after a number of hands or after a time: give one of them."))
        if self.drop_worst >= self.rounds:
            raise _refused("drop_worst", _("At least one round must count."))
        if self.team_size not in TEAM_SIZES:
            raise _refused("team_size", _("Choose one of the values that are offered."))
        if self.team_best > self.team_size:
            raise _refused("team_best", _("A team has not so many members."))
        if len(set(self.tie_breaks)) < len(self.tie_breaks) or any(
            tie_break not in TIE_BREAKS for tie_break in self.tie_breaks
        ):
            raise _refused("tie_breaks", _("Each tie-break is named once."))
        if self.final_places and not self.least <= self.final_places <= self.most:
            raise _refused("final_places", _("The final is one table: it takes as many people as a table may have."))
        if self.slips and self.mode == "standing":
            raise _refused("slips", _("Before the first round there is no ranking to draw by."))


_NAMES = frozenset(field.name for field in fields(Format))
_LIMITS: dict[str, tuple[int, int]] = {
    "rounds": (1, MAX_ROUNDS),
    "hands": (0, 200),
    "minutes": (0, 600),
    "wished": (3, 7),
    "least": (3, 7),
    "most": (3, 7),
    "chips": (1, 10_000),
    "drop_worst": (0, MAX_ROUNDS),
    "final_places": (0, 7),
    "final_hands": (1, 200),
    "team_size": (0, 4),
    "team_best": (0, 4),
    "break_minutes": (0, 240),
}
_CHOICES: dict[str, tuple[str, ...]] = {
    "mode": MODES,
    "order": ORDERS,
    "result": RESULTS,
    "pot": POT_RESTS,
    "missed": MISSED,
}
_SWITCHES = ("slips", "final_carries", "hide_last", "two_sheets")


def _names(value: Any) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
        raise _refused("tie_breaks", _("Give a list of names of tie-breaks."))
    return tuple(value)


def _refused(part: str, sentence: str) -> Refused:
    return Refused(status=422, code="format", sentence=sentence, at=part)
