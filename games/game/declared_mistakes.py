"""The mistakes of games in which a player declares and others join."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .. import engine_bridge
from ..engine_bridge import Record
from .mistakes import Forgotten, Given, Idea, Mistakes, Short, are_neighbours, counted, moved_tricks

TRICKS = 4


@dataclass(frozen=True)
class DeclaredMistakes:
    """The mistakes of a game with a declarer, who needs two of four tricks, and joiners, who need one.

    `tally_of` returns the tally of a settled hand. `any_hand` are the fields that every tally has, `declared` those of
    a hand that somebody chose to declare. `by_tricks`: a hand is settled by its tricks alone. `others` yields the ideas
    of one game alone, `forced` the hands that everybody has to play.
    """

    tally_of: Callable[[Given, Given], Record]
    any_hand: Mapping[str, Any] = field(default_factory=dict)
    declared: Mapping[str, Any] = field(default_factory=dict)
    by_tricks: bool = False
    others: Callable[[Record, Given, Given], Iterator[Idea]] = lambda _tally, _record, _result: iter(())
    forced: Callable[[Forgotten], Iterator[Short]] = lambda _hand: iter(())

    def mistakes(self) -> Mistakes:
        """The mistakes of the game."""
        return Mistakes(self.ideas, self.short_hands, self.tally_of)

    def ideas(self, record: Given, result: Given) -> Iterator[Idea]:
        """Yield the other records that the hand may have had."""
        seats = record["seats"]
        if result["outcome"] == "passed_out":
            yield from self._was_played(record, seats)
            return
        tally = self.tally_of(record, result)
        declarer, joiners = tally["declarer"], list(tally["joiners"])
        idle = [seat for seat in range(seats) if seat not in (declarer, *joiners)]
        if result["muss"] is not True:
            yield Idea("passed", without_declarer(tally))
            yield from self._other_roles(tally, declarer, joiners, idle, seats)
        if joiners:
            yield from _other_ends(tally, [declarer, *joiners])
        yield from self.others(tally, record, result)
        for seat in idle:
            # A player who sat out this hand.
            yield Idea("absent", _shrunk(tally, seat), (seat,), gone=seat)

    def _was_played(self, record: Given, seats: int) -> Iterator[Idea]:
        base = {name: record[name] for name in self.any_hand} | dict(self.declared)
        for seat in range(seats):
            yield Idea("walkover", base | {"declarer": seat, "joiners": []}, (seat,))
            for other in range(seats):
                if other != seat and not self.by_tricks:
                    pair = base | {"declarer": seat, "joiners": [other]}
                    yield Idea("walkover", pair | {"made": sorted([seat, other])}, (seat, other), True)
                    yield Idea("walkover", pair | {"made": [other]}, (seat, other), False)

    def _other_roles(
        self, tally: Record, declarer: int, joiners: list[int], idle: list[int], seats: int
    ) -> Iterator[Idea]:
        """Another player declared or joined."""
        for seat in idle:
            near = are_neighbours(declarer, seat, seats)
            yield Idea("declarer", _renamed(tally, {declarer: seat}), (declarer, seat), near=near)
            for joiner in joiners:
                near = are_neighbours(joiner, seat, seats)
                yield Idea("instead", _renamed(tally, {joiner: seat}), (joiner, seat), near=near)
            yield from self._joined_too(tally, declarer, joiners, seat)
        for joiner in joiners:
            yield Idea("roles", _renamed(tally, {declarer: joiner, joiner: declarer}, ends=False), (declarer, joiner))
            yield from self._did_not_join(tally, joiners, joiner)
        for by in (1, -1):
            turned = {seat: (seat + by) % seats for seat in range(seats)}
            yield Idea("rows", _renamed(tally, turned), (declarer,), near=False)

    def _joined_too(self, tally: Record, declarer: int, joiners: list[int], seat: int) -> Iterator[Idea]:
        base = _without_ends(tally) | {"joiners": sorted([*joiners, seat])}
        if not self.by_tricks:
            made = _ends(tally) if joiners else {declarer}
            yield Idea("joined", base | {"made": sorted({*made, seat})}, (seat,), True)
            if made:
                yield Idea("joined", base | {"made": sorted(made)}, (seat,), False)
            if not joiners:
                yield Idea("joined", base | {"made": [seat]}, (seat, declarer), False)
            return
        if not joiners:
            for count in range(TRICKS + 1):
                tricks = counted({declarer: TRICKS - count, seat: count})
                yield Idea("joined", base | {"tricks": tricks}, (seat,), count > 0)
            return
        yield Idea("joined", base | {"tricks": dict(tally["tricks"])}, (seat,), False)
        for giver, count in tally["tricks"].items():
            fewer = {int(s): n for s, n in tally["tricks"].items()} | {int(giver): count - 1, seat: 1}
            yield Idea("joined", base | {"tricks": counted(fewer)}, (seat,), True)

    def _did_not_join(self, tally: Record, joiners: list[int], joiner: int) -> Iterator[Idea]:
        rest = [seat for seat in joiners if seat != joiner]
        base = _without_ends(tally) | {"joiners": rest}
        if not rest:
            yield Idea("not_joined", base, (joiner,))
        elif not self.by_tricks:
            made = _ends(tally) - {joiner}
            yield Idea("not_joined", base | {"made": sorted(made)}, (joiner,))
        elif str(joiner) not in tally["tricks"]:
            yield Idea("not_joined", base | {"tricks": dict(tally["tricks"])}, (joiner,))

    def short_hands(self, hand: Forgotten) -> Iterator[Short]:
        """Hands that are easily forgotten: nobody declared, nobody joined, one joined; with their seats, and True if
        all of them made it.

        The gains of the counted seats depend on declarer and joiners; the pot is the same in any case.
        """
        if hand.forced_dealer is not None:
            yield from self.forced(hand)
            return
        free = {**self.any_hand, **self.declared}
        yield {**self.any_hand, "declarer": None}, (), None
        for seat in range(hand.seats):
            yield free | {"declarer": seat, "joiners": []}, (seat,), None
        others = [seat for seat in range(hand.seats) if seat not in hand.counted_seats][:2]
        for seat in (*hand.counted_seats, *others):
            for other in (*hand.counted_seats, *others):
                if other != seat:
                    yield from self._ended(free | {"declarer": seat, "joiners": [other]}, seat, other)

    def _ended(self, pair: Mapping[str, Any], seat: int, other: int) -> Iterator[Short]:
        """A hand of two, with every possible result."""
        if not self.by_tricks:
            yield {**pair, "made": sorted([seat, other])}, (seat, other), True
            yield {**pair, "made": [other]}, (seat, other), False
            yield {**pair, "made": [seat]}, (seat, other), False
            return
        for own in range(TRICKS + 1):
            # The declarer needs two tricks, the joiner one.
            yield {**pair, "tricks": counted({seat: own, other: TRICKS - own})}, (seat, other), own in (2, 3)


def without_declarer(tally: Given) -> Record:
    """The same hand, but nobody declared."""
    return {"declarer": None} | ({"cuts": tally["cuts"]} if "cuts" in tally else {})


def _without_ends(tally: Given) -> Record:
    return {name: value for name, value in tally.items() if name not in ("made", "tricks")}


def _ends(tally: Given) -> set[int]:
    """The seats that made their goals by the tally; by the usual goals where it has tricks."""
    if "made" in tally:
        return set(tally["made"])
    return {
        int(s) for s, count in tally.get("tricks", {}).items() if count >= (2 if int(s) == tally["declarer"] else 1)
    }


def _renamed(tally: Given, to: Mapping[int, int], ends: bool = True) -> Record:
    """The tally with seats exchanged; without `ends` each seat keeps its tricks and its result."""
    new = dict(tally)
    new["declarer"] = to.get(tally["declarer"], tally["declarer"])
    new["joiners"] = sorted(to.get(seat, seat) for seat in tally["joiners"])
    if ends and "made" in tally:
        new["made"] = sorted(to.get(seat, seat) for seat in tally["made"])
    if ends and "tricks" in tally:
        new["tricks"] = {str(to.get(int(seat), int(seat))): count for seat, count in tally["tricks"].items()}
    return new


def _shrunk(tally: Given, gone: int) -> Record:
    """The tally with one seat less."""
    return _renamed(tally, {seat: seat - 1 for seat in range(gone + 1, engine_bridge.MAX_SEATS)})


def _other_ends(tally: Record, active: list[int]) -> Iterator[Idea]:
    """The same roles, but other seats made it."""
    if "tricks" in tally:
        yield from moved_tricks(tally, active)
        return
    made = set(tally["made"])
    for seat in active:
        yield Idea("made", tally | {"made": sorted(made ^ {seat})}, (seat,), seat not in made)
    for maker in made:
        for other in active:
            if other not in made:
                yield Idea("swapped", tally | {"made": sorted(made ^ {maker, other})}, (maker, other))
