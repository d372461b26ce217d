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
    return "; ".join(f"{name}={one.value}" for name, one in client.cookies.items())


def part_of(port: int, path: str, cookies: str = "") -> Part:
    """Load a page; return its polled part. Raises RuntimeError if the page has none."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = LANGUAGE | ({"Cookie": cookies} if cookies else {})
    connection.request("GET", path, headers={"Accept": "text/html", **headers})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    if answer.status != 200:
        raise RuntimeError(f"{path} was answered with {answer.status}")
    if cookies:
        # A page may set further cookies, such as that of the device.
        more = [line.split(";")[0] for name, line in answer.getheaders() if name.lower() == "set-cookie"]
        names = {one.split("=")[0] for one in more}
        kept = [one for one in cookies.split("; ") if one.split("=")[0] not in names]
        headers["Cookie"] = "; ".join([*kept, *more])
    parser = _Polled()
    parser.feed(text)
    if parser.found is None:
        raise RuntimeError(f"{path} has no part that is polled")
    address = parser.found["hx-get"] or path
    sent = {"HX-Request": "true", "HX-Current-URL": f"http://127.0.0.1:{port}{path}", "HX-Target": parser.found["id"]}
    return Part(address, headers | sent | json.loads(parser.found["hx-headers"]))
