"""Columns of free text: texts that people typed, such as reasons, notes and disputes.

Free text may name a person. When that person is forgotten, the text is emptied. Append-only rows allow this update and
no other one (`league.triggers`). `tests/league/test_privacy_free_text.py` fails for a text column that is neither
listed here nor excused there.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Model, Q

from .. import keyset
from ..models import (
    AuditEntry,
    Closing,
    Club,
    Invitation,
    MemberFee,
    PlannedEvening,
    PlayerMerge,
    Posting,
    SeasonAdjustment,
    SeasonReopening,
    Sheet,
    Team,
    Tournament,
    User,
)


@dataclass(frozen=True)
class FreeText:
    """A column of free text. `club` and `author` are lookup paths from the model to its club and to its author.

    `own`: the text is about its author and is always emptied when the author's account is forgotten.
    """

    model: type[Model]
    field: str
    club: str
    author: str
    own: bool = False


COLUMNS: list[FreeText] = [
    FreeText(Posting, "reason", "club", "author"),
    FreeText(Closing, "reason", "evening__club", "author"),
    FreeText(PlayerMerge, "reason", "club", "author"),
    FreeText(SeasonAdjustment, "reason", "season__club", "author"),
    FreeText(SeasonReopening, "reason", "season__club", "author"),
    FreeText(Team, "name", "season__club", "author"),
    FreeText(Sheet, "reason", "round__tournament__club", "author"),
    FreeText(Tournament, "reopen_reason", "club", "opened_by"),
    FreeText(Tournament, "prizes", "club", "opened_by"),
    FreeText(PlannedEvening, "place", "club", "author"),
    FreeText(PlannedEvening, "note", "club", "author"),
    FreeText(MemberFee, "name", "club", "author"),
    FreeText(Invitation, "note", "club", "author"),
    FreeText(AuditEntry, "token", "club", "actor", own=True),
]
"""All columns of free text. The games add theirs (`games.integrity.privacy`)."""


def mentions(text: str, names: Collection[str]) -> bool:
    """Return True if a text contains one of the names as a word, in any case, or its genitive (`Annas`, `Fritzes`,
    `Anna's`)."""
    return any(
        re.search(rf"(?<!\w){re.escape(name)}(?:e?s)?(?!\w)", text, re.IGNORECASE) for name in names if name.strip()
    )


def empty_texts(*, names: Collection[str], clubs: Collection[Club], user: User | None = None) -> int:
    """Empty every free text of these clubs that contains one of the names; with `user`, also the texts about that user.

    Return the number of emptied texts. The caller holds the transaction.
    """
    return sum(_empty(column, names, clubs, user) for column in COLUMNS)


def _empty(column: FreeText, names: Collection[str], clubs: Collection[Club], user: User | None) -> int:
    written = column.model._default_manager.exclude(**{column.field: ""})
    candidates = Q(**{f"{column.club}__in": [club.pk for club in clubs]})
    if user is not None:
        candidates |= Q(**{column.author: user.pk})
    pks = []
    for row in keyset.each(written.filter(candidates).values("pk", column.field, column.author)):
        own = column.own and user is not None and row[column.author] == user.pk
        if own or mentions(row[column.field], names):
            pks.append(row["pk"])
    for start in range(0, len(pks), 500):
        batch = column.model._default_manager.filter(pk__in=pks[start : start + 500])
        batch.order_by().update(**{column.field: ""})
    return len(pks)
