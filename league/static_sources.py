"""Static files as they are in the repository, the scripts of a screen, and what a script imports."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from django.contrib.staticfiles import finders

IMPORTED = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["'](\.{1,2}/[^"']+)["']""")


def screen_script(screen: str, bundled: bool) -> str:
    """Return the name of a screen's script: one file with all its modules, or the list of its modules."""
    return f"built/{screen}.js" if bundled else f"js/screens/{screen}.js"


def imports(name: str) -> list[str]:
    """Return the names of the scripts that this script imports, at once or later, without missing ones."""
    targets = IMPORTED.findall(text_path(name).read_text(encoding="utf-8"))
    names = [posixpath.normpath(posixpath.join(posixpath.dirname(name), target)) for target in targets]
    return [name for name in names if finders.find(name)]


def reached(first: Iterable[str], following: Callable[[str], list[str]]) -> list[str]:
    """Return these names and those that follow from them, each once, the nearest first."""
    waiting = known = dict.fromkeys(first)
    while waiting:
        waiting = dict.fromkeys(each for name in waiting for each in following(name) if each not in known)
        known |= waiting
    return [*known]


def text_path(name: str) -> Path:
    """Return the path of a static file as it is in the repository. Raises FileNotFoundError."""
    path = finders.find(name)
    if not isinstance(path, str):
        raise FileNotFoundError(name)
    return Path(path)
