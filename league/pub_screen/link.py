"""The link that opens a club's pub screen on a television, without an account: making, ending and reading it."""

from __future__ import annotations

import secrets

from django.core import signing
from django.db import transaction

from .. import audit
from ..audit import What
from ..locks import lock_club
from ..models import Club, PubScreenLink, User

SALT = "league.pub_screen.link"
NUMBERS = 2**40


@transaction.atomic
def link_renew(*, club: Club, actor: User | None) -> PubScreenLink:
    """Make a link; the one before it, if any, is over."""
    lock_club(club.pk)
    number = secrets.randbelow(NUMBERS)
    link, _new = PubScreenLink.objects.update_or_create(club=club, defaults={"number": number})
    _log(club, actor)
    return link


@transaction.atomic
def link_end(*, club: Club, actor: User | None) -> None:
    """End the link. Without one nothing is stored."""
    lock_club(club.pk)
    count, _rows = PubScreenLink.objects.filter(club=club).delete()
    if count:
        _log(club, actor)


def _log(club: Club, actor: User | None) -> None:
    data = {"fields": ["pub_screen_link"]}
    audit.write(What.CLUB_CHANGED, club=club, actor=actor, about=f"club:{club.pk}", data=data)


def token_of(link: PubScreenLink) -> str:
    """Return the last part of the link's address."""
    return signing.Signer(salt=SALT, sep=".").sign(f"{link.club_id}-{link.number}")


def club_of_token(token: str) -> Club | None:
    """Return the club whose link this is; None for a link that is over or that this server did not sign."""
    try:
        club, _, number = signing.Signer(salt=SALT, sep=".").unsign(token).partition("-")
    except signing.BadSignature:
        return None
    pub_screen_link = PubScreenLink.objects.filter(club=int(club), number=int(number)).select_related("club").first()
    return pub_screen_link.club if pub_screen_link else None
