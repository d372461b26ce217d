"""The file of a backup: a tar archive with `manifest.json`, and the database as its own programs copy it.

The manifest names the version, the kind of the database, its migrations, the digest of the copy and that of the ledger.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from django.conf import settings

from ..config import environment
from .ledger_digest import Ledger

FORM = 1
MANIFEST = "manifest.json"
LARGEST_MANIFEST = 2**20
COPIES = {"sqlite": "league.sqlite3", "postgresql": "league.dump"}
CHUNK = 2**20
STREAM = "-"


class Damaged(Exception):
    """The file is no whole backup; the message is a sentence."""


@dataclass(frozen=True)
class Manifest:
    """What a backup says of itself."""

    version: str
    made_at: str
    database: str
    migrations: list[str]
    sha256: str
    ledger: Ledger
    form: int = FORM


def private(path: Path) -> Path:
    """Make an empty file that only its owner may read. It is filled, and keeps its mode."""
    path.unlink(missing_ok=True)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    return path


def roomy_folder() -> Path:
    """Return the folder for what goes through a pipe: `/tmp` may be in memory."""
    return environment.writable_folder(settings.DATA_DIR)


def digest(file: IO[bytes]) -> str:
    """Return the SHA-256 of what is left of a file."""
    hasher = hashlib.sha256()
    while chunk := file.read(CHUNK):
        hasher.update(chunk)
    return hasher.hexdigest()


def write(manifest: Manifest, copy: Path, target: IO[bytes]) -> None:
    """Write the archive; only its owner may read what is unpacked."""
    with tempfile.TemporaryFile() as text:
        text.write(json.dumps(asdict(manifest), indent=1).encode())
        # A pipe cannot go back: nothing is written twice.
        with tarfile.open(fileobj=target, mode="w|") as archive:
            for name, file in ((MANIFEST, text), (COPIES[manifest.database], copy.open("rb"))):
                with file:
                    member = tarfile.TarInfo(name)
                    member.size, member.mode = file.seek(0, os.SEEK_END), 0o600
                    file.seek(0)
                    archive.addfile(member, file)


@contextlib.contextmanager
def opened(name: str) -> Iterator[Backup]:
    """Open the backup of this name, or of the standard input (`-`), which is read into a temporary file first.

    Raises:
        Damaged: it is no backup, or not whole.
    """
    with contextlib.ExitStack() as stack:
        try:
            if name == STREAM:
                file: IO[bytes] = stack.enter_context(tempfile.TemporaryFile(dir=roomy_folder()))
                shutil.copyfileobj(sys.stdin.buffer, file, CHUNK)
                file.seek(0)
            else:
                file = stack.enter_context(Path(name).open("rb"))
            archive = stack.enter_context(tarfile.open(fileobj=file, mode="r:"))
            yield Backup(archive)
        except tarfile.TarError as error:
            raise Damaged("The file is no backup, or its end is missing.") from error


class Backup:
    """A backup that is open; its manifest can be read."""

    def __init__(self, archive: tarfile.TarFile) -> None:
        self._archive = archive
        self.manifest = self._read_manifest()

    def copy(self) -> IO[bytes]:
        """Return the copy of the database, as a file to read."""
        return self._member(COPIES[self.manifest.database])

    def check(self) -> None:
        """Raise Damaged if the copy is not the one that was written."""
        with self.copy() as file:
            if digest(file) != self.manifest.sha256:
                raise Damaged("The file was damaged or altered after the backup: its digest differs.")

    def _member(self, name: str) -> IO[bytes]:
        try:
            member = self._archive.extractfile(name)
        except KeyError:
            member = None
        if member is None:
            raise Damaged(f"The file is no backup, or its end is missing: there is no {name} in it.")
        return member

    def _read_manifest(self) -> Manifest:
        with self._member(MANIFEST) as file:
            text = file.read(LARGEST_MANIFEST)
        try:
            values = json.loads(text)
            if values["form"] != FORM:
                raise Damaged("A later version made this backup: restore it with that one.")
            manifest = Manifest(**values | {"ledger": Ledger(**values["ledger"])})
        except (ValueError, TypeError, KeyError) as error:
            raise Damaged("The file was damaged or altered after the backup: its manifest cannot be read.") from error
        if manifest.database not in COPIES:
            raise Damaged(f"The backup is of an unknown kind of database, {manifest.database}.")
        return manifest
