"""The limits of a process that reads a file."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
from pathlib import Path

LIBRARIES = 256 * 1024 * 1024
"""The address space beyond the data: the interpreter, its libraries, their files."""
OPEN_FILES = 32
NICENESS = 5
WALL = 4
"""So many times the time of its processor a process may take on the clock: other programs run beside it."""


def limit_this_process(seconds: int, memory_mib: int, *, beyond_present: bool = False) -> None:
    """Limit the memory of this process and the time of its processor; it writes no file and starts no other process.

    `beyond_present`: the memory is that which it may take beyond what it has. A limit that the system does not have is
    left out (macOS has none of memory): that of time is there always.
    """
    memory = memory_mib * 1024 * 1024
    space, data = _present() if beyond_present else (LIBRARIES, 0)
    limits = {
        "RLIMIT_DATA": data + memory,
        "RLIMIT_AS": space + memory,
        "RLIMIT_CPU": seconds,
        "RLIMIT_FSIZE": 0,
        "RLIMIT_NOFILE": OPEN_FILES,
        "RLIMIT_CORE": 0,
        "RLIMIT_NPROC": 0,
    }
    for name, most in limits.items():
        kind = getattr(resource, name, None)
        if kind is not None:
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(kind, (most, most))
    # Ends this process by itself, also where its parent was killed.
    signal.alarm(WALL * seconds)
    with contextlib.suppress(OSError):
        os.nice(NICENESS)


def _present() -> tuple[int, int]:
    """Return the bytes of this process's address space, and those of its data. On a system that does not tell them they
    are more than it can have."""
    try:
        pages = Path("/proc/self/statm").read_text().split()
    except OSError:
        return sys.maxsize // 2, sys.maxsize // 2
    return int(pages[0]) * resource.getpagesize(), int(pages[5]) * resource.getpagesize()
