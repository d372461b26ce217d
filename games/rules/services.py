"""Making the next version of a club's house rules: once, and only by somebody who saw the version before it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league.models import Club, HouseRules, User
from league.submissions import Repeated, submit

from .. import logged, recording
from ..errors import Refused, key_reused
from ..evenings import house_rules_of, house_rules_set


def rules_change(
    *, club: Club, game: str, values: Mapping[str, Any], author: User | None, key: uuid.UUID, follows: int
) -> HouseRules:
    """The version after `follows`; it takes effect with the next evening. The same request again gets the same version.

    Raises:
        Refused: 422 for rules that cannot be (R4), that change nothing, or a key that was used for something else; 409
            where somebody else changed the rules meanwhile.
    """
    digest = recording.body_hash(["house rules", game, dict(values), follows])
    try:
        with transaction.atomic():
            submit(club_id=club.pk, key=key, body_hash=digest, author=author)
            # One change at a time: the club's row is locked before the newest version is read.
            Club.objects.select_for_update().get(pk=club.pk)
            newest = house_rules_of(club, game)
            if newest.version != follows:
                raise overtaken()
            changed = house_rules_set(club=club, game=game, values=values, author=author)
            if recording.house_rules(game, newest.values) == recording.house_rules(game, changed.values):
                raise nothing_changes(newest.version)
            logged.rules_changed(changed)
            return changed
    except Repeated as repeated:
        if repeated.submission.body_hash != digest:
            raise key_reused() from None
        return HouseRules.objects.get(club=club, game=game, version=follows + 1)
    except IntegrityError:
        # An evening that began at this moment wrote the first version.
        raise overtaken() from None


def overtaken() -> Refused:
    """409: the newest version is not the one that was seen."""
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
