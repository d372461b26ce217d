"""Create a club: `manage.py club_new SHORT-NAME NAME --owner MAIL`."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone

from league.club_admin.services import CURRENCIES, club_create
from league.errors import Refused
from league.models import Club, Season, User
from league.standings.seasons import season_add

SEASON_BEGINS = 8
"""The month in which a season begins that is named after two years."""


class Command(BaseCommand):
    help = "Create a club with its first owner and its first season; the owner does everything else on its pages."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the club and its owner."""
        parser.add_argument("slug", metavar="SHORT-NAME", help="a part of its addresses: /c/SHORT-NAME/")
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("--owner", required=True, metavar="MAIL", help="gets an account, if there is none")
        parser.add_argument("--place", default="", help="where it plays")
        parser.add_argument("--currency", default="CHF", choices=CURRENCIES)
        parser.add_argument("--season", default="", metavar="NAME", help="its first season (default: as 2026/27)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Create both the club and the account, or neither."""
        mail = options["owner"].strip()
        try:
            validate_email(mail)
        except ValidationError as fault:
            raise CommandError(f"{mail!r} is no mail address.") from fault
        try:
            with transaction.atomic():
                owner = User.objects.filter(email__iexact=mail).first()
                new = owner is None
                owner = owner or User.objects.create_user(mail)
                club = club_create(
                    name=options["name"],
                    slug=options["slug"],
                    place=options["place"],
                    currency=options["currency"],
                    owner=owner,
                    actor=None,
                )
                season = self._first_season(club, options["season"].strip())
        except Refused as refused:
            raise CommandError(refused.sentence) from refused
        self.stdout.write(f"{club.name} is at {club.get_absolute_url()}; its owner is {owner.email}.")
        self.stdout.write(f"Its first season is {season.name}.")
        if new:
            self.stdout.write(
                f"{owner.email} has no password yet: a sign-in code by mail lets in, or "
                f"`manage.py changepassword {owner.email}` sets one."
            )

    def _first_season(self, club: Club, name: str) -> Season:
        """Add a season from today on, so that an evening can be begun at once."""
        today = timezone.localdate()
        year = today.year if today.month >= SEASON_BEGINS else today.year - 1
        values = {"name": name or f"{year}/{(year + 1) % 100:02d}", "starts_on": today}
        if not name:
            values["slug"] = f"{year}-{(year + 1) % 100:02d}"
        return season_add(club=club, actor=None, values=values)
