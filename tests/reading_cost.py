"""What the process that reads a file takes: memory, and the time of its processor."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any

from league.imports.reading import LIMITS as OF_TABLES
from league.imports.reading import MAX_HAND_ROWS
from league.logo.images import LIMITS as OF_PICTURES
from league.reading_process import PROJECT, command
from league.tournaments.file.canonical import LIMITS as OF_TOURNAMENTS

# The memory of a new process begins with that of the process that starts it: a small one does.
STARTER = """
import json, os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdin=0, stdout=subprocess.PIPE)
answer = process.stdout.read()
_pid, status, used = os.wait4(process.pid, 0)
unit = 1 if sys.platform == "darwin" else 1024
cost = {"seconds": used.ru_utime + used.ru_stime, "mib": used.ru_maxrss * unit / 2**20, "status": status}
print(json.dumps(cost)); sys.stdout.flush(); sys.stdout.buffer.write(answer)
"""
READERS: dict[str, tuple[Any, dict[str, Any]]] = {
    "tables": (OF_TABLES, {"most": MAX_HAND_ROWS}),
    "picture": (OF_PICTURES, {}),
    "tournament": (OF_TOURNAMENTS, {}),
}
"""The limits and the options of each reader, as the product calls it."""


@dataclass(frozen=True)
class Cost:
    """`seconds` of the processor, `clock` seconds with the start, `mib` of memory; `answer` as the process wrote it."""

    seconds: float
    clock: float
    mib: float
    answer: dict[str, Any]


def cost(reader: str, content: bytes, first: str = "") -> Cost:
    """Read a file as the product does, in a process started by a small one. `first`: what that process runs before,
    such as taking a guard away."""
    limits, options = READERS[reader]
    began = time.monotonic()
    program, *words = command(reader, limits, **options)
    if first:
        words = ["-c", f"{first}\nfrom readers.__main__ import main\nmain()", *words[-3:]]
    words = [sys.executable, "-S", "-c", STARTER, program, *words]
    done = subprocess.run(words, input=content, capture_output=True, check=True, cwd=PROJECT)
    clock = time.monotonic() - began
    head, _line, text = done.stdout.partition(b"\n")
    used = json.loads(head)
    answer = json.loads(text) if text else {"fault": "killed", "values": {}}
    return Cost(used["seconds"], clock, used["mib"], answer)
