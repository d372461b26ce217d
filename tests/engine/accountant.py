"""An independent accountant: the settlement of both games once more, from the rulebooks' words alone.

It shares nothing with the engine and goes about it differently: exact fractions instead of whole-number tricks,
and coins handed round one by one instead of division.
"""

from fractions import Fraction
from math import ceil


def account(
    *,
    seats: int,
    carried: int,
    ante: int,
    coin: int,
    rounding: int,
    limit: int | None,
    declarer: int | None,
    joiners: set[int],
    made: set[int],
) -> tuple[list[int], int]:
    """The change of every seat and the pot that is left, in Rappen."""
    purse = [-ante] * seats
    pot = carried + ante * seats
    if declarer is None:
        return purse, pot
    if not joiners:
        purse[declarer] += pot
        return purse, 0
    happy_joiners = [seat for seat in joiners if seat in made]
    on_the_table = pot
    if declarer in made and not happy_joiners:
        purse[declarer] += pot
        on_the_table = 0
    elif declarer not in made and len(happy_joiners) == 1:
        purse[happy_joiners[0]] += pot
        on_the_table = 0
    elif declarer in made:
        exact = Fraction(2 * pot, 3)
        upwards = ceil(exact / rounding) * rounding
        rest = pot - min(upwards, pot)
        for_joiners = _handed_round(rest, happy_joiners, coin, purse)
        purse[declarer] += pot - for_joiners
        on_the_table = 0
    else:
        on_the_table -= _handed_round(pot, happy_joiners, coin, purse)
    fines = {seat: pot * (2 if seat == declarer else 1) for seat in {declarer, *joiners} - made}
    return _fined(purse, on_the_table, fines, coin, limit)


def _fined(
    purse: list[int], on_the_table: int, fines: dict[int, int], coin: int, limit: int | None
) -> tuple[list[int], int]:
    """The fines paid in, together no more than a limit leaves room for."""
    total = sum(fines.values())
    if limit is not None and on_the_table + total > limit:
        room = max(limit - on_the_table, 0)
        fines = {seat: int(Fraction(fine * room, total) / coin) * coin for seat, fine in fines.items()}
    for seat, fine in fines.items():
        purse[seat] -= fine
    return purse, on_the_table + sum(fines.values())


def _handed_round(amount: int, seats: list[int], coin: int, purse: list[int]) -> int:
    """Everybody gets the same number of coins, as many as there are; what was handed out."""
    a_round = coin * len(seats)
    rounds = int(Fraction(amount, a_round))
    for seat in seats:
        purse[seat] += rounds * coin
    return rounds * a_round


def account_kratzen(
    *,
    seats: int,
    carried: int,
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
    """The same for Kratzen. ``paid_before`` are antes and cut payments by seat, ``tricks`` all 0 in a walkover."""
    purse = [-paid for paid in paid_before]
    whole = on_the_table = carried + sum(paid_before)
    if declarer is None:
        return purse, on_the_table
    at_stake = whole
    if split_over is not None and not muss and whole > split_over:
        at_stake = int(Fraction(whole, 2 * coin)) * coin
    if not muss:
        winners = [seat for seat in range(seats) for _ in range(tricks[seat])] or [declarer] * 4
        handed_out = _handed_round(at_stake, winners, coin, purse)
        if to_declarer:
            purse[declarer] += at_stake - handed_out
            handed_out = at_stake
        on_the_table -= handed_out
    fines = {}
    for seat in joiners | ({declarer} if joiners else set()):
        wanted = 2 if seat == declarer and not seven else 1
        if tricks[seat] < wanted:
            fines[seat] = at_stake * (2 if seat == declarer else 1)
    return _fined(purse, on_the_table, fines, coin, limit)
