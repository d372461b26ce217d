"""Static files as they are in the repository, and the scripts that a script imports."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from django.contrib.staticfiles import finders

IMPORTED = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["'](\.{1,2}/[^"']+)["']""")
LATER = re.compile(r"""\bimport\s*\(""")
"""The import of a script that a page loads only when it needs it."""


def imports(name: str, *, later: bool = True) -> list[str]:
    """Return the names of the scripts that this script imports, without missing ones; `later`: those as well that it
    imports only when it needs them."""
    text = text_path(name).read_text(encoding="utf-8")
    targets = [found[1] for found in IMPORTED.finditer(text) if later or not LATER.match(found[0])]
    names = [posixpath.normpath(posixpath.join(posixpath.dirname(name), target)) for target in targets]
    return [name for name in names if finders.find(name)]


def loaded_with(name: str) -> list[str]:
    """Return the names of all scripts that a browser must load before it runs this one, layer by layer."""
    return reached([name], lambda one: imports(one, later=False))[1:]


def reached(first: Iterable[str], following: Callable[[str], list[str]]) -> list[str]:
    """Return these names and those that follow from them, each once, the nearest first."""
    waiting = found = dict.fromkeys(first)
    while waiting:
        waiting = dict.fromkeys(each for name in waiting for each in following(name) if each not in found)
        found |= waiting
    return [*found]


def text_path(name: str) -> Path:
    """Return the path of a static file as it is in the repository. Raises FileNotFoundError."""
    found = finders.find(name)
    if not isinstance(found, str):
        raise FileNotFoundError(name)
    return Path(found)
