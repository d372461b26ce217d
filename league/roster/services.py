"""Adding a player, and changing one: nickname, guest, in the roster, public name."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from .. import audit
from ..audit import What
from ..errors import Refused
from ..locks import lock_club
from ..models import Club, Player, User
from .look_alikes import looks

OWN = ("nickname", "active", "publicity", "pseudonym")
"""The fields that persons may change of their own players."""
CHANGEABLE = (*OWN, "guest")
MAX_NICKNAME = 40


def player_add(*, club: Club, nickname: str, actor: User | None, guest: bool = False) -> Player:
    """Add a player without an account.

    Raises:
        Refused: 422 for a nickname that is invalid or taken in the club.
    """
    player = Player(club=club, nickname=nickname.strip(), guest=guest)
    _check(player)
    try:
        with transaction.atomic():
            return player_store(player, actor)
    except IntegrityError as fault:
        raise _taken("nickname") from fault


def player_store(player: Player, actor: User | None) -> Player:
    """Store a new player whose nickname is already checked, and log it.

    Raises:
        IntegrityError: the nickname is taken.
        Refused: 422 for a nickname that looks like another one of the club.
    """
    refuse_look_alike(player.club_id, player.nickname, "nickname")
    player.save()
    data: audit.Data = {"guest": player.guest}
    audit.write(What.PLAYER_ADDED, club=player.club, actor=actor, about=f"player:{player.pk}", data=data)
    return player


def player_change(*, player: Player, actor: User | None, changes: Mapping[str, Any]) -> Player:
    """Set some of the `CHANGEABLE` fields; without a difference nothing is stored. The caller's gate checks the rights.

    Raises:
        Refused: 409 for a player who was forgotten; 422 for a field that cannot be changed, or an invalid value.
    """
    for field in changes:
        if field not in CHANGEABLE:
            sentence = _("“%(name)s” cannot be changed.") % {"name": field}
            raise Refused(status=422, code="field", sentence=sentence, at=field)
    wanted = {field: value.strip() if isinstance(value, str) else value for field, value in changes.items()}
    try:
        with transaction.atomic():
            return _change(player, actor, wanted)
    except IntegrityError as fault:
        raise _taken("pseudonym" if "pseudonym" in str(fault) else "nickname") from fault


def _change(player: Player, actor: User | None, wanted: Mapping[str, Any]) -> Player:
    # Lock the club before the player, as every writer does: a new name raises the club's mark.
    lock_club(player.club_id)
    fresh = Player.objects.select_for_update(of=("self",)).select_related("club").get(pk=player.pk)
    changed = sorted(field for field, value in wanted.items() if getattr(fresh, field) != value)
    if not changed:
        return fresh
    if fresh.anonymised_at is not None:
        sentence = _("This player was forgotten and can no longer be changed.")
        raise Refused(status=409, code="forgotten", sentence=sentence)
    for field in changed:
        setattr(fresh, field, wanted[field])
    _check(fresh, changed)
    fresh.save(update_fields=changed)
    data: audit.Data = {"fields": changed}
    audit.write(What.PLAYER_CHANGED, club=fresh.club, actor=actor, about=f"player:{fresh.pk}", data=data)
    return fresh


def refuse_look_alike(club_id: int, name: str, field: str, but: int = 0) -> None:
    """Refuse a name that looks like that of another player of the club; `but` is the player who gets it.

    Raises:
        Refused: 422, with the other name.
    """
    wanted = looks(name)
    for names in Player.objects.filter(club=club_id).exclude(pk=but).values_list("nickname", "pseudonym"):
        for other in names:
            # The same name in other capitals has a sentence of its own.
            if other and other.casefold() != name.casefold() and not wanted.isdisjoint(looks(other)):
                sentence = _("This name looks like that of %(other)s. Choose another one.") % {"other": other}
                raise Refused(status=422, code="player", sentence=sentence, at=field)


def _check(player: Player, changed: Collection[str] = ()) -> None:
    if not player.nickname or len(player.nickname) > MAX_NICKNAME or not player.nickname.isprintable():
        sentence = _("A nickname has 1 to %(max)d characters.") % {"max": MAX_NICKNAME}
        raise Refused(status=422, code="player", sentence=sentence, at="nickname")
    if player.publicity == Player.Publicity.PSEUDONYM and not player.pseudonym:
        sentence = _("Type the other name that is to be shown.")
        raise Refused(status=422, code="player", sentence=sentence, at="pseudonym")
    if not player.pseudonym.isprintable():
        sentence = _("A nickname has 1 to %(max)d characters.") % {"max": MAX_NICKNAME}
        raise Refused(status=422, code="player", sentence=sentence, at="pseudonym")
    try:
        player.full_clean(validate_unique=False, validate_constraints=False)
    except ValidationError as fault:
        field, sentences = next(iter(fault.message_dict.items()))
        raise Refused(status=422, code="player", sentence=sentences[0], at=field) from fault
    others = Player.objects.filter(club=player.club_id).exclude(pk=player.pk)
    if others.filter(nickname__iexact=player.nickname).exists():
        raise _taken("nickname")
    # No player's pseudonym may be the name of another player.
    names = others.filter(pseudonym__iexact=player.pseudonym) | others.filter(nickname__iexact=player.pseudonym)
    if player.pseudonym and names.exists():
        raise _taken("pseudonym")
    # Names of before this check stay as they are.
    for field in {"nickname", "pseudonym"} & set(changed):
        if getattr(player, field):
            refuse_look_alike(player.club_id, getattr(player, field), field, but=player.pk)


def _taken(field: str) -> Refused:
    sentence = _("Somebody in this club already has this name. Choose another one.")
    return Refused(status=422, code="player", sentence=sentence, at=field)
