"""What the contracts of import-linter cannot say, because their patterns match whole names of modules only."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent.parent
OF_PAGES = {"views", "urls"}
"""The modules that may import views: views themselves, and lists of addresses."""
OTHER_VIEWS = ("league/api/", "games/api/", "league/reports/pages.py", "league/standings/exports.py")
"""Views that have other names: those of the API, of reports and of CSV files."""


def is_of_pages(module: str) -> bool:
    last = module.rsplit(".", 1)[-1]
    return last in OF_PAGES or last.endswith("_views")


def imported(source: str) -> set[str]:
    """Return the names that a module imports, with the name behind `from … import`."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
            names |= {f"{node.module or ''}.{alias.name}" for alias in node.names}
    return names


def views_below(path: str, source: str) -> set[str]:
    """Return the views that a module below the views imports. Views of other packages are not ours."""
    if path.startswith(OTHER_VIEWS) or is_of_pages(path.removesuffix(".py").replace("/", ".")):
        return set()
    ours = {name for name in imported(source) if not name.startswith(("django", "allauth", "rest_framework", "drf_"))}
    return {name for name in ours if is_of_pages(name)}


def test_nothing_below_the_views_imports_them():
    importers = {}
    for package in ("league", "games"):
        for path in sorted((PROJECT / package).rglob("*.py")):
            name = str(path.relative_to(PROJECT))
            views = views_below(name, path.read_text(encoding="utf-8"))
            if views:
                importers[name] = views
    assert importers == {}


@pytest.mark.parametrize(
    "source",
    [
        "from .log_views import rows",
        "from . import log_views",
        "from ..x import views",
        "from league.web.views import a",
    ],
)
def test_an_import_of_views_is_found(source):
    assert views_below("league/club_admin/large_log.py", source)
    assert not views_below("league/club_admin/views.py", source)
