"""The gate: linters, then every test on SQLite and on real PostgreSQL and Redis. `make test`, `make lint`.

    scripts/test.py [--lint] [pytest arguments]

DATABASE_URL (PostgreSQL) and REDIS_URL are used where they are set: tests make a database of their own there and
prefix their keys. Otherwise private servers are started on free ports. Where no server can be had, the rest is
run and the gap is told loudly; under CI that is a failure.
"""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from tests import servers  # noqa: E402

BIN = Path(sys.executable).parent
NO_TESTS = 5


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
    }
    if not templates():
        del commands["templates"]
    return commands


def lint() -> list[str]:
    """Run every linter; the names of those that found something."""
    failed = []
    with tempfile.TemporaryDirectory(prefix="chratzete-lint-") as data:
        for name, command in linters().items():
            began = time.monotonic()
            env = {**os.environ, "DATA_DIR": data, "LOG_LEVEL": "WARNING"}
            # What a server somewhere says does not belong to what is written here.
            env.pop("DATABASE_URL", None)
            done = subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True)
            seconds = time.monotonic() - began
            print(f"{name:14}{'ok' if done.returncode == 0 else 'FAILED'} ({seconds:.1f} s)", flush=True)
            if done.returncode != 0:
                failed.append(name)
                print((done.stdout + done.stderr).rstrip(), flush=True)
    return failed


def install_wheels() -> bool:
    """Servers as wheels, where the machine has none installed."""
    return subprocess.call([sys.executable, str(PROJECT / "scripts" / "bootstrap.py"), "servers"]) == 0


def real_servers(stack: contextlib.ExitStack) -> tuple[dict[str, str], list[str]]:
    """The environment of the part on real servers, and a sentence for each server that is not to be had."""
    found, missing = {}, []
    wanted = {
        "DATABASE_URL": (servers.postgres, servers.postgres_folder),
        "REDIS_URL": (servers.redis, servers.redis_program),
    }
    if os.environ.get("DATABASE_URL", "").startswith("sqlite"):
        del os.environ["DATABASE_URL"]
    for variable, (start, program) in wanted.items():
        if os.environ.get(variable):
            found[variable] = os.environ[variable]
            continue
        if program() is None:
            install_wheels()
        try:
            found[variable] = stack.enter_context(start()).url
        except servers.NoServer as reason:
            missing.append(str(reason))
    return found, missing


def pytest(arguments: list[str], environment: dict[str, str]) -> int:
    env = {**os.environ, **environment}
    for variable in {"DATABASE_URL", "REDIS_URL"} - environment.keys():
        env.pop(variable, None)
    running = subprocess.Popen([sys.executable, "-m", "pytest", *arguments], cwd=PROJECT, env=env)
    try:
        return running.wait()
    finally:
        # Told to end in the middle: the tests must not run on without their servers.
        if running.poll() is None:
            running.terminate()
            running.wait()


def shout(sentences: list[str]) -> None:
    bar = "!" * 110
    print(bar, *(f"!!! {sentence}" for sentence in sentences), bar, sep="\n", flush=True)


def main(arguments: list[str]) -> int:
    only_lint = "--lint" in arguments
    arguments = [each for each in arguments if each != "--lint"]
    failed = lint()
    if only_lint:
        return 1 if failed else 0
    if not any(each.startswith("-n") for each in arguments):
        # The long tests stand together: who has nothing left takes from the others.
        arguments = ["-n", str(min(4, os.cpu_count() or 1)), "--dist", "worksteal", *arguments]
    with contextlib.ExitStack() as stack:
        found, missing = real_servers(stack)
        scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="chratzete-run-"))
        counts = Path(scratch) / "counts.json"
        codes = []
        if not missing:
            codes.append(pytest(["--part=sqlite", f"--counts-to={counts}", *arguments], {}))
            codes.append(pytest(["--part=servers", f"--counts-from={counts}", *arguments], found))
        else:
            gap = "NOTHING WAS TESTED ON REAL POSTGRESQL AND REDIS."
            shout([*missing, gap, "Install them, or set DATABASE_URL and REDIS_URL."])
            codes.append(pytest(arguments, {}))
        if failed:
            print(f"Linters that found something: {', '.join(failed)}.", file=sys.stderr)
    tests_failed = any(code not in (0, NO_TESTS) for code in codes) or all(code == NO_TESTS for code in codes)
    return 1 if tests_failed or failed or (missing and os.environ.get("CI")) else 0


def told_to_end(number: int, frame: object) -> None:
    sys.exit(128 + number)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, told_to_end)
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
