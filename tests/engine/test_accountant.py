"""Random settlements against an independent accountant, and money without fractions."""

import ast
import random
from pathlib import Path

import pytest

from engine.chratze.players import check_players
from engine.chratze.playing import Played
from engine.chratze.settlement import settle
from engine.chratze.speaking import Spoken
from engine.record import Table
from engine.rules import HouseRules, house_rules
from tests.engine.accountant import account

ROOT = Path(__file__).parents[2]
CASES = 100_000


def random_rules(rng: random.Random) -> HouseRules:
    coin = rng.choice((1, 1, 2, 5, 5, 10, 20, 50))
    stake = rng.choice((1, 5, 7, 10, 20, 20, 50, 100))
    given: dict[str, object] = {"coin": coin, "stake": stake, "ante_on_redeal": rng.random() < 0.5}
    if rng.random() < 0.5:
        given["rounding"] = coin * rng.randint(1, 12)
    if rng.random() < 0.5:
        given["pot_limit"] = stake + rng.choice((0, 1, 99, 250, 1000, 10**6))
    return house_rules(given)


def random_case(rng: random.Random) -> tuple[Table, Spoken, Played]:
    """A settlement that four tricks can give, or none played."""
    rules = random_rules(rng)
    seats = rng.randint(2, 7)
    pot_before = rng.choice((0, rng.randrange(50), rng.randrange(3000), rng.randrange(10**9), 10**12))
    table = Table(rules, seats, rng.randrange(seats), pot_before, rng.choice((1, 1, 2)), None, [])
    kind = rng.random()
    if kind < 0.05:
        return table, Spoken(None, []), Played([0] * seats, frozenset())
    declarer = rng.randrange(seats)
    if kind < 0.1:
        return table, Spoken(declarer, []), Played([0] * seats, frozenset())
    others = [seat for seat in range(seats) if seat != declarer]
    joiners = rng.sample(others, rng.randint(1, len(others)))
    tricks = [0] * seats
    for seat in rng.choices([declarer, declarer, *joiners], k=4):
        tricks[seat] += 1
    made = {seat for seat in joiners if tricks[seat]} | ({declarer} if tricks[declarer] > 1 else set())
    return table, Spoken(declarer, sorted(joiners)), Played(tricks, frozenset(made))


def test_the_accountant_agrees_on_a_hundred_thousand_random_settlements() -> None:
    rng = random.Random(20)
    outcomes: set[tuple[bool, bool, int]] = set()
    for _ in range(CASES):
        table, spoken, played = random_case(rng)
        rules = table.rules
        settled = settle(table, spoken, played)
        deltas, pot_after = account(
            seats=table.seats,
            carried=table.pot_before,
            ante=rules.stake if rules.ante_on_redeal or table.deal_number == 1 else 0,
            coin=rules.coin,
            rounding=rules.rounding,
            limit=rules.pot_limit,
            declarer=spoken.declarer,
            joiners=set(spoken.joiners),
            made=set(played.made),
        )
        case = (table, spoken, played)
        assert (settled.booked.deltas, settled.booked.pot_after) == (deltas, pot_after), case
        assert sum(deltas) + pot_after == table.pot_before, case
        assert {type(line["amount"]) for line in settled.booked.lines} <= {int}, case
        outcomes.add((spoken.declarer in played.made, bool(spoken.joiners), len(played.made)))
    assert len(outcomes) == 8, "every way to share a pot occurred"


def test_the_accountant_disagrees_with_a_wrong_settlement() -> None:
    """The control: an engine that forgot the limit would be caught by the very cases above."""
    rng = random.Random(20)
    differences = 0
    for _ in range(2_000):
        table, spoken, played = random_case(rng)
        check_players(table)
        forgetful = table._replace(rules=table.rules._replace(pot_limit=None))
        differences += settle(table, spoken, played).booked != settle(forgetful, spoken, played).booked
    assert differences > 100


MONEY = [
    *(ROOT / "engine/chratze").glob("*.py"),
    *(ROOT / "engine" / name for name in ("pot.py", "rules.py", "record.py", "replay.py", "tricks.py")),
    *ROOT.glob("league/ledger.py"),
    *ROOT.glob("league/ledger/*.py"),
]


def fractions_in(source: str) -> list[str]:
    """Everything that could make a fraction of an amount: a float, a true division, `float`, `round`, `Decimal`."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            found.append(f"{node.lineno}: {node.value}")
        elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            found.append(f"{node.lineno}: /")
        elif isinstance(node, ast.Name) and node.id in ("float", "round", "Decimal", "Fraction", "truediv"):
            found.append(f"{node.lineno}: {node.id}")
    return found


def test_there_are_money_modules() -> None:
    assert len(MONEY) >= 12


@pytest.mark.parametrize("module", MONEY, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_fraction_in_a_money_module(module: Path) -> None:
    assert fractions_in(module.read_text()) == []


@pytest.mark.parametrize("source", ["x = 1.0", "x = y / 2", "x /= 2", "float(x)", "round(x)", "Decimal(x)", "1j"])
def test_a_fraction_would_be_seen(source: str) -> None:
    assert len(fractions_in(source)) == 1
