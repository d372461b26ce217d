"""A disk of a few megabytes that a test fills: a file system in memory, where the machine may mount one."""

from __future__ import annotations

import contextlib
import errno
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

CHUNK, PAGE = bytes(2**20), bytes(2**12)


@dataclass
class SmallDisk:
    """The folder on which it is mounted."""

    folder: Path

    @property
    def _ballast(self) -> Path:
        return self.folder / "ballast"

    def fill(self, leave: int = 0) -> None:
        """Fill it until so many bytes are free."""
        with self._ballast.open("ab", buffering=0) as file:
            for piece in (CHUNK, PAGE):
                with contextlib.suppress(OSError):
                    while file.write(piece) == len(piece):
                        continue
            file.truncate(file.tell() - leave)

    def empty(self) -> None:
        self._ballast.unlink()


@contextlib.contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[SmallDisk]:
    """Mount a small disk on the folder; without the right to mount the test is skipped."""
    folder.mkdir(parents=True)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "chratzete-test", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip(f"no disk of a few megabytes here: {mounted.stderr.strip() or os.strerror(errno.EPERM)}")
    try:
        yield SmallDisk(folder)
    finally:
        # A server that ends may still have files open.
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
