"""Scripts as production serves them: with hashed names, with any number of layers of imports, named by their pages."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from league.config.static import HashedStaticFilesStorage
from league.static_sources import loaded_with, reached

HASHED = re.compile(r"\.[0-9a-f]{12}\.js$")
IMPORT = re.compile(r'^(?:import|export)\b[^;"]*"(\.[^"]+)"', re.MULTILINE)
STATIC = Path(settings.BASE_DIR) / "static"


def hashed(folder: Path, storage: type[HashedStaticFilesStorage] = HashedStaticFilesStorage) -> list[Exception]:
    """Write the hashed scripts of a folder beside them, as `collectstatic` does; return the faults."""
    files = storage(location=str(folder), base_url="/static/")
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.js"))
    done: list[Any] = list(files.post_process({name: (files, name) for name in names}, dry_run=False))
    return [fault for *_, fault in done if isinstance(fault, Exception)]


class FewPasses(HashedStaticFilesStorage):
    max_post_process_passes = 3


def test_every_import_names_a_hashed_file(tmp_path: Path) -> None:
    shutil.copytree(STATIC, tmp_path / "static")
    assert hashed(tmp_path / "static") == []
    imports = [
        path.parent / name
        for path in tmp_path.rglob("*.js")
        if HASHED.search(path.name)
        for name in IMPORT.findall(path.read_text(encoding="utf-8"))
    ]
    assert len(imports) > 50
    assert [str(path) for path in imports if not (HASHED.search(path.name) and path.exists())] == []


@pytest.mark.parametrize(("storage", "fails"), [(FewPasses, True), (HashedStaticFilesStorage, False)])
def test_scripts_may_have_many_layers_of_imports(
    tmp_path: Path, storage: type[HashedStaticFilesStorage], fails: bool
) -> None:
    """Each script comes before the one that it imports, so that every layer needs a pass."""
    for layer in range(10, 30):
        (tmp_path / f"layer{layer}.js").write_text(f'import {{ x }} from "./layer{layer + 1}.js";\n')
    (tmp_path / "layer30.js").write_text("export const x = 1;\n")
    assert bool(hashed(tmp_path, storage)) is fails


def test_every_template_names_its_scripts_with_the_tag() -> None:
    """A plain `<script type="module">` has no links to what it imports."""
    found = [path for path in (STATIC.parent / "templates").rglob("*.html") if 'type="module"' in path.read_text()]
    assert found == []


def test_a_script_that_is_imported_later_has_no_link() -> None:
    assert "js/night/share_bundle.js" not in loaded_with("js/outbox_bar.js")


def test_of_a_circle_each_name_is_reached_once() -> None:
    following = {"a": ["b", "c"], "b": ["a", "d"], "c": ["d"], "d": ["a"]}
    assert reached(["a"], following.__getitem__) == ["a", "b", "c", "d"]
