"""The version of the app on a phone, and the files that its pages need without a network.

A phone has pages, scripts and the service worker of one version (`static/js/worker.js`). Any change of the program is
another version, because pages, texts and scripts belong together.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.template import engines
from django.templatetags.static import static

from ..static_sources import imports, reached, screen_script

SOURCES = {
    "static": ("*",),
    "templates": ("*",),
    "locale": ("*.po",),
    "league": ("*.py",),
    "games": ("*.py",),
    "engine": ("*.py",),
}
"""What makes a version: folders of the program, and the names of the files in them."""

USED = re.compile(r"""{% static ["']([^"']+)["'] %}""")
SCRIPTS = re.compile(r"""{% script ["']([^"']+)["'] %}""")
INCLUDED = re.compile(r"""{% (?:extends|include) ["']([^"']+)["']""")
SOURCE = re.compile(r'src="([^"]+)"')


def version() -> str:
    """Return the version of this program, the same in each of its processes. Under DEBUG it follows each change."""
    return _digest() if settings.DEBUG else _digest_at_start()


@lru_cache(maxsize=1)
def _digest_at_start() -> str:
    return _digest()


def _digest() -> str:
    digest = hashlib.sha256(settings.PRODUCT_VERSION.encode())
    for path in _sources(settings.BASE_DIR):
        digest.update(str(path.relative_to(settings.BASE_DIR)).encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _sources(base: Path) -> Iterator[Path]:
    for folder, patterns in SOURCES.items():
        for pattern in patterns:
            yield from sorted(path for path in (base / folder).rglob(pattern) if path.is_file())


def files() -> list[str]:
    """Return the addresses of the static files that a phone needs without a network."""
    return _files(settings.BUNDLED) if settings.DEBUG else _files_at_start(settings.BUNDLED)


@lru_cache(maxsize=2)
def _files_at_start(bundled: bool) -> list[str]:
    return _files(bundled)


def _files(bundled: bool) -> list[str]:
    templates = settings.BASE_DIR / "templates"
    first = [
        path.relative_to(templates).as_posix() for pattern in settings.PHONE_PAGES for path in templates.glob(pattern)
    ]
    names, scripts = {*settings.PHONE_FILES}, set[str]()
    for template in reached(first, lambda name: _matches(INCLUDED, templates / name)):
        names.update(_matches(USED, templates / template))
        scripts.update(screen_script(name, bundled) for name in _matches(SCRIPTS, templates / template))
    htmx = engines["django"].from_string("{% load django_htmx %}{% htmx_script %}").render()
    return sorted({*map(static, names.union(reached(scripts, imports))), *SOURCE.findall(htmx)})


def _matches(pattern: re.Pattern[str], path: Path) -> list[str]:
    return pattern.findall(path.read_text(encoding="utf-8"))
