"""The tests of pure modules in JavaScript (`*.test.mjs` in this folder), by Node's own runner."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.node import program

TESTS = sorted(Path(__file__).parent.glob("*.test.mjs"))


def test_the_modules_pass_their_tests() -> None:
    command = [program(), "--test", "--test-reporter=tap", *map(str, TESTS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    # Node also ends well if no test was found.
    assert int(re.findall(r"^# pass (\d+)$", done.stdout, re.MULTILINE)[-1]) >= len(TESTS) > 0
    assert re.findall(r"^# (?:skipped|todo) (\d+)$", done.stdout, re.MULTILINE) == ["0", "0"]
