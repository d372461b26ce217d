"""Every route with who may call it; docs/permissions.md says it in words, and the permission test asks everybody.

`Anyone`: no club in it. `Club(least, …)`: a page of a club; `least` is the lowest right that opens it, by method. A
route that is missing here fails the test.
"""

from __future__ import annotations

from dataclasses import dataclass

from league.access import Right


@dataclass(frozen=True)
class Anyone:
    """For everybody, signed in or not; `methods` are those it answers."""

    methods: tuple[str, ...] = ("GET",)


@dataclass(frozen=True)
class Club:
    """A page of a club: the right that each method asks for, and which thing of the club the address names."""

    rights: dict[str, Right]
    names: str = ""


Route = Anyone | Club

READ = {"GET": Right.READ}
RECORD = {"GET": Right.RECORD}
POST_RECORD = {"POST": Right.RECORD}
BOTH_RECORD = {"GET": Right.RECORD, "POST": Right.RECORD}
SEE_RULES = {"GET": Right.SEE_RULES}
MANAGE = {"GET": Right.MANAGE}
BOTH_MANAGE = {"GET": Right.MANAGE, "POST": Right.MANAGE}

ROUTES: dict[str, Route] = {
    "healthz": Anyone(),
    "readyz": Anyone(),
    "set_language": Anyone(("POST",)),
    "home": Anyone(),
    "calculator": Anyone(),
    "login": Anyone(("GET", "POST")),
    "logout": Anyone(("POST",)),
    "club": Club(READ),
    "player": Club(READ, "player"),
    "season": Club(READ, "season"),
    "season-standings": Club(READ, "season"),
    "standings-csv": Club(READ, "season"),
    "results-csv": Club(READ, "season"),
    "ledger-csv": Club({"GET": Right.SEE_LEDGER}, "season"),
    "evening": Club(READ, "evening"),
    "evening-live": Club(READ, "evening"),
    "evening-record": Club(RECORD, "evening"),
    "hands-csv": Club(READ, "evening"),
    "evening-new": Club(BOTH_RECORD),
    "rules": Club(SEE_RULES),
    "rules-change": Club(BOTH_MANAGE),
    "rules-replay": Club(MANAGE),
    "table": Club(BOTH_RECORD, "table"),
    "table-preview": Club(POST_RECORD, "table"),
    "hand-void": Club(POST_RECORD, "table"),
    "hand-paid": Club(RECORD, "table"),
    "hand-cards": Club(BOTH_RECORD, "table"),
    "hand-paste": Club(BOTH_RECORD, "table"),
    "hand-through": Club(READ, "table"),
    "hand-type": Club(BOTH_RECORD, "table"),
    "hand-type-preview": Club(POST_RECORD, "table"),
    "evening-sheet": Club(RECORD, "evening"),
    "night": Club(RECORD, "code"),
    "club-faces": Club(BOTH_MANAGE),
}
