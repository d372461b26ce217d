"""`manage.py backup NAME`: write a whole copy of the database, with the digest of its ledger, to NAME.tar."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, InterfaceError
from django.utils import timezone

from league.management import backup_file, database_files
from league.management.backup_file import Manifest, private
from league.monitoring import marks


class Command(BaseCommand):
    help = (
        "Write a copy of the whole database to NAME.tar, which its owner alone may read, or with - to the standard "
        "output. The service may go on. `manage.py restore` reads it."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the name of the file."""
        parser.add_argument(
            "name", metavar="NAME", help="the path of the file without its ending (its folder is made), or -"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Copy to a file beside the named one, which takes its place when it is whole."""
        # A supervisor that stops the command leaves no half file.
        before = signal.signal(signal.SIGTERM, lambda *_more: sys.exit(128 + signal.SIGTERM))
        try:
            if options["name"] == backup_file.STREAM:
                self._to_output()
            else:
                self._to_file(Path(f"{options['name']}.tar").absolute())
        except (database_files.Refused, OSError, ImproperlyConfigured) as reason:
            raise CommandError(f"No backup was made: {reason}") from reason
        finally:
            signal.signal(signal.SIGTERM, before)

    def _to_file(self, file: Path) -> None:
        # The whole league is in it: only its owner reads it, whoever makes it and whatever the umask is.
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # No `with_suffix`: a name may have a dot.
        copy, part = (file.with_name(f"{file.name}.{end}") for end in ("copy.part", "part"))
        try:
            manifest = _copied(private(copy))
            with private(part).open("wb") as target:
                backup_file.write(manifest, copy, target)
                target.flush()
                os.fsync(target.fileno())
            part.replace(file)
        finally:
            # SQLite leaves its journal beside a copy that has no room on the disk.
            for each in (copy, part, *(copy.with_name(copy.name + end) for end in database_files.BESIDE)):
                each.unlink(missing_ok=True)
        copy_forgotten(file.parent)
        self._note(file.stat().st_size)
        self.stdout.write(f"The backup is {file}.")

    def _to_output(self) -> None:
        with tempfile.TemporaryDirectory(dir=backup_file.roomy_folder()) as folder:
            copy = private(Path(folder) / "copy")
            backup_file.write(_copied(copy), copy, sys.stdout.buffer)
            sys.stdout.buffer.flush()
            self._note(copy.stat().st_size)

    def _note(self, size: int) -> None:
        """Store when the backup was made, and how many bytes it has."""
        try:
            marks.done(marks.BACKUP, size)
        except (DatabaseError, InterfaceError) as error:
            # The copy is whole all the same.
            self.stderr.write(f"The time of the backup is not stored: {type(error).__name__}.")


def _copied(copy: Path) -> Manifest:
    """Copy the database into this file and return what the backup says of itself."""
    made_at = timezone.now().isoformat(timespec="seconds")
    config = database_files.config()
    migrations, ledger = database_files.copy(config, copy)
    with copy.open("rb") as file:
        sha256 = backup_file.digest(file)
    kind = database_files.kind(config)
    return Manifest(settings.PRODUCT_VERSION, made_at, kind, migrations, sha256, ledger)


def copy_forgotten(folder: Path) -> None:
    """Put the newest list of those who were forgotten beside the copies: a restore needs it."""
    with contextlib.suppress(FileNotFoundError):
        lines = Path(settings.FORGOTTEN_FILE).read_bytes()
        part = private(folder / "forgotten.part")
        part.write_bytes(lines)
        part.replace(folder / "forgotten")
