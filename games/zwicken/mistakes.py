"""The mistakes in records of Zwicken, for the difference finder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any, Final

from django.utils.translation import gettext as _

from .. import engine_bridge
from ..engine_bridge import Record
from ..game.mistakes import (
    Forgotten,
    Given,
    Idea,
    Mistakes,
    Short,
    are_neighbours,
    counted,
    moved_tricks,
    tricks_by_seat,
)
from .cuts import moves_deal
from .hand import seven_lost_by
from .hand_form import NO_EFFECT

TRICKS: Final = engine_bridge.tricks_of("zwicken")
SPLITS: Final = ((3,), (2, 1), (1, 1, 1))
"""Every way to split three tricks among players."""


def tally_of(record: Given, result: Given) -> Record:
    """The tally of a hand, also of one whose record has its cards."""
    tally: Record = {"cuts": list(record["cuts"])} if "cuts" in record else {}
    if not result["muss"]:
        tally["players"] = list(result["joiners"])
    if result["outcome"] == "played":
        tally["tricks"] = counted(dict(enumerate(result["tricks"])))
    lost = seven_lost_by(result)
    return tally if lost is None else tally | {"seven_lost": lost}


def ideas(record: Given, result: Given) -> Iterator[Idea]:
    """Yield the other records that the hand may have had."""
    tally, seats, forced = tally_of(record, result), record["seats"], bool(result["muss"])
    active = list(result["joiners"])
    if not forced:
        idle = [seat for seat in range(seats) if seat not in active]
        if active:
            yield Idea("passed", _played_by(tally, []))
        yield from _others_played(tally, active, idle, seats)
        for seat in idle if active else ():
            # A player who sat out this hand.
            lower = {other: other - 1 for other in range(seat + 1, seats)}
            yield Idea("absent", _renamed(tally, lower), (seat,), gone=seat)
    if result["outcome"] == "played":
        yield from moved_tricks(tally, active)
        yield from _other_seven(tally, active)
    if active:
        for by in (1, -1):
            yield Idea("rows", _renamed(tally, {seat: (seat + by) % seats for seat in range(seats)}), (active[0],))


def _others_played(tally: Record, active: Sequence[int], idle: Sequence[int], seats: int) -> Iterator[Idea]:
    """Somebody else played, or one player more or fewer."""
    if not active:
        for seat in idle:
            yield Idea("walkover", _played_by(tally, [seat]), (seat,))
        return
    for seat in idle:
        for player in active:
            near = are_neighbours(player, seat, seats)
            yield Idea("instead", _renamed(tally, {player: seat}), (player, seat), near=near)
        yield from _joined_too(tally, active, seat)
    for player in active:
        rest = [other for other in active if other != player]
        if "tricks" not in tally or len(rest) == 1:
            yield Idea("not_joined", _played_by(tally, rest), (player,))
        elif str(player) not in tally["tricks"] and tally.get("seven_lost") != player:
            yield Idea("not_joined", tally | {"players": rest}, (player,))


def _joined_too(tally: Record, active: Sequence[int], seat: int) -> Iterator[Idea]:
    base = tally | {"players": sorted([*active, seat])}
    if "tricks" not in tally:
        for count in range(TRICKS + 1):
            yield Idea(
                "joined", base | {"tricks": counted({active[0]: TRICKS - count, seat: count})}, (seat,), count > 0
            )
        return
    yield Idea("joined", base, (seat,), False)
    tricks = tricks_by_seat(tally)
    for giver, count in tricks.items():
        yield Idea("joined", base | {"tricks": counted(tricks | {giver: count - 1, seat: 1})}, (seat,), True)


def _other_seven(tally: Record, active: Sequence[int]) -> Iterator[Idea]:
    """Another player lost the seven, or nobody did."""
    lost = tally.get("seven_lost")
    without = {name: value for name, value in tally.items() if name != "seven_lost"}
    if lost is not None:
        yield Idea("seven", without, (lost,), False)
    for seat in active:
        if seat != lost:
            yield Idea("seven", without | {"seven_lost": seat}, (seat,), True)


def _played_by(tally: Given, players: Sequence[int]) -> Record:
    """The same cuts, but nobody or one seat alone played."""
    cuts = {"cuts": tally["cuts"]} if "cuts" in tally else {}
    return {**cuts, "players": [*players]}


def _renamed(tally: Given, to: Mapping[int, int]) -> Record:
    """The tally with seats exchanged."""
    new = dict(tally)
    if "players" in tally:
        new["players"] = sorted(to.get(seat, seat) for seat in tally["players"])
    if "tricks" in tally:
        new["tricks"] = counted({to.get(seat, seat): count for seat, count in tricks_by_seat(tally).items()})
    if "seven_lost" in tally:
        new["seven_lost"] = to.get(tally["seven_lost"], tally["seven_lost"])
    return new


def short_hands(hand: Forgotten) -> Iterator[Short]:
    """Hands that are easily forgotten: nobody played, one alone, two; or a forced hand."""
    base: dict[str, Any] = {"cuts": [NO_EFFECT]} if moves_deal(hand.rules) else {}
    if hand.forced_dealer is not None:
        yield from _forced(hand, base)
        return
    yield base | {"players": []}, (), None
    for seat in range(hand.seats):
        yield base | {"players": [seat]}, (seat,), None
    others = [seat for seat in range(hand.seats) if seat not in hand.counted_seats][:2]
    concerned = (*hand.counted_seats, *others)
    for place, seat in enumerate(concerned):
        for other in concerned[place + 1 :]:
            for own in range(TRICKS + 1):
                tricks = counted({seat: own, other: TRICKS - own})
                pair = base | {"players": sorted([seat, other]), "tricks": tricks}
                yield pair, (seat, other), 0 < own < TRICKS


def _forced(hand: Forgotten, base: Mapping[str, Any]) -> Iterator[Short]:
    """A forced hand with its tricks split in every way that makes a difference for the pot or the counted seats."""
    decisive = tuple(hand.counted_seats)
    others = [seat for seat in range(hand.seats) if seat not in decisive]
    for split in SPLITS:
        counts = (*split, *(0 for _seat in range(hand.seats - len(split))))
        for own in sorted(set(permutations(counts, len(decisive)))):
            left = list(counts)
            for count in own:
                left.remove(count)
            tricks = dict(zip((*decisive, *others), (*own, *left), strict=True))
            yield {**base, "tricks": counted(tricks)}, (), None


def _forgotten(players: int, made: bool | None) -> str:
    if players == 0:
        return _("A hand was forgotten in which nobody played.")
    if players == 1:
        return _("A hand was forgotten that %(one)s played alone.")
    if made:
        return _("A hand was forgotten that %(one)s and %(two)s played; both made it.")
    return _("A hand was forgotten that %(one)s and %(two)s played; one of them failed.")


def _seven(_players: int, made: bool | None) -> str:
    return _("%(one)s lost Belli.") if made else _("%(one)s did not lose Belli.")


MISTAKES: Final = Mistakes(
    ideas,
    short_hands,
    tally_of,
    sentences={
        "joined": lambda _players, made: (
            _("%(one)s played too, and made it.") if made else _("%(one)s played too, and somebody failed.")
        ),
        "not_joined": lambda _players, _made: _("%(one)s did not play."),
        "instead": lambda _players, _made: _("It was %(two)s who played, not %(one)s."),
        "passed": lambda _players, _made: _("Nobody played."),
        "walkover": lambda _players, _made: _("%(one)s played alone."),
        "seven": _seven,
        "forgotten": _forgotten,
        "forgotten_muss": lambda _players, _made: _("A forced hand was forgotten."),
    },
)
