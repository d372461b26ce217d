"""The first `make run` in an empty clone: the time until it answers."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.demo_server import PROJECT, stop, wait_until_ready
from bench.measure import Row
from tests.servers import free_port

MOST_SECONDS = 300.0


def rows() -> Iterator[Row]:
    """Yield the row. It is measured once: each run installs everything; pip's cache stays as it is."""
    folder = Path(tempfile.mkdtemp(prefix="bench-clone-"))
    clone, port = folder / "clone", free_port()
    try:
        subprocess.run(["git", "clone", "--quiet", PROJECT, clone], check=True)
        log = folder / "log"
        begun = time.perf_counter()
        with log.open("wb") as output:
            env = {name: value for name, value in os.environ.items() if name not in OWN}
            process = subprocess.Popen(
                ["make", "run", f"PORT={port}"],
                cwd=clone,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        try:
            wait_until_ready(process, port, log, MOST_SECONDS)
            took = time.perf_counter() - begun
        finally:
            stop(process)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    yield Row("first make run of an empty clone answers", f"{took:.1f} s", "once", took, 75, 60, at_most=True, unit="s")


OWN = ("DJANGO_SETTINGS_MODULE", "DATA_DIR", "SECRET_KEY", "LOG_LEVEL", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE")
"""Variables of this run that a fresh machine does not have."""
