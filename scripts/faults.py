"""Break everything that the service stands on, and report which promise holds. `make faults`, `make faults-long`.

    scripts/faults.py [--long] [--only P6 P8 ...]

Runs the tests of `tests/faults.py` at the small size within 15 minutes; with `--long` at the sizes of a night, within
four hours. The report is printed and written to `var/faults.md`. The exit status is 1 if a test fails, if a promise or
a row has no test that ran, or if the time was not enough: after it a run begins no further test.
"""

import argparse
import contextlib
import os
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from scripts import test as test_run  # noqa: E402
from tests import faults, parts, run_folder, sizes  # noqa: E402

REPORT = PROJECT / "var" / "faults.md"
MINUTES, MINUTES_LONG = 15, 240
TIMEOUT_LONG = 7200
"""The seconds of one test of a night: the races with thousands of keys take longest."""
SHARE_OF_SQLITE, SHARE_OF_SQLITE_LONG = 0.35, 0.6
"""The part on SQLite gets this share of the time; the nights without a network are in it."""
HEADS = ("promise", "fault", "tests", "tries", "result", "seconds")


@dataclass(frozen=True)
class Result:
    """What a test did: passed, failed, left out or too late to begin, how often it tried, and its seconds."""

    test: str
    outcome: str
    tries: int
    seconds: float


def read_results(file: Path) -> list[Result]:
    """Read the results that pytest wrote as JUnit XML."""
    results = []
    for case in ElementTree.parse(file).iter("testcase"):
        kinds = {child.tag for child in case}
        reasons = [child.get("message", "") for child in case.iter("skipped")]
        outcome = "too late" if sizes.OVER in reasons else "left out" if reasons else "passed"
        if kinds & {"failure", "error"}:
            outcome = "failed"
        given = [int(each.get("value", "1")) for each in case.iter("property") if each.get("name") == "tries"]
        # tests.promises.test_upgrade -> promises/test_upgrade.py; the parameters are in the brackets of the name.
        path = case.get("classname", "").removeprefix("tests.").replace(".", "/")
        test = f"{path}.py::{case.get('name', '').partition('[')[0]}"
        results.append(Result(test, outcome, sum(given) or 1, float(case.get("time", "0"))))
    return results


def row_of(proof: faults.Proof, results: Iterable[Result]) -> tuple[str, ...]:
    """Return the row of a proof. It fails if a test failed, if one of its tests ran nowhere, and if the time was over
    before all of them."""
    mine = [test_result for test_result in results if test_result.test in proof.tests]
    ran = [test_result for test_result in mine if test_result.outcome in ("passed", "failed")]
    late = sum(test_result.outcome == "too late" for test_result in mine)
    missing = sorted(set(proof.tests) - {test_result.test for test_result in ran})
    failed = sorted({test_result.test for test_result in mine if test_result.outcome == "failed"})
    result = "ok"
    if failed:
        result = "FAILED: " + ", ".join(failed)
    elif missing:
        result = "NOT TRIED: " + ", ".join(missing)
    elif late:
        result = f"TOO LATE: {late} of {len(mine)} tests"
    tries, seconds = sum(test_result.tries for test_result in ran), sum(test_result.seconds for test_result in ran)
    return proof.promise, proof.fault, str(len(ran)), f"{tries:,}", result, f"{seconds:.0f}"


def sizes_of(long: bool) -> str:
    """Return the line of the report that names the sizes."""
    tried = ", ".join(f"{name} {int(count):,}" for name, count in faults.LONG.items())
    return f"Sizes of a night: {tried}." if long else "Small sizes."


def report(proofs: Iterable[faults.Proof], results: list[Result], promises: Iterable[str]) -> tuple[str, bool]:
    """Return the report as a table, and True if every promise was tried and held."""
    rows = [row_of(proof, results) for proof in proofs]
    tried = {row[0] for row in rows}
    rows += [(name, "", "0", "0", "NO TEST", "0") for name in promises if name not in tried]
    lines = [HEADS, ("---",) * len(HEADS), *rows]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return text, all(row[4] == "ok" for row in rows)


def run(proofs: list[faults.Proof], minutes: int, folder: Path, *, long: bool = False) -> list[Result]:
    """Run the tests on SQLite, then on PostgreSQL and Redis."""
    share_of_sqlite = SHARE_OF_SQLITE_LONG if long else SHARE_OF_SQLITE
    more = [f"--timeout={TIMEOUT_LONG}"] if long else []
    tests = sorted({f"tests/{test}" for proof in proofs for test in proof.tests})
    results, began = [], time.time()
    with contextlib.ExitStack() as stack:
        environment, missing = test_run.real_servers(stack)
        if missing:
            test_run.shout(missing)
        for part, servers, share in (("sqlite", {}, share_of_sqlite), ("servers", environment, 1.0)):
            file = folder / f"{part}.xml"
            end = {"TEST_END": str(began + share * minutes * 60)}
            options = [f"--part={part}", "--whole", f"--junitxml={file}", "-n", "2", "--dist", "worksteal", *more]
            if part == "sqlite" or not missing:
                test_run.pytest([*options, *in_part(tests, part)], servers | end)
            if file.exists():
                results += read_results(file)
    return results


def in_part(tests: list[str], part: str) -> list[str]:
    """Return the tests of a part: pytest refuses a name in a file that the part does not import."""
    words, texts = parts.WORDS.get(part), defaultdict[str, str](str)
    for file in {test.partition("::")[0] for test in tests}:
        texts[file] = (PROJECT / file).read_text(encoding="utf-8")
    return [test for test in tests if not words or any(word in texts[test.partition("::")[0]] for word in words)]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Break everything, and report which promise holds.")
    parser.add_argument("--long", action="store_true", help="the sizes of a night")
    parser.add_argument("--only", nargs="+", choices=faults.PROMISES, default=list(faults.PROMISES), metavar="P")
    parser.add_argument("--minutes", type=int, help="begin no further test after this time")
    chosen = parser.parse_args(arguments)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if chosen.long:
        os.environ.update({"TEST_SIZE": sizes.FULL} | faults.LONG)
    run_folder.make()
    proofs = [proof for proof in faults.PROOFS if proof.promise in chosen.only and (chosen.long or not proof.long)]
    with tempfile.TemporaryDirectory() as folder:
        minutes = chosen.minutes or (MINUTES_LONG if chosen.long else MINUTES)
        results = run(proofs, minutes, Path(folder), long=chosen.long)
    text, holds = report(proofs, results, chosen.only)
    text = f"{sizes_of(chosen.long)}\n\n{text}"
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(text + "\n", encoding="utf-8")
    print(text, flush=True)
    return 0 if holds else 1


if __name__ == "__main__":
    run_folder.run(main)
