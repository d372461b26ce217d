"""The requests of the recorded answers, made from the description of the API (`openapi.json`).

Only a run that records makes them; a run that compares sends those of the file.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

from tests.api.recorded_world import World
from tests.api.recorded_writes import Write, call, writes

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
READERS = ("owner", "recorder", "member", "visitor", "away owner")
KNOWN = "<ETag>"
"""Stands for the ETag of the address, which is read just before."""
WRONG: dict[str, Any] = {"of": ["another", {"type": None}]}
UNKNOWN = "unheard_of"
FILTERS: dict[str, list[Any]] = {
    "since": ["2026-11-01", "yesterday"],
    "until": ["2026-11-15"],
    "on": ["2026-10-01"],
    "q": ["roessli", ""],
    "game": ["chratze", "kratzen", "zwicken", "none"],
    "mine": ["true", ""],
    "table": [1, 0],
    "top": [2, 0],
    "round": [1, 0],
    "entrants": [11],
    "before": [1, 9],
    "version": [1, 99],
    "season": ["2026", "none"],
    "limit": [0],
    "after": ["WyI"],
    "sort": ["-points", "weight"],
    "kind": ["payout", "theft"],
    "state": ["open", "half"],
    "what": ["hand_disputed", "nothing"],
}


def resources(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield template, method and operation of each operation."""
    for template, item in document["paths"].items():
        for method, operation in item.items():
            if method.upper() in METHODS:
                yield template, method.upper(), operation


def address(world: World, template: str, where: dict[str, Any] | None = None) -> str:
    """Return the address of a template with arguments of the home club."""
    named = {"club": "roessli", **world.arguments}
    if template.endswith("receipts/{token}"):
        named["token"] = named["receipt_token"]
    elif "{token}" in template:
        named["token"] = named["owner key"]
    if "/tournaments/{tournament}" in template:
        named["tournament"], named["draw"] = "drawn", named["drawn_draw"]
        if "/rounds/" in template:
            named["tournament"] = "playing"
    for place in ("settlement", "receipts"):
        if template.endswith(f"/evenings/{{evening}}/{place}"):
            named["evening"] = named["closed_evening"]
    return template.format(**{**named, **(where or {})})


def request(name: str, who: str, method: str, path: str, body: Any = None, **more: Any) -> dict[str, Any]:
    """Return a request; `more` are `headers`, `before` and `raw`."""
    headers = more.pop("headers", {})
    return {"name": name, "who": who, "method": method, "path": path, "body": body, "headers": headers, **more}


def key_of(name: str) -> str:
    """Return the Idempotency-Key of a request."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, name))


# --- Reads ---------------------------------------------------------------------------------------------------


def readings(world: World, document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield each read by each person, of each tournament and evening that has another state."""
    for template, method, operation in resources(document):
        if method != "GET":
            continue
        name, path = operation["operationId"], _readable(world, template, operation)
        for who in READERS:
            yield request(f"{name}, {who}", who, "GET", path)
        if "/{evening}" in template or "/tables/" in template:
            where = {"evening": world.arguments["closed_evening"], "table": world.arguments["closed_table"]}
            yield request(f"{name}, closed", "owner", "GET", address(world, template, where))
        if "/{season}" in template:
            yield request(f"{name}, closed", "owner", "GET", address(world, template, {"season": "2025"}))
        if "/tournaments/{tournament}" in template:
            where = {"tournament": "ended", "draw": world.arguments["ended_draw"]}
            for who in ("owner", "visitor"):
                yield request(f"{name}, ended, {who}", who, "GET", address(world, template, where))


def _readable(world: World, template: str, operation: dict[str, Any]) -> str:
    """Return the address of a read with the parameters that it needs."""
    needed = [
        parameter["name"]
        for parameter in operation.get("parameters", [])
        if parameter["in"] == "query" and parameter.get("required")
    ]
    given = {"main": world.players["Beni"]}
    where = {"player": world.players["Gast"]} if needed else {}
    query = "&".join(f"{name}={given[name]}" for name in needed)
    return address(world, template, where) + (f"?{query}" if query else "")


def conditions(world: World, document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield reads with what each read understands alike, and methods that an address lacks."""
    for template, method, operation in resources(document):
        if method != "GET":
            continue
        name, path = operation["operationId"], _readable(world, template, operation)
        sign = "&" if "?" in path else "?"
        yield request(f"{name}, HEAD", "owner", "HEAD", path)
        yield request(f"{name}, known", "owner", "GET", path, headers={"If-None-Match": KNOWN})
        yield request(f"{name}, unknown parameter", "owner", "GET", f"{path}{sign}{UNKNOWN}=1")
        if "{club}" in template and template.count("{") > 1 and "{season}" not in template:
            away = {
                key.removeprefix("away_"): value for key, value in world.arguments.items() if key.startswith("away_")
            }
            yield request(f"{name}, of another club", "owner", "GET", address(world, template, away))
    for template, item in document["paths"].items():
        path = address(world, template)
        lacking = [method for method in ("PATCH", "PUT", "DELETE", "POST", "GET") if method.lower() not in item]
        for method in {lacking[0], *(["GET"] if "GET" in lacking else [])}:
            yield request(f"{template}, {method}", "owner", method, path, headers={"Idempotency-Key": key_of(path)})
        if "{" not in template:
            yield request(f"{template}, OPTIONS", "visitor", "OPTIONS", path)


def filtered(world: World, document: dict[str, Any], key_in: Any) -> Iterator[dict[str, Any]]:
    """Yield each list with each filter, one item a page, and the page after it."""
    for template, method, operation in resources(document):
        parameters = {
            field["name"]: field["schema"] for field in operation.get("parameters", []) if field["in"] == "query"
        }
        if method != "GET" or not parameters:
            continue
        name, path = operation["operationId"], _readable(world, template, operation)
        sign = "&" if "?" in path else "?"
        for parameter, schema in parameters.items():
            for value in _values(world, parameter, schema):
                yield request(f"{name}, {parameter}={value}", "owner", "GET", f"{path}{sign}{parameter}={value}")
        first = next(iter(parameters))
        twice = f"{path}{sign}{first}=1&{first}=1"
        yield request(f"{name}, repeated parameter", "owner", "GET", twice)
        if "limit" in parameters:
            first_page = request(f"{name}, one item", "owner", "GET", f"{path}{sign}limit=1")
            yield first_page
            if after := key_in(first_page, "next"):
                yield request(f"{name}, the next item", "owner", "GET", after)


def _values(world: World, parameter: str, schema: dict[str, Any]) -> list[Any]:
    ids = {
        "player": [world.players["Anna"], 10**9, "x"],
        "evening": [world.arguments["closed_evening"]],
        "actor": [world.people.home.recorder.pk],
        "main": [10**9],
    }
    if parameter in ids:
        return ids[parameter]
    if len(schema.get("enum", [])) in (1, 2, 4) or parameter == "sort":
        return [*schema["enum"], "none"]
    return FILTERS.get(parameter, [1])


# --- Writes --------------------------------------------------------------------------------------------------


def bodies(operation: dict[str, Any]) -> dict[str, Any]:
    """Return the examples of a body in the description, by name; `body` alone for an operation without one."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    shown = {name.lower(): example["value"] for name, example in content.get("examples", {}).items()}
    return shown or {"body": None}


def written(world: World, document: dict[str, Any], key_in: Any) -> Iterator[dict[str, Any]]:
    """Yield each write: as it should be, repeated, and with each fault."""
    operations = [resource for resource in resources(document) if resource[1] != "GET"]
    examples = {operation["operationId"]: bodies(operation) for _template, _method, operation in operations}
    known = writes(world, examples, key_in)
    for template, method, operation in operations:
        name = operation["operationId"]
        sent = {parameter["name"] for parameter in operation.get("parameters", []) if parameter["in"] == "header"}
        for number, (kind, write) in enumerate(known[name].items()):
            path = address(world, template, write.where)
            whole: dict[str, Any] = {"headers": {"Idempotency-Key": key_of(f"{name} {kind}")}, "before": write.before}
            if "If-Match" in sent:
                whole["headers"]["If-Match"] = KNOWN
            yield request(f"{name}, {kind}", write.who, method, path, write.body, **whole)
            if number == 0:
                yield from _with_faults(name, method, path, write, whole)


def _with_faults(name: str, method: str, path: str, write: Write, whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
    def changed(what: str, *, who: str = write.who, body: Any = write.body, **headers: str | None) -> dict[str, Any]:
        sent = {**whole["headers"], **{header.replace("_", "-"): value for header, value in headers.items()}}
        kept = {header: value for header, value in sent.items() if value is not None}
        return request(f"{name}, {what}", who, method, path, body, headers=kept, before=whole["before"])

    first = request("", write.who, method, path, write.body, headers=whole["headers"])
    del first["name"]
    # The ETag of the first time: the second one sends the same headers.
    again = {**changed("again"), "before": [*whole["before"], first]}
    yield again
    other = {UNKNOWN: 1} if write.body is None else {}
    yield {**again, "name": f"{name}, same key, another body", "body": other}
    yield changed("no key", Idempotency_Key=None)
    yield changed("unknown field", body={**(write.body or {}), UNKNOWN: 1})
    if write.body is not None:
        yield changed("empty body", body={})
        yield changed("wrong types", body=dict.fromkeys(write.body, WRONG) or [])
    for who in ("recorder", "member", "visitor", "away owner"):
        if who != write.who:
            yield changed(who, who=who)
    yield changed("unknown parameter") | {"path": f"{path}?{UNKNOWN}=1"}
    if "If-Match" in whole["headers"]:
        yield changed("no If-Match", If_Match=None)
        yield changed("wrong If-Match", If_Match='"0"')
        yield changed("any If-Match", If_Match="*")


def malformed(world: World) -> Iterator[dict[str, Any]]:
    """Yield writes whose body cannot be read, and keys that cannot be used."""
    for path in ("players", "kitty/entries", f"tables/{world.arguments['table']}/hands", "seasons/2026/close"):
        asked = {**call("POST", path), "headers": {"Idempotency-Key": key_of(path)}}
        for what, text, kind in (
            ("empty", "", "application/json"),
            ("half", '{"a"', "application/json"),
            ("list", "[1]", "application/json"),
            ("twice", '{"a": 1, "a": 2}', "application/json"),
            ("not a number", '{"a": NaN}', "application/json"),
            ("form", "a=1", "application/x-www-form-urlencoded"),
            ("text", "a", "text/plain"),
        ):
            yield {"name": f"POST {path}, {what}", **asked, "raw": text, "kind": kind}
        yield {
            **request(f"POST {path}, wrong key", "owner", "POST", asked["path"]),
            "headers": {"Idempotency-Key": "1"},
        }
    for what, header in (("unknown", "Bearer chz_none"), ("basic", "Basic YTpi"), ("empty", "Bearer")):
        for path in ("/api/v1/me", "/api/v1/clubs"):
            yield request(f"{path}, {what} key", "visitor", "GET", path, headers={"Authorization": header})
    for path in ("/api/v1/clubs/nowhere", "/api/v1/nowhere", "/api/v1/clubs/", "/api/v1/clubs/roessli/players/x"):
        yield request(f"{path}, absent", "owner", "GET", path)
