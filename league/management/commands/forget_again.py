"""`manage.py forget_again [FILE]`: after a restore, forget those who were forgotten since the backup was made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.access.roles import is_last_owner
from league.models import Club, User
from league.privacy import forgotten_list
from league.privacy.forgetting import person_forget, player_forget


class Command(BaseCommand):
    help = "Forget again, after a restore, everybody in the list of those who were forgotten."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the file."""
        parser.add_argument(
            "file", nargs="?", metavar="FILE", help=f"the list of another machine (default: {settings.FORGOTTEN_FILE})"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Forget accounts, then players; then write what this machine's own list has not."""
        path = Path(options["file"]) if options["file"] else settings.FORGOTTEN_FILE
        if options["file"] and not path.is_file():
            raise CommandError(f"There is no file {path}.")
        accounts = players = 0
        for row in forgotten_list.back_again(forgotten_list.read(path)):
            if isinstance(row, User):
                self._forget_account(row)
                accounts += 1
            else:
                row.refresh_from_db()
                players += len(player_forget(player=row, actor=None)) if row.anonymised_at is None else 0
        forgotten_list.complete()
        self.stdout.write(f"Forgotten again: {accounts} accounts with their players, and {players} other players.")

    def _forget_account(self, account: User) -> None:
        alone = [club for club in Club.objects.filter(memberships__user=account) if is_last_owner(club, account)]
        person_forget(user=account, actor=None, last_owner=True)
        for club in alone:
            self.stderr.write(f"The club {club.slug} has no owner now: give it one in the admin.")
