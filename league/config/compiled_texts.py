"""The compiled texts (`.mo`) that gettext reads: written without the gettext programs, which a server need not have."""

from __future__ import annotations

from pathlib import Path

import polib


def compile_texts(locale: Path) -> int:
    """Write the .mo file of every .po file that is newer; return the number of written files."""
    written = 0
    for source in sorted(locale.glob("*/LC_MESSAGES/django.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime_ns >= source.stat().st_mtime_ns:
            continue
        # Replaced at once: a server that starts meanwhile must not read half a file.
        partial = target.with_suffix(".mo.part")
        polib.pofile(str(source)).save_as_mofile(str(partial))
        partial.replace(target)
        written += 1
    return written
