"""`manage.py demo`: fill an empty database with the demo league; `--logins` prints the accounts."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from games.management import demo_league
from league.luck.services import count_club
from league.models import LuckToCount, Season
from league.standings.counting import count_season


class Command(BaseCommand):
    help = "Load the demo league: four clubs, five seasons, 80 evenings, 5,300 hands, tournaments, a cup."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options."""
        parser.add_argument("--logins", action="store_true", help="only print who can sign in")
        parser.add_argument(
            "--hands", type=int, default=demo_league.HANDS, help="how many hands (default: %(default)s)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Load the league, show the progress, count, print the logins."""
        if not options["logins"]:
            self._load(options["hands"])
        self.stdout.write(f"Demo logins (password: {demo_league.PASSWORD}):")
        for email, role, club in demo_league.logins():
            self.stdout.write(f"  {email:<26} {role:<10} {club}")

    def _load(self, hands: int) -> None:
        if hands < demo_league.EVENINGS:
            raise CommandError(
                f"The demo has {demo_league.EVENINGS} evenings, so it needs {demo_league.EVENINGS} hands at least."
            )
        if not demo_league.is_empty():
            raise CommandError("The database is not empty; the demo league is for an empty one only.")
        # All or nothing: half a demo would count as data of a league the next time.
        with transaction.atomic():
            demo_league.load(today=timezone.localdate(), hands=hands, progress=self._show_progress)
        self.stdout.write("")
        for season_id in Season.every.values_list("pk", flat=True):
            count_season(season_id)
        for club_id in list(LuckToCount.objects.values_list("pk", flat=True)):
            count_club(club_id)

    def _show_progress(self, stored: int, hands: int) -> None:
        # On a terminal one line counts up; in a log there is a line per tenth.
        if self.stdout.isatty():
            self.stdout.write(f"\rDemo league: {stored} of {hands} hands", ending="")
            self.stdout.flush()
        elif stored * 10 // hands != (stored - hands // demo_league.EVENINGS) * 10 // hands:
            self.stdout.write(f"Demo league: {stored} of {hands} hands")
