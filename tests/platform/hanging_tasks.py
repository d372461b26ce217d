"""Work that hangs, for a worker that includes this module. The folder TEST_HANGS has a file `let-go` once work that
waits may go on."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

from celery.exceptions import SoftTimeLimitExceeded

from league.chances import services as chances
from league.standings import counting

FOLDER = Path(os.environ["TEST_HANGS"])


def wait(*_args: object) -> bool:
    """Wait until this work may go on."""
    (FOLDER / "waits").touch()
    while not (FOLDER / "let-go").exists():
        time.sleep(0.05)
    return True


def hang(season_id: int) -> bool:
    """Hang in the season of this test; with TEST_HARD also past the soft limit."""
    if season_id != int(os.environ["TEST_SEASON"]):
        return counted(season_id)
    with contextlib.suppress(SoftTimeLimitExceeded) if os.environ.get("TEST_HARD") else contextlib.nullcontext():
        return wait()
    return wait()


counted = counting.count_season
chances.chances_compute = wait
if "TEST_SEASON" in os.environ:
    counting.count_season = hang
