"""Node, which runs pure modules of `static/js` without a browser."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).resolve().parent.parent
MODULES = PROJECT / "static" / "js"
SECONDS = 600
# The program comes on the standard input, and its result goes to the standard output.
RUN = """
const run = {code};
const result = await run(JSON.parse({given}));
process.stdout.write(JSON.stringify(result ?? null));
"""

Evaluate = Callable[..., Any]


def program() -> str:
    """Return Node. Without it the test is skipped, and fails under CI."""
    executable = shutil.which("node")
    if executable is None:
        reason = "no Node here: the modules of the phone were not tested; `apt-get install nodejs`"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return executable


@pytest.fixture
def node() -> Evaluate:
    """Evaluate a function of JavaScript with one argument, as `page.evaluate` of Playwright does.

    `import("/static/js/NAME")` in it loads a module: of `modules`, a copy of the folder, if it is given.
    """
    executable = program()

    def evaluate(code: str, given: Any = None, modules: Path = MODULES) -> Any:
        code = code.replace("/static/js/", f"{modules.as_uri()}/")
        # Twice: the argument as JSON, in a text of JavaScript.
        sent = RUN.replace("{given}", json.dumps(json.dumps(given))).replace("{code}", code)
        command = [executable, "--input-type=module"]
        done = subprocess.run(command, input=sent, capture_output=True, text=True, timeout=SECONDS, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return evaluate
