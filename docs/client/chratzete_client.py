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

NO_ANSWER = (OSError, http.client.HTTPException, ValueError)  # the request may have arrived or not
LANGUAGE = (os.environ.get("LC_ALL") or os.environ.get("LANG") or "en").split(".")[0].replace("_", "-")


class Refused(Exception):
    """The service refused the request; `problem` has the reason (RFC 9457: detail, code, clause, at, seat)."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(": ".join(problem[name] for name in ("at", "detail") if name in problem))
        self.problem = problem


class Client:
    """A client for one club. `patience`: for how many seconds a request is sent again."""

    def __init__(self, url: str, key: str, club: str, *, patience: float = 600, timeout: float = 10) -> None:
        self.base, self.patience, self.timeout = f"{url.rstrip('/')}/api/v1/clubs/{club}", patience, timeout
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def request(self, path: str, body: Any = None) -> Any:
        """Send a read, or a write with a body, until there is an answer. By its key a write is stored once."""
        headers = self.headers | {"Idempotency-Key": str(uuid.uuid4()), "Accept-Language": f"{LANGUAGE}, en;q=0.5"}
        request = urllib.request.Request(self.base + path, body and json.dumps(body).encode(), headers)  # noqa: S310
        end, pause = time.monotonic() + self.patience, 0.5
        while True:
            try:
                return self._once(request)
            except (Refused, *NO_ANSWER) as fault:
                problem = fault.problem if isinstance(fault, Refused) else {"status": 503}
                wait = float(problem.get("retry_after") or pause)
                if problem["status"] not in (429, 502, 503, 504) or time.monotonic() + wait > end:
                    raise
            time.sleep(wait)
            pause = min(2 * pause, 30)

    def _once(self, request: urllib.request.Request) -> Any:
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:  # noqa: S310
                return json.load(answer)
        except urllib.error.HTTPError as error:
            problem = json.load(error) if "json" in error.headers.get("Content-Type", "") else {"detail": str(error)}
            seconds = error.headers.get("Retry-After", "")
            raise Refused(problem | {"status": error.code, "retry_after": seconds.isdigit() and seconds}) from None

    def start(self, **evening: Any) -> Any:
        """Start an evening (season, held_on, game, seating, first_dealer) or continue one (id); returns it."""
        return self.request(f"/evenings/{evening['id']}") if "id" in evening else self.request("/evenings", evening)

    def hand(self, table: dict[str, Any], record: dict[str, Any]) -> Any:
        """Record the next hand of a table that was read before, and update `table`; returns hand, cash and next."""
        body = {"number": table["next"]["number"], "players": [s["player"] for s in table["seats"]], "record": record}
        stored = self.request(f"/tables/{table['id']}/hands", body)
        table["next"] = stored["next"]
        return stored

    def close(self, evening: int, pot: str = "carry") -> Any:
        """Close an evening; returns the settlement with the payments."""
        return self.request(f"/evenings/{evening}/close", {"pot": pot, "present": []})


def main(file: str) -> None:
    """Record the evening of a JSON file: {"club": …, "evening": {…}, "hands": [record, …], "pot": "carry"}."""
    place = file
    try:
        data = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
        client = Client(os.environ["CHRATZETE_URL"], os.environ["CHRATZETE_KEY"], data["club"])
        evening = client.start(**data["evening"])
        for number, record in enumerate(data["hands"]):
            place = f"evening {evening['id']}, hands[{number}]"
            hand = client.hand(evening["tables"][0], record)["hand"]
            print(" · ".join(event["sentence"] for event in [hand, *(hand["effects"] or [])]))
        place = f"evening {evening['id']}, close"
        settled = client.close(evening["id"], data.get("pot", "carry"))
    except (Refused, *NO_ANSWER, KeyError) as fault:
        sys.exit(f"{place}: {fault}{' is missing' * isinstance(fault, KeyError)}")
    print(*(payment["sentence"] for payment in settled["payments"]), sep="\n")
    print("Receipt {number}: {digest}".format(**settled["closing"]["receipt"]))


if __name__ == "__main__":
    main(sys.argv[1])
