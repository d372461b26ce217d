"""A new tournament with its people in one step: created, open for entries, everybody entered."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db import transaction

from ..models import Club, Tournament, User
from . import entries, services
from .entries import Newcomer
from .formats import Format
from .services import Basics


@transaction.atomic
def tournament_start(
    *,
    club: Club,
    author: User | None,
    basics: Basics,
    format: Format,
    people: Sequence[Newcomer],
    key: uuid.UUID | None = None,
) -> Tournament:
    """Create a tournament, open it and enter these people; without people it stays in preparation. All or nothing.

    Raises:
        Refused: as `services.tournament_create` and `entries.enter`.
    """
    made = services.tournament_create(club=club, author=author, basics=basics, format=format, key=key)
    if not people:
        return made
    services.entries_open(tournament=made, author=author, key=_step(key, "open"))
    entries.enter(tournament=made, author=author, people=people, key=_step(key, "enter"))
    return made


def _step(key: uuid.UUID | None, name: str) -> uuid.UUID | None:
    """Return the key of one step: the same for a form that is sent again."""
    return uuid.uuid5(key, name) if key else None
