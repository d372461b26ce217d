"""Store the next version of a club's house rules, only from a page that showed the newest version."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError
from django.utils.translation import gettext as _

from league.ledger.idempotency import submit_once
from league.models import Club, HouseRules, User

from .. import engine_bridge
from ..errors import Refused
from ..evening.house_rules import house_rules_of, house_rules_set
from ..events import audit_log


def rules_change(
    *, club: Club, game: str, values: Mapping[str, Any], author: User | None, key: uuid.UUID, follows: int
) -> HouseRules:
    """Store the version after `follows`; it takes effect with the next evening. A repeated key gets the same version.

    Raises:
        Refused: 422 for impossible rules (R4), for rules that change nothing, or for a key that was used for another
            request; 409 where another person changed the rules meanwhile.
    """
    try:
        return submit_once(
            club_id=club.pk,
            key=key,
            body_hash=engine_bridge.body_hash(["house rules", game, dict(values), follows]),
            author=author,
            write=lambda _submission: _change(club, game, values, author, follows),
            stored=lambda _first: HouseRules.objects.get(club=club, game=game, version=follows + 1),
        )
    except IntegrityError:
        # An evening that began at this moment wrote the first version.
        raise overtaken() from None


def _change(club: Club, game: str, values: Mapping[str, Any], author: User | None, follows: int) -> HouseRules:
    # One change at a time: the club's row is locked before the newest version is read.
    Club.objects.select_for_update().get(pk=club.pk)
    newest = house_rules_of(club, game)
    if newest.version != follows:
        raise overtaken()
    changed = house_rules_set(club=club, game=game, values=values, author=author)
    if engine_bridge.house_rules(game, newest.values) == engine_bridge.house_rules(game, changed.values):
        raise nothing_changes(newest.version)
    audit_log.rules_changed(changed)
    return changed


def overtaken() -> Refused:
    """409: the newest version is not the one that the page showed."""
    return Refused(
        status=409,
        code="version",
        sentence=_("Somebody changed the house rules meanwhile. Look at the newest version, then change it."),
    )


def nothing_changes(version: int) -> Refused:
    """422: the rules are those of the newest version."""
    return Refused(
        status=422,
        code="same",
        sentence=_("These are the house rules of version %(version)d; nothing changes.") % {"version": version},
    )
