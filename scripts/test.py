"""The gate: linters, then the tests on SQLite and on real PostgreSQL and Redis. `make test`, `make lint`.

    scripts/test.py [--lint | --quick | --rest | --full | --long] [pytest arguments]

`--quick` (`make test-quick`) runs the linters and, on SQLite, the tests of the engine and of the services; `--rest`
(`make test-rest`) runs, without the linters, the tests that `make test` leaves out, and at full size those that it runs
in small; `--full` (`make test-full`) runs both; `--long` (`make test-long`) runs a tournament day and the event stream
at full size.

With `TEST_SECONDS` a run begins no further test after so many seconds, says how many it left out, and begins with
another test each day: so a run of CI on a slow machine ends. Without it, nothing is left out.

DATABASE_URL (PostgreSQL) and REDIS_URL are used if they are set: tests create a database of their own there and
prefix their keys. Otherwise private servers are started on free ports. If no server can be started, the other
tests run and a warning names the gap; under CI this is a failure.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from scripts import node_modules  # noqa: E402
from tests import run_folder, servers, sizes  # noqa: E402

BIN = Path(sys.executable).parent
NO_TESTS = 5
SHARE_OF_SQLITE = 0.6
"""The part on SQLite gets this share of `TEST_SECONDS`."""
END_SECONDS = 30
FULL_SIZE = {"TOURNAMENT_DAY": "203,8", "STREAMS": "10000", "STREAM_SECONDS": "300"}
FULL_SIZE_FILES = ["tests/promises/test_tournament_day.py", "tests/platform/test_many_streams.py"]


def templates() -> list[str]:
    return [str(path.relative_to(PROJECT)) for path in sorted((PROJECT / "templates").rglob("*.html"))]


def linters() -> dict[str, list[str]]:
    python = sys.executable
    commands = {
        "ruff": [str(BIN / "ruff"), "check", "."],
        "format": [str(BIN / "ruff"), "format", "--check", "."],
        "mypy": [python, "-m", "mypy"],
        "imports": [str(BIN / "lint-imports")],
        "templates": [str(BIN / "djade"), "--check", "--target-version", "5.2", *templates()],
        "system": [python, "manage.py", "check", "--fail-level", "WARNING"],
        "migrations": [python, "manage.py", "makemigrations", "--check", "--dry-run"],
        "translations": [python, "manage.py", "messages", "--check"],
        "scripts": [python, "scripts/bundles.py", "--check"],
        "javascript": [python, "scripts/javascript.py"],
        "glossary": [python, "scripts/glossary.py"],
        "prose": [python, "scripts/prose_width.py"],
    }
    if not templates():
        del commands["templates"]
    if not node_modules.has_npm() and not os.environ.get("CI"):
        print("javascript    left out: there is no Node here (npm)", flush=True)
        del commands["javascript"]
    if shutil.which("xgettext") is None and not os.environ.get("CI"):
        print("translations  left out: the gettext programs are not here (gettext)", flush=True)
        del commands["translations"]
    return commands


def collection() -> dict[str, list[str]]:
    """Return the command that imports all tests and so compiles them: else each process of a run compiles them."""
    return {"collection": [sys.executable, "-m", "pytest", "--collect-only", "-q", "-n", "0"]}


def run_linter(command: list[str], folder: Path) -> tuple[bool, str]:
    """Run one linter; return True if it found nothing, and its output."""
    env = {**os.environ, "DATA_DIR": str(folder), "LOG_LEVEL": "WARNING"}
    # The linters check the code; no database is needed.
    env.pop("DATABASE_URL", None)
    done = subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True)
    return done.returncode == 0, (done.stdout + done.stderr).rstrip()


def lint(folder: Path, linters: dict[str, list[str]]) -> list[str]:
    """Run the linters, one a core; return the names of those with findings."""
    failed = []
    began = time.monotonic()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        # These two take longest: begun first, they run beside each other and the short ones after them.
        commands = sorted(linters.items(), key=lambda each: each[0] not in ("mypy", "collection"))
        running = {pool.submit(run_linter, command, folder): name for name, command in commands}
        for done in as_completed(running):
            name, (clean, printed) = running[done], done.result()
            print(f"{name:14}{'ok' if clean else 'FAILED'} (at {time.monotonic() - began:.1f} s)", flush=True)
            if not clean:
                failed.append(name)
                print(printed, flush=True)
    return failed


def install_wheels() -> bool:
    """Install the servers as wheels if the machine has none."""
    return subprocess.call([sys.executable, str(PROJECT / "scripts" / "bootstrap.py"), "servers"]) == 0


def real_servers(stack: contextlib.ExitStack) -> tuple[dict[str, str], list[str]]:
    """Return the environment of the part on real servers, and a sentence for each server that cannot start."""
    environment, missing = {}, []
    wanted = {
        "DATABASE_URL": (servers.postgres, servers.postgres_folder),
        "REDIS_URL": (servers.redis, servers.redis_program),
    }
    if os.environ.get("DATABASE_URL", "").startswith("sqlite"):
        del os.environ["DATABASE_URL"]
    for variable, (start, program) in wanted.items():
        if os.environ.get(variable):
            environment[variable] = os.environ[variable]
            continue
        if program() is None:
            install_wheels()
        try:
            environment[variable] = stack.enter_context(start()).url
        except servers.NoServer as reason:
            missing.append(str(reason))
    return environment, missing


def pytest(arguments: list[str], environment: dict[str, str]) -> int:
    env = {**os.environ, **environment}
    for variable in {"DATABASE_URL", "REDIS_URL"} - environment.keys():
        env.pop(variable, None)
    command = [sys.executable, "-m", "pytest", *arguments]
    die_too = servers.die_with_parent(signal.SIGTERM)
    running = subprocess.Popen(command, cwd=PROJECT, env=env, preexec_fn=die_too)
    try:
        return running.wait()
    finally:
        # After an interrupt the tests must not go on without their servers.
        if running.poll() is None:
            running.terminate()
            try:
                running.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                running.kill()
                running.wait()


def end_within(share: float, began: float) -> dict[str, str]:
    """Return the variable that ends a part of a run after this share of `TEST_SECONDS`, none without a limit."""
    seconds = os.environ.get("TEST_SECONDS")
    return {"TEST_END": str(began + share * float(seconds))} if seconds else {}


def shout(sentences: list[str]) -> None:
    bar = "!" * 110
    print(bar, *(f"!!! {sentence}" for sentence in sentences), bar, sep="\n", flush=True)


def main(arguments: list[str]) -> int:
    if "--full" in arguments:
        arguments = [each for each in arguments if each != "--full"]
        return main(arguments) | main(["--rest", *arguments])
    only_lint, quick, full_size, rest = (option in arguments for option in ("--lint", "--quick", "--long", "--rest"))
    # `--rest` is an option of pytest, too.
    arguments = [each for each in arguments if each not in ("--lint", "--quick", "--long")]
    if rest:
        os.environ["TEST_SIZE"] = sizes.FULL
    if full_size:
        os.environ.update(FULL_SIZE)
        arguments += FULL_SIZE_FILES
    # A run starts hundreds of processes; without this each would compile its imports.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    folder = run_folder.make()
    failed = [] if full_size or rest else lint(folder, linters() if only_lint or quick else linters() | collection())
    if only_lint:
        return 1 if failed else 0
    if not any(each.startswith("-n") for each in arguments):
        # Long tests are often in one file; an idle process takes tests from the others.
        # Tests also wait for servers and browsers: one process more than cores. With two more they hinder each other.
        arguments = ["-n", str(min(4, 1 + (os.cpu_count() or 1))), "--dist", "worksteal", *arguments]
    if quick:
        return 1 if pytest(["--part=quick", *arguments], {}) or failed else 0
    with contextlib.ExitStack() as stack:
        environment, missing = real_servers(stack)
        counts, began = folder / "counts.json", time.time()
        codes = []
        if not missing:
            codes.append(
                pytest(["--part=sqlite", f"--counts-to={counts}", *arguments], end_within(SHARE_OF_SQLITE, began))
            )
            codes.append(
                pytest(["--part=servers", f"--counts-from={counts}", *arguments], environment | end_within(1, began))
            )
        else:
            gap = "NOTHING WAS TESTED ON REAL POSTGRESQL AND REDIS."
            shout([*missing, gap, "Install them, or set DATABASE_URL and REDIS_URL."])
            codes.append(pytest(arguments, {}))
        if failed:
            print(f"Linters that found something: {', '.join(failed)}.", file=sys.stderr)
    tests_failed = any(code not in (0, NO_TESTS) for code in codes) or all(code == NO_TESTS for code in codes)
    return 1 if tests_failed or failed or (missing and os.environ.get("CI")) else 0


if __name__ == "__main__":
    run_folder.run(main)
