"""The set-up script and the server report an error in one sentence."""

import ast
import importlib.util
import os
import socket
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from league.management.commands import serve
from tests.processes import PROJECT

SCRIPT = PROJECT / "scripts" / "bootstrap.py"


@pytest.fixture
def bootstrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Load the script as a module whose project is an empty folder."""
    spec = importlib.util.spec_from_file_location("bootstrap", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / "requirements").mkdir()
    for name in module.INCLUDED:
        (tmp_path / "requirements" / f"{name}.txt").write_text("")
    monkeypatch.setattr(module, "PROJECT", str(tmp_path))
    monkeypatch.setattr(module, "VENV", str(tmp_path / ".venv"))
    monkeypatch.setattr(module, "PYTHON", str(tmp_path / ".venv" / "bin" / "python"))
    return module


def test_an_old_python_gets_an_error_that_names_the_remedy(bootstrap: ModuleType) -> None:
    with pytest.raises(bootstrap.Stop) as stop:
        bootstrap.check_python((3, 10, 9))
    assert str(stop.value) == (
        "Chratzete needs Python 3.11 or later and this is 3.10: start it with a newer one, "
        "as in 'make run PYTHON=python3.12'."
    )
    bootstrap.check_python((3, 11))


def test_the_script_parses_in_an_old_python() -> None:
    ast.parse(SCRIPT.read_text(), feature_version=(3, 6))


def test_an_unwritable_folder_gives_one_sentence_and_exit_2(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "PROJECT", "/proc/self")
    monkeypatch.setattr(bootstrap, "digest", lambda name: "")
    assert bootstrap.main(["prod"]) == 2
    error = capsys.readouterr().err.strip()
    assert error.startswith("The folder /proc/self cannot be written (")
    assert error.endswith("): copy the project to one of your own.")


def test_an_unknown_set_gives_a_sentence_and_exit_2(bootstrap: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert bootstrap.main(["everything"]) == 2
    assert capsys.readouterr().err.startswith("Say what to install: one or more of base, bench, dev, prod")


def test_a_pip_wheel_with_another_hash_is_not_run(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = f'<a href="files/{bootstrap.PIP_WHEEL}#sha256=0">pip</a>'.encode()
    monkeypatch.setattr(bootstrap, "fetch", lambda url, accept="": page if url.endswith("/pip/") else b"other")
    assert bootstrap.main(["prod"]) == 2
    assert "gave another pip" in capsys.readouterr().err
    assert not bootstrap.is_installed("prod")


@pytest.mark.parametrize(
    "page",
    [
        '<a href="../../packages/{wheel}#sha256=1">x</a>',
        '{{"files": [{{"filename": "{wheel}", "url": "https://index.example/packages/{wheel}"}}]}}',
    ],
    ids=["html", "json"],
)
def test_the_pip_wheel_is_found_in_both_kinds_of_index(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    wheel = bootstrap.PIP_WHEEL
    monkeypatch.setattr(bootstrap, "fetch", lambda url, accept: page.format(wheel=wheel).encode())
    wheel_url = bootstrap.pip_wheel_url("https://index.example/root/simple/")
    assert wheel_url in (f"https://index.example/packages/{wheel}", f"https://index.example/root/packages/{wheel}")


def test_the_index_of_pips_configuration_is_used(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("PIP_INDEX_URL", raising=False)
    config = tmp_path / "pip.conf"
    config.write_text("[global]\nindex-url = https://mirror.example/simple\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(config))
    assert bootstrap.pip_setting("index-url") == "https://mirror.example/simple"
    monkeypatch.setenv("PIP_INDEX_URL", "https://other.example/simple")
    assert bootstrap.pip_setting("index-url") == "https://other.example/simple"


def test_a_changed_lock_is_installed_again(bootstrap: ModuleType, tmp_path: Path) -> None:
    (tmp_path / ".venv").mkdir()
    for name in ("base", "prod", "dev"):
        Path(bootstrap.stamp_file(name)).write_text(bootstrap.digest(name))
    assert bootstrap.is_installed("prod")
    (tmp_path / "requirements" / "prod.txt").write_text("django==5.2.20\n")
    assert not bootstrap.is_installed("prod")
    assert bootstrap.is_installed("dev")


def test_a_larger_lock_pins_the_same_versions_as_the_smaller_one() -> None:
    def pins(name: str) -> set[str]:
        lines = (PROJECT / "requirements" / f"{name}.txt").read_text().splitlines()
        return {line.split(" ")[0] for line in lines if "==" in line and not line.startswith((" ", "#"))}

    assert pins("base") <= pins("prod") <= pins("dev")


def test_every_locked_package_has_hashes() -> None:
    for path in (PROJECT / "requirements").glob("*.txt"):
        lines = path.read_text().splitlines()
        pinned = [number for number, line in enumerate(lines) if "==" in line and not line.startswith((" ", "#"))]
        assert pinned
        assert all("--hash=sha256:" in lines[number + 1] for number in pinned), path.name


def test_a_busy_port_gives_one_sentence_and_exit_2(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        env = {
            **os.environ,
            "PORT": port,
            "DATA_DIR": str(tmp_path),
            "DJANGO_SETTINGS_MODULE": "league.config.settings",
        }
        command = [sys.executable, "manage.py", "serve"]
        done = subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.strip() == (
        f"Port {port} is busy: stop what listens there, or choose another, as in 'make run PORT=8001'."
    )


def test_a_port_that_is_not_a_number_gives_one_sentence_and_exit_2(tmp_path: Path) -> None:
    env = {**os.environ, "PORT": "http", "DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "league.config.settings"}
    done = subprocess.run([sys.executable, "manage.py", "serve"], cwd=PROJECT, env=env, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.strip() == "PORT must be a number from 0 to 65535, not 'http'."


def test_texts_that_cannot_be_compiled_give_one_sentence(tmp_path: Path, settings: Any) -> None:
    catalogue = tmp_path / "de" / "LC_MESSAGES" / "django.po"
    catalogue.parent.mkdir(parents=True)
    catalogue.write_text('msgid "evening"\nmsgstr "Abend"\n')
    settings.LOCALE_PATHS = [str(tmp_path)]
    # A folder stands in the way, because root may write everywhere.
    partial = catalogue.with_suffix(".mo.part")
    partial.mkdir()
    with pytest.raises(serve.Stop) as stop:
        serve.compile_texts()
    assert str(stop.value) == (
        f"The compiled texts cannot be written to {tmp_path} (Is a directory): "
        "run 'manage.py messages --compile' where it can be written."
    )
    partial.rmdir()
    serve.compile_texts()
    assert catalogue.with_suffix(".mo").exists()


@pytest.mark.parametrize("package", ["engine", "draw"])
def test_the_package_needs_only_the_standard_library(package: str) -> None:
    foreign = set()
    for path in (PROJECT / package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                names = [node.module]
            foreign |= {name.split(".")[0] for name in names} - set(sys.stdlib_module_names)
    assert foreign <= {package}
