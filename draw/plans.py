"""All rounds of a tournament ahead."""

from collections.abc import Sequence
from functools import lru_cache

from draw.annealing import LOOKS_A_SECOND, annealed
from draw.blueprint import blueprint
from draw.history import History
from draw.judge import Judgement, judge
from draw.lot import Lot
from draw.model import DEFAULT_SIZES, Entrant, PastRound, Plan, Round, Sizes, Table
from draw.seats_over_rounds import spread_seats
from draw.tables import seated, tables_of_round

MOST_PLAYERS = 2000
MOST_ROUNDS = 200
MOST_ANNEALED = 250
"""The head count up to which all rounds are searched at once, if a draw round by round leaves repeats."""


@lru_cache(maxsize=16)
def plan(
    players: int,
    rounds: int,
    sizes: Sizes = DEFAULT_SIZES,
    *,
    seed: int = 1,
    seconds: float = 2.0,
) -> Plan:
    """Draw all rounds ahead for players 1 to N, in balanced mode.

    Raises:
        ValueError: a number is out of its limits, or the players cannot fill a table.
    """
    if not 1 <= rounds <= MOST_ROUNDS:
        raise ValueError(f"A plan has 1 to {MOST_ROUNDS} rounds, not {rounds}.")
    if not 1 <= players <= MOST_PLAYERS:
        raise ValueError(f"A plan is for 1 to {MOST_PLAYERS} players, not {players}.")
    entrants = [Entrant(number) for number in range(1, players + 1)]
    past = _round_by_round(entrants, rounds, sizes, seed, seconds)
    judgement, made = _judged(_spread(past, seed), sizes, seed)
    source = _source(players, rounds, sizes)
    report = judgement.report(seed)
    if report.repeats > report.bound and players <= MOST_ANNEALED:
        better = _all_at_once(entrants, past, sizes, seed, seconds)
        if _cost(better, sizes) < _cost(past, sizes):
            judgement, made = _judged(_spread(better, seed), sizes, seed)
            source = "All rounds come from one search."
    return Plan(tuple(made), made[-1].report, source)


def _round_by_round(
    entrants: Sequence[Entrant], rounds: int, sizes: Sizes, seed: int, seconds: float
) -> list[PastRound]:
    past: list[PastRound] = []
    nobody: frozenset[int] = frozenset()
    for _ in range(rounds):
        past.append(tables_of_round(entrants, past, sizes, "balanced", seed, nobody, nobody, seconds / rounds))
    return past


def _all_at_once(
    entrants: Sequence[Entrant], past: Sequence[PastRound], sizes: Sizes, seed: int, seconds: float
) -> list[PastRound]:
    """Return the rounds with other tables after a search over all of them; numbers and seats follow from them."""
    report = judge(past, (), sizes)
    rounds = [[[number - 1 for number in table.seats] for table in played.tables] for played in past]
    others = max(sum(len(table.seats) - 1 for table in _tables_of(past, entrant.number)) for entrant in entrants)
    aim = max(2, -(-others // (len(entrants) - 1)))
    lot = Lot(seed, "all", len(past))
    looks = int(seconds * LOOKS_A_SECOND)
    groups = annealed(rounds, len(entrants), sizes.wished, aim, lot, looks, report.bound)
    drawn: list[PastRound] = []
    for played, tables in zip(past, groups, strict=True):
        history = History(entrants, drawn, sizes)
        drawn.append(PastRound(seated(tables, {}, entrants, history, frozenset(), lot), played.out, seed))
    return drawn


def _tables_of(past: Sequence[PastRound], number: int) -> list[Table]:
    return [table for played in past for table in played.tables if number in table.seats]


def _cost(past: Sequence[PastRound], sizes: Sizes) -> tuple[int, ...]:
    return judge(past, (), sizes).cost


def _spread(past: Sequence[PastRound], seed: int) -> list[PastRound]:
    orders = spread_seats([played.tables for played in past], Lot(seed, "seats", len(past)))
    return [PastRound(tuple(tables), played.out, seed) for played, tables in zip(past, orders, strict=True)]


def _judged(past: Sequence[PastRound], sizes: Sizes, seed: int) -> tuple[Judgement, list[Round]]:
    judgement = Judgement({}, sizes)
    made = []
    for played in past:
        judgement.add(played)
        made.append(Round(played.tables, played.out, judgement.report(seed)))
    return judgement, made


def _source(players: int, rounds: int, sizes: Sizes) -> str:
    design = blueprint(players, sizes)
    if len(design.rounds) >= rounds:
        return design.source
    if len(design.rounds) < 2:
        return "Each round comes from a search."
    first = f"{design.source[0].lower()}{design.source[1:]}"
    return f"Rounds 1 to {len(design.rounds)}: {first} The others come from a search."
