"""`manage.py club ACT SLUG`: what the operator may do with a club, as on the page /operator/."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.errors import Refused
from league.models import Club
from league.operator import services


class Command(BaseCommand):
    help = "Suspend a club or end that, limit it, or take its name or logo down. The log of the club names each act."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the acts."""
        acts = parser.add_subparsers(dest="act", required=True, metavar="ACT")
        of = {
            name: acts.add_parser(name, help=text)
            for name, text in (
                ("suspend", "nothing is stored any more; reading and downloads stay"),
                ("resume", "end the suspension"),
                ("limit", "most hands a day, players and megabytes of files; without an option: no limit"),
                ("take-name-down", "replace the name by 'Club' and its number"),
                ("take-logo-down", "remove the logo"),
            )
        }
        for each in of.values():
            each.add_argument("slug", metavar="SLUG", help="the short name in the address of the club")
        of["suspend"].add_argument("--reason", default="", help="a sentence for whoever opens the club")
        of["limit"].add_argument("--hands-a-day", type=int)
        of["limit"].add_argument("--most-players", type=int)
        of["limit"].add_argument("--most-file-mb", type=int)

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it, and say what was done."""
        club = Club.objects.filter(slug=options["slug"]).first()
        if club is None:
            raise CommandError(f"There is no club {options['slug']}.")
        try:
            done = _do(club, options)
        except Refused as refused:
            raise CommandError(refused.sentence) from refused
        self.stdout.write(f"{club.slug}: {done}.")


def _do(club: Club, options: dict[str, Any]) -> str:
    match options["act"]:
        case "suspend":
            services.club_suspend(club=club, actor=None, reason=options["reason"])
            return "suspended"
        case "resume":
            services.club_resume(club=club, actor=None)
            return "no longer suspended"
        case "limit":
            limits = {name: options[name] for name in services.QUOTAS}
            services.quotas_set(club=club, actor=None, quotas=limits)
            return ", ".join(f"{name} {value or 'no limit'}" for name, value in limits.items())
        case "take-name-down":
            return f"is called {services.name_take_down(club=club, actor=None).name}"
        case _:
            return "the logo is removed" if services.logo_take_down(club=club, actor=None) else "there is no logo"
