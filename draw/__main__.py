"""The command ``python -m draw``: draw all rounds of a tournament ahead."""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from typing import Any

from draw.model import ORDERS, Plan, Sizes
from draw.plans import plan

DRAWN, MISUSED = 0, 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options; `manage.py draw` has the same."""
    parser.add_argument("--players", type=int, required=True, metavar="N", help="players 1 to N")
    parser.add_argument("--rounds", type=int, required=True, metavar="R")
    parser.add_argument("--size", type=int, default=4, help="wished size of a table, 3 to 7 (default: 4)")
    parser.add_argument("--least", type=int, help="smallest size (default: 3, or the wished size)")
    parser.add_argument("--most", type=int, help="greatest size (default: 5, or the wished size)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the lot (default: 1)")
    parser.add_argument(
        "--seconds", type=float, default=2, help="budget of the search, as steps at a fixed rate (default: 2)"
    )
    parser.add_argument(
        "--order",
        choices=ORDERS,
        default="repeats",
        help="what comes first: few repeats, or tables of another size by turns (default: repeats)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")


def drawn(options: dict[str, Any]) -> str:
    """Return the plan that the options ask for as text.

    Raises:
        ValueError: the options contradict each other.
    """
    size = options["size"]
    least = min(3, size) if options["least"] is None else options["least"]
    most = max(5, size) if options["most"] is None else options["most"]
    if not 0 <= options["seconds"] <= 3600:
        raise ValueError("The budget is 0 to 3600 seconds.")
    began = time.perf_counter()
    made = plan(
        options["players"],
        options["rounds"],
        Sizes(size, least, most),
        seed=options["seed"],
        seconds=options["seconds"],
        order=options["order"],
    )
    took = time.perf_counter() - began
    return as_json(made, took) if options["json"] else as_lines(made)


def as_json(made: Plan, seconds: float) -> str:
    """Return the plan as one JSON object; ``seconds`` is the time that the draw took."""
    rounds = [
        {"tables": [list(table.seats) for table in drawn.tables], "out": list(drawn.out)} for drawn in made.rounds
    ]
    report = made.report
    return json.dumps(
        {
            "rounds": rounds,
            "repeats": report.repeats,
            "most": report.most,
            "bound": report.bound,
            "seconds": round(seconds, 3),
        }
    )


def as_lines(made: Plan) -> str:
    """Return the plan as text, one table a line."""
    lines = []
    for number, drawn in enumerate(made.rounds, 1):
        lines.append(f"Round {number}")
        lines += [f"  {table.number:>3}: {' '.join(map(str, table.seats))}" for table in drawn.tables]
        if drawn.out:
            lines.append(f"  out: {' '.join(map(str, drawn.out))}")
    report = made.report
    lines.append(f"{report.repeats} repeats (at least {report.bound}), a pair meets at most {report.most} times.")
    lines.append(made.source)
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m draw", description="Draw all rounds of a tournament ahead.")
    add_arguments(parser)
    options = parser.parse_args(arguments)
    try:
        print(drawn(vars(options)))
    except ValueError as fault:
        print(f"draw: {fault}", file=sys.stderr)
        return MISUSED
    return DRAWN


if __name__ == "__main__":
    sys.exit(main())
