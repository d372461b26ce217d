"""Create a club: `manage.py club_new SHORT-NAME NAME --owner MAIL`."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_email
from django.db import transaction

from league.club_admin.services import CURRENCIES, club_create
from league.errors import Refused
from league.models import User


class Command(BaseCommand):
    help = "Create a club with its first owner, who does everything else on its pages."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the club and its owner."""
        parser.add_argument("slug", metavar="SHORT-NAME", help="a part of its addresses: /c/SHORT-NAME/")
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("--owner", required=True, metavar="MAIL", help="gets an account, if there is none")
        parser.add_argument("--place", default="", help="where it plays")
        parser.add_argument("--currency", default="CHF", choices=CURRENCIES)

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
        except Refused as refused:
            raise CommandError(refused.sentence) from refused
        self.stdout.write(f"{club.name} is at {club.get_absolute_url()}; its owner is {owner.email}.")
        if new:
            self.stdout.write(
                f"{owner.email} has no password yet: a sign-in code by mail lets in, or "
                f"`manage.py changepassword {owner.email}` sets one."
            )
