"""A flood of hands against the limits of the API, from a process beside the one that measures."""

import contextlib
import http.client
import json
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
FLOODERS = 3


@contextlib.contextmanager
def flood(port: int, path: str, key: str) -> Iterator[None]:
    """Run a process that sends hands without end; the block begins after its first refusal."""
    command = [sys.executable, "-m", "bench.flood", str(port), path, key]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=PROJECT, text=True) as process:
        try:
            assert process.stdout
            line = process.stdout.readline().strip()
            # Each of its threads prints it once; their lines may run together.
            if not line.startswith("429"):
                raise RuntimeError(f"the flood is not held back: {line!r}, exit code {process.poll()}")
            yield
        finally:
            process.kill()


def write_without_end(port: int, path: str, key: str) -> None:
    """Send hands of a table that does not exist: a request over the limit is refused before that is noticed."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    body = json.dumps({"number": 1, "players": [], "record": {}})
    announced = False
    while True:
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        headers["Idempotency-Key"] = str(uuid.uuid4())
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        answer.read()
        if answer.status == 429 and not announced:
            announced = True
            print(answer.status, flush=True)


def main() -> None:
    port, path, key = int(sys.argv[1]), *sys.argv[2:]
    for _ in range(FLOODERS):
        threading.Thread(target=write_without_end, args=(port, path, key)).start()


if __name__ == "__main__":
    main()
