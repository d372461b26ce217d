"""The pencil of a table: one recorder on one device holds it and records, the others watch.

The pencil is a courtesy and no lock. Only the number of a hand decides if it is stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league import news
from league.access import RIGHTS, Right
from league.models import Membership, User

from ..errors import Refused
from ..models import Pencil, Table

LAPSES = timedelta(hours=3)
"""A holder who was not seen for this long has lost the pencil: the evening is over."""
AWAY = timedelta(seconds=60)
"""A holder who was not seen for this long is shown to the others with the time when they were last seen."""
SEEN_EVERY = timedelta(seconds=8)
"""A holder who is seen again within this time is not written to the database again."""


@dataclass(frozen=True)
class Hold:
    """The pencil of a table as one person on one device sees it.

    `holder` is empty where the pencil is free; `same_person`: another device of this person has it. `away_since` is the
    time when the holder was last seen, None while the holder is there. `asked` is the name of the person who asked for
    the
    pencil; `asking`: it was this person on this device.
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
        """Return True if nobody holds the pencil."""
        return not self.holder

    @property
    def others(self) -> bool:
        """Return True if somebody else holds the pencil, or this person on another device."""
        return bool(self.holder) and not self.mine


def hold_of(table: Table, user: User, device: str) -> Hold:
    """The pencil as this person on this device sees it; one query."""
    now = timezone.now()
    pencil = _held(table, now).select_related("holder", "asked_by").first()
    if pencil is None:
        return Hold()
    same = pencil.holder_id == user.pk
    away = now - pencil.seen_at > AWAY
    return Hold(
        holder=str(pencil.holder),
        mine=same and pencil.device in ("", device),
        same_person=same,
        since=pencil.taken_at,
        away_since=pencil.seen_at if away else None,
        asked=str(pencil.asked_by) if pencil.asked_by else "",
        asked_id=pencil.asked_by_id,
        asking=pencil.asked_by_id == user.pk and pencil.asked_device == device,
    )


def take(table: Table, user: User, device: str, *, known_as: str = "") -> bool:
    """Take the pencil if it is free, or report that its holder is still there. Return True if the user holds it.

    `known_as` is the number that the device had before, where it lost its cookie: it keeps the pencil.
    """
    now = timezone.now()
    held = Pencil.objects.filter(table=table, holder=user, device__in={"", device, known_as})
    if held.filter(device=device, seen_at__gt=now - SEEN_EVERY).exists():
        return True
    if held.update(device=device, seen_at=now):
        return True
    Pencil.objects.filter(table=table, seen_at__lte=now - LAPSES).delete()
    new = {"holder": user, "device": device, "taken_at": now, "seen_at": now}
    pencil, made = Pencil.objects.get_or_create(table=table, defaults=new)
    if made:
        _tell(table)
    return pencil.holder_id == user.pk and pencil.device == device


def take_over(table: Table, user: User, device: str) -> None:
    """Take the pencil from its holder. The holder sees that with the next poll of the table."""
    _give(table, user, device)


def ask(table: Table, user: User, device: str) -> None:
    """Ask the holder for the pencil. If two people ask, the last request counts."""
    Pencil.objects.filter(table=table).exclude(_at(user, device)).update(
        asked_by=user, asked_device=device, asked_at=timezone.now()
    )
    _tell(table)


def decline(table: Table, user: User, device: str) -> None:
    """Decline the request of another person, or withdraw one's own."""
    mine = _at(user, device) | Q(asked_by=user, asked_device=device)
    Pencil.objects.filter(mine, table=table).update(asked_by=None, asked_device="", asked_at=None)
    _tell(table)


def hand_over(table: Table, user: User, device: str, to_id: int) -> User:
    """Hand the pencil to another recorder: to the device that asked, else to the first device of theirs at the table.

    Raises:
        Refused: 409 where the user does not hold it (any more), 422 where the other may not record in this club.
    """
    held = Pencil.objects.filter(_at(user, device), table=table).first()
    if held is None:
        raise Refused(status=409, code="pencil", sentence=_("You no longer have the pencil."))
    to = next((recorder for recorder in recorders(table) if recorder.pk == to_id), None)
    if to is None:
        raise Refused(status=422, code="pencil", sentence=_("This person does not record in this club."))
    _give(table, to, held.asked_device if held.asked_by_id == to.pk else "")
    return to


def put_down(table: Table, user: User, device: str) -> None:
    """Put the pencil down, if the user holds it: the next recorder who visits the table takes it."""
    Pencil.objects.filter(_at(user, device), table=table).delete()
    _tell(table)


def recorders(table: Table) -> list[User]:
    """The users who may record in this club, by name; one query."""
    roles = [role for role, rights in RIGHTS.may.items() if Right.RECORD in rights]
    members = Membership.objects.filter(club_id=table.evening.club_id, role__in=roles).select_related("user")
    return sorted((member.user for member in members if member.user.is_active), key=lambda user: str(user).casefold())


def _at(user: User, device: str) -> Q:
    return Q(holder=user, device__in=["", device])


def _held(table: Table, now: datetime) -> QuerySet[Pencil]:
    return Pencil.objects.filter(table=table, seen_at__gt=now - LAPSES)


def _give(table: Table, user: User, device: str) -> None:
    now = timezone.now()
    new = {"holder": user, "device": device, "taken_at": now, "seen_at": now}
    nobody = {"asked_by": None, "asked_device": "", "asked_at": None}
    Pencil.objects.update_or_create(table=table, defaults=new | nobody)
    _tell(table)


def _tell(table: Table) -> None:
    news.tell(f"table:{table.pk}")
