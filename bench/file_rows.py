"""Files that are made to cost memory or time: how long each is read before it is refused, and with how much memory."""

import statistics
from collections.abc import Iterator

from bench.measure import ROUNDS, Row
from tests.hostile_files import HOSTILE
from tests.reading_cost import cost

SECONDS, MIB = 1.0, 50.0


def rows() -> Iterator[Row]:
    """Yield the slowest and the largest of all hostile files, each the median of the rounds."""
    seconds, mib = {}, {}
    for kind, files in HOSTILE.items():
        for name, made in files.items():
            content = made()
            runs = [cost(kind, content) for _ in range(ROUNDS)]
            read = [run.answer for run in runs if run.answer.get("fault") in (None, "killed")]
            if read:
                raise ValueError(f"{kind}, {name}: not refused, but {str(read[0])[:200]}")
            seconds[f"{kind}, {name}"] = statistics.median(run.clock for run in runs)
            mib[f"{kind}, {name}"] = statistics.median(run.mib for run in runs)
    slow, large = max(seconds, key=seconds.__getitem__), max(mib, key=mib.__getitem__)
    what = f"reading a hostile file of any kind ({len(seconds)})"
    yield Row(f"{what}, the slowest", slow, "", seconds[slow], SECONDS, 0.5, at_most=True, unit="s")
    yield Row(f"{what}, the largest", large, "", mib[large], MIB, 30.0, at_most=True, unit="MiB")
