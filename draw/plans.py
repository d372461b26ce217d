"""All rounds of a tournament ahead."""

from collections.abc import Sequence
from functools import lru_cache

from draw.annealing import LOOKS_A_SECOND, annealed
from draw.blueprint import blueprint
from draw.history import History
from draw.judge import Judgement, judge
from draw.lot import Lot
from draw.model import DEFAULT_SIZES, Entrant, Order, PastRound, Plan, Report, Round, Sizes
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
    order: Order = "repeats",
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
    past = round_by_round(entrants, (), rounds, sizes, seed, seconds, order)
    source = _source(players, rounds, sizes, order)
    report = judge(past, (), sizes, order=order)
    searched = 0.0
    if not at_best(report) and players <= MOST_ANNEALED:
        searched = seconds
        better = all_at_once(entrants, past, sizes, seed, seconds, order)
        if judge(better, (), sizes, order=order).figures < report.figures:
            past = better
            source = "All rounds come from one search."
    made = _judged(_spread(past, seed), sizes, seed, order, searched)
    return Plan(tuple(made), made[-1].report, source)


def at_best(report: Report) -> bool:
    """Return True if no search can find fewer repeats, nor a more even share of tables of another size."""
    uneven = report.odd_uneven and report.order == "repeats"
    return report.repeats <= report.bound and report.most <= report.most_bound and not uneven


def round_by_round(
    entrants: Sequence[Entrant],
    played: Sequence[PastRound],
    rounds: int,
    sizes: Sizes,
    seed: int,
    seconds: float,
    order: Order,
) -> list[PastRound]:
    """Return the rounds that were played, and the further ones up to this number, drawn one after the other."""
    past = list(played)
    nobody: frozenset[int] = frozenset()
    while len(past) < rounds:
        drawn = tables_of_round(entrants, past, sizes, "balanced", seed, nobody, nobody, seconds / rounds, order)
        past.append(drawn)
    return past


def all_at_once(
    entrants: Sequence[Entrant],
    past: Sequence[PastRound],
    sizes: Sizes,
    seed: int,
    seconds: float,
    order: Order,
    played: int = 0,
) -> list[PastRound]:
    """Return the rounds with other tables after a search over all of them; numbers and seats follow from them.

    The first rounds, which were ``played``, stay as they are.
    """
    report = judge(past, (), sizes, order=order)
    numbers = sorted({number for past_round in past for table in past_round.tables for number in table.seats})
    index = {number: place for place, number in enumerate(numbers)}
    rounds = [[[index[number] for number in table.seats] for table in past_round.tables] for past_round in past]
    lot = Lot(seed, "all", len(past))
    looks = int(seconds * LOOKS_A_SECOND)
    aim = max(2, report.most_bound)
    groups = annealed(
        rounds,
        len(numbers),
        sizes.wished,
        aim,
        lot,
        looks,
        report.bound,
        by_turns=order == "sizes",
        played=played,
    )
    places = {entrant.number: place for place, entrant in enumerate(entrants)}
    drawn = list(past[:played])
    for past_round, tables in zip(past[played:], groups[played:], strict=True):
        history = History(entrants, drawn, sizes)
        members = [[places[numbers[who]] for who in table] for table in tables]
        drawn.append(PastRound(seated(members, {}, entrants, history, frozenset(), lot), past_round.out, seed))
    return drawn


def _spread(past: Sequence[PastRound], seed: int) -> list[PastRound]:
    orders = spread_seats([played.tables for played in past], Lot(seed, "seats", len(past)))
    return [PastRound(tuple(tables), played.out, seed) for played, tables in zip(past, orders, strict=True)]


def _judged(past: Sequence[PastRound], sizes: Sizes, seed: int, order: Order, searched: float) -> list[Round]:
    judgement = Judgement({}, sizes, order)
    made = []
    for played in past:
        judgement.add(played)
        made.append(Round(played.tables, played.out, judgement.report(seed, searched)))
    return made


def _source(players: int, rounds: int, sizes: Sizes, order: Order) -> str:
    design = blueprint(players, sizes, order)
    if len(design.rounds) >= rounds:
        return design.source
    if len(design.rounds) < 2:
        return "Each round comes from a search."
    first = f"{design.source[0].lower()}{design.source[1:]}"
    return f"Rounds 1 to {len(design.rounds)}: {first} The others come from a search."
