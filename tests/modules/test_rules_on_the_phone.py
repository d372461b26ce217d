"""The rules on the phone (static/js/rules) give what the engine gives: the same result, or the same clause and place.

Each record is compared as the phone would send it: JSON.stringify writes it, and the engine replays that text.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import engine
from engine import sample
from engine.chratze.rules import VALUES as CHRATZE_VALUES
from engine.kratzen.rules import VALUES as KRATZEN_VALUES
from engine.zwicken.rules import VALUES as ZWICKEN_VALUES
from tests.engine.hands import Record
from tests.engine.tallies import (
    NUMBERS,
    ODD_VALUES,
    legal_cuts,
    legal_cuts_of_one,
    legal_rules,
    legal_tally,
    spoiled_tally,
)
from tests.node import Evaluate

PROJECT = Path(__file__).resolve().parents[2]
MODULES = PROJECT / "static/js/rules"
RULES = (CHRATZE_VALUES, KRATZEN_VALUES, ZWICKEN_VALUES)
STORED = [PROJECT / "tests/data/examples.jsonl", PROJECT / "tests/data/golden.jsonl"]
EACH = int(os.environ.get("PHONE_TALLIES", "10000"))
"""The legal tallies of each game, and as many spoiled ones."""

CLAUSES = {
    "chratze": {"R1", "R3", "R4", "R5", "R6", "C1.1", "C2.5", "C3.3", "C3.4", "C3.5", "C3.6"},
    "kratzen": {"R1", "R2", "R3", "R4", "R5", "R6", "K1.1", "K3.1", "K3.4", "K4.2", "K5.1", "K5.4"},
    "zwicken": {"R1", "R2", "R3", "R4", "R5", "R6", "Z1.1", "Z2.3", "Z2.4", "Z4.1", "Z7.3"},
}
"""All clauses that a tally can break."""
EFFECTS = {
    "chratze": {"rounding", "remainder", "limit"},
    "kratzen": {"half", "remainder", "limit"},
    "zwicken": {"remainder", "limit"},
}

# Rules that are a little wrong: the module, its text, the text in its place.
MUTANTS = (
    ("chratze/playing.js", "counts[declarer] >= 2", "counts[declarer] >= 1"),
    ("chratze/playing.js", "counts[seat] >= 1)", "counts[seat] > 1)"),
    ("chratze/playing.js", "deal_number === rules.max_turns", "deal_number > rules.max_turns"),
    ("chratze/playing.js", "(declarer + seats - 1) % seats", "(declarer + 1) % seats"),
    ("chratze/playing.js", "TRICKS - 2 : TRICKS", "TRICKS - 1 : TRICKS"),
    ("chratze/playing.js", "rules.blind !== blind", "rules.blind === blind"),
    ("chratze/settlement.js", "thirds + remainder", "thirds"),
    ("chratze/settlement.js", "-2 * pot", "-pot"),
    ("chratze/settlement.js", 'rules.susi === "label"', 'rules.susi === "off"'),
    ("pot.js", "over ? amount + unit - over : amount", "amount + unit - over"),
    ("pot.js", "Math.min(roundUp(2 * pot, 3 * rounding) / 3, pot)", "roundUp(2 * pot, 3 * rounding) / 3"),
    ("pot.js", "Math.max(0, potLimit - left)", "Math.max(0, potLimit)"),
    (
        "pot.js",
        "-Number((BigInt(-penalty) * BigInt(room)) / BigInt(total) / BigInt(coin)) * coin",
        "-Math.floor((-penalty * room) / total / coin) * coin",
    ),
    ("kratzen/settlement.js", "pot <= rules.split_over", "pot <= rules.pot_limit"),
    (
        "kratzen/settlement.js",
        "limitPenalties(penalties, rules.pot_limit",
        "limitPenalties(penalties, rules.split_over",
    ),
    ("kratzen/settlement.js", 'rules.remainder === "declarer"', 'rules.remainder === "pot"'),
    ("kratzen/cutting.js", "{ 7: -1, A: 1 }", "{ 7: 1, A: -1 }"),
    ("kratzen/cutting.js", "potBefore < FEWEST_COINS * rules.coin", "potBefore <= FEWEST_COINS * rules.coin"),
    ("kratzen/cutting.js", 'symbol === "W" && symbols', 'symbol === "V" && symbols'),
    ("kratzen/playing.js", "seat === declarer && !seven ? 2", "seat === declarer ? 2"),
    ("kratzen/playing.js", 'muss || game_type === "schlagen"', 'game_type === "schlagen"'),
    ("kratzen/rules.js", "FEWEST_LIMIT_COINS = 8", "FEWEST_LIMIT_COINS = 7"),
    ("chratze/rules.js", "rules.pot_limit < rules.stake", "rules.pot_limit <= rules.stake"),
    ("fields.js", "value <= HIGHEST_AMOUNT", "value < HIGHEST_AMOUNT"),
    ("fields.js", "seat.length <= 12 &&", ""),
    ("seats.js", "seat >= 0 && seat < seats", "seat >= 0 && seat <= seats"),
    ("tricks.js", "|| count < 0", ""),
    ("faults.js", "LONGEST_SHOWN = 40", "LONGEST_SHOWN = 41"),
    ("replay.js", "claimed.length !== result.deltas.length ||", ""),
    ("kratzen/game.js", 'rules.remainder === "declarer" ? declarer : null', "null"),
    (
        "zwicken/cutting.js",
        "for (let step = stepsOf(symbol, rules)",
        "for (let step = Math.min(1, stepsOf(symbol, rules))",
    ),
    ("zwicken/cutting.js", 'symbol === "B" && rules.seven', 'symbol === "B"'),
    ("zwicken/cutting.js", 'symbol === "x" ? !isLast : isLast && isOver', 'symbol !== "x" && isLast && isOver'),
    ("zwicken/cutting.js", "if (cuts.length) throw", "if (cuts.length > 9) throw"),
    ("zwicken/playing.js", "potBefore === 0", "potBefore < 30"),
    ("zwicken/playing.js", "counts[seat] === TRICKS", "counts[seat] > TRICKS"),
    ("zwicken/playing.js", "players.length > 1 && players", "players"),
    ("zwicken/settlement.js", "count < 1", "count < 2"),
    ("zwicken/settlement.js", 'rules.bete === "pot"', 'rules.bete === "stake"'),
    ("zwicken/settlement.js", 'rules.nobody === "dealer"', 'rules.nobody === "stays"'),
    ("zwicken/settlement.js", "payOut(rules, pot, cuts.dealer", "payOut(rules, pot, dealer"),
    ("zwicken/game.js", 'outcome === "played" ? TRICKS : 1', "TRICKS"),
    ("zwicken/rules.js", "pot_limit < least", "pot_limit <= least"),
    ("zwicken/rules.js", "rules.cut_moves && cuts === null", "cuts === null"),
)

# Takes a line for each record; returns three: the record as the phone writes it after the replay (empty if it writes
# the same line), result, effects.
REPLAY = """async (lines) => {
  const rules = await import("/static/js/rules/index.js");
  const found = [];
  for (const line of lines.split("\\n")) {
    const record = JSON.parse(line);
    const result = rules.replay(record);
    const effects = result.ok ? rules.effects(record, result) : [];
    const written = JSON.stringify(record);
    found.push(written === line ? "" : written, JSON.stringify(result), JSON.stringify(effects));
  }
  return found.join("\\n");
}"""

# For each of some copies of the rules: does any record get another answer than the engine's?
FIND_DIFFERENCES = """async ([copies, lines, expected]) => {
  const [records, answers] = [lines.split("\\n"), expected.split("\\n")];
  const differs = (rules) => records.some((line, number) => {
    const record = JSON.parse(line);
    const result = rules.replay(record);
    try {
      return JSON.stringify([result, result.ok ? rules.effects(record, result) : []]) !== answers[number];
    } catch {
      return true;
    }
  });
  return (await Promise.all(copies.map((url) => import(url)))).map(differs);
}"""


def modules() -> dict[str, str]:
    """Return the text of each module by its place in the folder."""
    return {path.relative_to(MODULES).as_posix(): path.read_text(encoding="utf-8") for path in MODULES.glob("**/*.js")}


def broken_modules(name: str, right: str, wrong: str) -> dict[str, str]:
    """Return the modules with one of `MUTANTS`; the text that it replaces must occur exactly once."""
    texts = modules()
    assert texts[name].count(right) == 1, (name, right)
    return texts | {name: texts[name].replace(right, wrong)}


def stored_modules(folder: Path, texts: dict[str, str]) -> str:
    """Write the modules to a folder; return the address of their index."""
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    return (folder / "index.js").as_uri()


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def lines_of(records: Iterable[object]) -> str:
    return "\n".join(json.dumps(record, separators=(",", ":")) for record in records)


def expected_of(record: Any) -> dict[str, Any]:
    """Return the engine's answer without its sentence; for a hand with cards the answer of the phone."""
    if type(record) is dict and "deal" in record and record.get("game") in engine.GAMES:
        return {"ok": False, "error": {"clause": "", "at": "deal", "reason": "full"}}
    result = engine.replay(record)
    if not result["ok"]:
        del result["error"]["message"]
    return result


def effects_of(record: Record, result: dict[str, Any]) -> list[dict[str, Any]]:
    return [effect._asdict() for effect in engine.effects(record, result)] if result["ok"] else []


def stored() -> list[Any]:
    """Return the records of the rulebooks' examples and of the golden corpus."""
    lines = (line for path in STORED for line in path.read_text(encoding="utf-8").splitlines())
    return [json.loads(line)["record"] for line in lines]


def tallies(count: int) -> list[Record]:
    """Return random tallies: of each game ``count`` legal ones and as many spoiled."""
    rng = random.Random(1291)
    return [make(rng, game) for _ in range(count) for game in engine.GAMES for make in (legal_tally, spoiled_tally)]


def played_hands(count: int) -> list[Record]:
    """Return tallies of hands that simple players played with cards."""
    rng = random.Random(33)
    hands = [sample.random_hand(rng, game=game) for _ in range(count) for game in engine.GAMES]
    return [sample.tally_of(hand, engine.replay(hand)) for hand in hands]


class Seen:
    """The kinds of tallies of a game that occurred."""

    def __init__(self) -> None:
        self.clauses: Counter[str] = Counter()
        self.outcomes: Counter[str] = Counter()
        self.effects: Counter[str] = Counter()
        self.rules: dict[str, Counter[object]] = {}
        self.other: Counter[str] = Counter()

    def add(self, record: Record, result: dict[str, Any], effects: list[dict[str, Any]]) -> None:
        if not result["ok"]:
            self.clauses[result["error"]["clause"]] += 1
            return
        self.outcomes[result["outcome"]] += 1
        self.effects.update(effect["kind"] for effect in effects)
        for name, value in record.get("rules", {}).items():
            self.rules.setdefault(name, Counter())[value] += 1
        self.other[f"{record['seats']} seats"] += 1
        self.other[f"blind {result['blind']}"] += 1
        self.other[f"muss {result['muss']}, next {result['next']['muss']}"] += 1
        self.other["susi"] += result["susi"] is not None
        self.other["claimed"] += bool(record.get("claimed"))
        self.other["made"] += result["tricks"] is None
        self.other["seven lost"] += any(line["kind"] == "seven" for line in result["lines"])
        self.other["seven kept"] += record.get("seven_lost", 0) is None
        self.other["cuts with an effect"] += len(record.get("cuts", [])) > 1


def words_of_rules() -> set[str]:
    """Return all words that a house rule of the engine takes, and all words in the phone's list of house rules."""
    described = [text for rules in RULES for _, text in rules.values()]
    listed = [text.removeprefix("one of ").split(", ") for text in described if text.startswith("one of ")]
    on_the_phone = re.findall(r'"(\w+)"', "".join(modules()[f"{game}/rules.js"] for game in engine.GAMES))
    return {*on_the_phone, *(word for words in listed for word in words)}


def check_that_all_occurs(game: str, seen: Seen) -> None:
    """Check that each clause, outcome, effect and value of a house rule occurs often."""
    assert set(seen.clauses) == CLAUSES[game]
    assert min(seen.clauses.values()) >= 40, seen.clauses
    assert set(seen.outcomes) == {"played", "walkover", "passed_out"}
    assert min(seen.outcomes.values()) >= 800, seen.outcomes
    assert set(seen.effects) == EFFECTS[game]
    assert min(seen.effects.values()) >= 200, seen.effects
    assert set(seen.rules) == set(engine.RULE_DEFAULTS[game])
    for name in engine.RULE_DEFAULTS[game]:
        allowed = [value for value in (None, True, False, *sorted(words_of_rules())) if is_allowed(game, name, value)]
        assert all(seen.rules[name][value] >= 200 for value in allowed), (name, seen.rules[name])
        assert len(seen.rules[name]) >= max(2, len(allowed)), (name, seen.rules[name])
    others = {
        "chratze": [*(f"{n} seats" for n in range(2, 8)), "susi", "claimed", "made", "blind blind", "blind double"],
        "kratzen": [
            *(*(f"{n} seats" for n in range(3, 7)), "claimed", "cuts with an effect"),
            *("muss True, next False", "muss False, next True", "muss False, next False"),
        ],
        "zwicken": [
            *(*(f"{n} seats" for n in range(3, 7)), "claimed", "cuts with an effect", "seven lost", "seven kept"),
            *("muss True, next False", "muss False, next True", "muss False, next False"),
        ],
    }
    assert all(seen.other[name] >= 150 for name in others[game]), seen.other


def is_allowed(game: str, name: str, value: object) -> bool:
    try:
        return engine.effective_rules(game, {name: value})[name] is value
    except engine.Fault:
        return False


@pytest.mark.rest
def test_every_record_gives_the_engines_result(node: Evaluate) -> None:
    """The rulebooks' examples, the golden corpus, 60,000 random tallies and 900 of played hands."""
    lot = tallies(EACH)
    records = [*stored(), *played_hands(300), *lot]
    lines = node(REPLAY, lines_of(records)).split("\n")
    assert len(lines) == 3 * len(records)
    differing, seen = [], {game: Seen() for game in engine.GAMES}
    first_of_lot = len(records) - len(lot)
    for number, record in enumerate(records):
        written, result, effects = lines[3 * number : 3 * number + 3]
        sent = json.loads(written) if written else record
        expected = expected_of(sent)
        known = effects_of(sent, expected)
        if sent != record or result != compact(expected) or effects != compact(known):
            differing.append((record, expected, known, result, effects))
        if number >= first_of_lot and sent.get("game") in engine.GAMES:
            seen[sent["game"]].add(sent, expected, known)
    assert not differing, (len(differing), differing[:3])
    for game in engine.GAMES:
        check_that_all_occurs(game, seen[game])


@pytest.mark.rest
def test_rules_that_are_a_little_wrong_are_found(node: Evaluate, tmp_path: Path) -> None:
    records = [*(record for record in stored() if "deal" not in record), *tallies(2500)]
    records = [json.loads(line) for line in as_the_phone_writes(node, records)]
    expected = [expected_of(record) for record in records]
    answers = [compact([result, effects_of(record, result)]) for record, result in zip(records, expected, strict=True)]
    copies = [modules(), *(broken_modules(*mutant) for mutant in MUTANTS)]
    urls = [stored_modules(tmp_path / str(number), copy) for number, copy in enumerate(copies)]
    sound, *broken = node(FIND_DIFFERENCES, [urls, lines_of(records), "\n".join(answers)])
    assert sound is False
    assert [mutant for mutant, is_found in zip(MUTANTS, broken, strict=True) if not is_found] == []


def as_the_phone_writes(node: Evaluate, records: list[Any]) -> list[str]:
    script = 'lines => lines.split("\\n").map((line) => JSON.stringify(JSON.parse(line)))'
    written: list[str] = node(script, lines_of(records))
    return written


# Values that no tally has, as JavaScript, and the answer: a clause with its place, or a reason.
ODD_RECORDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("null", "undefined", "true", "2", "NaN", '"{}"', "[]", "[{}]", "7n", "Symbol()"), ("R1", "")),
    **dict.fromkeys(("{}", "{ game: null }", '{ game: "Kratzen" }', '{ game: ["kratzen"] }'), ("R1", "game")),
    '{ __proto__: { game: "chratze" } }': ("R1", "game"),
    "{ ...hand, joiners: [1, , 2] }": ("R1", "joiners[1]"),
    "{ ...hand, joiners: { length: 1 } }": ("R1", "joiners"),
    "{ ...hand, dealer: 4.5 }": ("R1", "dealer"),
    "{ ...hand, dealer: NaN }": ("R1", "dealer"),
    "{ ...hand, dealer: Infinity }": ("R1", "dealer"),
    "{ ...hand, dealer: 4n }": ("R1", "dealer"),
    '{ ...hand, seats: "5" }': ("R1", "seats"),
    "{ ...hand, seats: undefined }": ("R1", "seats"),
    "{ ...hand, seats: 2 ** 60 }": ("C1.1", "seats"),
    '{ ...hand, game: "kratzen", cuts: [["x"]], colour: 1 }': ("R1", "colour"),
    'JSON.parse(\'{"game": "chratze", "__proto__": 1}\')': ("R1", "__proto__"),
    "{ ...hand, rules: JSON.parse('{\"__proto__\": 1}') }": ("R4", "rules.__proto__"),
    "{ ...hand, tricks: JSON.parse('{\"__proto__\": 1}') }": ("R1", "tricks.__proto__"),
    "{ ...hand, rules: { constructor: 1 } }": ("R4", "rules.constructor"),
    "{ ...hand, joiners: Array.from({ length: 1e6 }, (_, seat) => seat) }": ("R3", "joiners[0]"),
    "{ ...hand, deal: null }": ("", "deal", "full"),
    '{ ...hand, game: "kratzen", cuts: Array(1000).fill(["W", "x"]), deal: undefined }': ("K3.4", "cuts[999]"),
    '{ ...dear, cuts: [...Array(200).fill(["W", "x"]), ["x"]] }': ("", "cuts", "amounts"),
    "new Proxy({}, { ownKeys() { throw 1; }, getOwnPropertyDescriptor() { throw 1; } })": ("", "", "failed"),
    "{ get game() { throw new Error(); } }": ("", "", "failed"),
    "{ ...hand, rules: new Proxy({}, { ownKeys() { throw new TypeError(); } }) }": ("", "", "failed"),
}
ODD = """async (values) => {
  const { replay } = await import("/static/js/rules/index.js");
  const hand = { game: "chratze", seats: 5, dealer: 4, pot_before: 0, declarer: 0, joiners: [1],
    tricks: { 0: 2, 1: 2 } };
  const dear = { game: "kratzen", seats: 3, dealer: 0, pot_before: 0, rules: { unit: 1e12, coin: 1e10 }, declarer: 0,
    joiners: [1, 2], tricks: { 0: 4 } };
  const valueOf = (text) => new Function("hand", "dear", `return (${text})`)(hand, dear);
  return values.map((text) => {
    const { ok, error } = replay(valueOf(text));
    return ok === false ? Object.values(error) : [];
  });
}"""


def test_values_that_are_no_tally_never_throw(node: Evaluate) -> None:
    results = node(ODD, list(ODD_RECORDS))
    assert dict(zip(ODD_RECORDS, map(tuple, results), strict=True)) == ODD_RECORDS


def test_no_number_of_a_result_is_minus_zero(node: Evaluate) -> None:
    """JSON has -0; the engine reads it as 0."""
    script = """async () => {
      const { replay } = await import("/static/js/rules/index.js");
      const rules = { ante_on_redeal: false };
      const hand = { game: "chratze", seats: 2, dealer: -0, pot_before: -0, deal_number: 2, rules };
      const results = [replay({ ...hand, declarer: null }), replay({ ...hand, declarer: -0 }),
        replay({ ...hand, declarer: 1, joiners: [-0], tricks: { 0: -0, 1: 4 } })];
      const seen = [];
      JSON.stringify(results, (_, value) => (typeof value === "number" ? seen.push(Object.is(value, -0)) : 0, value));
      return [results.every(({ ok }) => ok), seen.length, seen.filter(Boolean).length];
    }"""
    fine, numbers, minus = node(script)
    assert fine
    assert numbers > 20
    assert minus == 0


CALLS = """async (calls) => {
  const rules = await import("/static/js/rules/index.js");
  return JSON.parse(calls).map(([name, ...values]) => {
    try {
      return JSON.stringify(rules[name](...values));
    } catch (fault) {
      if (!(fault instanceof rules.Fault)) throw fault;
      return JSON.stringify([fault.clause, fault.at]);
    }
  });
}"""


def called(node: Evaluate, calls: list[list[Any]]) -> list[Any]:
    """Return the results of functions of the rules, or clause and place of the fault that they throw."""
    return [json.loads(text) for text in node(CALLS, json.dumps(calls))]


def on_the_engine(name: str, *values: Any, **fields: Any) -> Any:
    try:
        return json.loads(json.dumps(getattr(engine, name)(*values, **fields)))
    except engine.Fault as fault:
        return [fault.clause, fault.at]


@pytest.mark.rest
def test_house_rules_have_the_names_defaults_and_values_of_the_engine(node: Evaluate) -> None:
    defaults = node('async () => JSON.stringify((await import("/static/js/rules/index.js")).RULE_DEFAULTS)')
    assert defaults == compact({game: engine.RULE_DEFAULTS[game] for game in engine.GAMES})
    values = [*NUMBERS, *ODD_VALUES, *sorted(words_of_rules())]
    names = {name for game in engine.GAMES for name in engine.RULE_DEFAULTS[game]}
    calls = [["effectiveRules", game, {name: value}] for game in engine.GAMES for name in names for value in values]
    calls += [["effectiveRules", game, {}] for game in (*engine.GAMES, "jass", "toString")]
    rng = random.Random(8)
    calls += [["effectiveRules", game, legal_rules(rng, game)] for _ in range(500) for game in engine.GAMES]
    expected = [on_the_engine("effective_rules", *given) for _, *given in calls]
    assert called(node, calls) == expected
    assert sum(type(answer) is dict for answer in expected) > 1_000


def test_dues_and_cuts_are_those_of_the_engine(node: Evaluate) -> None:
    rng = random.Random(12)
    calls: list[list[Any]] = []
    expected = []
    for game in (*engine.GAMES,) * 1_000:
        rules = legal_rules(rng, game)
        coin = int(engine.effective_rules(game, rules)["coin"] or 0)
        seats, pot = rng.randint(2, 7), coin * rng.randint(0, 9) + rng.choice((0, 0, 0, 1))
        table = {"seats": seats, "dealer": rng.randint(0, 6), "pot_before": pot, "deal_number": rng.randint(1, 3)}
        if rng.random() < 0.5:
            del table["deal_number"]
        calls.append(["due", {"game": game, "rules": rules, **table}])
        due = on_the_engine("due", game, rules, **table)
        expected.append(dict(zip(("antes", "muss", "pot"), due, strict=True)) if len(due) == 3 else due)
        if cuts_of := {"kratzen": legal_cuts, "zwicken": legal_cuts_of_one}.get(game):
            cut: Record = {"seats": seats, "dealer": table["dealer"], "cuts": cuts_of(rng)[: rng.randint(0, 3)]}
            if cut["cuts"] and type(cut["cuts"][-1]) is list and rng.random() < 0.5:
                cut["cuts"][-1] = cut["cuts"][-1][: rng.randint(0, 2)]
            calls.append(["afterCuts", game, rules, cut])
            after = on_the_engine("after_cuts", rules, game=game, **cut)
            is_fault = type(after[0]) is str
            expected.append(after if is_fault else dict(zip(("dealer", "payments"), after, strict=True)))
    assert called(node, calls) == expected
    assert 1_000 < sum(type(answer) is dict for answer in expected) < len(expected) - 300
