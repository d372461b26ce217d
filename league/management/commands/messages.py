"""`manage.py messages`: collect, check and compile the translations; needs no gettext tools."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.config import translations

FOLDERS = ("league", "games", "templates")


class Command(BaseCommand):
    help = "Collect the texts to translate into locale/*/LC_MESSAGES/django.po; --check and --compile them."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; fail if a catalogue is incomplete")
        parser.add_argument("--compile", action="store_true", help="write the .mo files that the server reads")

    def handle(self, *args: Any, **options: Any) -> None:
        locale = Path(settings.LOCALE_PATHS[0])
        if options["compile"]:
            self.stdout.write(f"{translations.compile_all(locale)} compiled")
            return
        try:
            texts = translations.collect(settings.BASE_DIR, FOLDERS)
        except translations.NotAText as reason:
            raise CommandError(str(reason)) from reason
        # English is the source language and needs no catalogue.
        wanted = [code for code, _name in settings.LANGUAGES if code != "en"]
        faults = []
        for code in wanted:
            path = locale / code / "LC_MESSAGES" / "django.po"
            catalogue = translations.open_catalogue(path, code)
            if not options["check"]:
                translations.update(catalogue, texts)
                path.parent.mkdir(parents=True, exist_ok=True)
                catalogue.save(str(path))
            found = translations.faults(catalogue, texts)
            faults += [f"{code}: {fault}" for fault in found]
            self.stdout.write(f"{code}: {len(texts)} texts, {len(found)} to fix")
        for fault in faults:
            self.stdout.write(f"  {fault}")
        if faults and options["check"]:
            raise CommandError(f"The translations are not complete: {len(faults)} to fix.")
