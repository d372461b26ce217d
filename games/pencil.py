"""Who writes at a table: one recorder on one device holds the pencil, the others look on.

It is a courtesy and no lock. Nothing here decides whether a hand is stored; its number does that.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access import RIGHTS, Right
from league.models import Membership, User

from .errors import Refused
from .models import Pencil, Table

LAPSES = timedelta(hours=3)
"""Not seen for so long, nobody holds the pencil any more: the night was over."""
AWAY = timedelta(seconds=60)
"""Not seen for so long, the others are told since when."""
SEEN_EVERY = timedelta(seconds=8)
"""Seen again within this time, nothing is written."""


@dataclass(frozen=True)
class Hold:
    """The pencil of a table as one person on one device sees it.

    `holder` is empty where it lies free; `same_person`: one's own other device has it. `away_since` tells when the
    holder was last seen, None while that was just now. `asked` names who would like to have it; `asking`: one does.
    """

    holder: str = ""
    mine: bool = False
    same_person: bool = False
    since: datetime | None = None
    away_since: datetime | None = None
    asked: str = ""
    asked_id: int | None = None
    asking: bool = False

    @property
    def free(self) -> bool:
        """Whether nobody holds it."""
        return not self.holder

    @property
    def others(self) -> bool:
        """Whether it is in somebody else's hand, or on another device."""
        return bool(self.holder) and not self.mine


def hold_of(table: Table, user: User, device: str) -> Hold:
    """Who holds the pencil; one query."""
    now = timezone.now()
    found = _standing(table, now).select_related("holder", "asked_by").first()
    if found is None:
        return Hold()
    same = found.holder_id == user.pk
    away = now - found.seen_at > AWAY
    return Hold(
        holder=str(found.holder),
        mine=same and found.device in ("", device),
        same_person=same,
        since=found.taken_at,
        away_since=found.seen_at if away else None,
        asked=str(found.asked_by) if found.asked_by else "",
        asked_id=found.asked_by_id,
        asking=found.asked_by_id == user.pk and found.asked_device == device,
    )


def take(table: Table, user: User, device: str) -> bool:
    """Take the pencil where it lies free, or say that one still has it. Whether one holds it then."""
    now = timezone.now()
    held = Pencil.objects.filter(table=table, holder=user, device__in=["", device])
    if held.filter(device=device, seen_at__gt=now - SEEN_EVERY).exists():
        return True
    if held.update(device=device, seen_at=now):
        return True
    Pencil.objects.filter(table=table, seen_at__lte=now - LAPSES).delete()
    new = {"holder": user, "device": device, "taken_at": now, "seen_at": now}
    pencil, _made = Pencil.objects.get_or_create(table=table, defaults=new)
    return pencil.holder_id == user.pk and pencil.device == device


def take_over(table: Table, user: User, device: str) -> None:
    """Take the pencil, whoever has it. The one who had it sees that with the next look at the table."""
    _give(table, user, device)


def ask(table: Table, user: User, device: str) -> None:
    """Let the holder know that one would like to write. Of two who ask, the last one counts."""
    Pencil.objects.filter(table=table).exclude(_at(user, device)).update(
        asked_by=user, asked_device=device, asked_at=timezone.now()
    )


def decline(table: Table, user: User, device: str) -> None:
    """Keep the pencil although somebody asked; or no longer ask for it."""
    mine = _at(user, device) | Q(asked_by=user, asked_device=device)
    Pencil.objects.filter(mine, table=table).update(asked_by=None, asked_device="", asked_at=None)


def hand_over(table: Table, user: User, device: str, to_id: int) -> User:
    """Hand the pencil to another recorder: to the device that asked, else to the one that is next at the table.

    Raises:
        Refused: 409 where one does not hold it (any more), 422 where the other may not write in this club.
    """
    held = Pencil.objects.filter(_at(user, device), table=table).first()
    if held is None:
        raise Refused(status=409, code="pencil", sentence=_("The pencil is not with you any more."))
    to = next((one for one in recorders(table) if one.pk == to_id), None)
    if to is None:
        raise Refused(status=422, code="pencil", sentence=_("This person does not write in this club."))
    _give(table, to, held.asked_device if held.asked_by_id == to.pk else "")
    return to


def put_down(table: Table, user: User, device: str) -> None:
    """Let the pencil lie free, if one has it: whoever opens the entry next takes it."""
    Pencil.objects.filter(_at(user, device), table=table).delete()


def recorders(table: Table) -> list[User]:
    """Who may write in this club, by name; one query."""
    roles = [role for role, rights in RIGHTS.may.items() if Right.RECORD in rights]
    members = Membership.objects.filter(club_id=table.evening.club_id, role__in=roles).select_related("user")
    return sorted((one.user for one in members if one.user.is_active), key=lambda user: str(user).casefold())


def _at(user: User, device: str) -> Q:
    return Q(holder=user, device__in=["", device])


def _standing(table: Table, now: datetime) -> QuerySet[Pencil]:
    return Pencil.objects.filter(table=table, seen_at__gt=now - LAPSES)


def _give(table: Table, user: User, device: str) -> None:
    now = timezone.now()
    new = {"holder": user, "device": device, "taken_at": now, "seen_at": now}
    nobody = {"asked_by": None, "asked_device": "", "asked_at": None}
    Pencil.objects.update_or_create(table=table, defaults=new | nobody)
