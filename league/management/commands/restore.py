"""`manage.py restore FILE`: fill an empty database from a backup, migrate it, forget who was forgotten, verify it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.migrations.loader import MigrationLoader

from league.management import backup_file, database_files
from league.management.backup_file import STREAM, Backup, Damaged, Manifest
from league.management.database_files import Differs, Refused

OWN_APPS = ("league.", "games.")


class Command(BaseCommand):
    help = (
        "Fill the empty database of the service from a backup, migrate it, forget again who was forgotten since, and "
        "verify it. A database that has tables is never touched."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the file and the list."""
        parser.add_argument("file", metavar="FILE", help="what `manage.py backup` wrote, or - for the standard input")
        parser.add_argument(
            "--forgotten",
            metavar="FILE",
            help="the newest list of who was forgotten, if it is neither in its place nor beside the backup",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Check everything that can be checked before the first row is written."""
        lists = _lists(options["file"], options["forgotten"])
        try:
            with backup_file.opened(options["file"]) as backup:
                self._restore(backup)
        except (Refused, Damaged, OSError, ImproperlyConfigured) as reason:
            raise CommandError(f"Nothing was restored: {reason}") from reason
        except Differs as reason:
            raise CommandError(f"Do not use this database: {reason}") from reason
        call_command("migrate", interactive=False, verbosity=0, stdout=self.stdout)
        self._forget(lists)
        try:
            call_command("verify", stdout=self.stdout, stderr=self.stderr)
        except SystemExit as differs:
            raise CommandError(
                "The backup is restored and has the ledger that it was made with, but what is stored does not agree "
                "with the hand records: the differences are above, and older than the backup."
            ) from differs
        self.stdout.write("The backup is restored. Start the service.")

    def _restore(self, backup: Backup) -> None:
        manifest, config = backup.manifest, database_files.config()
        _refuse_another_kind(manifest, database_files.kind(config))
        _refuse_a_later_version(manifest)
        backup.check()
        database_files.refuse_unless_empty(config)
        self.stdout.write(f"Restoring the backup of {manifest.made_at}, version {manifest.version}.")
        with backup.copy() as file:
            database_files.restore(config, file, manifest.ledger)
        self.stdout.write(f"The ledger is the same, row by row ({manifest.ledger.rows} rows).")

    def _forget(self, lists: list[Path]) -> None:
        if not lists:
            self.stderr.write(
                f"There is no list of who was forgotten ({settings.FORGOTTEN_FILE}): who was forgotten after the "
                "backup is back. Run `manage.py forget_again FILE` if you have the list."
            )
        for file in lists:
            call_command("forget_again", str(file), stdout=self.stdout, stderr=self.stderr)


def _lists(file: str, named: str | None) -> list[Path]:
    """Return the lists that are there: the named one, that of this machine, and that beside the backup."""
    if named and not Path(named).is_file():
        raise CommandError(f"Nothing was restored: There is no file {named}.")
    beside = [] if file == STREAM else [Path(file).absolute().with_name("forgotten")]
    known = [*([Path(named)] if named else []), Path(settings.FORGOTTEN_FILE), *beside]
    return [path for path in dict.fromkeys(known) if path.is_file()]


def _refuse_another_kind(manifest: Manifest, kind: str) -> None:
    if manifest.database != kind:
        names = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
        raise Refused(
            f"The backup is of {names[manifest.database]}, and DATABASE_URL is {names[kind]}: restore it there, then "
            "use `manage.py move_to`."
        )


def _refuse_a_later_version(manifest: Manifest) -> None:
    # Without a connection it reads the files of the migrations alone.
    here = MigrationLoader(None).disk_migrations
    known = {f"{app}.{name}" for app, name in here}
    known |= {f"{app}.{name}" for migration in here.values() for app, name in migration.replaces}
    if unknown := [name for name in manifest.migrations if name.startswith(OWN_APPS) and name not in known]:
        raise Refused(
            f"Version {manifest.version} made the backup, and this one does not know its migration {unknown[0]}: "
            "install that version, or a later one."
        )
