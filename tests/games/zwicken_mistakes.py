"""Mistakes of recorders in evenings of Zwicken, for the tests of the difference finder."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from games.corrections.replay import Entry

Mistake = Callable[[random.Random, list[Entry], int], list[Entry] | None]
Sent = dict[str, Any]


def changed(entries: list[Entry], place: int, sent: Sent) -> list[Entry]:
    return [*entries[:place], replace(entries[place], sent=sent), *entries[place + 1 :]]


def tricks(sent: Sent) -> dict[int, int]:
    return {int(seat): count for seat, count in sent.get("tricks", {}).items()}


def as_sent(counted: dict[int, int]) -> dict[str, int]:
    return {str(seat): count for seat, count in sorted(counted.items()) if count}


def tricks_wrong(rng: random.Random, entries: list[Entry], place: int) -> list[Entry] | None:
    sent = dict(entries[place].sent)
    if "tricks" not in sent:
        return None
    counted = tricks(sent)
    giver = rng.choice(list(counted))
    taker = rng.choice([seat for seat in sent.get("players", range(len(entries[place].players))) if seat != giver])
    moved = counted | {giver: counted[giver] - 1, taker: counted.get(taker, 0) + 1}
    return changed(entries, place, sent | {"tricks": as_sent(moved)})


def player_forgotten(rng: random.Random, entries: list[Entry], place: int) -> list[Entry] | None:
    """A player without a trick is forgotten in a free hand of three or more."""
    sent = dict(entries[place].sent)
    losers = [seat for seat in sent.get("players", ()) if not tricks(sent).get(seat) and sent.get("seven_lost") != seat]
    if len(sent.get("players", ())) < 3 or not losers:
        return None
    gone = rng.choice(losers)
    return changed(entries, place, sent | {"players": [seat for seat in sent["players"] if seat != gone]})


def player_too_many(rng: random.Random, entries: list[Entry], place: int) -> list[Entry] | None:
    """A player who was out is entered as one without a trick."""
    sent = dict(entries[place].sent)
    idle = [seat for seat in range(len(entries[place].players)) if seat not in sent.get("players", range(9))]
    if len(sent.get("players", ())) < 2 or not idle:
        return None
    return changed(entries, place, sent | {"players": sorted([*sent["players"], rng.choice(idle)])})


def row_beside(rng: random.Random, entries: list[Entry], place: int) -> list[Entry] | None:
    sent = dict(entries[place].sent)
    seats, players = len(entries[place].players), sent.get("players", [])
    pairs = [(seat, (seat + by) % seats) for seat in players for by in (1, -1)]
    pairs = [(seat, row) for seat, row in pairs if row not in players]
    if not pairs:
        return None
    seat, row = rng.choice(pairs)
    sent["players"] = sorted(row if player == seat else player for player in players)
    if "tricks" in sent:
        sent["tricks"] = as_sent({row if player == seat else player: count for player, count in tricks(sent).items()})
    if sent.get("seven_lost") == seat:
        sent["seven_lost"] = row
    return changed(entries, place, sent)


def seven_wrong(rng: random.Random, entries: list[Entry], place: int) -> list[Entry] | None:
    """Nobody is named who lost the seven, or somebody who did not."""
    sent = dict(entries[place].sent)
    if "tricks" not in sent:
        return None
    if "seven_lost" in sent:
        return changed(entries, place, {name: value for name, value in sent.items() if name != "seven_lost"})
    everybody = range(len(entries[place].players))
    losers = [seat for seat in sent.get("players", everybody) if tricks(sent).get(seat, 0) < 3]
    return changed(entries, place, sent | {"seven_lost": rng.choice(losers)})


def short_forgotten(_rng: random.Random, entries: list[Entry], place: int) -> list[Entry] | None:
    """A free hand without payments for the cut, which at most one player played."""
    sent = entries[place].sent
    if sent["cuts"][-1:] != sent["cuts"] or len(sent.get("players", (0, 1))) > 1:
        return None
    return [*entries[:place], *entries[place + 1 :]]


def entered_twice(_rng: random.Random, entries: list[Entry], place: int) -> list[Entry] | None:
    return [*entries[: place + 1], *entries[place:]]


ZWICKEN_MISTAKES: dict[str, Mistake] = {
    "tricks": tricks_wrong,
    "a player forgotten": player_forgotten,
    "a player too many": player_too_many,
    "the row beside": row_beside,
    "who lost the seven": seven_wrong,
    "a hand forgotten": short_forgotten,
    "a hand entered twice": entered_twice,
}
