"""The personal link with which a player answers without an account: making, ending and reading it; the gate of its
pages."""

from __future__ import annotations

import secrets

from django.core import signing
from django.db import transaction
from django.http import Http404, HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _

from .. import audit
from ..access.suspended import check_not_suspended
from ..audit import What
from ..errors import Refused
from ..features.gate import check_on
from ..locks import lock_club
from ..models import AttendanceLink, Player, PushDevice, User

SALT = "league.attendance.link"
NUMBERS = 2**62


@transaction.atomic
def link_renew(*, player: Player, actor: User | None) -> AttendanceLink:
    """Make a link for a player; the one before it, if any, is over.

    Raises:
        Refused: 409 for a player who is not in the roster, or counts for somebody else.
    """
    lock_club(player.club_id)
    fresh = Player.objects.get(pk=player.pk)
    if not fresh.active or fresh.main_id is not None:
        sentence = _("%(name)s is not in the roster.") % {"name": fresh.nickname}
        raise Refused(status=409, code="roster", sentence=sentence)
    number = secrets.randbelow(NUMBERS)
    _devices_end(fresh)
    link, _new = AttendanceLink.objects.update_or_create(player=fresh, defaults={"number": number})
    _log(fresh, actor, "link_made")
    return link


@transaction.atomic
def link_end(*, player: Player, actor: User | None) -> None:
    """End the link of a player. Without one nothing is stored."""
    lock_club(player.club_id)
    count, _rows = AttendanceLink.objects.filter(player=player).delete()
    _devices_end(player)
    if count:
        _log(player, actor, "link_ended")


def _devices_end(player: Player) -> None:
    """Remove the devices that were switched on with the link: somebody else may have had it."""
    PushDevice.objects.filter(player=player).delete()


def _log(player: Player, actor: User | None, did: str) -> None:
    audit.write(What.PLAYER_CHANGED, club=player.club, actor=actor, about=f"player:{player.pk}", data={"did": did})


def token_of(link: AttendanceLink) -> str:
    """Return the last part of the link's address."""
    return signing.Signer(salt=SALT, sep=".").sign(str(link.number))


def player_of_token(slug: str, token: str) -> Player | None:
    """Return the player of the club whose link this is; None for a link that is over, that belongs to another club or
    to a player who left the roster, or that this server did not sign."""
    try:
        number = int(signing.Signer(salt=SALT, sep=".").unsign(token))
    except signing.BadSignature:
        return None
    players = Player.objects.filter(club__slug=slug, active=True, main=None).select_related("club")
    return players.filter(attendance_link__number=number).first()


def linked_player(slug: str, token: str) -> Player:
    """Return the player of a link: the gate of its pages.

    Raises:
        Http404: there is no such link, or the club does not use the feature.
        Suspended: the request would write, and the club is suspended.
    """
    player = player_of_token(slug, token)
    if player is None:
        raise Http404("no such link")
    check_on(player.club)
    check_not_suspended(player.club)
    return player


def keep_private(response: HttpResponse) -> HttpResponse:
    """Keep an answer to a personal link out of caches and search engines."""
    response["X-Robots-Tag"] = "noindex, nofollow"
    patch_cache_control(response, private=True, no_store=True)
    return response
