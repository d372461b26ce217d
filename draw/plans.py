"""All rounds of a tournament ahead."""

from draw.blueprint import blueprint
from draw.judge import Judgement
from draw.model import Entrant, PastRound, Plan, Round, Sizes
from draw.rounds import DEFAULT_SIZES, tables_of_round

MOST_PLAYERS = 2000
MOST_ROUNDS = 200


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
    judgement = Judgement({}, sizes)
    past: list[PastRound] = []
    made: list[Round] = []
    for _ in range(rounds):
        nobody: frozenset[int] = frozenset()
        past.append(tables_of_round(entrants, past, sizes, "balanced", seed, nobody, nobody, seconds / rounds))
        judgement.add(past[-1])
        made.append(Round(past[-1].tables, past[-1].out, judgement.report(seed)))
    return Plan(tuple(made), made[-1].report, _source(players, rounds, sizes))


def _source(players: int, rounds: int, sizes: Sizes) -> str:
    design = blueprint(players, sizes)
    if len(design.rounds) >= rounds:
        return design.source
    if len(design.rounds) < 2:
        return "Each round comes from a search."
    first = f"{design.source[0].lower()}{design.source[1:]}"
    return f"Rounds 1 to {len(design.rounds)}: {first} The others come from a search."
