"""`manage.py stream`: serve the event stream until a signal ends it (HOST, STREAM_PORT)."""

import gc
import os
import resource
import sys
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connections
from django.urls import get_resolver

from league.config import database_limits
from league.stream.application import StreamApplication

STOP_SECONDS = 5
SPARE_FILES = 500
"""Open files beside those of the streams."""


class Server(uvicorn.Server):
    """uvicorn, which waits for the end of all answers when it is stopped: streams have none, so they are ended."""

    def __init__(self, config: uvicorn.Config, application: StreamApplication) -> None:
        super().__init__(config)
        self._application = application

    async def shutdown(self, sockets: Any = None) -> None:
        self._application.hub.closing = True
        self._application.hub.end_all()
        await super().shutdown(sockets)


class Command(BaseCommand):
    help = "Serve the event stream, which tells phones when there is something new (HOST, STREAM_PORT)."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.STREAM:
            self.stderr.write("The event stream is off: set STREAM=1 and REDIS_URL for it and for the web server.")
            sys.exit(2)
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = settings.STREAMS_MAX + SPARE_FILES
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(wanted, hard)), hard))
        database_limits.use(database_limits.WEB)
        connections.close_all()
        application = StreamApplication()
        # All views are loaded now, not by the first stream.
        get_resolver().url_patterns  # noqa: B018 - a property that imports them
        gc.collect()
        gc.freeze()
        config = uvicorn.Config(
            application,
            host=os.environ.get("HOST", "127.0.0.1"),
            port=int(os.environ.get("STREAM_PORT", "8001")),
            backlog=4096,
            lifespan="on",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=STOP_SECONDS,
        )
        Server(config, application).run()
