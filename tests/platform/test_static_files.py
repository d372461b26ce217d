"""Static files as production serves them: one file of scripts for each screen, which hashed names lead to."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from league.config.static import HashedStaticFilesStorage
from league.static_sources import reached, screen_script
from scripts import bundles

PROJECT = Path(settings.BASE_DIR)
TAG = re.compile(r"""{% script ["']([^"']+)["'] %}""")


@pytest.fixture
def collected(tmp_path: Path) -> HashedStaticFilesStorage:
    """The files under their hashed names, as `collectstatic` writes them."""
    shutil.copytree(PROJECT / "static", tmp_path / "static")
    files = HashedStaticFilesStorage(location=str(tmp_path / "static"), base_url="/static/")
    names = sorted(str(path.relative_to(tmp_path / "static")) for path in (tmp_path / "static").rglob("*.js"))
    done: list[Any] = list(files.post_process({name: (files, name) for name in names}, dry_run=False))
    assert [fault for *_, fault in done if isinstance(fault, Exception)] == []
    return files


def screens_of_pages() -> set[str]:
    return {name for path in (PROJECT / "templates").rglob("*.html") for name in TAG.findall(path.read_text())}


def test_each_screen_has_a_list_of_modules_and_a_page() -> None:
    lists = {path.stem for path in (PROJECT / bundles.SCREENS).glob("*.js")}
    built = {path.stem for path in (PROJECT / bundles.BUILT).glob("*.js")}
    assert screens_of_pages() == lists == built - {bundles.WORKER.stem}


def test_production_has_the_file_of_each_screen_and_no_module(collected: HashedStaticFilesStorage) -> None:
    for screen in screens_of_pages():
        assert re.fullmatch(rf"built/{screen}\.[0-9a-f]{{12}}\.js", collected.stored_name(screen_script(screen, True)))
    assert sorted(name for name in collected.hashed_files if name.startswith(("js/", "vendor/idb", "vendor/lean"))) == [
        "js/first_paint.js"
    ]


def test_no_file_of_a_screen_imports_another_one() -> None:
    """It would be a name without a hash, and one more request."""
    for path in (PROJECT / bundles.BUILT).glob("*.js"):
        assert not re.search(r"""["']\.{1,2}/[^"']*\.m?js["']""", path.read_text(encoding="utf-8")), path.name


def test_every_template_names_its_scripts_with_the_tag() -> None:
    """A plain `<script type="module">` would load each module by itself."""
    paths = [path for path in (PROJECT / "templates").rglob("*.html") if 'type="module"' in path.read_text()]
    assert paths == []


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the scripts and of the files made of them."""
    shutil.copytree(PROJECT / "static", tmp_path / "static")
    monkeypatch.setattr(bundles, "PROJECT", tmp_path)
    return tmp_path


@pytest.mark.parametrize("changed", ["js/money.js", "built/table.js", "vendor/lean-qr/lean-qr.js"])
def test_files_that_are_older_than_their_modules_are_found(copy: Path, changed: str) -> None:
    assert bundles.check() == 0
    with (copy / "static" / changed).open("a") as file:
        file.write("\n")
    assert bundles.check() == 1


def test_of_a_circle_each_name_is_reached_once() -> None:
    following = {"a": ["b", "c"], "b": ["a", "d"], "c": ["d"], "d": ["a"]}
    assert reached(["a"], following.__getitem__) == ["a", "b", "c", "d"]
