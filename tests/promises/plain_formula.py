"""A plain model of a season's formula, written from docs/formula.md a second time: lists, dictionaries and loops over
everything, for a season of a few evenings. It imports nothing of the product.

A formula is given as the JSON values of its parts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from functools import cached_property
from typing import Any

Number = int | Fraction


@dataclass(frozen=True)
class Played:
    """A player's part in an evening, as counted from its hands."""

    evening: int
    held_on: date
    player: int
    hands: int
    points: int
    amount: int


@dataclass(frozen=True)
class PlainSeason:
    """All that a ranking depends on. `scores` are in the order of the evenings; `adjustments`: player, points, day;
    `stays` of a player: the days and teams from then on; `mains`: the main player of each merged one."""

    values: Mapping[str, Any]
    scores: Sequence[Played]
    guests: frozenset[int] = frozenset()
    adjustments: Sequence[tuple[int, int, date]] = ()
    mains: Mapping[int, int] = field(default_factory=dict)
    teams: Sequence[int] = ()
    stays: Mapping[int, Sequence[tuple[date, int | None]]] = field(default_factory=dict)

    @property
    def evenings(self) -> list[int]:
        """The evenings in order."""
        return list(dict.fromkeys(score.evening for score in self.scores))

    def until(self, evening: int) -> PlainSeason:
        """Return the season after an evening. Adjustments of later days count from the last evening on."""
        known = self.evenings[: self.evenings.index(evening) + 1]
        scores = [score for score in self.scores if score.evening in known]
        adjustments = self.adjustments
        if known != self.evenings:
            adjustments = [adjustment for adjustment in adjustments if adjustment[2] <= scores[-1].held_on]
        return PlainSeason(self.values, scores, self.guests, adjustments, self.mains)

    @property
    def given(self) -> Sequence[tuple[int, int, date]]:
        """The adjustments that count: none of before under a formula of amounts."""
        return () if self.values["counts"] == "net" else self.adjustments

    # --- The sums of a player -----------------------------------------------------------------------------

    def counts(self, score: Played) -> bool:
        """Return True if this evening of a player counts, or may be dropped."""
        if score.player in self.guests and not self.values["guests"]:
            return False
        return score.hands > 0 and score.hands >= self.values["hands_minimum_evening"]

    def handicap(self, player: int) -> int:
        """Return the points of a player for each evening: the main player's own, or those of the first merged one."""
        given = {int(number): points for number, points in self.values["handicap"].items() if points}
        merged = sorted(number for number in given if self.mains.get(number) == player)
        return given.get(player, given[merged[0]] if merged else 0)

    def measure(self, score: Played) -> int:
        """Return the value that ranks the players of an evening."""
        in_places = self.values["counts"] == "places" and self.values["places_by"] == "net"
        if self.values["counts"] == "net" or in_places:
            return score.amount
        return score.points + self.handicap(score.player)

    def worth(self, score: Played) -> Number:
        """Return the value of an evening that counts."""
        if self.values["counts"] == "average_hand":
            return Fraction(self.measure(score), score.hands)
        if self.values["counts"] != "places":
            return self.measure(score)
        better = [other for other in self.of_evening(score.evening) if self.measure(other) > self.measure(score)]
        table = self.values["places"]
        return int(table[len(better)]) if len(better) < len(table) else 0

    def of_evening(self, evening: int) -> list[Played]:
        """Return the parts in an evening that count."""
        return self._counted[evening]

    @cached_property
    def _counted(self) -> dict[int, list[Played]]:
        scores: dict[int, list[Played]] = {evening: [] for evening in self.evenings}
        for score in self.scores:
            if self.counts(score):
                scores[score.evening].append(score)
        return scores

    def nights(self, player: int) -> list[Played]:
        """Return the evenings of a player that count or can be dropped, the best one first."""
        own = [score for score in self.scores if score.player == player and self.counts(score)]
        return sorted(own, key=lambda score: -self.worth(score))

    def kept(self, player: int) -> list[Played | None]:
        """Return the evenings that are left for a player after dropping; None for a missed one of 0 points."""
        own: list[Played | None] = list(self.nights(player))
        if self.values["absences"] == "zero":
            held = [evening for evening in self.evenings if self.of_evening(evening)]
            own += [None] * (len(held) - len(own))
        own.sort(key=lambda score: -self.worth(score) if score else 0)
        number = len(own)
        for _ in range(self.dropped(number)):
            if len(own) > 1:
                own.pop()
        best = self.values["best"]
        return own if best is None else own[:best]

    def dropped(self, evenings: int) -> int:
        """Return the number of dropped evenings among so many."""
        every, least = self.values["drop_one_more_every"], self.values["attendance_minimum"]
        more = 0
        while every is not None and least + (more + 1) * every <= evenings:
            more += 1
        return int(self.values["drop"]) + more

    def value(self, player: int) -> Number:
        """Return the sum or the average of a player."""
        kept = self.kept(player)
        played = [score for score in kept if score is not None]
        total: Number = sum((self.worth(score) for score in played), start=0)
        if self.values["counts"] == "average_evening":
            total = Fraction(total, len(kept)) if kept else 0
        if self.values["counts"] == "average_hand":
            hands = sum(score.hands for score in played)
            total = Fraction(sum(map(self.measure, played)), hands) if hands else 0
        total += self.values["attendance_bonus"] * len(self.nights(player))
        total += sum(points for receiver, points, _day in self.given if receiver == player)
        return total + sum(self.extra(score) for score in self.scores if score.player == player)

    def extra(self, score: Played) -> int:
        """Return a player's points of an evening without a hand: points of a tournament, or a share of a pot."""
        if score.hands or "average" in self.values["counts"]:
            return 0
        if self.values["counts"] == "net":
            return score.amount
        return score.points if self.values["tournaments"] else 0

    # --- What a formula of amounts leaves as it is ---------------------------------------------------------

    def points(self, player: int) -> int:
        """Return the sum of all points of a player."""
        return sum(score.points for score in self.scores if score.player == player)

    def balance(self, player: int) -> int:
        """Return the sum of all amounts of a player."""
        return sum(score.amount for score in self.scores if score.player == player)

    # --- Ranks --------------------------------------------------------------------------------------------

    def unranked(self, player: int) -> str:
        """Return the reason why a player is not ranked, or ''."""
        if player in self.guests and not self.values["guests"]:
            return "guest"
        own = self.nights(player)
        if len(own) < self.values["attendance_minimum"]:
            return "evenings"
        return "hands" if sum(score.hands for score in own) < self.values["hands_minimum"] else ""

    def ranking(self) -> dict[int, tuple[int, int, str]]:
        """Return rank, stored value and reason for no rank of each player: ranked players, then the others, then
        guests."""
        players = list(dict.fromkeys(score.player for score in self.scores))
        why = {player: self.unranked(player) for player in players}
        value = {player: self.value(player) for player in players}
        took_part = {score.player for score in self.scores if score.hands or score.points}
        group = {"": 0, "evenings": 1, "hands": 1, "guest": 2}
        keys = {number: (group[why[number]] if number in took_part else 3, -value[number]) for number in players}
        places: dict[int, tuple[int, int, str]] = {}
        for key in sorted(set(keys.values())):
            same = [number for number in players if keys[number] == key]
            for equal in self.parted(same, self.values["ties"]):
                rank = len(places) + 1
                places |= {number: (rank, self.stored(value[number]), why[number]) for number in equal}
        return places

    def stored(self, value: Number) -> int:
        """Return thousandths of an average, a half to the even one, else the whole value."""
        return round(Fraction(value) * 1000) if "average" in self.values["counts"] else int(value)

    def parted(self, equal: list[int], ties: Sequence[str]) -> list[list[int]]:
        """Return equal players in the order of the tie-breaks, those of one rank together."""
        if len(equal) < 2 or not ties:
            return [equal]
        key = {number: self.tie(ties[0], number, equal) for number in equal}
        groups = [[number for number in equal if key[number] == each] for each in sorted(set(key.values()))]
        return [part for group in groups for part in self.parted(group, ties[1:])]

    def tie(self, name: str, player: int, equal: list[int]) -> Any:
        """Return the value that a tie-break compares; the lowest comes first."""
        own = self.nights(player)
        measures = [self.measure(score) for score in own]
        simple: dict[str, Callable[[], Any]] = {
            "evenings_won": lambda: -sum(self.won(score) for score in own),
            "best_night": lambda: -max(measures) if measures else float("inf"),
            "evenings": lambda: -len(own),
            "hands": lambda: -sum(score.hands for score in own),
            "average": lambda: -Fraction(sum(measures), sum(score.hands for score in own) or 1),
            "lot": lambda: hashlib.sha256(f"{self.values['lot_seed']}:{player}".encode()).hexdigest(),
            "head_to_head": lambda: sum(self.against(score, other) for score in own for other in equal),
        }
        return simple[name]()

    def won(self, score: Played) -> bool:
        """Return True if others were there that evening, and nobody had more."""
        highest = all(self.measure(other) <= self.measure(score) for other in self.of_evening(score.evening))
        return highest and len(self._present[score.evening]) > 1

    @cached_property
    def _present(self) -> dict[int, set[int]]:
        present: dict[int, set[int]] = {evening: set() for evening in self.evenings}
        for score in self.scores:
            if score.hands:
                present[score.evening].add(score.player)
        return present

    def against(self, score: Played, other: int) -> int:
        """Return 1 for an evening lost against another player, -1 for one won."""
        own = self.measure(score)
        met = [self.measure(each) for each in self.of_evening(score.evening) if each.player == other]
        return sum((theirs > own) - (theirs < own) for theirs in met)

    # --- Teams --------------------------------------------------------------------------------------------

    def team_on(self, player: int, day: date) -> int | None:
        """Return the team of a player on a day."""
        team = None
        for since, other in sorted(self.stays.get(player, ()), key=lambda stay: stay[0]):
            if since <= day:
                team = other
        return team

    def share(self, player: int, team: int) -> Number | None:
        """Return a player's contribution to a team; None without one."""
        kept = self.kept(player)
        own = [score for score in self.nights(player) if self.team_on(player, score.held_on) == team]
        counted = [score for score in own if score in kept]
        zeros = self.zero_days(player, kept.count(None), team)
        extras = [score for score in self.scores if score.player == player and self.extra(score)]
        extras = [score for score in extras if self.team_on(player, score.held_on) == team]
        given = [p for receiver, p, day in self.given if receiver == player and self.team_on(player, day) == team]
        if not (own or zeros or extras or given):
            return None
        total: Number = sum((self.worth(score) for score in counted), start=0)
        if self.values["counts"] == "average_evening":
            total = Fraction(total, len(counted) + zeros) if counted or zeros else 0
        if self.values["counts"] == "average_hand":
            hands = sum(score.hands for score in counted)
            total = Fraction(sum(map(self.measure, counted)), hands) if hands else 0
        total += self.values["attendance_bonus"] * len(own)
        return total + sum(map(self.extra, extras)) + sum(given)

    def zero_days(self, player: int, zeros: int, team: int) -> int:
        """Return the number of counted missed evenings on days in this team: the first ones count."""
        there = {score.evening for score in self.nights(player)}
        days = {score.evening: score.held_on for score in self.scores}
        missed = [evening for evening in self.evenings if self.of_evening(evening) and evening not in there]
        return sum(self.team_on(player, days[evening]) == team for evening in missed[:zeros])

    def team_ranking(self) -> dict[int, tuple[int, int]]:
        """Return rank and stored value of each team."""
        players = {score.player for score in self.scores}
        sums: dict[int, Number] = {}
        for team in self.teams:
            shares = [self.share(player, team) for player in players if self.unranked(player) != "guest"]
            best = sorted((share for share in shares if share is not None), reverse=True)[: self.values["team_best"]]
            sums[team] = sum(best, start=0)
        return {team: (1 + sum(other > own for other in sums.values()), self.stored(own)) for team, own in sums.items()}
