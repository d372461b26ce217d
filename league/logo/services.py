"""Store and remove a club's logo, and read it for pages and pictures."""

from __future__ import annotations

import io
import secrets

from django.db import transaction

from .. import audit
from ..audit import What
from ..locks import lock_club
from ..models import Club, ClubLogo, User
from .images import redrawn

MARKS = 2**31 - 1


def logo_set(*, club: Club, actor: User | None, content: bytes) -> ClubLogo:
    """Store an uploaded picture as the club's logo. Raises Refused, see `images.redrawn`."""
    # Before the transaction: no lock is held meanwhile.
    drawn = redrawn(content, club=club.pk)
    values = {"content": drawn.content, "width": drawn.width, "height": drawn.height}
    with transaction.atomic():
        lock_club(club.pk)
        logo, _created = ClubLogo.objects.update_or_create(club=club, defaults=values)
        # At random: browsers keep the logo by its number, also one that was removed since.
        _changed(club, actor, secrets.randbelow(MARKS) + 1)
    return logo


@transaction.atomic
def logo_remove(*, club: Club, actor: User | None) -> bool:
    """Remove the club's logo. Return False if there is none."""
    lock_club(club.pk)
    if not ClubLogo.objects.filter(club=club).delete()[0]:
        return False
    _changed(club, actor, None)
    return True


def _changed(club: Club, actor: User | None, mark: int | None) -> None:
    """Give the club's pages another version, and write the log."""
    Club.objects.filter(pk=club.pk).update(logo_mark=mark)
    audit.write(What.CLUB_CHANGED, club=club, actor=actor, about=f"club:{club.pk}", data={"fields": ["logo"]})


def logo_of(club: Club) -> ClubLogo | None:
    """Return the club's logo. One query, none for a club without one."""
    if not club.logo_mark:
        return None
    return ClubLogo.objects.filter(club=club.pk).first()


def logo_file(club: Club) -> io.BytesIO | None:
    """Return the club's logo as an open PNG file; None without one."""
    logo = logo_of(club)
    return io.BytesIO(bytes(logo.content)) if logo else None
