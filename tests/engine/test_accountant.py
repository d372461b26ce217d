"""Random settlements are compared with an independent accountant; money modules contain no fractions."""

import ast
import random
from pathlib import Path
from typing import Any

import pytest

import engine
from engine import sample
from engine.chratze.players import check_players
from engine.chratze.playing import Played
from engine.chratze.record import Table
from engine.chratze.rules import HouseRules, house_rules
from engine.chratze.settlement import settle
from engine.chratze.speaking import Spoken
from tests.engine.accountant import account, account_kratzen, account_zwicken

ROOT = Path(__file__).parents[2]
CASES = 100_000
KRATZEN_CASES = 10_000
ZWICKEN_CASES = 10_000


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
    """Return a random case: four tricks played, a walkover, or a passed-out hand."""
    rules = random_rules(rng)
    seats = rng.randint(2, 7)
    pot_before = rng.choice((0, rng.randrange(50), rng.randrange(3000), rng.randrange(10**9), 10**12))
    table = Table(rules, seats, rng.randrange(seats), pot_before, rng.choice((1, 1, 2)), None)
    kind = rng.random()
    if kind < 0.05:
        return table, Spoken(None, []), Played([0] * seats, False, [])
    declarer = rng.randrange(seats)
    if kind < 0.1:
        return table, Spoken(declarer, []), Played([0] * seats, False, [])
    others = [seat for seat in range(seats) if seat != declarer]
    joiners = rng.sample(others, rng.randint(1, len(others)))
    tricks = [0] * seats
    for seat in rng.choices([declarer, declarer, *joiners], k=4):
        tricks[seat] += 1
    winners = [seat for seat in joiners if tricks[seat]]
    return table, Spoken(declarer, sorted(joiners)), Played(tricks, tricks[declarer] > 1, winners)


@pytest.mark.rest
def test_the_accountant_agrees_on_a_hundred_thousand_random_settlements() -> None:
    rng = random.Random(20)
    outcomes: set[tuple[bool, bool, int]] = set()
    for _ in range(CASES):
        table, spoken, played = random_case(rng)
        rules = table.rules
        result = settle(table, spoken, played)
        made = {*played.winners, *([spoken.declarer] if played.declarer_made else [])}
        deltas, pot_after = account(
            seats=table.seats,
            pot_before=table.pot_before,
            ante=rules.stake if rules.ante_on_redeal or table.deal_number == 1 else 0,
            coin=rules.coin,
            rounding=rules.rounding,
            limit=rules.pot_limit,
            declarer=spoken.declarer,
            joiners=set(spoken.joiners),
            made=made,
        )
        case = (table, spoken, played)
        assert (result["deltas"], result["pot_after"]) == (deltas, pot_after), case
        assert sum(deltas) + pot_after == table.pot_before, case
        assert {type(line["amount"]) for line in result["lines"]} <= {int}, case
        outcomes.add((played.declarer_made, bool(spoken.joiners), len(made)))
    assert len(outcomes) == 8, "every way to share a pot occurred"


def test_the_accountant_disagrees_with_a_wrong_settlement() -> None:
    """Check the test above: its cases would detect an engine without the pot limit."""
    rng = random.Random(20)
    differences = 0
    for _ in range(2_000):
        table, spoken, played = random_case(rng)
        check_players(table)
        without_limit = table._replace(rules=table.rules._replace(pot_limit=None))
        differences += settle(table, spoken, played)["lines"] != settle(without_limit, spoken, played)["lines"]
    assert differences > 100


def test_the_accountant_agrees_on_random_hands_of_kratzen() -> None:
    """Compare whole tallies with cuts; the payments before play are computed here, card by card (K3.2)."""
    rng = random.Random(33)
    seen: set[tuple[object, ...]] = set()
    for _ in range(KRATZEN_CASES):
        record = random_kratzen(rng)
        result = engine.replay(record)
        assert result["ok"], (record, result)
        rules = engine.effective_rules("kratzen", record["rules"])
        is_muss = record["pot_before"] < 4 * rules["coin"]
        deltas, pot_after = account_kratzen(
            seats=record["seats"],
            pot_before=record["pot_before"],
            paid_before=paid_before(record, rules["unit"], is_muss),
            coin=rules["coin"],
            to_declarer=rules["remainder"] == "declarer",
            limit=rules["pot_limit"],
            split_over=rules["split_over"],
            muss=result["muss"],
            seven=record["seven"],
            declarer=result["declarer"],
            joiners=set(result["joiners"]),
            tricks=result["tricks"],
        )
        assert (result["deltas"], result["pot_after"]) == (deltas, pot_after), (record, result)
        assert sum(deltas) + pot_after == record["pot_before"]
        assert result["muss"] is (is_muss or record["seven"])
        assert result["next"]["muss"] is (pot_after < 4 * rules["coin"])
        seen.add((result["outcome"], result["muss"], record["seven"], rules["split_over"] is None))
    assert len(seen) == 10, "every kind of hand occurred"


def random_kratzen(rng: random.Random) -> dict[str, Any]:
    """Return a legal tally with random house rules, cuts, roles and tricks."""
    rules = sample.random_rules(rng, game="kratzen")
    seats, coin = rng.randint(3, 6), engine.effective_rules("kratzen", rules)["coin"]
    pot = coin * rng.choice((0, rng.randrange(4), rng.randrange(4, 300), rng.randrange(10**9)))
    cuts = []
    while rng.random() < 0.3:
        cuts.append([rng.choice("A7W"), rng.choice("A7x")])
    record = {"game": "kratzen", "rules": rules, "seats": seats, "dealer": rng.randrange(seats), "pot_before": pot}
    record["cuts"] = [*cuts, ["x"]]
    seven_muss = engine.effective_rules("kratzen", rules)["seven_muss"]
    record["seven"] = seven_muss != "off" and rng.random() < 0.2
    dealer = engine.after_cuts(rules, seats=seats, dealer=record["dealer"], cuts=record["cuts"]).dealer
    declarer: int | None = dealer
    joiners = {*range(seats)} - {dealer}
    if pot >= 4 * coin and not record["seven"]:
        declarer = rng.choice((None, *range(seats)))
        joiners = set(rng.sample(range(seats), rng.randrange(seats))) - {declarer} if declarer is not None else set()
        record["game_type"] = "oder" if declarer is not None else None
    record |= {"declarer": declarer, "joiners": sorted(joiners)}
    if declarer is not None and joiners:
        takers = rng.choices([declarer, declarer, *joiners], k=4)
        record["tricks"] = {str(seat): takers.count(seat) for seat in takers}
    return record


def paid_before(record: dict[str, Any], unit: int, muss: bool) -> list[int]:
    """Return the antes and cut payments by seat."""
    seats, holder = record["seats"], record["dealer"]
    paid = [unit if muss else 0] * seats
    paid[holder] += unit
    for shown in record["cuts"]:
        for card in shown:
            if card == "W":
                paid = [amount + unit for amount in paid]
            if card in ("A", "7"):
                holder = (holder + (1 if card == "A" else seats - 1)) % seats
                paid[holder] += unit
    return paid


def random_zwicken(rng: random.Random) -> dict[str, Any]:
    """Return a legal tally with random house rules, cuts, players and tricks."""
    given = sample.random_rules(rng, game="zwicken")
    rules = engine.effective_rules("zwicken", given)
    seats = rng.randint(3, 6)
    pot = rng.choice((0, 0, rng.randrange(300), rng.randrange(10**9), 10**12))
    record: dict[str, Any] = {"game": "zwicken", "rules": given, "seats": seats, "pot_before": pot}
    record["dealer"] = rng.randrange(seats)
    record["cuts"] = [*rng.choices("A7B", k=rng.choice((0, 0, 1, 2, 5))), "x"] if rules["cut_moves"] else []
    playing = list(range(seats))
    if pot:
        playing = record["players"] = rng.sample(playing, rng.randint(0, seats))
    if len(playing) > 1:
        takers = rng.choices(playing, k=3)
        record["tricks"] = {str(seat): takers.count(seat) for seat in takers}
        losers = [seat for seat in playing if takers.count(seat) < 3]
        if rules["seven"] and rules["seven_lost"] == "stake" and rng.random() < 0.3:
            record["seven_lost"] = rng.choice(losers)
    return record


def test_the_accountant_agrees_on_random_hands_of_zwicken() -> None:
    rng = random.Random(52)
    seen: set[tuple[object, ...]] = set()
    for _ in range(ZWICKEN_CASES):
        record = random_zwicken(rng)
        result = engine.replay(record)
        assert result["ok"], (record, result)
        rules: dict[str, Any] = engine.effective_rules("zwicken", record["rules"])
        playing = {*record.get("players", range(record["seats"]))}
        tricks = [record.get("tricks", {}).get(str(seat), 0) for seat in range(record["seats"])]
        deltas, pot_after, next_dealer = account_zwicken(
            seats=record["seats"],
            pot_before=record["pot_before"],
            first_dealer=record["dealer"],
            moves=record["cuts"],
            stake=rules["stake"],
            coin=rules["coin"],
            belli=rules["seven"],
            limit=rules["pot_limit"],
            bete_is_pot=rules["bete"] == "pot",
            dealer_takes=rules["nobody"] == "dealer",
            playing=playing,
            tricks=tricks,
            lost=record.get("seven_lost"),
        )
        assert (result["deltas"], result["pot_after"], result["next"]["dealer"]) == (deltas, pot_after, next_dealer)
        assert sum(deltas) + pot_after == record["pot_before"]
        assert result["muss"] is (record["pot_before"] == 0)
        assert result["next"]["muss"] is (pot_after == 0)
        assert result["joiners"] == sorted(playing)
        seen.add((result["outcome"], result["muss"], "seven_lost" in record, rules["pot_limit"] is None))
    assert len(seen) == 12, "every kind of hand occurred"


MONEY = [
    *(path for game in engine.GAMES for path in (ROOT / "engine" / game).glob("*.py") if path.name != "sample.py"),
    *(ROOT / "engine" / name for name in ("cuts.py", "pot.py", "rules.py", "shapes.py", "replay.py", "tricks.py")),
    *ROOT.glob("league/ledger/transfers.py"),
    *ROOT.glob("league/ledger/*.py"),
]


def fractions_in(source: str) -> list[str]:
    """Return all code that could give an amount a fraction: a float, a true division, `float`, `round`, `Decimal`."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            lines.append(f"{node.lineno}: {node.value}")
        elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            lines.append(f"{node.lineno}: /")
        elif isinstance(node, ast.Name) and node.id in ("float", "round", "Decimal", "Fraction", "truediv"):
            lines.append(f"{node.lineno}: {node.id}")
    return lines


def test_money_modules_are_found() -> None:
    assert len(MONEY) >= 20


@pytest.mark.parametrize("module", MONEY, ids=lambda path: str(path.relative_to(ROOT)))
def test_money_modules_contain_no_fractions(module: Path) -> None:
    assert fractions_in(module.read_text()) == []


@pytest.mark.parametrize("source", ["x = 1.0", "x = y / 2", "x /= 2", "float(x)", "round(x)", "Decimal(x)", "1j"])
def test_the_check_finds_fractions(source: str) -> None:
    assert len(fractions_in(source)) == 1
