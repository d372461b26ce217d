"""`python -m draw` and `manage.py draw`: the same plan, the same bytes, on every Python."""

import contextlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from draw import Sizes, plan
from draw import __main__ as command
from tests.draw.check import repeats

pytestmark = pytest.mark.rest

ROOT = Path(__file__).parents[2]
SYSTEM = Path("/usr/bin/python3")
CASES = [
    "--players 32 --rounds 9",
    "--players 30 --rounds 6 --seconds 0.3",
    "--players 21 --rounds 6 --seconds 0.3 --seed 9",
    "--players 29 --rounds 3 --size 5 --least 4 --most 7",
    "--players 41 --rounds 4 --least 4 --most 4",
    "--players 23 --rounds 3 --size 5 --order sizes --seconds 0.3",
]


def run(python: str | Path, *arguments: str, hashes: str = "0") -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONHASHSEED": hashes}
    return subprocess.run(
        [str(python), "-m", "draw", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        check=False,
        timeout=120,
    )


@pytest.mark.skipif(not SYSTEM.exists(), reason="this machine has no /usr/bin/python3")
@pytest.mark.parametrize("case", CASES)
def test_two_pythons_print_the_same_bytes(case: str) -> None:
    ours = run(sys.executable, *case.split(), hashes="1")
    theirs = run(SYSTEM, *case.split(), hashes="2")
    assert (ours.returncode, ours.stderr) == (0, b"")
    assert ours.stdout == theirs.stdout
    other = run(sys.executable, *case.split(), "--seed", "77")
    assert other.stdout != ours.stdout


LABELLED = """
from draw import Entrant, Sizes, draw_round, redraw_round
who = [Entrant(n, frozenset({f"club {n % 9}", f"car {n % 13}", f"pair {n // 2}"}), n % 5) for n in range(1, 36)]
past = []
for mode in ("random", "balanced", "standing", "balanced"):
    past.append(draw_round(who, past, mode=mode, seed=3, seconds=0.2).as_past())
last = draw_round(who, past, seed=4, seconds=0.2)
print(past, last, redraw_round(last, who[3:] + [Entrant(90), Entrant(91)], past, seed=5, seconds=0.2))
"""


@pytest.mark.skipif(not SYSTEM.exists(), reason="this machine has no /usr/bin/python3")
def test_two_pythons_draw_the_same_with_labels() -> None:
    printed = [
        subprocess.run(
            [str(python), "-c", LABELLED],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hashes},
            capture_output=True,
            check=True,
            timeout=120,
        ).stdout
        for python, hashes in ((sys.executable, "1"), (sys.executable, "2"), (SYSTEM, "3"))
    ]
    assert printed[0]
    assert printed[0] == printed[1] == printed[2]


def test_the_object_has_the_rounds_and_their_judgement() -> None:
    done = run(sys.executable, "--players", "16", "--rounds", "5", "--json")
    answer = json.loads(done.stdout)
    assert list(answer) == ["rounds", "repeats", "most", "bound", "seconds"]
    assert [list(drawn) for drawn in answer["rounds"]] == [["tables", "out"]] * 5
    for drawn in answer["rounds"]:
        assert sorted(number for table in drawn["tables"] for number in table) == list(range(1, 17))
        assert drawn["out"] == []
    assert (answer["repeats"], answer["most"], answer["bound"]) == (0, 1, 0)
    assert type(answer["seconds"]) is float


def test_the_command_of_the_site_prints_the_same() -> None:
    output = io.StringIO()
    call_command("draw", "--players", "37", "--rounds", "3", "--least", "4", stdout=output)
    assert output.getvalue().encode() == run(sys.executable, *"--players 37 --rounds 3 --least 4".split()).stdout


def test_the_lines_name_every_table() -> None:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        assert command.main(["--players", "9", "--rounds", "2", "--least", "4", "--most", "4"]) == 0
    made = plan(9, 2, Sizes(4, 4, 4))
    lines = output.getvalue().splitlines()
    assert lines[0] == "Round 1"
    assert lines[1].split() == ["1:", *map(str, made.rounds[0].tables[0].seats)]
    assert lines[3] == f"  out: {made.rounds[0].out[0]}"
    assert lines[-2].startswith(f"{repeats(made.rounds)} repeats (at least 3)")


BAD = [
    ("--players 2 --rounds 1", "2 entrants cannot fill a table: the smallest allowed has 3 seats."),
    ("--players 8 --rounds 1 --size 9", "A table has 3 to 7 seats, not 9."),
    ("--players 8 --rounds 1 --least 5", "The wished size of a table (4) must lie between the least (5)"),
    ("--players 8 --rounds 1 --seconds -1", "The budget is 0 to 3600 seconds."),
    ("--players 8 --rounds 1 --seconds nan", "The budget is 0 to 3600 seconds."),
]


@pytest.mark.parametrize(("arguments", "sentence"), BAD)
def test_bad_options_are_refused_with_a_sentence(arguments: str, sentence: str) -> None:
    errors = io.StringIO()
    with contextlib.redirect_stderr(errors):
        assert command.main(arguments.split()) == 2
    assert errors.getvalue().startswith(f"draw: {sentence}")
    with pytest.raises(CommandError) as refused:
        call_command("draw", *arguments.split())
    assert str(refused.value).startswith(sentence)
