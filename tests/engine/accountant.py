"""An independent accountant: a second implementation of the settlement of all games, written from the rulebooks alone.

It shares no code with the engine and uses other methods: exact fractions instead of integer division, and coins dealt
out in rounds.
"""

from fractions import Fraction
from math import ceil


def account(
    *,
    seats: int,
    pot_before: int,
    ante: int,
    coin: int,
    rounding: int,
    limit: int | None,
    declarer: int | None,
    joiners: set[int],
    made: set[int],
) -> tuple[list[int], int]:
    """Return the change of each seat and the next pot, in Rappen."""
    changes = [-ante] * seats
    pot = pot_before + ante * seats
    if declarer is None:
        return changes, pot
    if not joiners:
        changes[declarer] += pot
        return changes, 0
    winning_joiners = [seat for seat in joiners if seat in made]
    pot_left = pot
    if declarer in made and not winning_joiners:
        changes[declarer] += pot
        pot_left = 0
    elif declarer not in made and len(winning_joiners) == 1:
        changes[winning_joiners[0]] += pot
        pot_left = 0
    elif declarer in made:
        exact = Fraction(2 * pot, 3)
        rounded_up = ceil(exact / rounding) * rounding
        rest = pot - min(rounded_up, pot)
        for_joiners = _share_out(rest, winning_joiners, coin, changes)
        changes[declarer] += pot - for_joiners
        pot_left = 0
    else:
        pot_left -= _share_out(pot, winning_joiners, coin, changes)
    fines = {seat: pot * (2 if seat == declarer else 1) for seat in {declarer, *joiners} - made}
    return _subtract_fines(changes, pot_left, fines, coin, limit)


def _subtract_fines(
    changes: list[int], pot_left: int, fines: dict[int, int], coin: int, limit: int | None
) -> tuple[list[int], int]:
    """Subtract the fines, reduced so that the pot does not exceed the limit; return the changes and the pot."""
    total = sum(fines.values())
    if limit is not None and pot_left + total > limit:
        room = max(limit - pot_left, 0)
        fines = {seat: int(Fraction(fine * room, total) / coin) * coin for seat, fine in fines.items()}
    for seat, fine in fines.items():
        changes[seat] -= fine
    return changes, pot_left + sum(fines.values())


def _share_out(amount: int, seats: list[int], coin: int, changes: list[int]) -> int:
    """Give all seats the same number of coins, as many as possible; return the amount given."""
    one_round = coin * len(seats)
    rounds = int(Fraction(amount, one_round))
    for seat in seats:
        changes[seat] += rounds * coin
    return rounds * one_round


def account_kratzen(
    *,
    seats: int,
    pot_before: int,
    paid_before: list[int],
    coin: int,
    to_declarer: bool,
    limit: int | None,
    split_over: int | None,
    muss: bool,
    seven: bool,
    declarer: int | None,
    joiners: set[int],
    tricks: list[int],
) -> tuple[list[int], int]:
    """Do the same for Kratzen. ``paid_before`` are antes and cut payments by seat, ``tricks`` all 0 in a walkover."""
    changes = [-paid for paid in paid_before]
    pot = pot_left = pot_before + sum(paid_before)
    if declarer is None:
        return changes, pot_left
    at_stake = pot
    if split_over is not None and not muss and pot > split_over:
        at_stake = int(Fraction(pot, 2 * coin)) * coin
    if not muss:
        winners = [seat for seat in range(seats) for _ in range(tricks[seat])] or [declarer] * 4
        paid_out = _share_out(at_stake, winners, coin, changes)
        if to_declarer:
            changes[declarer] += at_stake - paid_out
            paid_out = at_stake
        pot_left -= paid_out
    fines = {}
    for seat in joiners | ({declarer} if joiners else set()):
        goal = 2 if seat == declarer and not seven else 1
        if tricks[seat] < goal:
            fines[seat] = at_stake * (2 if seat == declarer else 1)
    return _subtract_fines(changes, pot_left, fines, coin, limit)


def account_zwicken(
    *,
    seats: int,
    pot_before: int,
    first_dealer: int,
    moves: list[str],
    stake: int,
    coin: int,
    belli: bool,
    limit: int | None,
    bete_is_pot: bool,
    dealer_takes: bool,
    playing: set[int],
    tricks: list[int],
    lost: int | None,
) -> tuple[list[int], int, int]:
    """Do the same for Zwicken; return also the next dealer. ``moves`` are the symbols of the cuts."""
    changes = [0] * seats
    changes[first_dealer] -= stake
    holder = first_dealer
    for move in moves:
        ways = {"x": [], "A": [1], "7": [1], "B": [1, 2] if belli else [1]}[move]
        for way in ways:
            changes[(holder + way) % seats] -= stake
        holder = (holder + max(ways, default=0)) % seats
    pot = pot_left = pot_before - sum(changes)
    if not playing:
        if dealer_takes:
            pot_left -= _share_out(pot, [holder], coin, changes)
    elif len(playing) == 1:
        changes[min(playing)] += pot
        pot_left = 0
    else:
        pot_left -= _share_out(pot, [seat for seat in range(seats) for _ in range(tricks[seat])], coin, changes)
        betes = {seat: pot if bete_is_pot else stake for seat in playing if tricks[seat] == 0}
        changes, pot_left = _subtract_fines(changes, pot_left, betes, coin, limit)
        if lost is not None:
            changes[lost] -= stake
            pot_left += stake
    return changes, pot_left, (holder + 1) % seats
