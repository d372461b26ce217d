"""A release: one version, a changelog and an upgrade page with a section for each, licences, a wheel that runs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from email.message import Message
from pathlib import Path

import pytest

from scripts import licences, release
from tests.processes import PROJECT

PARTS = ("**What changes.**", "**What to do.**", "**Going back.**")


def text(name: str) -> str:
    return (PROJECT / name).read_text(encoding="utf-8")


def not_explained(changelog: str, upgrading: str) -> list[str]:
    """Return the released versions without a section, or with a part missing, in the upgrade page."""
    sections = dict(re.findall(r"^## (\S+)$\n(.*?)(?=^## |\Z)", upgrading, re.M | re.S))
    versions = re.findall(r"^## (\d\S+)", changelog, re.M)
    usual = release.LATER.strip()
    return [
        version
        for version in versions
        if usual not in (section := sections.get(version, "")) and not all(p in section for p in PARTS)
    ]


def test_each_released_version_has_its_section() -> None:
    changelog, upgrading = text("CHANGELOG.md"), text("docs/upgrading.md")
    assert not_explained(changelog, upgrading) == []
    # The twins.
    assert not_explained(changelog.replace("## 0.1.0", "## 0.1.1"), upgrading) == ["0.1.1"]
    assert not_explained(changelog, upgrading.replace(PARTS[2], "")) == ["0.1.0"]


def test_the_next_version_says_something() -> None:
    """A change of the changelog comes with what an operator has to do."""
    assert bool(release.section(text("CHANGELOG.md"))) <= bool(release.section(text("docs/upgrading.md")))


def test_the_image_has_the_version_of_the_project() -> None:
    [version] = re.findall(r'^version = "(.+)"$', text("pyproject.toml"), re.M)
    assert re.findall(r"image: .*/chratzete:(\S+)", text("compose.yaml")) == [version]


def test_the_licences_are_those_of_the_packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert licences.main(["--check"]) == 0, "run scripts/licences.py"
    # The twin: a package that is not in the list.
    file = tmp_path / "THIRD-PARTY.md"
    file.write_text(re.sub(r"^- celery: .*\n", "", text("THIRD-PARTY.md"), flags=re.M))
    monkeypatch.setattr(licences, "FILE", file)
    assert licences.main(["--check"]) == 1


@pytest.mark.parametrize("said", ["GPL-3.0-only", "AGPL-3.0-or-later", "SSPL-1.0", "", "All rights reserved."])
def test_a_licence_that_we_do_not_take_is_refused(said: str) -> None:
    values = Message()
    values["License-Expression"] = said
    with pytest.raises(licences.NotTaken):
        licences.licence(values, "purse")  # type: ignore[arg-type]
    values.replace_header("License-Expression", "LGPL-3.0-only")
    assert licences.licence(values, "purse") == "LGPL-3.0-only"  # type: ignore[arg-type]


# --- make release, in a clone ----------------------------------------------------------------------------


def clone(folder: Path) -> Path:
    """Return a clone of this project with the files as they are now, committed."""
    target = folder / "clone"
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", PROJECT, target], check=True)
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(listed, cwd=PROJECT, capture_output=True, text=True, check=True).stdout.splitlines():
        if (PROJECT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROJECT / name, target / name)
    for key, value in (("user.name", "test"), ("user.email", "test@example.org")):
        subprocess.run(["git", "config", key, value], cwd=target, check=True)
    git(target, "add", "--all")
    git(target, "commit", "--quiet", "--allow-empty", "--message", "As it is now")
    return target


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout


def run_release(folder: Path, version: str) -> tuple[int, str]:
    env = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE")}
    command = [sys.executable, "scripts/release.py", version]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.rest
@pytest.mark.long
def test_a_release_in_a_clone_gives_a_tag_and_a_wheel_that_runs(tmp_path: Path) -> None:
    project = clone(tmp_path)
    for version, reason in (("", "Say which version"), ("0.1.0", "not later"), ("1.0", "Say which version")):
        assert reason in run_release(project, version)[1]
    (project / "stray").touch()
    assert "not committed" in run_release(project, "0.9.0")[1]
    (project / "stray").unlink()

    # A step that fails leaves everything as it was.
    hook = project / ".git/hooks/pre-commit"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    status, printed = run_release(project, "0.9.0")
    assert (status, git(project, "status", "--porcelain"), git(project, "tag")) == (1, "", ""), printed
    hook.unlink()

    status, printed = run_release(project, "0.9.0")
    assert status == 0, printed
    assert (git(project, "tag"), git(project, "status", "--porcelain")) == ("v0.9.0\n", "")
    changelog = (project / "CHANGELOG.md").read_text()
    assert re.search(r"^## Unreleased\n\n## 0\.9\.0 \(\d+ \w+ \d{4}\)\n\n- ", changelog, re.M)
    assert not_explained(changelog, (project / "docs/upgrading.md").read_text()) == []
    assert "chratzete:0.9.0\n" in (project / "compose.yaml").read_text()
    assert "says nothing under 'Unreleased'" in run_release(project, "0.9.1")[1]

    bill = json.loads((project / "dist/chratzete-0.9.0.cdx.json").read_text())
    assert {component["name"] for component in bill["components"]} >= set(licences.packages())
    runs(project / "dist/chratzete-0.9.0-py3-none-any.whl", tmp_path)


def runs(wheel: Path, tmp_path: Path) -> None:
    """Install the wheel beside the packages of this run, and use its command."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert {name.split("/")[0] for name in names} == {"chratzete", "chratzete-0.9.0.dist-info"}
        assert any(name.endswith("de/LC_MESSAGES/django.mo") for name in names)
        said = archive.read("chratzete-0.9.0.dist-info/METADATA").decode()
    assert "Requires-Dist: psycopg" in said
    assert "requires-dist: django==" in said.lower()
    folder = tmp_path / "installed"
    install = ["install", "--quiet", "--no-deps", "--no-index", "--target", str(folder), str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", *install], check=True)
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(folder), "LANG": "C.UTF-8"}
    program = str(folder / "bin" / "chratzete")
    for command in (["migrate", "--verbosity", "0"], ["verify"]):
        done = subprocess.run([program, *command], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert "Everything agrees with the records." in done.stdout
    assert (tmp_path / ".local/share/chratzete/db.sqlite3").exists()
