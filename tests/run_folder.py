"""The one folder that holds everything a test run makes; standard library only.

The process that makes it removes it at its end. A run that was killed cannot: the next run removes its folder. A run
that is alive holds a lock on its folder, so that nobody else removes it.
"""

import atexit
import contextlib
import fcntl
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

PREFIX = "chratzete-run-"
MEMORY = Path("/dev/shm")
ENOUGH_BYTES = 2 * 1024**3
# A new folder without its lock looks like the folder of a killed run.
YOUNG_SECONDS = 60.0


def places() -> list[Path]:
    """Return the folders in which a run may make its own."""
    return [*([MEMORY] if os.access(MEMORY, os.W_OK) else []), Path(tempfile.gettempdir())]


def choose_place() -> Path:
    """Return a folder in memory if there is enough (commits then need no disk), else the temporary folder."""
    return next((each for each in places() if shutil.disk_usage(each).free >= ENOUGH_BYTES), places()[-1])


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Try to lock the folder; yield True if this succeeded."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(handle)


def sweep(where: list[Path]) -> list[Path]:
    """Remove the folders of killed runs and return them."""
    removed = []
    for folder in (each for place in where for each in place.glob(PREFIX + "*")):
        with contextlib.suppress(OSError):
            if time.time() - folder.stat().st_mtime < YOUNG_SECONDS:
                continue
            with _locked(folder) as abandoned:
                if abandoned:
                    shutil.rmtree(folder, ignore_errors=True)
                    removed.append(folder)
    return removed


def make() -> Path:
    """Make the folder of this run and remove it at the end of this process; below it if another process made one."""
    outer = os.environ.get("CHRATZETE_RUN_FOLDER")
    if outer:
        folder = Path(tempfile.mkdtemp(prefix="part-", dir=outer))
    else:
        sweep(places())
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=choose_place()))
        # The lock lasts until this process ends; no child inherits it.
        fcntl.flock(os.open(folder, os.O_RDONLY), fcntl.LOCK_EX)
        os.environ["CHRATZETE_RUN_FOLDER"] = str(folder)
        # Libraries, browsers and pytest put their temporary files there as well.
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    # If this user is root, PostgreSQL runs as another one, which must be able to pass through.
    folder.chmod(0o711)
    atexit.register(_remove, folder, os.getpid())
    return folder


def _remove(folder: Path, owner: int) -> None:
    """Remove the folder, unless this is a forked child of its owner."""
    if os.getpid() != owner:
        return
    for _ in range(20):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        # A process that is about to end may still write into it.
        time.sleep(0.1)


def end_on_signals() -> None:
    """Let SIGTERM end this process as Ctrl-C does; ignore both from then on, so that it can clear up."""

    def end(number: int, frame: object) -> None:
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, end)


def run(main: Callable[[list[str]], int]) -> NoReturn:
    """Run a script with its arguments and exit with its status; SIGTERM ends it as Ctrl-C does."""
    end_on_signals()
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
