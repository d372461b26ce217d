"""The table of rights: what each role may do in its club. `docs/permissions.md` shows and explains the same table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from ..models import Role

VISITOR = "visitor"
"""The column of those without a role in the club."""


class Right(StrEnum):
    """An action in a club that needs permission."""

    READ = "read"
    SEE_RULES = "see_rules"
    DISPUTE = "dispute"
    RECORD = "record"
    ROSTER = "roster"
    SEE_MONEY = "see_money"
    SEE_LEDGER = "see_ledger"
    KEEP_KITTY = "keep_kitty"
    MANAGE = "manage"
    PEOPLE = "people"
    SEE_LOG = "see_log"


class Grant(StrEnum):
    """A cell of the table: the role has the right, has it for its own players only, or does not have it."""

    YES = "yes"
    OWN = "own"
    NO = "–"


_YES, _OWN, _NO = Grant.YES, Grant.OWN, Grant.NO
COLUMNS = (VISITOR, Role.MEMBER, Role.RECORDER, Role.TREASURER, Role.OWNER)
GRANTS: Mapping[Right, tuple[Grant, ...]] = {
    Right.READ: (_YES, _YES, _YES, _YES, _YES),
    Right.SEE_RULES: (_NO, _YES, _YES, _YES, _YES),
    Right.DISPUTE: (_NO, _OWN, _OWN, _OWN, _OWN),
    Right.RECORD: (_NO, _NO, _YES, _YES, _YES),
    Right.ROSTER: (_NO, _OWN, _OWN, _YES, _YES),
    Right.SEE_MONEY: (_NO, _OWN, _OWN, _YES, _YES),
    Right.SEE_LEDGER: (_NO, _NO, _NO, _YES, _YES),
    Right.KEEP_KITTY: (_NO, _NO, _NO, _YES, _YES),
    Right.MANAGE: (_NO, _NO, _NO, _NO, _YES),
    Right.PEOPLE: (_NO, _NO, _NO, _NO, _YES),
    Right.SEE_LOG: (_NO, _NO, _NO, _NO, _YES),
}
"""One row per right, one cell per role in the order of COLUMNS."""


@dataclass(frozen=True)
class RightsByRole:
    """The same table by role: `may` for the whole club, `own` for the person's own players only."""

    may: Mapping[str, frozenset[Right]]
    own: Mapping[str, frozenset[Right]]


def _with(grant: Grant) -> dict[str, frozenset[Right]]:
    return {
        str(role): frozenset(right for right, cells in GRANTS.items() if cells[column] is grant)
        for column, role in enumerate(COLUMNS)
    }


RIGHTS = RightsByRole(may=_with(Grant.YES), own=_with(Grant.OWN))


def rights_of(role: str | None) -> frozenset[Right]:
    """Return the rights of a role for the whole club; None is a visitor, who has them in a public club only."""
    return RIGHTS.may[role or VISITOR]


SCOPE_OF: dict[Right, str] = {
    Right.READ: "read",
    Right.SEE_RULES: "read",
    Right.DISPUTE: "record",
    Right.RECORD: "record",
    Right.ROSTER: "manage",
    Right.SEE_MONEY: "money",
    Right.SEE_LEDGER: "money",
    Right.KEEP_KITTY: "manage",
    Right.MANAGE: "manage",
    Right.PEOPLE: "manage",
    Right.SEE_LOG: "manage",
}
"""The scope of an API key that covers each right. Every key has `read`."""
