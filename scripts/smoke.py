"""Check `make run` as the README describes it: twice on new data; no process may be left afterwards.

The first start loads the demo league and must answer with a season's standings; the second must answer within
five seconds. The last line shows how many checks passed.
"""

import contextlib
import http.client
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from tests import run_folder  # noqa: E402
from tests.servers import die_with_parent, free_port  # noqa: E402

FIRST_START_SECONDS = 300.0
SECOND_START_SECONDS = 5.0
STOP_SECONDS = 25.0


class Failed(Exception):
    """A check that failed."""


def page(url: str) -> str | None:
    """Return the text of a page, or None if it does not answer."""
    with contextlib.suppress(OSError, http.client.HTTPException), urllib.request.urlopen(url, timeout=10) as answer:
        return str(answer.read().decode())
    return None


def wait_for(what: Callable[[], object], seconds: float, words: str) -> float:
    began = time.monotonic()
    while not what():
        if time.monotonic() - began > seconds:
            raise Failed(f"not within {seconds:.0f} s: {words}")
        time.sleep(0.05)
    return time.monotonic() - began


def processes_of(session: int) -> list[int]:
    """Return the processes that are alive in the session of `make run`."""
    said = subprocess.run(["ps", "-e", "-o", "pid=,sess=,stat="], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in said.splitlines()]
    return [int(pid) for pid, owner, state in rows if int(owner) == session and not state.startswith("Z")]


def start(data: str, port: int) -> subprocess.Popen[bytes]:
    env = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "REDIS_URL", "CI"}}
    env |= {"DATA_DIR": data, "PORT": str(port), "PYTHONUNBUFFERED": "1"}
    return subprocess.Popen(
        ["make", "run"],
        cwd=PROJECT,
        env=env,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=die_with_parent(signal.SIGTERM),
    )


def interrupt(running: subprocess.Popen[bytes]) -> None:
    """Send SIGINT to the whole process group, as Ctrl-C in a terminal does."""
    os.killpg(running.pid, signal.SIGINT)
    with contextlib.suppress(subprocess.TimeoutExpired):
        running.wait(STOP_SECONDS)
    wait_for(lambda: not processes_of(running.pid), STOP_SECONDS, "nothing is left running after Ctrl-C")


def standings(base: str) -> str | None:
    """Follow links from the front page to the standings of a season; return that page."""
    seen, waiting = set(), ["/"]
    while waiting and len(seen) < 20:
        path = waiting.pop(0)
        seen.add(path)
        text = page(base + path)
        if text is None:
            return None
        if re.fullmatch(r"/c/[^/]+/s/[^/]+/", path) and "<table" in text:
            return text
        links = re.findall(r'href="(/c/[^"?#]+/)"', text)
        waiting += [link for link in links if link not in seen]
    return None


def run(checks: list[str]) -> None:
    data = str(run_folder.make())
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    for number, limit in ((1, FIRST_START_SECONDS), (2, SECOND_START_SECONDS)):
        running = start(data, port)
        try:
            seconds = wait_for(lambda: page(base + "/"), limit, f"start {number} answers")
            print(f"start {number} answered after {seconds:.1f} s", flush=True)
            checks.append("answers")
            if standings(base) is None:
                raise Failed("no season's standings can be reached from the front page")
            checks.append("standings")
            interrupt(running)
            checks.append("ends")
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)


def main() -> int:
    checks: list[str] = []
    try:
        run(checks)
    except Failed as reason:
        print(f"smoke: {reason}\nsmoke: {len(checks)} passed, 1 failed", flush=True)
        return 1
    print(f"smoke: {len(checks)} passed, 0 failed", flush=True)
    return 0


if __name__ == "__main__":
    run_folder.end_on_signals()
    sys.exit(main())
