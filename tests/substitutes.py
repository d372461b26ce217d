"""Substitutes for the programs of `docs/deploy.md` that need root: sudo, users, packages, certificates, systemd.

They are programs in a folder that comes first in PATH. `sudo` runs the rest of its line; systemctl reads the real units
and asks this process to start their commands, so that they end with the test.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import socketserver
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path

from tests import servers

NOTHING = ("apt-get", "useradd", "chown")

SUDO = """#!/bin/sh
user=root
if [ "$1" = -u ]; then user=$2; shift 2; fi
if [ "$user" = postgres ]; then export PGUSER=postgres PGHOST={root}/run/postgresql; fi
exec "$@"
"""
# The packages of the program are those of this run; bootstrap.py finds that they are installed.
PYTHON = """#!/bin/sh
if [ "$1" = scripts/bootstrap.py ]; then ln -sfn {venv} .venv; fi
exec {python} "$@"
"""
CERTBOT = """#!/bin/sh
while [ "$1" != -d ]; do shift; done
folder={root}/etc/letsencrypt/live/$2
mkdir -p "$folder"
exec openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=$2" -addext "subjectAltName=DNS:$2" \\
    -keyout "$folder/privkey.pem" -out "$folder/fullchain.pem" 2>/dev/null
"""
CURL = """#!/bin/sh
exec {curl} --connect-to ::127.0.0.1:{tls} --cacert {root}/etc/letsencrypt/live/club.example/fullchain.pem "$@"
"""
NGINX = """#!/bin/sh
exec {nginx} -p {root}/run/nginx -c {root}/etc/nginx/nginx.conf "$@"
"""
SYSTEMCTL = """#!{python}
import socket, sys
with socket.socket(socket.AF_UNIX) as asked:
    asked.connect("{root}/run/systemd")
    asked.sendall("\\0".join(sys.argv[1:]).encode())
    asked.shutdown(socket.SHUT_WR)
    answer = asked.makefile().read()
sys.exit(answer or 0)
"""
NGINX_CONF = """{user}
daemon off;
pid {root}/run/nginx/pid;
error_log {root}/run/nginx/error.log;
events {{}}
http {{
    access_log off;
    gzip on;
    client_body_temp_path {root}/run/nginx/body;
    proxy_temp_path {root}/run/nginx/proxy;
    fastcgi_temp_path {root}/run/nginx/fastcgi;
    uwsgi_temp_path {root}/run/nginx/uwsgi;
    scgi_temp_path {root}/run/nginx/scgi;
    include {root}/etc/nginx/sites-enabled/*;
}}
"""
FOLDERS = ("bin", "run/nginx", "run/postgresql", "etc/systemd/system", "etc/nginx/sites-available")
FOLDERS += ("etc/nginx/sites-enabled", "usr/local/bin", "srv", "var/lib")


@dataclass
class Machine:
    """A folder that stands for `/`, with free ports for http, https and the service."""

    root: Path
    redis_port: int
    http: int = field(default_factory=servers.free_port)
    tls: int = field(default_factory=servers.free_port)
    service: int = field(default_factory=servers.free_port)

    def prepare(self) -> None:
        """Make the folders, the substitutes and the main configuration of nginx."""
        for folder in FOLDERS:
            (self.root / folder).mkdir(parents=True)
        values = {"root": self.root, "tls": self.tls, "venv": sys.prefix, "python": sys._base_executable}  # type: ignore[attr-defined]
        values |= {"nginx": servers.installed("nginx"), "curl": servers.installed("curl")}
        programs = {"sudo": SUDO, "python3": PYTHON, "certbot": CERTBOT, "curl": CURL, "nginx": NGINX}
        programs |= {"systemctl": SYSTEMCTL, **dict.fromkeys(NOTHING, "#!/bin/sh\n")}
        for name, text in programs.items():
            program = self.root / "bin" / name
            program.write_text(text.format(**values) if text.count("{") else text)
            program.chmod(0o755)
        user = "user root;" if os.geteuid() == 0 else ""
        (self.root / "etc/nginx/nginx.conf").write_text(NGINX_CONF.format(root=self.root, user=user))

    def on_this_machine(self, text: str) -> str:
        """Return the text with folders inside the root, and with the ports of this machine."""
        folders = r"(?<![\w.}])/(?=(?:srv|etc|var/lib|usr/local/bin|run/postgresql)/?\b)"
        text = re.sub(folders, f"{self.root}/", text)
        text = text.replace("127.0.0.1:6379", f"127.0.0.1:{self.redis_port}")
        text = text.replace("127.0.0.1:8000", f"127.0.0.1:{self.service}").replace("'8000'", f"'{self.service}'")
        return text.replace("listen 80;", f"listen {self.http};").replace("listen 443 ", f"listen {self.tls} ")

    def environment(self) -> dict[str, str]:
        """Return the environment of a new shell on this machine."""
        path = f"{self.root}/bin:{self.root}/usr/local/bin:{servers.postgres_folder()}:/usr/bin:/bin"
        return {"PATH": path, "HOME": str(self.root), "LANG": "C.UTF-8"}


@dataclass
class Systemd:
    """Starts and stops the services of a machine; `log` has their output."""

    machine: Machine
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    enabled: set[str] = field(default_factory=set)

    @property
    def log(self) -> Path:
        """The output of all services."""
        return self.machine.root / "run/services.log"

    def listen(self) -> socketserver.UnixStreamServer:
        """Answer systemctl in one thread, which lives until the server is shut down: its processes end with it."""
        systemd = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                self.wfile.write(systemd.systemctl(*self.rfile.read().decode().split("\0")).encode())

        server = socketserver.UnixStreamServer(str(self.machine.root / "run/systemd"), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server

    def systemctl(self, command: str, *arguments: str) -> str:
        """Carry out a command; return a sentence if it fails."""
        units = [name.removesuffix(".service") for name in arguments if not name.startswith("-")]
        faults = []
        for unit in units:
            if command in ("stop", "restart"):
                self._stop(unit)
            if command == "enable":
                self.enabled.add(unit)
            if command in ("enable", "start", "restart") or (command == "reload" and unit not in self.running):
                faults.append(self._start(unit))
            elif command == "reload":
                self.running[unit].send_signal(signal.SIGHUP)
        return " ".join(filter(None, faults))

    def _start(self, unit: str) -> str:
        if unit == "nginx":
            return self._run(unit, ["nginx"], self.machine.environment(), self.machine.root)
        if unit.endswith(".timer"):
            service = self.machine.root / f"etc/systemd/system/{unit.removesuffix('.timer')}.service"
            return "" if service.exists() else f"{unit} starts nothing"
        lines = (self.machine.root / f"etc/systemd/system/{unit}.service").read_text().splitlines()
        values = dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
        environment = self.machine.environment() | settings_in(Path(values["EnvironmentFile"]))
        for line in (values.get("ExecStartPre"), values["ExecStart"]):
            command = [word.replace("$$", "$").replace("%%", "%") for word in shlex.split(line or "")]
            waits = values.get("Type") == "oneshot" or line != values["ExecStart"]
            fault = command and self._run(unit, command, environment, Path(values["WorkingDirectory"]), waits)
            if fault:
                return str(fault)
        return ""

    def _run(
        self, unit: str, command: list[str], environment: dict[str, str], folder: Path, waits: bool = False
    ) -> str:
        command[0] = shutil.which(command[0], path=environment["PATH"]) or command[0]
        with self.log.open("ab") as output:
            process = subprocess.Popen(
                command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                preexec_fn=servers.die_with_parent(signal.SIGTERM),
            )  # fmt: skip
        if not waits:
            self.running[unit] = process
            return ""
        return "" if process.wait() == 0 else f"{unit} failed: {self.log.read_text()[-2000:]}"

    def _stop(self, unit: str) -> None:
        process = self.running.pop(unit, None)
        if process is not None:
            servers.end(process, signal.SIGTERM)

    def stop_all(self) -> None:
        """Stop every service."""
        for unit in list(self.running):
            self._stop(unit)


def settings_in(file: Path) -> dict[str, str]:
    """Return the settings in a file, as systemd reads it."""
    pairs = (line.split("=", 1) for line in file.read_text().splitlines() if "=" in line)
    return {name: value.strip("'") for name, value in pairs}
