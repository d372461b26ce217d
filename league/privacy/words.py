"""Where people write in their own words: reasons, notes, what they dispute. Such a text may name somebody; when that
one is to be forgotten, the text is emptied. Append-only rows let that happen, and nothing else (`league.triggers`).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Model, Q

from ..models import AuditEntry, Closing, Club, Invitation, PlayerMerge, Posting, User


@dataclass(frozen=True)
class Words:
    """A column of free text; `club` is the path to its club, `author` that to who wrote it, empty where nobody is
    named. `own`: the text is about its author, and goes with the account whatever it says."""

    model: type[Model]
    field: str
    club: str
    author: str
    own: bool = False


KNOWN: list[Words] = [
    Words(Posting, "reason", "club", "author"),
    Words(Closing, "reason", "evening__club", "author"),
    Words(PlayerMerge, "reason", "club", "author"),
    Words(Invitation, "note", "club", "author"),
    Words(AuditEntry, "token", "club", "actor", own=True),
]
"""Every one of them. What plays adds its own (`games.apps`)."""


def mention(text: str, names: Collection[str]) -> bool:
    """Whether a text has one of the names in it, as a word of its own or as its genitive (`Annas`, `Fritzes`,
    `Anna's`), whatever the capitals."""
    return any(
        re.search(rf"(?<!\w){re.escape(name)}(?:e?s)?(?!\w)", text, re.IGNORECASE) for name in names if name.strip()
    )


def forget(*, names: Collection[str], clubs: Collection[Club], user: User | None = None) -> int:
    """Empty every text of these clubs that has one of the names in it, and where a `user` is given, those about the
    user. How many. The caller holds the transaction."""
    return sum(_empty(words, names, clubs, user) for words in KNOWN)


def _empty(words: Words, names: Collection[str], clubs: Collection[Club], user: User | None) -> int:
    written = words.model._default_manager.exclude(**{words.field: ""})
    whose = Q(**{f"{words.club}__in": [club.pk for club in clubs]})
    if user is not None:
        whose |= Q(**{words.author: user.pk})
    found = []
    texts = written.filter(whose).order_by().values_list("pk", words.field, words.author)
    for pk, text, author in texts.iterator(chunk_size=2000):
        if mention(text, names) or (words.own and user is not None and author == user.pk):
            found.append(pk)
    for start in range(0, len(found), 500):
        some = words.model._default_manager.filter(pk__in=found[start : start + 500])
        some.order_by().update(**{words.field: ""})
    return len(found)
