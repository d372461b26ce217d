"""Rank the teams of a season by the values of their members. Does not use Django.

A player belongs to one team at a time. An evening, a penalty or a bonus belongs to the team in which the player was on
that day; so the share of a player who was in one team from the first evening on is the player's value. A guest whom
the formula does not rank has no share.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from .parts import Formula
from .ranking import Adjustment, Contribution, Race, RaceLine, Value


class Stay(NamedTuple):
    """From this day on a player is in a team; None: in no team. Sorts by day."""

    since: date
    team: int | None


class Share(NamedTuple):
    """A member's contribution to a team. `counts`: it is among the best ones that count."""

    player: int
    value: Value
    counts: bool


class TeamLine(NamedTuple):
    """A team's line, with the shares of its members, the largest first. Equal teams share a rank."""

    team: int
    rank: int
    value: Value
    shares: tuple[Share, ...]


def team_on(stays: Sequence[Stay], day: date) -> int | None:
    """Return the team of a player on a day; `stays` are in order."""
    place = bisect_right(stays, day, key=lambda stay: stay.since)
    return stays[place - 1].team if place else None


@dataclass
class _Sum:
    """A player's sums for a team."""

    worth: Value = 0
    hands: int = 0
    measure: Value = 0
    evenings: int = 0
    extra: int = 0

    def value(self, formula: Formula) -> Value:
        """Return the share."""
        share = self.worth
        if formula.counts == "average_hand":
            share = Fraction(self.measure, self.hands) if self.hands else 0
        elif formula.counts == "average_evening":
            share = Fraction(self.worth, self.evenings) if self.evenings else 0
        return share + self.extra


@dataclass
class _Member:
    """The stays of a player, and the sums by team."""

    stays: Sequence[Stay]
    sums: dict[int, _Sum] = field(default_factory=lambda: defaultdict(_Sum))

    def at(self, day: date) -> _Sum | None:
        """Return the sum for the team of a day, None if the player was in no team."""
        team = team_on(self.stays, day)
        return None if team is None else self.sums[team]


def settled(
    stays: Mapping[int, Sequence[Stay]], days: Mapping[int, date], adjustments: Iterable[Adjustment]
) -> dict[int, int | None]:
    """Return the team of each player who was in one team, or in none, on every day that counts."""
    first = min((*days.values(), *(adjustment.on for adjustment in adjustments)), default=date.min)
    return {player: own[0].team for player, own in stays.items() if len(own) == 1 and own[0].since <= first}


def race_lines(
    formula: Formula,
    race: Race,
    *,
    teams: Iterable[int],
    stays: Mapping[int, Sequence[Stay]],
    days: Mapping[int, date],
    adjustments: Sequence[Adjustment] = (),
) -> list[TeamLine]:
    """Return the same as `team_lines` of all lines of a race. Only for players who changed their team it reads the
    evenings one by one: the share of the others is their value."""
    alone = settled(stays, days, adjustments)
    adjusted = set() if formula.in_money else {adjustment.player for adjustment in adjustments}
    shares: list[tuple[int, int, Value]] = []
    for player, team in alone.items():
        if team is not None and player in race.runners:
            value, counts, unranked = race.whole(player)
            if unranked != "guest" and (counts or player in adjusted):
                shares.append((team, player, value))
    moved = {player: own for player, own in stays.items() if player not in alone}
    lines = [race.contribution(player) for player in moved if player in race.runners]
    return team_lines(formula, lines, teams=teams, stays=moved, days=days, adjustments=adjustments, known=shares)


def team_lines(
    formula: Formula,
    lines: Iterable[RaceLine | Contribution],
    *,
    teams: Iterable[int],
    stays: Mapping[int, Sequence[Stay]],
    days: Mapping[int, date],
    adjustments: Iterable[Adjustment] = (),
    known: Iterable[tuple[int, int, Value]] = (),
) -> list[TeamLine]:
    """Return the lines of all `teams`, the first one first. `lines`: those of the players; `stays`: of each player, in
    order; `days`: the date of each evening; `known`: shares of other players, as team, player and value."""
    members = {line.player: (line, _Member(stays[line.player])) for line in lines if line.player in stays}
    for line, member in members.values():
        _add_evenings(formula, line, member, days)
    # Amounts are counted as they are.
    for adjustment in () if formula.in_money else adjustments:
        entry = members.get(adjustment.player)
        total = entry[1].at(adjustment.on) if entry else None
        if total is not None:
            total.extra += adjustment.points
    shares: dict[int, list[tuple[Value, int]]] = {team: [] for team in teams}
    for team, player, value in known:
        shares[team].append((-value, player))
    for player, (line, member) in members.items():
        if line.unranked != "guest":
            for team, total in member.sums.items():
                shares[team].append((-total.value(formula), player))
    return _ranked(formula, shares)


def _add_evenings(formula: Formula, line: RaceLine | Contribution, member: _Member, days: Mapping[int, date]) -> None:
    for night in line.nights:
        played = night.kind == "played" and night.why in ("", "dropped")
        total = member.at(days[night.evening]) if played or night.counts else None
        if total is None:
            continue
        if played:
            total.extra += formula.attendance_bonus
        if not night.counts:
            continue
        if night.kind == "extra":
            total.extra += int(night.worth)
            continue
        total.worth += night.worth
        total.hands += night.hands
        total.measure += night.worth * night.hands
        total.evenings += 1


def _ranked(formula: Formula, shares: Mapping[int, list[tuple[Value, int]]]) -> list[TeamLine]:
    totals: list[tuple[Value, int, tuple[Share, ...]]] = []
    for team, each in shares.items():
        ordered = sorted(each)
        least = len(ordered) if formula.team_best is None else formula.team_best
        counted = tuple(Share(player, -minus, nth < least) for nth, (minus, player) in enumerate(ordered))
        totals.append((-sum((share.value for share in counted if share.counts), start=0), team, counted))
    lines: list[TeamLine] = []
    for minus, team, counted in sorted(totals, key=lambda entry: entry[:2]):
        equal = bool(lines) and lines[-1].value == -minus
        lines.append(TeamLine(team, lines[-1].rank if equal else len(lines) + 1, -minus, counted))
    return lines
