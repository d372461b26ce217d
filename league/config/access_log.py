"""The access log: one line for each request, if `ACCESS_LOG` is on.

It has method, path, status, bytes, time and id. Addresses and query strings are left out, because they are about
persons; a proxy in front can log them. Links with a secret are shortened as in all logs (`league.config.logs`).
"""

import os
from datetime import timedelta
from typing import Any

import structlog
from gunicorn.glogging import Logger

from league.request_ids import HEADER

NAME = "access"
ON = os.environ.get("ACCESS_LOG", "0").strip().lower() in ("1", "true", "yes", "on")
HEALTH_CHECKS = ("/healthz", "/readyz", "/metrics")

log = structlog.get_logger(NAME)


class AccessLogger(Logger):  # type: ignore[misc, unused-ignore]
    """Gunicorn's logger, with requests in the format of all other logs."""

    def access(self, resp: Any, req: Any, environ: dict[str, Any], request_time: timedelta) -> None:
        """Write the line of one request; requests for health and metrics, which come every few seconds, have none."""
        path = environ.get("PATH_INFO", "")
        if not ON or path in HEALTH_CHECKS:
            return
        log.info(
            "request",
            method=environ.get("REQUEST_METHOD", ""),
            path=path,
            status=int(str(resp.status).split()[0]),
            bytes=resp.sent,
            ms=round(request_time.total_seconds() * 1000),
            request_id=dict(resp.headers).get(HEADER, ""),
        )
