"""nginx with the documented site in front of one or several web servers of a test, and of an event stream."""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests import servers
from tests.processes import PROJECT, wait_until

NODES = "nodes"
START_SECONDS = 20.0
DRAIN_SECONDS = 60.0


def answers(port: int, seconds: float = 8.0) -> bool:
    """Return True if the server answers a new client in time."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    try:
        connection.request("GET", "/healthz", headers={"Connection": "close"})
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def documented(port: int, stream: int) -> str:
    """Return the documented server of nginx for this port and without TLS, in front of the upstream `nodes` and of the
    event stream."""
    text = (PROJECT / "deploy" / "nginx" / "chratzete.conf").read_text(encoding="utf-8")
    # The server of https; that of http only redirects to it.
    lines = text[text.rindex("\nserver {") :].splitlines()
    plain = "\n".join(line for line in lines if "ssl_certificate" not in line)
    config = plain.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
    config = config.replace("http://127.0.0.1:8000;", f"http://{NODES};")
    config = config.replace("127.0.0.1:8001", f"127.0.0.1:{stream}")
    assert f"listen 127.0.0.1:{port};" in config
    assert f"proxy_pass http://{NODES};" in config
    assert f"proxy_pass http://127.0.0.1:{stream};" in config
    return config


class Nginx:
    """A running nginx: its port, and the ports of the nodes to which it passes requests on."""

    def __init__(self, folder: Path, upstreams: list[int], stream: int) -> None:
        self.folder, self.port, self.stream = folder, servers.free_port(), stream or servers.free_port()
        self._write(upstreams)
        command = [servers.installed("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf")]
        self.process = subprocess.Popen(command, preexec_fn=servers.die_with_parent(signal.SIGTERM))

    def lead_to(self, *upstreams: int) -> None:
        """Pass new requests on to these nodes; return when all requests to others have been answered."""
        before = self._workers()
        self._write(list(upstreams))
        self.process.send_signal(signal.SIGHUP)
        wait_until(lambda: bool(self._workers()) and before.isdisjoint(self._workers()), DRAIN_SECONDS, "nginx reloads")

    def _workers(self) -> set[str]:
        pid = self.process.pid
        return set(Path(f"/proc/{pid}/task/{pid}/children").read_text().split())

    def _write(self, upstreams: list[int]) -> None:
        paths = "".join(
            f"{name}_temp_path {self.folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        user = "user root;" if os.geteuid() == 0 else ""
        nodes = "".join(f"server 127.0.0.1:{port};" for port in upstreams)
        (self.folder / "nginx.conf").write_text(
            f"{user} worker_processes 1; daemon off; pid {self.folder}/pid; error_log {self.folder}/log;"
            "worker_rlimit_nofile 8192; events { worker_connections 4096; }"
            f"http {{ access_log off; {paths} upstream {NODES} {{ {nodes} }} {documented(self.port, self.stream)} }}"
        )


@contextlib.contextmanager
def nginx(folder: Path, *upstreams: int, stream: int = 0) -> Iterator[Nginx]:
    """Run nginx as documented in front of these ports, and of the port of a stream."""
    running = Nginx(folder, list(upstreams), stream)
    try:
        wait_until(lambda: answers(running.port), START_SECONDS, "nginx answers")
        yield running
    finally:
        running.process.terminate()
        running.process.wait(10)
