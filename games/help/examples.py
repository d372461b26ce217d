"""The examples of the help pages, computed by the engine with the default house rules of the first game."""

from __future__ import annotations

from dataclasses import dataclass

from league.models import Season
from league.payments.solver import settle
from league.standings.points import hand_points

from .. import engine_bridge
from ..engine_bridge import Record, Result, Start
from ..offered import game_of

NAMES = ("Anna", "Beni", "Carlo", "Housi")
"""The players by seat; Housi deals first."""
POT = len(NAMES)
"""The account of the pot, after those of the players."""
MADE = {"declarer": 0, "joiners": [2], "tricks": {"0": 2, "2": 2}}
JOINER_FAILED = {"declarer": 0, "joiners": [3], "tricks": {"0": 4}}
DECLARER_FAILED = {"declarer": 1, "joiners": [0], "tricks": {"0": 3, "1": 1}}


def _start(game: str) -> Start:
    """Return the first hand of an evening with default house rules."""
    return Start(number=1, game=game, rules={}, seats=len(NAMES), dealer=len(NAMES) - 1, deal_number=1, pot_before=0)


def _played(start: Start, *tallies: Record) -> Result:
    """Return the result of the last of these hands, one after the other."""
    *earlier, last = tallies
    for tally in earlier:
        start = start.after(engine_bridge.replay(start.fields() | tally))
    return engine_bridge.replay(start.fields() | last)


def _line(result: Result, seat: int, kind: str) -> int:
    """The amount of one line of the result, in Rappen, without a sign."""
    amounts: list[int] = [line["amount"] for line in result["lines"] if (line["seat"], line["kind"]) == (seat, kind)]
    return abs(sum(amounts))


def hands() -> dict[str, int]:
    """Return the amounts of three first hands of an evening, in Rappen."""
    start = _start(engine_bridge.GAME)
    made, joiner_failed, declarer_failed = (_played(start, hand) for hand in (MADE, JOINER_FAILED, DECLARER_FAILED))
    ante, penalty = _line(made, 3, "ante"), _line(joiner_failed, 3, "penalty")
    return {
        "ante": ante,
        "pot": made["pot"],
        "declarer_takes": _line(made, 0, "payout"),
        "joiner_takes": _line(made, 2, "payout"),
        "joiner_pays": penalty,
        "joiner_pays_with_ante": penalty + ante,
        "declarer_pays": _line(declarer_failed, 1, "penalty"),
    }


@dataclass(frozen=True)
class Coin:
    """What one player takes from the pot (above 0) or pays into it, in Rappen."""

    name: str
    amount_minor: int


def printed_hand(game: str) -> list[Coin]:
    """Return what is taken and paid in the hand of the handout, without antes."""
    result = _played(_start(game), *map(dict, game_of(game).texts.handout))
    paid = [line for line in result["lines"] if line["kind"] in ("payout", "penalty")]
    return [Coin(NAMES[line["seat"]], line["amount"]) for line in paid]


@dataclass(frozen=True)
class Payment:
    """`payer` and `payee` are names, empty for the place where the pot goes."""

    payer: str
    payee: str
    amount_minor: int


@dataclass(frozen=True)
class Evening:
    """An evening of two hands: Anna made the first one, Beni failed in the second one."""

    sums: list[tuple[str, int]]
    points: list[tuple[str, int]]
    pot_minor: int
    payments: list[Payment]


def evening() -> Evening:
    """Return the sums, the points by the default settings of a season, and the fewest payments of the evening."""
    start = _start(engine_bridge.GAME)
    first, second = _played(start, MADE), _played(start, MADE, DECLARER_FAILED)
    sums = [delta + other for delta, other in zip(first["deltas"], second["deltas"], strict=True)]
    pot = second["pot_after"]
    names = [*NAMES, ""]
    dues = settle(dict(enumerate([*sums, pot])))
    points = [
        sum(_points(tally, result, seat) for tally, result in ((MADE, first), (DECLARER_FAILED, second)))
        for seat in range(len(NAMES))
    ]
    return Evening(
        sums=list(zip(NAMES, sums, strict=True)),
        points=list(zip(NAMES, points, strict=True)),
        pot_minor=pot,
        payments=[Payment(names[due.payer], names[due.payee], due.amount_minor) for due in dues],
    )


def _points(tally: Record, result: Result, seat: int) -> int:
    made = engine_bridge.made_goal({"game": engine_bridge.GAME, **tally}, result, seat)
    return hand_points(Season(), role=engine_bridge.role_of(result, seat), made=made)
