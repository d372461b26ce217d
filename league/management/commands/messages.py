"""`manage.py messages`: Django's `makemessages` for this project, the check of the catalogues, and their compiling."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polib
from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import makemessages

from league.config.compiled_texts import compile_texts

NOT_SHOWN = ("tests", "bench", "scripts", "requirements", "var", "static", "public")
"""Folders without a text that a user sees."""


class Command(makemessages.Command):
    help = (
        "Collect the texts to translate into locale/*/LC_MESSAGES/django.po; --check and --compile them. Needs the "
        "gettext programs, but for --compile."
    )
    requires_system_checks: list[str] = []
    # A guess is a wrong translation that looks like one.
    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare Django's options with the values of this project, and two of its own."""
        super().add_arguments(parser)
        parser.set_defaults(
            # English is the source language and needs no catalogue.
            locale=[code for code, _name in settings.LANGUAGES if code != "en"],
            extensions=["py,html,txt"],
            ignore_patterns=[f"{folder}/*" for folder in NOT_SHOWN],
            add_location="file",
            no_obsolete=True,
            no_wrap=True,
        )
        parser.add_argument("--check", action="store_true", help="change nothing; fail if a catalogue is incomplete")
        parser.add_argument("--compile", action="store_true", help="write the .mo files that the server reads")

    def handle(self, *args: Any, **options: Any) -> None:
        """Collect, check or compile."""
        if options["compile"]:
            self.stdout.write(f"{compile_texts(Path(settings.LOCALE_PATHS[0]))} compiled")
            return
        if shutil.which("xgettext") is None:
            raise CommandError("The gettext programs are missing: install the package gettext.")
        self.checks, self.faults = options["check"], list[str]()
        os.chdir(settings.BASE_DIR)
        super().handle(*args, **options)
        # Django writes each catalogue once for each folder of settings.LOCALE_PATHS and of the project.
        problems = list(dict.fromkeys(self.faults))
        for fault in problems:
            self.stdout.write(f"  {fault}")
        if problems:
            raise CommandError(f"The translations are not complete: {len(problems)} to fix.")

    def write_po_file(self, potfile: str, locale: str) -> None:
        """Bring the collected texts into the catalogue of a language, or compare them with it."""
        if not self.checks:
            super().write_po_file(potfile, locale)
            return
        path = Path(potfile).parent / locale / "LC_MESSAGES" / "django.po"
        self.faults += [f"{locale}: {fault}" for fault in faults(polib.pofile(potfile), path)]


def faults(collected: polib.POFile, path: Path) -> Iterator[str]:
    """Yield a sentence for each fault of the catalogue at `path`: against the collected texts, and in itself."""
    catalogue = [entry for entry in polib.pofile(path) if not entry.obsolete]
    wanted, known = ({key(entry): entry for entry in entries} for entries in (collected, catalogue))
    yield from (f"missing: {entry.msgid!r}" for each, entry in wanted.items() if each not in known)
    yield from (f"no longer used: {entry.msgid!r}" for each, entry in known.items() if each not in wanted)
    for entry in catalogue:
        if not entry.translated():
            yield f"not translated: {entry.msgid!r}"
        if any("ß" in text for text in (entry.msgstr, *entry.msgstr_plural.values())):
            yield f"not Swiss spelling (ß): {entry.msgid!r}"
    done = subprocess.run(["msgfmt", "--check", "--output-file", os.devnull, path], capture_output=True, text=True)
    if done.returncode:
        yield done.stderr.strip()


def key(entry: polib.POEntry) -> tuple[str, str, str]:
    """Return what makes an entry another one: context, text and plural."""
    return entry.msgctxt or "", entry.msgid, entry.msgid_plural
