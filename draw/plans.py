"""All rounds of a tournament ahead."""

from draw.blueprint import blueprint
from draw.judge import judge
from draw.model import Entrant, PastRound, Plan, Round, Sizes
from draw.rounds import DEFAULT_SIZES, draw_round

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
    past: list[PastRound] = []
    drawn: list[Round] = []
    for _ in range(rounds):
        drawn.append(draw_round(entrants, past, sizes, seed=seed, seconds=seconds / rounds))
        past.append(drawn[-1].as_past())
    return Plan(tuple(drawn), judge(past, (), sizes, seed=seed), _source(players, rounds, sizes))


def _source(players: int, rounds: int, sizes: Sizes) -> str:
    design = blueprint(players, sizes)
    if len(design.rounds) >= rounds:
        return design.source
    if len(design.rounds) < 2:
        return "Each round comes from a search."
    return f"Rounds 1 to {len(design.rounds)}: {design.source[0].lower()}{design.source[1:]} The others come from a search."
