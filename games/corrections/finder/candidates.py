"""Candidates of the difference finder: other records that a hand may have had, and hands that are easily forgotten.

Each idea is one small mistake: the row above or below, a forgotten mark, a trick for the wrong player.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from ... import engine_bridge
from ..replay import Entry, Played


@dataclass(frozen=True)
class Idea:
    """A hand as it may have been: the record without the chain, and the data of its sentence. `near`: it is about a
    neighbour's row."""

    kind: str
    sent: dict[str, Any]
    seats: tuple[int, ...] = ()
    made: bool | None = None
    near: bool = False
    players: tuple[int, ...] | None = None


def ideas(entry: Entry, played: Played) -> Iterator[Idea]:
    """Yield the other records that the hand may have had."""
    record, result = played.record, played.result
    if result["outcome"] == "passed_out":
        yield from _was_played(record, len(entry.players))
        return
    tally = tally_of(record, result)
    seats = range(len(entry.players))
    declarer, joiners = tally["declarer"], list(tally["joiners"])
    idle = [seat for seat in seats if seat not in (declarer, *joiners)]
    if result["muss"] is not True:
        yield Idea("passed", _none(tally))
        yield from _other_roles(tally, declarer, joiners, idle, len(seats))
    if joiners:
        yield from _other_ends(tally, [declarer, *joiners])
    yield from _other_blind(tally, played)
    for seat in idle:
        # A player who sat out this hand.
        yield Idea("absent", _shrunk(tally, seat), (seat,), players=(*entry.players[:seat], *entry.players[seat + 1 :]))


def tally_of(record: Mapping[str, Any], result: Mapping[str, Any]) -> dict[str, Any]:
    """The tally of a hand, also of one whose record has its cards."""
    if result["declarer"] is None:
        return _none(record)
    tally: dict[str, Any] = {"declarer": result["declarer"], "joiners": list(result["joiners"])}
    if record["game"] == engine_bridge.KRATZEN:
        tally["cuts"] = record["cuts"]
        if engine_bridge.is_siebenermuss(dict(record), dict(result)):
            tally["seven"] = True
        if result["muss"] is False or (record.get("seven") and record.get("game_type")):
            tally["game_type"] = engine_bridge.game_type_of(record, result) or "schlagen"
    if result["blind"]:
        tally["blind"] = result["blind"]
    if tally["joiners"] and result["tricks"] is not None:
        tally["tricks"] = {str(seat): count for seat, count in enumerate(result["tricks"]) if count}
    elif tally["joiners"]:
        tally["made"] = list(record["made"])
    return tally


def _none(tally: Mapping[str, Any]) -> dict[str, Any]:
    return {"declarer": None} | ({"cuts": tally["cuts"]} if "cuts" in tally else {})


def _was_played(record: Mapping[str, Any], seats: int) -> Iterator[Idea]:
    base: dict[str, Any] = {"cuts": record["cuts"], "game_type": "schlagen"} if "cuts" in record else {}
    for seat in range(seats):
        yield Idea("walkover", base | {"declarer": seat, "joiners": []}, (seat,))
        for other in range(seats):
            if other != seat and not base:
                pair = {"declarer": seat, "joiners": [other]}
                yield Idea("walkover", pair | {"made": sorted([seat, other])}, (seat, other), True)
                yield Idea("walkover", pair | {"made": [other]}, (seat, other), False)


def _without_ends(tally: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in tally.items() if name not in ("made", "tricks")}


def _ends(tally: Mapping[str, Any]) -> set[int]:
    """The seats that made their goals by the tally; by the usual goals where it has tricks."""
    if "made" in tally:
        return set(tally["made"])
    return {
        int(s) for s, count in tally.get("tricks", {}).items() if count >= (2 if int(s) == tally["declarer"] else 1)
    }


def _other_roles(
    tally: dict[str, Any], declarer: int, joiners: list[int], idle: list[int], seats: int
) -> Iterator[Idea]:
    """Another player declared or joined."""
    for seat in idle:
        yield Idea("declarer", _renamed(tally, {declarer: seat}), (declarer, seat), near=_near(declarer, seat, seats))
        for joiner in joiners:
            near = _near(joiner, seat, seats)
            yield Idea("instead", _renamed(tally, {joiner: seat}), (joiner, seat), near=near)
        yield from _joined_too(tally, declarer, joiners, seat)
    for joiner in joiners:
        yield Idea("roles", _renamed(tally, {declarer: joiner, joiner: declarer}, ends=False), (declarer, joiner))
        yield from _did_not_join(tally, joiners, joiner)
    for by in (1, -1):
        turned = {seat: (seat + by) % seats for seat in range(seats)}
        yield Idea("rows", _renamed(tally, turned), (declarer,), near=False)


def _near(one: int, two: int, seats: int) -> bool:
    return (one - two) % seats in (1, seats - 1)


def _renamed(tally: Mapping[str, Any], to: Mapping[int, int], ends: bool = True) -> dict[str, Any]:
    """The tally with seats exchanged; without `ends` each seat keeps its tricks and its result."""
    new = dict(tally)
    new["declarer"] = to.get(tally["declarer"], tally["declarer"])
    new["joiners"] = sorted(to.get(seat, seat) for seat in tally["joiners"])
    if ends and "made" in tally:
        new["made"] = sorted(to.get(seat, seat) for seat in tally["made"])
    if ends and "tricks" in tally:
        new["tricks"] = {str(to.get(int(seat), int(seat))): count for seat, count in tally["tricks"].items()}
    return new


def _joined_too(tally: dict[str, Any], declarer: int, joiners: list[int], seat: int) -> Iterator[Idea]:
    base = _without_ends(tally) | {"joiners": sorted([*joiners, seat])}
    if "cuts" not in tally:
        made = _ends(tally) if joiners else {declarer}
        yield Idea("joined", base | {"made": sorted({*made, seat})}, (seat,), True)
        if made:
            yield Idea("joined", base | {"made": sorted(made)}, (seat,), False)
        if not joiners:
            yield Idea("joined", base | {"made": [seat]}, (seat, declarer), False)
        return
    if not joiners:
        for count in (0, 1, 2, 3, 4):
            yield Idea("joined", base | {"tricks": _counted({declarer: 4 - count, seat: count})}, (seat,), count > 0)
        return
    yield Idea("joined", base | {"tricks": dict(tally["tricks"])}, (seat,), False)
    for giver, count in tally["tricks"].items():
        fewer = {int(s): n for s, n in tally["tricks"].items()} | {int(giver): count - 1, seat: 1}
        yield Idea("joined", base | {"tricks": _counted(fewer)}, (seat,), True)


def _counted(tricks: Mapping[int, int]) -> dict[str, int]:
    return {str(seat): count for seat, count in sorted(tricks.items()) if count}


def _did_not_join(tally: dict[str, Any], joiners: list[int], joiner: int) -> Iterator[Idea]:
    rest = [seat for seat in joiners if seat != joiner]
    base = _without_ends(tally) | {"joiners": rest}
    if not rest:
        yield Idea("not_joined", base, (joiner,))
    elif "cuts" not in tally:
        made = _ends(tally) - {joiner}
        yield Idea("not_joined", base | {"made": sorted(made)}, (joiner,))
    elif str(joiner) not in tally["tricks"]:
        yield Idea("not_joined", base | {"tricks": dict(tally["tricks"])}, (joiner,))


def _other_ends(tally: dict[str, Any], active: list[int]) -> Iterator[Idea]:
    """The same roles, but other seats made it."""
    if "tricks" in tally:
        tricks = {int(seat): count for seat, count in tally["tricks"].items()}
        for giver in tricks:
            for taker in active:
                if taker != giver:
                    moved = tricks | {giver: tricks[giver] - 1, taker: tricks.get(taker, 0) + 1}
                    yield Idea("tricks", tally | {"tricks": _counted(moved)}, (giver, taker))
        return
    made = set(tally["made"])
    for seat in active:
        yield Idea("made", tally | {"made": sorted(made ^ {seat})}, (seat,), seat not in made)
    for one in made:
        for other in active:
            if other not in made:
                yield Idea("swapped", tally | {"made": sorted(made ^ {one, other})}, (one, other))


def _other_blind(tally: dict[str, Any], played: Played) -> Iterator[Idea]:
    if played.record["game"] == engine_bridge.KRATZEN or tally["declarer"] != played.record["dealer"]:
        return
    for kind in (None, "blind", "double"):
        if kind != played.result["blind"]:
            sent = {name: value for name, value in tally.items() if name != "blind"}
            yield Idea("blind", sent | ({"blind": kind} if kind else {}), (tally["declarer"],), kind is not None)


def _shrunk(tally: Mapping[str, Any], gone: int) -> dict[str, Any]:
    """The tally with one seat less."""
    return _renamed(tally, {seat: seat - 1 for seat in range(gone + 1, engine_bridge.MAX_SEATS)})


Short = tuple[dict[str, Any], tuple[int, ...], bool | None]
NO_CUT: dict[str, Any] = {"cuts": [["x"]]}
SPLITS = ((4,), (3, 1), (2, 2), (2, 1, 1), (1, 1, 1, 1))
"""Every way to split four tricks among players."""


def short_hands(game: str, seats: int, counted_seats: Sequence[int], muss_of: int | None = None) -> Iterator[Short]:
    """Hands that are easily forgotten: nobody declared, nobody joined, one joined; with their seats, and True if all of
    them made it. Where everybody has to play, a Muss whose dealer is `muss_of`.

    The gains of the seats `counted_seats` depend on declarer and joiners; the pot is the same in any case.
    """
    kratzen = game == engine_bridge.KRATZEN
    if muss_of is not None:
        yield from _musses(seats, counted_seats, muss_of)
        return
    base = NO_CUT if kratzen else {}
    free = base | ({"game_type": "schlagen"} if kratzen else {})
    yield base | {"declarer": None}, (), None
    for seat in range(seats):
        yield free | {"declarer": seat, "joiners": []}, (seat,), None
    others = [seat for seat in range(seats) if seat not in counted_seats][:2]
    for seat in (*counted_seats, *others):
        for other in (*counted_seats, *others):
            if other != seat:
                pair = free | {"declarer": seat, "joiners": [other]}
                yield from _ended(pair, seat, other, kratzen=kratzen)


def _ended(pair: Mapping[str, Any], seat: int, other: int, *, kratzen: bool) -> Iterator[Short]:
    """A hand of two, with every possible result."""
    if not kratzen:
        yield {**pair, "made": sorted([seat, other])}, (seat, other), True
        yield {**pair, "made": [other]}, (seat, other), False
        yield {**pair, "made": [seat]}, (seat, other), False
        return
    for own in range(5):
        # The declarer needs two tricks, the joiner one.
        yield {**pair, "tricks": _counted({seat: own, other: 4 - own})}, (seat, other), own in (2, 3)


def _musses(seats: int, counted_seats: Sequence[int], dealer: int) -> Iterator[Short]:
    """A Muss with its four tricks split in every way that makes a difference for the pot or the counted seats: the pot
    depends on the dealer's tricks too, who needs two of them."""
    decisive = tuple(dict.fromkeys((*counted_seats, dealer)))
    others = [seat for seat in range(seats) if seat not in decisive]
    everybody = {"declarer": dealer, "joiners": [seat for seat in range(seats) if seat != dealer]}
    for split in SPLITS:
        if len(split) > seats:
            continue
        counts = (*split, *(0 for _seat in range(seats - len(split))))
        for own in sorted(set(permutations(counts, len(decisive)))):
            left = list(counts)
            for count in own:
                left.remove(count)
            tricks = dict(zip((*decisive, *others), (*own, *left), strict=True))
            yield NO_CUT | everybody | {"tricks": _counted(tricks)}, (), None
