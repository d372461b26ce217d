"""Record an evening through the API, with Python alone (docs/client/README.md):

    CHRATZETE_URL=https://league.example.org CHRATZETE_KEY=… python chratzete_client.py evening.json
Every write has its own idempotency key and is sent again with it until there is an answer: it is stored exactly once.
"""

from __future__ import annotations

import http.client
import json
import os
import pathlib
import sys
import time
import urllib.error
import urllib.request
import uuid
from typing import Any

LATER = (429, 502, 503, 504)
NO_ANSWER = (OSError, http.client.HTTPException, ValueError)  # the request may have arrived or not


class Refused(Exception):
    """The service refused the request; `problem` has the reason (RFC 9457: detail, code, clause, at, seat)."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(problem.get("detail") or problem.get("title"))
        self.problem = problem


class Client:
    """A client for one club. `patience`: for how many seconds a request is sent again."""

    def __init__(self, url: str, key: str, club: str, *, patience: float = 600, timeout: float = 10) -> None:
        self.base = f"{url.rstrip('/')}/api/v1"
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        self.club, self.patience, self.timeout = f"/clubs/{club}", patience, timeout

    def request(self, method: str, path: str, body: Any = None, key: str = "") -> Any:
        """Send a request until there is an answer; a write needs an idempotency key, so that it is stored once."""
        end, pause = time.monotonic() + self.patience, 0.5
        while True:
            try:
                return self._once(method, path, body, key)
            except (Refused, *NO_ANSWER) as fault:
                problem = fault.problem if isinstance(fault, Refused) else {"status": 503}
                wait = float(problem.get("retry_after") or pause)
                if problem["status"] not in LATER or time.monotonic() + wait > end:
                    raise
            time.sleep(wait)
            pause = min(2 * pause, 30)

    def _once(self, method: str, path: str, body: Any, key: str) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = self.headers | ({"Idempotency-Key": key} if key else {})
        request = urllib.request.Request(self.base + path, data, headers, method=method)  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:  # noqa: S310
                return json.load(answer)
        except urllib.error.HTTPError as error:
            problem = json.load(error) if "json" in error.headers.get("Content-Type", "") else {}
            seconds = error.headers.get("Retry-After", "")
            raise Refused(problem | {"status": error.code, "retry_after": seconds.isdigit() and seconds}) from None

    def write(self, path: str, body: Any) -> Any:
        """Send a write with a new idempotency key."""
        return self.request("POST", self.club + path, body, str(uuid.uuid4()))

    def start(self, **evening: Any) -> Any:
        """Start an evening (season, held_on, game, seating, first_dealer); returns it with its tables."""
        return self.write("/evenings", evening)

    def hand(self, table: dict[str, Any], record: dict[str, Any]) -> Any:
        """Record the next hand of a table that was read before, and update `table`; returns hand, cash and next."""
        players = [seat["player"] for seat in table["seats"]]
        body = {"number": table["next"]["number"], "players": players, "record": record}
        stored = self.write(f"/tables/{table['id']}/hands", body)
        table["next"] = stored["next"]
        return stored

    def close(self, evening: int, pot: str = "carry") -> Any:
        """Close an evening; returns the settlement with the payments."""
        return self.write(f"/evenings/{evening}/close", {"pot": pot, "present": []})


def main(file: str) -> None:
    """Record the evening of a JSON file: {"club": …, "evening": {…}, "hands": [record, …], "pot": "carry"}."""
    data = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
    client = Client(os.environ["CHRATZETE_URL"], os.environ["CHRATZETE_KEY"], data["club"])
    evening = client.start(**data["evening"])
    for record in data["hands"]:
        print(client.hand(evening["tables"][0], record)["hand"]["sentence"])
    settled = client.close(evening["id"], data.get("pot", "carry"))
    print(*(payment["sentence"] for payment in settled["payments"]), sep="\n")
    print("Receipt {number}: {digest}".format(**settled["closing"]["receipt"]))


if __name__ == "__main__":
    main(sys.argv[1])
