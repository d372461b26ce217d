"""What the operator of the server may do with a club. Each act is in the log of the club, which its owners read."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from .. import audit
from ..audit import What
from ..club_admin.services import club_change
from ..errors import Refused
from ..locks import lock_club
from ..logo.services import logo_remove
from ..models import Club, User

QUOTAS = ("hands_a_day", "most_players", "most_file_mb")
MAX_QUOTA = 2**31 - 1


@transaction.atomic
def club_suspend(*, club: Club, actor: User | None, reason: str = "") -> Club:
    """Suspend a club: it is read and exported, and nothing is written. `reason` is read by everybody who opens it.

    Raises:
        Refused: 422 for a reason that is too long.
    """
    reason = reason.strip()
    if len(reason) > (Club._meta.get_field("suspended_because").max_length or 0):
        raise Refused(status=422, code="reason", sentence=_("Say it in at most 200 characters."), at="reason")
    fresh = lock_club(club.pk)
    fresh.suspended_at = fresh.suspended_at or timezone.now()
    fresh.suspended_because = reason or None
    fresh.save(update_fields=["suspended_at", "suspended_because"])
    _log(fresh, actor, {"did": "suspended"})
    return fresh


@transaction.atomic
def club_resume(*, club: Club, actor: User | None) -> Club:
    """End the suspension of a club. Without one nothing is stored or logged."""
    fresh = lock_club(club.pk)
    if fresh.suspended_at is None:
        return fresh
    fresh.suspended_at = fresh.suspended_because = None
    fresh.save(update_fields=["suspended_at", "suspended_because"])
    _log(fresh, actor, {"did": "resumed"})
    return fresh


@transaction.atomic
def quotas_set(*, club: Club, actor: User | None, quotas: Mapping[str, int | None]) -> Club:
    """Set the `QUOTAS` of a club; None is no limit. What is stored already stays.

    Raises:
        Refused: 422 for an unknown quota, or a number that is none.
    """
    for name, value in quotas.items():
        if name not in QUOTAS or (value is not None and not 0 < value <= MAX_QUOTA):
            raise Refused(status=422, code="quota", sentence=_("A limit is a number above 0, or none."), at=name)
    fresh = lock_club(club.pk)
    changed = sorted(name for name, value in quotas.items() if getattr(fresh, name) != value)
    if changed:
        for name in changed:
            setattr(fresh, name, quotas[name])
        fresh.save(update_fields=changed)
        _log(fresh, actor, {"did": "quotas", **{name: quotas[name] for name in changed}})
    return fresh


def name_take_down(*, club: Club, actor: User | None) -> Club:
    """Replace the name of a club by 'Club' and its number, and its place by nothing. Its address stays."""
    return club_change(club=club, actor=actor, changes={"name": f"Club {club.pk}", "place": ""})


def logo_take_down(*, club: Club, actor: User | None) -> bool:
    """Remove the logo of a club. Return False if there is none."""
    return logo_remove(club=club, actor=actor)


def _log(club: Club, actor: User | None, data: audit.Data) -> None:
    audit.write(What.CLUB_CHANGED, club=club, actor=actor, about=f"club:{club.pk}", data=data)
