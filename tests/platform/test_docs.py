"""Addresses, settings, paths and links in the docs exist."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest
from django.test import Client
from django.urls import Resolver404, resolve

from league.web.error_pages import PROBLEMS_EXPLAINED
from tests.processes import PROJECT

DOCS = sorted((PROJECT / "docs").glob("*.md"))
STANDS_FOR = {"<club>": "roessli", "<short name>": "roessli", "TOKEN": "token"}


def addresses() -> set[str]:
    """Return the addresses of the API in the docs."""
    paths = set()
    for file in DOCS:
        for named in re.findall(r"/api/v1/[\w/.-]*(?:<[a-z ]+>[\w/.-]*)*", file.read_text(encoding="utf-8")):
            for word, example in STANDS_FOR.items():
                named = named.replace(word, example)
            paths.add(named)
    return paths - {"/api/v1/"}


def test_the_docs_name_addresses() -> None:
    assert "/api/v1/clubs/roessli/webhooks" in addresses()


@pytest.mark.parametrize("address", sorted(addresses()))
def test_each_address_in_the_docs_is_a_route(address: str) -> None:
    try:
        resolve(address)
    except Resolver404:
        pytest.fail(f"{address} is nowhere")


def test_the_proxy_sets_the_client_address_itself() -> None:
    block = (PROJECT / "deploy" / "nginx" / "chratzete.conf").read_text(encoding="utf-8")
    for header in ("Host $host", "X-Forwarded-Proto https", "X-Forwarded-For $remote_addr"):
        assert f"proxy_set_header {header};" in block


@pytest.mark.django_db
def test_the_type_of_a_problem_links_to_its_explanation() -> None:
    page, _hash, place = PROBLEMS_EXPLAINED.partition("#")
    assert f'id="{place}"' in Client().get(page).content.decode()


# --- Paths -----------------------------------------------------------------------------------------------

PAGES = [*sorted(PROJECT.glob("*.md")), *sorted((PROJECT / "docs").rglob("*.md"))]
FILE = re.compile(r"(?:[\w.*-]+/)*[\w.*-]+\.(?:py|js|html|md|in|txt)")
TEST = re.compile(r"[\w./-]+\.py::\w+")
FOLDER = re.compile(r"(?:[a-z_]+/)+")
DOTTED = re.compile(r"(engine|draw|league|games|tests|bench)(?:\.[a-z_]+)+")
NOT_IN_THE_REPOSITORY = {"var/", "requirements/node_modules", "requirements/node_modules/.bin/biome"}


@cache
def files() -> list[str]:
    """Return the paths of all files of the project that git does not ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [path for path in listed if (PROJECT / path).exists()]


def in_top_folder(name: str) -> bool:
    top, slash, _ = name.partition("/")
    return bool(slash) and any(path.startswith(f"{top}/") for path in files())


def path_exists(name: str) -> bool:
    """Return True if a file or folder has this path. It may be inside any folder, if it names no folder at the top."""
    folder = name.rstrip("/")
    starts = [""] if in_top_folder(name) else ["", "*/"]
    return any(fnmatchcase(path, start + end) for path in files() for start in starts for end in (name, f"{folder}/*"))


def named_test_exists(name: str) -> bool:
    path, _, test = name.partition("::")
    return path in files() and f"def {test}(" in (PROJECT / path).read_text(encoding="utf-8")


def dotted_exists(name: str) -> bool:
    """Return True if the name is a module, or a word in the module before its last dot."""
    path, _, last = name.replace(".", "/").rpartition("/")
    if {f"{path}/{last}.py", f"{path}/{last}/__init__.py"} & set(files()):
        return True
    modules = [PROJECT / module for module in (f"{path}.py", f"{path}/__init__.py") if module in files()]
    return any(re.search(rf"\b{last}\b", module.read_text(encoding="utf-8")) for module in modules)


def missing_paths(page: str) -> Iterator[str]:
    """Yield the paths, tests and dotted names in backticks of a page that do not exist in the project."""
    for span in re.findall(r"`([^`\n]+)`", page):
        for word in span.split():
            name = word.strip(",;").removesuffix("()")
            if TEST.fullmatch(name):
                exists = named_test_exists(name)
            elif DOTTED.fullmatch(name) and not FILE.fullmatch(name):
                exists = dotted_exists(name)
            elif FILE.fullmatch(name) or FOLDER.fullmatch(name) or in_top_folder(name):
                exists = name in NOT_IN_THE_REPOSITORY or path_exists(name)
            else:
                continue
            if not exists:
                yield name


def test_every_path_in_the_docs_exists() -> None:
    missing = [
        f"{page.relative_to(PROJECT)}: {name}"
        for page in PAGES
        for name in missing_paths(page.read_text(encoding="utf-8"))
    ]
    assert missing == []


@pytest.mark.parametrize(
    "name",
    [
        "games/hands/purse.py",
        "purse.py",
        "hands/purse.py",
        "league/purses",
        "purses/",
        "requirements/*.purse",
        "tests/platform/test_docs.py::test_purse",
        "tests/platform/test_purse.py::test_every_path_in_the_docs_exists",
        "league.ledger.purse",
        "games/test_disputes.py",
    ],
)
def test_a_wrong_path_is_found(name: str) -> None:
    assert list(missing_paths(f"See `docs/deploy.md` and `{name}`.")) == [name]


# --- Links -----------------------------------------------------------------------------------------------

LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")


def dead_links(page: Path, text: str) -> list[str]:
    """Return the links of a page to files that do not exist."""
    return [link for link in LINK.findall(text) if not (page.parent / link).exists()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_every_linked_file_exists(page: Path) -> None:
    assert dead_links(page, page.read_text(encoding="utf-8")) == []


def test_a_dead_link_is_found() -> None:
    assert dead_links(PROJECT / "README.md", "[a](docs/purse.md#b), [c](docs/api.md), [d](https://e)") == [
        "docs/purse.md"
    ]
