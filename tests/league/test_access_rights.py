"""The table of rights: docs/permissions.md shows the table of league/access/rights.py, and nothing reads docs/."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from league.access.rights import COLUMNS, GRANTS
from tests.processes import PROJECT

PAGE = PROJECT / "docs" / "permissions.md"
PACKAGES = ("draw", "engine", "games", "league", "readers")
ROW = re.compile(r"^\| `(?P<right>\w+)` \| [^|]+ \|(?P<cells>.+)\|$", re.MULTILINE)


def differences(page: str) -> list[str]:
    """Compare the table of a page with GRANTS; one sentence for each difference."""
    problems = []
    columns = " | ".join(str(column) for column in COLUMNS)
    if f"| right | action | {columns} |" not in page:
        problems.append(f"the columns are not: {columns}")
    rows = [(row["right"], [cell.strip() for cell in row["cells"].split("|")]) for row in ROW.finditer(page)]
    names, expected_names = [name for name, _cells in rows], [str(right) for right in GRANTS]
    if names != expected_names:
        problems.append(f"the rights are {names} instead of {expected_names}")
    expected = {str(right): [str(cell) for cell in cells] for right, cells in GRANTS.items()}
    problems += [
        f"{name}: {cells} instead of {expected[name]}"
        for name, cells in rows
        if name in expected and cells != expected[name]
    ]
    return problems


def test_the_page_shows_the_table_of_rights():
    assert differences(PAGE.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("| yes | yes | yes | yes | yes |", "| – | yes | yes | yes | yes |"),
        ("| – | own | own | own | own |", "| – | own | own | own | yes |"),
        ("| `see_log` |", "| `see_logs` |"),
        ("| recorder | treasurer |", "| treasurer | recorder |"),
        ("| `people` |", "| people |"),
    ],
    ids=["read of a visitor", "dispute of an owner", "name of a right", "order of the columns", "missing right"],
)
def test_a_changed_cell_is_found(old: str, new: str):
    page = PAGE.read_text(encoding="utf-8")
    assert old in page
    assert differences(page.replace(old, new, 1))


def test_a_right_listed_twice_is_found():
    page = PAGE.read_text(encoding="utf-8")
    [row] = [match[0] for match in ROW.finditer(page) if match["right"] == "see_log"]
    assert differences(page.replace(row, f"{row}\n{row}"))


@pytest.mark.rest
def test_the_product_starts_without_docs(tmp_path: Path):
    for folder in (*PACKAGES, "templates", "locale"):
        shutil.copytree(PROJECT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PROJECT / "pyproject.toml", tmp_path)
    code = (
        "import django; django.setup()\n"
        "import league.access.rights\n"
        "from django.core.management import call_command\n"
        "call_command('check')\n"
        "print(league.access.rights.__file__)"
    )
    environment = {
        **{name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "VIRTUAL_ENV")},
        "DJANGO_SETTINGS_MODULE": "league.config.settings",
        "DATA_DIR": str(tmp_path / "var"),
        "PYTHONPATH": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().endswith(str(tmp_path / "league/access/rights.py"))


def paths_of_docs(source: str) -> list[str]:
    """The strings of Python source that are a path in docs/; docstrings and sentences that mention one do not count."""
    texts = (
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return [text for text in texts if re.fullmatch(r"(\./|\.\./)*docs(/\S*)?", text)]


def test_no_module_reads_docs():
    modules = [path for package in PACKAGES for path in (PROJECT / package).rglob("*.py")]
    assert modules
    docs_paths = {str(path.relative_to(PROJECT)): paths_of_docs(path.read_text(encoding="utf-8")) for path in modules}
    assert {name: paths for name, paths in docs_paths.items() if paths} == {}


@pytest.mark.parametrize("source", ["open('docs/permissions.md')", "ROOT / 'docs' / 'permissions.md'"])
def test_a_path_of_docs_is_found(source: str):
    assert paths_of_docs(source)
