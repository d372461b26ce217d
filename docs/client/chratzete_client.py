"""Records a night through the API, with Python alone (docs/client/README.md):

    CHRATZETE_URL=https://league.example.org CHRATZETE_KEY=… python chratzete_client.py night.json
Every write carries a key of its own and is sent again with it until it is answered: never twice, never lost.
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
NO_ANSWER = (OSError, http.client.HTTPException, ValueError)  # nobody knows whether the request arrived


class Refused(Exception):
    """The service says no; `problem` says why (RFC 9457: detail, code, clause, at, seat)."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(problem.get("detail") or problem.get("title"))
        self.problem = problem


class Client:
    """One club at one service. `patience`: how long a write is sent again, in seconds."""

    def __init__(self, url: str, key: str, club: str, *, patience: float = 600, timeout: float = 10) -> None:
        self.base = f"{url.rstrip('/')}/api/v1"
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        self.club, self.patience, self.timeout = f"/clubs/{club}", patience, timeout

    def ask(self, method: str, path: str, body: Any = None, key: str = "") -> Any:
        """Ask until there is an answer; a write needs a `key`, so that it counts once however often it is sent."""
        end, pause = time.monotonic() + self.patience, 0.5
        while True:
            try:
                return self._once(method, path, body, key)
            except (Refused, *NO_ANSWER) as fault:
                told = fault.problem if isinstance(fault, Refused) else {"status": 503}
                wait = float(told.get("retry_after") or pause)
                if told["status"] not in LATER or time.monotonic() + wait > end:
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
        """A write under a key of its own."""
        return self.ask("POST", self.club + path, body, str(uuid.uuid4()))

    def begin(self, **evening: Any) -> Any:
        """Begin an evening (season, held_on, game, seating, first_dealer); the evening with its tables."""
        return self.write("/evenings", evening)

    def hand(self, table: dict[str, Any], record: dict[str, Any]) -> Any:
        """Record the next hand of a table as it was last read; the table moves on. What comes back says who pays."""
        players = [seat["player"] for seat in table["seats"]]
        body = {"number": table["next"]["number"], "players": players, "record": record}
        stored = self.write(f"/tables/{table['id']}/hands", body)
        table["next"] = stored["next"]
        return stored

    def close(self, evening: int, pot: str = "carry") -> Any:
        """End an evening; the settlement: who pays whom."""
        return self.write(f"/evenings/{evening}/close", {"pot": pot, "present": []})


def main(file: str) -> None:
    """Record the night of a JSON file: {"club": …, "evening": {…}, "hands": [record, …], "pot": "carry"}."""
    night = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
    client = Client(os.environ["CHRATZETE_URL"], os.environ["CHRATZETE_KEY"], night["club"])
    evening = client.begin(**night["evening"])
    for record in night["hands"]:
        print(client.hand(evening["tables"][0], record)["hand"]["told"])
    settled = client.close(evening["id"], night.get("pot", "carry"))
    print(*(payment["told"] for payment in settled["payments"]), sep="\n")
    print("Receipt {number}: {digest}".format(**settled["closing"]["receipt"]))


if __name__ == "__main__":
    main(sys.argv[1])
