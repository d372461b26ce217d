"""Dockerfile, compose.yaml and .env.example: the rules of hadolint and of this project, and the steps of the image."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import yaml

from scripts import env_example
from tests import servers
from tests.processes import PROJECT, wait_until

PINNED = re.compile(r"^[\w./-]+:\d+\.\d+(\.\d+)?(-[\w.-]+)?$")
SECRET = re.compile(r"(?i)(password|secret|token|key)\w*\s*[=:]\s*['\"]?(?!\$\{)[\w/+-]{6,}")
OF_OTHERS = ("postgres:", "redis:", "nginx:")


def text(name: str) -> str:
    return (PROJECT / name).read_text(encoding="utf-8")


# --- Dockerfile ------------------------------------------------------------------------------------------


def instructions(dockerfile: str) -> list[tuple[str, str]]:
    """Return each instruction with its words; lines that go on are joined, comments left out."""
    lines = [line for line in dockerfile.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in joined.splitlines() if line)]


def faults_of_image(dockerfile: str) -> Iterator[str]:
    """Yield what is wrong with a Dockerfile."""
    directives = instructions(dockerfile)
    last = max(number for number, (word, _rest) in enumerate(directives) if word == "FROM")
    result = dict(directives[last:])
    stages = {rest.rpartition(" AS ")[2] for word, rest in directives if word == "FROM"}
    for word, rest in directives:
        if word == "FROM" and not PINNED.match(rest.partition(" ")[0]):
            yield f"not pinned: {rest}"
        if word == "RUN" and "apt-get install" in rest:
            if "--no-install-recommends" not in rest:
                yield "apt installs what is only recommended"
            if "rm -rf /var/lib/apt/lists/*" not in rest:
                yield "apt leaves its lists"
            if re.search(r"\b(gcc|build-essential|git|\S+-dev)\b", rest):
                yield "build tools"
        if word == "RUN" and re.search(r"\b(sudo|curl|wget)\b", rest):
            yield f"a program that is not needed: {rest}"
        if word == "ADD":
            yield "ADD in place of COPY"
        if word in ("ENV", "ARG") and SECRET.search(rest):
            yield f"a secret: {rest}"
        if word == "WORKDIR" and not rest.startswith("/"):
            yield "a relative WORKDIR"
        if word in ("CMD", "ENTRYPOINT") and not rest.startswith("["):
            yield "a command that a shell runs gets no signals"
        if (stage := re.search(r"--from=(\S+)", rest)) and stage[1] not in stages:
            yield f"no stage {stage[1]}"
    for word, rest in directives[last:]:
        if word == "COPY" and not re.match(r"--from=\S+ --chown=\S+ ", rest):
            yield f"COPY into the result names neither stage nor owner: {rest}"
    if len(stages) < 2:
        yield "one stage: build tools are in the result"
    if result.get("USER", "root").partition(":")[0] in ("root", "0"):
        yield "the user is root"
    if "HEALTHCHECK" not in result or "NONE" in result["HEALTHCHECK"]:
        yield "no HEALTHCHECK"
    if "pip uninstall" not in result.get("RUN", ""):
        yield "pip is in the result"


def test_the_image_follows_the_rules() -> None:
    assert list(faults_of_image(text("Dockerfile"))) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("python:3.12.12-slim-trixie AS", "python:latest AS", "not pinned"),
        ("python:3.12.12-slim-trixie AS", "python AS", "not pinned"),
        ("USER 10001\n", "", "the user is root"),
        ("USER 10001\n", "USER root\n", "the user is root"),
        ("--from=build --chown=root:root", "--from=build", "neither stage nor owner"),
        ("--from=build", "--from=builder", "no stage builder"),
        ("rm -rf /var/lib/apt/lists/*", "true", "apt leaves its lists"),
        ("--no-install-recommends ", "", "only recommended"),
        ("postgresql-client-17", "postgresql-client-17 gcc", "build tools"),
        ("HEALTHCHECK", "LABEL", "no HEALTHCHECK"),
        ("ENV DATA_DIR", "ENV SECRET_KEY=abcdefgh123 DATA_DIR", "a secret"),
        ("COPY . .", "ADD . .", "ADD in place"),
        ('CMD ["python", "-m", "gunicorn"', 'CMD python -m gunicorn #"', "gets no signals"),
        ("WORKDIR /srv", "WORKDIR srv", "relative WORKDIR"),
        ("    && python3 -m pip uninstall --quiet --yes pip", "    && true", "pip is in the result"),
    ],
)
def test_an_image_that_breaks_a_rule_is_found(old: str, new: str, fault: str) -> None:
    """The twins."""
    assert old in text("Dockerfile")
    assert any(fault in problem for problem in faults_of_image(text("Dockerfile").replace(old, new)))


# --- compose.yaml ----------------------------------------------------------------------------------------


def services() -> dict[str, dict[str, Any]]:
    definitions: dict[str, dict[str, Any]] = yaml.safe_load(text("compose.yaml"))["services"]
    return definitions


def faults_of_services(compose: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the services."""
    volumes = set(compose["volumes"])
    for name, service in compose["services"].items():
        ends = service.get("restart") == "no"
        if not PINNED.match(service["image"]):
            yield f"{name}: not pinned"
        if "test" not in service.get("healthcheck", {}) and not ends:
            yield f"{name}: no health check"
        if service.get("read_only") is not True:
            yield f"{name}: the root file system can be written"
        if "restart" not in service:
            yield f"{name}: it does not start again"
        if "no-new-privileges:true" not in service.get("security_opt", []) or service.get("privileged"):
            yield f"{name}: it may get more rights"
        if service.get("ports") and not service["image"].startswith("nginx:"):
            yield f"{name}: a published port"
        for mount in service.get("volumes", []):
            source = mount.split(":")[0]
            if source not in volumes and not (source.startswith("./") and mount.endswith(":ro")):
                yield f"{name}: {source} is no named volume"
        for variable, value in service.get("environment", {}).items():
            if not service["image"].startswith(OF_OTHERS) and variable not in env_example.variables():
                yield f"{name}: {variable} is no setting"
            if SECRET.search(f"{variable}={value}"):
                yield f"{name}: a secret"
        yield from (
            f"{name}: waits for {other}" for other in service.get("depends_on", {}) if other not in compose["services"]
        )


def test_the_services_follow_the_rules() -> None:
    assert list(faults_of_services(yaml.safe_load(text("compose.yaml")))) == []


@pytest.mark.parametrize(
    ("service", "change", "fault"),
    [
        ("web", {"image": "registry.example/chratzete"}, "not pinned"),
        ("redis", {"image": "redis:latest"}, "not pinned"),
        ("worker", {"healthcheck": {}}, "no health check"),
        ("clock", {"healthcheck": {"disable": True}}, "no health check"),
        ("database", {"read_only": False}, "can be written"),
        ("web", {"restart": None}, "does not start again"),
        ("nginx", {"security_opt": []}, "more rights"),
        ("redis", {"privileged": True}, "more rights"),
        ("database", {"ports": ["5432:5432"]}, "a published port"),
        ("database", {"volumes": ["/srv/data:/var/lib/postgresql/data"]}, "no named volume"),
        ("web", {"environment": {"DATABSE_URL": "x"}}, "DATABSE_URL is no setting"),
        ("database", {"environment": {"POSTGRES_PASSWORD": "geheim-geheim"}}, "a secret"),
        ("web", {"depends_on": {"databse": {}}}, "waits for databse"),
    ],
)
def test_a_service_that_breaks_a_rule_is_found(service: str, change: dict[str, Any], fault: str) -> None:
    """The twins."""
    compose = yaml.safe_load(text("compose.yaml"))
    changed = {**compose["services"][service], **change}
    compose["services"][service] = {name: value for name, value in changed.items() if value is not None}
    assert any(f"{service}: " in problem and fault in problem for problem in faults_of_services(compose))


def test_the_services_run_what_the_units_run() -> None:
    image = json.loads(dict(instructions(text("Dockerfile")))["CMD"])
    here = [service.get("command", image) for service in services().values()]
    for unit in (PROJECT / "deploy" / "systemd").glob("*.service"):
        lines = unit.read_text(encoding="utf-8")
        # The unit `worker@` for each queue stands for the one for all queues, which runs here.
        if "Restart=always" in lines and "@" not in unit.name:
            command = re.search(r"^ExecStart=/srv/chratzete/.venv/bin/(.+)$", lines, re.M)
            assert command
            assert shlex.split(command[1]) in here, f"{unit.name}: compose.yaml has no such command"
    assert services()["web"]["deploy"]["replicas"] == 2
    assert "deploy" not in services()["clock"]


def test_the_dump_is_made_by_the_program_of_the_server() -> None:
    """pg_dump refuses a server that is newer than itself."""
    [client] = re.findall(r"postgresql-client-(\d+)", text("Dockerfile"))
    assert services()["database"]["image"].startswith(f"postgres:{client}.")


# --- .env.example ----------------------------------------------------------------------------------------


def test_the_example_of_settings_is_made_from_the_table() -> None:
    assert env_example.main(["--check"]) == 0, "run scripts/env_example.py"


def test_the_table_has_every_setting_that_the_program_reads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in (PROJECT / "league" / "config").glob("*.py"))
    code += text("league/management/database_files.py")
    read = set(re.findall(r"\b(?:env\.\w+\(|os\.environ\.get\(|os\.environ\[)\s*\"([A-Z_]+)\"", code))
    # Given by the process that starts it, or by tests, not by the operator.
    read -= {"DJANGO_SETTINGS_MODULE", "LISTEN_FD"} | {name for name in read if name.startswith("COLLECTED_")}
    assert len(read) > 30
    assert read - env_example.variables() == set()
    for name in read:
        assert re.search(rf"^#?{name}=", text(".env.example"), re.M)
    # The twin: a table that has changed.
    page = tmp_path / "deploy.md"
    page.write_text(text("docs/deploy.md").replace("| `FREE_DISK_MB` | 64 |", "| `FREE_DISK_MB` | 65 |"))
    monkeypatch.setattr(env_example, "PAGE", page)
    assert env_example.main(["--check"]) == 1


# --- The steps of the image ------------------------------------------------------------------------------

SUBSTITUTES = {
    # Packages and users of the machine stay as they are.
    **dict.fromkeys(("apt-get", "useradd", "chown"), "#!/bin/sh\n"),
    # pip of the image itself is not that of this machine.
    "python3": '#!/bin/sh\nif [ "$1 $2" = "-m pip" ]; then exit; fi\nexec {python} "$@"\n',
}


def ignored(path: str) -> bool:
    """Return True for a path that .dockerignore leaves out."""
    patterns = [line for line in text(".dockerignore").splitlines() if line and not line.startswith("#")]
    first = path.split("/")[0]
    return any(
        fnmatch.fnmatchcase(path, each) or path.startswith(f"{each}/") or fnmatch.fnmatchcase(first, each)
        for each in patterns
    )


def build(root: Path) -> Path:
    """Carry out the Dockerfile in a folder that stands for `/`; return the folder of the program."""
    # The Python of the machine, if it is new enough: each user may run it.
    system = Path("/usr/bin/python3")
    new_enough = [system, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
    usable = system.exists() and subprocess.run(new_enough, check=False).returncode == 0
    python = system if usable else sys._base_executable  # type: ignore[attr-defined]
    (root / "bin").mkdir()
    (root / "tmp").mkdir()
    for name, script in SUBSTITUTES.items():
        (root / "bin" / name).write_text(script.format(python=python))
        (root / "bin" / name).chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))}
    env = {**kept, "PATH": f"{root}/bin:/usr/bin:/bin", "HOME": str(root / "tmp")}
    folder = root
    tracked = subprocess.run(["git", "ls-files"], cwd=PROJECT, capture_output=True, text=True, check=True)
    files = [name for name in tracked.stdout.splitlines() if not ignored(name)]

    def inside(command: str) -> str:
        return re.sub(r"(?<![\w./}])/(?=(?:srv|var/lib|tmp)\b)", f"{root}/", command)

    for word, rest in instructions(text("Dockerfile")):
        if word == "WORKDIR":
            folder = root / rest.lstrip("/")
            folder.mkdir(parents=True, exist_ok=True)
        elif word == "COPY" and not rest.startswith("--from"):
            *sources, target = rest.split()
            for name in files:
                for source in sources:
                    # As COPY does: the contents of a folder, a file under its name.
                    if source != "." and not (name == source or name.startswith(f"{source.rstrip('/')}/")):
                        continue
                    rest_of_name = name if source == "." else os.path.relpath(name, source) if name != source else ""
                    to = folder / target / (rest_of_name or Path(name).name)
                    to.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(PROJECT / name, to)
        elif word == "RUN":
            done = subprocess.run(["sh", "-ec", inside(rest)], cwd=folder, env=env, capture_output=True, text=True)
            assert done.returncode == 0, f"{rest}: {done.stdout[-2000:]}{done.stderr[-3000:]}"
    return folder


def files_of(folder: Path) -> dict[Path, int]:
    return {path: path.lstat().st_mtime_ns for path in folder.rglob("*")}


@pytest.mark.rest
@pytest.mark.long
@pytest.mark.needs_sqlite
def test_the_steps_of_the_image_lead_to_a_service_on_a_read_only_program() -> None:
    with tempfile.TemporaryDirectory(prefix="image-") as name:
        root = Path(name)
        root.chmod(0o755)
        program = build(root)
        assert not (program / "tests").exists()
        assert not list(program.glob(".venv/lib/python3*/site-packages/pip"))
        assert list((program / "locale").rglob("*.mo"))
        data = root / "var/lib/chratzete"
        other: dict[str, Any] = servers._unprivileged()
        if other and subprocess.run([program / ".venv/bin/python", "-V"], check=False, **other).returncode:
            # This Python is in a folder that only root may read.
            other = {}
        if other:
            os.chown(data, other["user"], other["group"])
        before = files_of(program)
        port = str(servers.free_port())
        directives = dict(instructions(text("Dockerfile")))
        env = {"PATH": f"{program}/.venv/bin:/usr/bin:/bin", "DATA_DIR": str(data), "PORT": port, "LANG": "C.UTF-8"}
        env["PYTHONDONTWRITEBYTECODE"] = "1"
        prepare = services()["prepare"]["command"]
        subprocess.run(prepare, cwd=program, env=env, check=True, **other)
        log = root / "tmp" / "log"
        with log.open("wb") as output:
            server = subprocess.Popen(
                json.loads(directives["CMD"]),
                cwd=program,
                env=env,
                stdout=output,
                stderr=output,
                start_new_session=True,
                **other,
            )
        try:
            check = json.loads(directives["HEALTHCHECK"].partition(" CMD ")[2].replace(":8000", f":{port}"))

            def healthy() -> bool:
                return subprocess.run(check, cwd=program, env=env, capture_output=True).returncode == 0

            wait_until(healthy, 60, "the health check of the image")
            with urlopen(f"http://127.0.0.1:{port}/calculator/", timeout=10) as answer:
                assert b"Chratz" in answer.read()
        finally:
            server.terminate()
            server.wait(30)
        assert not healthy(), log.read_text()
        # The root file system of a container is read-only: everything that is written is in DATA_DIR, or in /tmp.
        assert files_of(program) == before
