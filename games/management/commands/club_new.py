"""Create a club: `manage.py club_new SHORT-NAME NAME --owner MAIL`; in a terminal without arguments it asks."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_email
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.opening.forms import STEPS, PlayersForm
from games.opening.services import Opening, club_make, usual_stake
from league.club_admin.services import CURRENCIES, club_create, first_season
from league.errors import Refused
from league.models import Club, User


class OwnerForm(forms.Form):
    """The question that the pages need not ask."""

    owner = forms.EmailField(label=gettext_lazy("Email address of the owner"))


class Command(BaseCommand):
    help = (
        "Create a club with its first owner and its first season; the owner does everything else on its pages. In a "
        "terminal without arguments it asks what the pages of opening a club ask."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the club and its owner."""
        parser.add_argument("slug", metavar="SHORT-NAME", nargs="?", help="a part of its addresses: /c/SHORT-NAME/")
        parser.add_argument("name", metavar="NAME", nargs="?")
        parser.add_argument("--owner", metavar="MAIL", help="gets an account, if there is none")
        parser.add_argument("--place", default="", help="where it plays")
        parser.add_argument("--currency", default="CHF", choices=CURRENCIES)
        parser.add_argument(
            "--visibility",
            default=Club.Visibility.PRIVATE,
            choices=Club.Visibility.values,
            help="who may read it (default: private, members only)",
        )
        parser.add_argument("--season", default="", metavar="NAME", help="its first season (default: as 2026/27)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Create both the club and the account, or neither."""
        given = [name for name in ("slug", "name", "owner") if options[name] is not None]
        if not given and sys.stdin.isatty():
            self._ask_and_create()
            return
        if len(given) < 3:
            raise CommandError("Give SHORT-NAME, NAME and --owner MAIL, or nothing in a terminal: then it asks.")
        mail = options["owner"].strip()
        try:
            validate_email(mail)
        except ValidationError as fault:
            raise CommandError(f"{mail!r} is no mail address.") from fault
        try:
            with transaction.atomic():
                owner, new = _account(mail)
                club = club_create(
                    name=options["name"],
                    slug=options["slug"],
                    place=options["place"],
                    currency=options["currency"],
                    visibility=options["visibility"],
                    owner=owner,
                    actor=None,
                )
                first_season(club=club, actor=None, name=options["season"].strip())
        except Refused as refused:
            raise CommandError(refused.sentence) from refused
        self._say(club, owner, new)

    def _ask_and_create(self) -> None:
        """Ask what the pages ask. A club that is refused is asked for again from the step that it names."""
        answers: dict[str, Any] = {}
        for step in ("name", "readers"):
            answers |= self._ask(STEPS[step], {})
        mail = self._ask(OwnerForm, {})["owner"]
        while True:
            players = self._ask(PlayersForm, {"stake": usual_stake(answers["game"])})
            try:
                with transaction.atomic():
                    owner, new = _account(mail)
                    club, _table = club_make(Opening(**answers, **players), owner, with_evening=False)
            except Refused as refused:
                self.stderr.write(refused.sentence)
                continue
            self._say(club, owner, new)
            return

    def _ask(self, of: type[forms.Form], defaults: Mapping[str, Any]) -> dict[str, Any]:
        """Ask every question of a form until it is valid; return its answers."""
        while True:
            form = of({name: self._answer(field, name, defaults) for name, field in of.base_fields.items()})
            if form.is_valid():
                return form.cleaned_data
            for sentences in form.errors.values():
                self.stderr.write("\n".join(str(sentence) for sentence in sentences))

    def _answer(self, field: forms.Field, name: str, defaults: Mapping[str, Any]) -> str:
        """Ask one question; an empty answer is the default."""
        default = str(defaults.get(name, field.initial or ""))
        self.stdout.write(f"{field.label}:")
        for value, label in getattr(field, "choices", ()):
            self.stdout.write(f"  {value}: {label}")
        if isinstance(field.widget, forms.Textarea):
            self.stdout.write("  " + _("An empty line ends the list."))
            return "\n".join(iter(input, ""))
        return input(f"  [{default}] " if default else "  ").strip() or default

    def _say(self, club: Club, owner: User, new: bool) -> None:
        self.stdout.write(f"{club.name} is at {club.get_absolute_url()}; its owner is {owner.email}.")
        self.stdout.write(f"Its first season is {club.seasons.get().name}.")
        if new:
            self.stdout.write(
                f"{owner.email} has no password yet: a sign-in code by mail lets in, or "
                f"`manage.py changepassword {owner.email}` sets one."
            )


def _account(mail: str) -> tuple[User, bool]:
    """Return the account with this address, and True if it is a new one."""
    user = User.objects.filter(email__iexact=mail).first()
    return user or User.objects.create_user(mail), user is None
