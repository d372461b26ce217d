"""Every route with who may call it; docs/permissions.md says it in words, and the permission test asks everybody.

`Anyone`: no club in it. `Club(least, …)`: a page of a club; `least` is the lowest right that opens it, by method. A
route that is missing here fails the test.
"""

from __future__ import annotations

from dataclasses import dataclass

from league.access import Right


@dataclass(frozen=True)
class Anyone:
    """For everybody, signed in or not; `methods` are those it answers. `names` is what its address names."""

    methods: tuple[str, ...] = ("GET",)
    names: str = ""


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
    "receipt": Anyone(names="receipt"),
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
    "evening-close": Club(BOTH_RECORD, "evening"),
    "evening-reopen": Club(POST_RECORD, "evening"),
    "evening-last": Club(POST_RECORD, "evening"),
    "payments-mark": Club(POST_RECORD, "evening"),
    "receipts": Club(RECORD, "evening"),
    "debts": Club(SEE_RULES),
    "debts-paid": Club(POST_RECORD),
    "debts-csv": Club(SEE_RULES),
    "club-window": Club(BOTH_MANAGE),
    "evening-new": Club(BOTH_RECORD),
    "rules": Club(SEE_RULES),
    "rules-change": Club(BOTH_MANAGE),
    "rules-replay": Club(MANAGE),
    "table": Club(BOTH_RECORD, "table"),
    "table-preview": Club(POST_RECORD, "table"),
    "table-live": Club(RECORD, "table"),
    "table-pencil": Club(POST_RECORD, "table"),
    "table-night": Club(BOTH_RECORD, "table"),
    "hand-void": Club(POST_RECORD, "table"),
    "hand-paid": Club(RECORD, "table"),
    "hand-cards": Club(BOTH_RECORD, "table"),
    "hand-paste": Club(BOTH_RECORD, "table"),
    "hand-through": Club(READ, "table"),
    "hand-edit": Club(BOTH_RECORD, "table"),
    "hand-insert": Club(BOTH_RECORD, "table"),
    "hand-out": Club(BOTH_RECORD, "table"),
    "hand-move": Club(BOTH_RECORD, "table"),
    "hand-history": Club(READ, "table"),
    "table-seats": Club(BOTH_RECORD, "table"),
    "table-difference": Club(RECORD, "table"),
    "evening-corrections": Club(READ, "evening"),
    "hand-type": Club(BOTH_RECORD, "table"),
    "hand-type-preview": Club(POST_RECORD, "table"),
    "evening-sheet": Club(RECORD, "evening"),
    "night": Club(RECORD, "code"),
    "club-faces": Club(BOTH_MANAGE),
}
