"""The files in the root: licence, version, continuous integration, hooks, and the list of what others made."""

from __future__ import annotations

import re
import shlex
import subprocess
import tomllib
from fnmatch import fnmatchcase
from typing import Any

import pytest
import yaml
from django.conf import settings

from scripts.test import linters
from tests.processes import PROJECT

DECLARED = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def text(name: str) -> str:
    return (PROJECT / name).read_text(encoding="utf-8")


def files() -> list[str]:
    done = subprocess.run(["git", "ls-files"], cwd=PROJECT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


# --- Version and licence ---------------------------------------------------------------------------------


def test_the_version_is_the_one_of_the_project_everywhere() -> None:
    version = DECLARED["version"]
    assert version == settings.PRODUCT_VERSION
    assert settings.SPECTACULAR_SETTINGS["VERSION"] == version
    assert re.search(r"^## (\d\S*)", text("CHANGELOG.md"), re.MULTILINE).group(1) == version  # type: ignore[union-attr]


def test_no_module_repeats_the_version() -> None:
    named = re.compile(rf"=\s*[\"']{re.escape(DECLARED['version'])}[\"']")
    code = [path for path in files() if path.endswith(".py")]
    assert [path for path in code if (PROJECT / path).exists() and named.search(text(path))] == []


def test_the_licence_is_the_declared_one() -> None:
    assert (DECLARED["license"], DECLARED["license-files"], DECLARED["readme"]) == ("MIT", ["LICENSE"], "README.md")
    assert text("LICENSE").startswith("MIT License\n\nCopyright (c) 2026 The Chratzete authors\n")


# --- Files of others -------------------------------------------------------------------------------------

OF_OTHERS = re.compile(r"^static/vendor/.*/|\.(ttf|otf|woff2?)$")
LICENCE_TEXT = re.compile(r"/[A-Z-]*LICENSE(\.txt)?$")


def rows_of_others() -> list[tuple[str, str]]:
    """Return the files and the licence text of each row of the table."""
    rows = [line.strip("| ").split(" | ") for line in text("THIRD-PARTY.md").splitlines() if line.startswith("| ")]
    return [(row[2].strip("`"), row[4].strip("`")) for row in rows if "`" in row[2]]


def not_listed(paths: list[str]) -> list[str]:
    """Return the files of others that no row of the table names."""
    patterns = [pattern for pattern, _licence in rows_of_others()]
    others = [path for path in paths if OF_OTHERS.search(path) and not LICENCE_TEXT.search(path)]
    return [path for path in others if not any(fnmatchcase(path, pattern) for pattern in patterns)]


def test_each_file_of_others_is_in_the_table() -> None:
    assert not_listed(files()) == []


@pytest.mark.parametrize("path", ["static/vendor/purse/purse.js", "league/web/fonts/purse.ttf"])
def test_a_file_that_is_not_in_the_table_is_found(path: str) -> None:
    assert not_listed([path]) == [path]


@pytest.mark.parametrize(("pattern", "licence"), rows_of_others())
def test_each_row_has_files_and_the_text_of_their_licence(pattern: str, licence: str) -> None:
    assert any(fnmatchcase(path, pattern) for path in files())
    assert LICENCE_TEXT.search(licence)
    assert licence in files()
    granted = ("Permission is hereby granted", "SIL OPEN FONT LICENSE", "ISC License")
    assert any(words in text(licence) for words in granted)


def test_the_letters_of_two_makers_in_one_font_keep_both_licences() -> None:
    licence = text("league/web/fonts/DEJAVU-LICENSE.txt")
    assert "by Bitstream, Inc." in licence
    assert "by Tavmjong Bah." in licence


# --- Continuous integration and hooks --------------------------------------------------------------------


def steps_of_github() -> list[str]:
    jobs = yaml.safe_load(text(".github/workflows/ci.yml"))["jobs"]
    return [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]


def steps_of_gitlab() -> list[str]:
    jobs: dict[str, Any] = yaml.safe_load(text(".gitlab-ci.yml"))
    return [line for job in jobs.values() for line in job["script"]]


@pytest.mark.parametrize("steps", [steps_of_github, steps_of_gitlab])
def test_continuous_integration_calls_one_script_and_nothing_else(steps: Any) -> None:
    assert steps() == [".ci/run"]


HOOKS = yaml.safe_load(text(".pre-commit-config.yaml"))["repos"]


def test_hooks_download_nothing() -> None:
    assert {repository["repo"] for repository in HOOKS} == {"local"}
    assert {hook["language"] for repository in HOOKS for hook in repository["hooks"]} == {"system"}


@pytest.mark.parametrize(
    "hook", [hook for repository in HOOKS for hook in repository["hooks"]], ids=lambda hook: hook["id"]
)
def test_a_hook_runs_what_make_lint_runs(hook: dict[str, Any]) -> None:
    program, first, *_rest = shlex.split(hook["entry"])
    assert program in {".venv/bin/ruff", ".venv/bin/python"}
    assert hook["id"] in {*linters(), "lint"}
    assert program != ".venv/bin/python" or first in files()
