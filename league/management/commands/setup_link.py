"""Print the link of the set-up page: `manage.py setup_link`."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from league.accounts.first_account import is_without_accounts, set_up_address


class Command(BaseCommand):
    help = "Print the link with which the first account of this server is created in the browser."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print it; without BASE_URL or an allowed host it begins with the path."""
        if not is_without_accounts():
            raise CommandError("There is an account already: the set-up page is closed.")
        self.stdout.write(f"{settings.BASE_URL}{set_up_address()}")
