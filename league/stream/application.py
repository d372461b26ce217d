"""The ASGI application of the event stream: streams, a health check, metrics."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.utils.crypto import constant_time_compare

from .following import follow
from .hub import BEAT, Hub, Limits, Stream
from .rights import Reader, check

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

CHECKS_AT_ONCE, CHECKS_WAITING = 2, 500
"""Rights are checked in so many threads, and for so many phones at a time; others poll, and come again."""
OK, NO_STREAM, NOT_FOUND, AWAY, UNAUTHORIZED = 200, 204, 404, 503, 401
# Without a word about the reason: a browser would write another answer into its console as an error.
HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"private, no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
BEGIN = b"retry: 15000\n\n" + BEAT


class StreamApplication:
    """Serves `/stream/` to phones, `/healthz` and `/metrics` to the machine."""

    def __init__(self, hub: Hub | None = None) -> None:
        limits = Limits(settings.STREAMS_MAX, settings.STREAMS_PER_PERSON, settings.STREAMS_PER_ADDRESS)
        self.hub = hub or Hub(limits)
        self._handler = WSGIHandler()
        self._threads = ThreadPoolExecutor(CHECKS_AT_ONCE, thread_name_prefix="rights")
        self._checking = 0
        self._tasks: list[asyncio.Task[None]] = []

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] != "http" or scope["method"] != "GET":
            await _answer(send, NOT_FOUND)
        elif scope["path"] == settings.STREAM_PATH:
            await self._stream(scope, receive, send)
        elif scope["path"] in ("/healthz", "/readyz"):
            await _answer(send, OK if self.hub.follows else AWAY, b"ok\n" if self.hub.follows else b"no Redis\n")
        elif scope["path"] == "/metrics" and settings.METRICS_TOKEN:
            await self._metrics(scope, send)
        else:
            await _answer(send, NOT_FOUND)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        self._tasks = [asyncio.create_task(each) for each in (follow(self.hub), self.hub.beat())]
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)
        await send({"type": "lifespan.shutdown.complete"})

    async def _stream(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        mark, reader = self.hub.mark, await self._checked(scope)
        if reader is None or not self.hub.has_room(reader.owners) or self.hub.was_ended(reader.topics, mark):
            self.hub.refused += 1
            await _answer(send, NO_STREAM)
            return
        stream = Stream(send, reader.topics, reader.owners)  # type: ignore[arg-type]
        self.hub.add(stream)
        try:
            await send({"type": "http.response.start", "status": OK, "headers": HEADERS})
            stream.push(BEGIN)
            while (await receive())["type"] != "http.disconnect":
                pass
        finally:
            self.hub.remove(stream)

    async def _checked(self, scope: Mapping[str, Any]) -> Reader | None:
        """Check the rights in a thread."""
        # Another site may not open streams with the cookies of its readers, nor take their places.
        sites = [value for name, value in scope["headers"] if name == b"sec-fetch-site"]
        part = parse_qs(scope["query_string"].decode("latin-1")).get("part", [""])[0]
        foreign = any(site != b"same-origin" for site in sites)
        if foreign or not self.hub.has_room() or self._checking >= CHECKS_WAITING:
            return None
        self._checking += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, check, self._handler, scope, part)
        finally:
            self._checking -= 1

    async def _metrics(self, scope: Mapping[str, Any], send: Send) -> None:
        sent = b"".join(value for name, value in scope["headers"] if name == b"authorization")
        if not constant_time_compare(sent, f"Bearer {settings.METRICS_TOKEN}".encode()):
            await _answer(send, UNAUTHORIZED)
            return
        values = (
            ("chratzete_streams_open", "gauge", self.hub.open),
            ("chratzete_stream_news_sent_total", "counter", self.hub.sent),
            ("chratzete_streams_refused_total", "counter", self.hub.refused),
        )
        lines = [f"# TYPE {name} {kind}\n{name} {value}\n" for name, kind, value in values]
        await _answer(send, OK, "".join(lines).encode(), b"text/plain; version=0.0.4; charset=utf-8")


async def _answer(send: Send, status: int, body: bytes = b"", kind: bytes = b"text/plain; charset=utf-8") -> None:
    headers = [(b"content-type", kind), (b"cache-control", b"no-store")]
    if status != NO_STREAM:
        headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
