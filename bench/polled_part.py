"""A page as a browser loads it, and the part of it that looks for news, as htmx requests it again and again."""

import http.client
import json
from html.parser import HTMLParser
from typing import NamedTuple

from django.conf import settings
from django.test import Client

from bench import load
from league.models import User

LANGUAGE = {"Accept-Language": "de"}
LOOKS = 5
"""The first look of a page may find something new: opening the page takes the pencil."""


class Part(NamedTuple):
    """The address of a polled part, and the headers of a request for it."""

    path: str
    headers: dict[str, str]

    def request(self, host: str, *, status: int, words: str = "") -> load.Request:
        return load.request(host, "GET", self.path, status=status, words=words, headers=self.headers)


class _Polled(HTMLParser):
    """Finds the first element with `data-poll`."""

    found: dict[str, str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        if self.found is None and "data-poll" in named:
            self.found = named


def signed_in(email: str) -> str:
    """Sign in a user on the current database; return the cookies of the browser."""
    client = Client()
    client.force_login(User.objects.get(email=email), settings.AUTHENTICATION_BACKENDS[0])
    return "; ".join(f"{name}={cookie.value}" for name, cookie in client.cookies.items())


def part_of(port: int, path: str, cookies: str = "") -> Part:
    """Load a page and look until nothing is new; return its polled part. Raises RuntimeError if the page has none."""
    browser = _Browser(port, cookies)
    status, text = browser.get(path, {"Accept": "text/html"})
    for _ in range(LOOKS):
        if status != 200:
            raise RuntimeError(f"{path} was answered with {status}")
        parser = _Polled()
        parser.feed(text)
        if parser.found is None:
            raise RuntimeError(f"{path} has no part that is polled")
        current = f"http://127.0.0.1:{port}{path}"
        sent = {"HX-Request": "true", "HX-Current-URL": current, "HX-Target": parser.found["id"]}
        part = Part(parser.found["hx-get"], browser.headers() | sent | json.loads(parser.found["hx-headers"]))
        status, text = browser.get(part.path, part.headers)
        if status == 304:
            return part
    raise RuntimeError(f"{part.path} always has something new")


class _Browser:
    """A client that keeps the cookies that a page sets, such as that of the device."""

    def __init__(self, port: int, cookies: str) -> None:
        self.port = port
        self.cookies = dict(cookie.split("=", 1) for cookie in cookies.split("; ") if cookie)

    def headers(self) -> dict[str, str]:
        sent = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return LANGUAGE | ({"Cookie": sent} if sent else {})

    def get(self, path: str, headers: dict[str, str]) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", path, headers=self.headers() | headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        for name, line in answer.getheaders():
            if name.lower() == "set-cookie":
                self.cookies.update([line.split(";")[0].split("=", 1)])
        connection.close()
        return answer.status, text
