"""nginx as documented, in front of the product's processes."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests import servers
from tests.processes import PROJECT, wait_until


def documented(port: int, web: int, stream: int) -> str:
    """Return the documented server of nginx, for these ports and without TLS."""
    text = (PROJECT / "deploy" / "nginx" / "chratzete.conf").read_text(encoding="utf-8")
    # The server of https; that of http only redirects to it.
    lines = text[text.rindex("\nserver {") :].splitlines()
    plain = "\n".join(line for line in lines if "ssl_certificate" not in line)
    config = plain.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
    config = config.replace("127.0.0.1:8000", f"127.0.0.1:{web}").replace("127.0.0.1:8001", f"127.0.0.1:{stream}")
    assert f"listen 127.0.0.1:{port};" in config
    for upstream in (web, stream):
        assert f"proxy_pass http://127.0.0.1:{upstream};" in config
    return config


@contextlib.contextmanager
def nginx(folder: Path, *, web: int, stream: int = 0) -> Iterator[int]:
    """Run nginx as documented in front of the ports of the web server and of the stream; yield its own port."""
    program = servers.installed("nginx")
    port = servers.free_port()
    paths = "".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.geteuid() == 0 else ""
    config = documented(port, web, stream or servers.free_port())
    (folder / "nginx.conf").write_text(
        f"{user} worker_processes 1; daemon off; pid {folder}/pid; error_log {folder}/log; worker_rlimit_nofile 8192;"
        f"events {{ worker_connections 4096; }} http {{ access_log off; {paths} {config} }}"
    )
    process = subprocess.Popen(
        [program, "-p", str(folder), "-c", str(folder / "nginx.conf")],
        preexec_fn=servers.die_with_parent(signal.SIGTERM),
    )

    def answers() -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return True
        return False

    try:
        wait_until(answers, 20, "nginx answers")
        yield port
    finally:
        process.terminate()
        process.wait(10)
