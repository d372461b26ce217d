"""Adding a player, and changing one: nickname, guest, in the roster, public name."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import count
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from .. import audit
from ..audit import What
from ..errors import Refused
from ..locks import lock_club
from ..models import Club, Evening, Player, ResultRow, User
from ..standings.formula.services import guests_changed
from .look_alikes import looks

OWN = ("nickname", "active", "publicity", "pseudonym")
"""The fields that persons may change of their own players."""
CHANGEABLE = (*OWN, "guest")
MAX_NICKNAME = 40


class NameTaken(Refused):
    """422: another player of the club has this name."""

    def __init__(self, field: str) -> None:
        sentence = _("Somebody in this club already has this name. Choose another one.")
        super().__init__(status=422, code="player", sentence=sentence, at=field)


def player_add(*, club: Club, nickname: str, actor: User | None, guest: bool = False) -> Player:
    """Add a player without an account.

    Raises:
        Refused: 422 for a nickname that is invalid or taken in the club.
    """
    player = Player(club=club, nickname=nickname.strip(), guest=guest)
    _check(player)
    try:
        return player_store(player, actor)
    except IntegrityError as fault:
        raise NameTaken("nickname") from fault


@transaction.atomic
def player_store(player: Player, actor: User | None) -> Player:
    """Store a new player whose nickname is a valid one, and log it. Visitors see of the player what the club chose.

    Raises:
        IntegrityError: the nickname is taken, and only the database knows both as the same.
        NameTaken: the nickname is another player's.
        Refused: 422 for a nickname that looks like another one of the club; 409 where the operator allows no more.
    """
    # Of two names added or changed at once the second one is compared with the first.
    club = lock_club(player.club_id)
    _check_room(club)
    check_name(player.club_id, player.nickname, "nickname")
    player.publicity = club.players_shown
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
        raise NameTaken("pseudonym" if "pseudonym" in str(fault) else "nickname") from fault


@transaction.atomic
def publicity_set_for_all(*, club: Club, actor: User | None, publicity: str) -> int:
    """Let visitors see the nickname, the initials or nobody of every player who has no account, and of everybody who is
    added later; return how many changed. Whoever has an account chooses alone, and another name that was chosen stays.

    Raises:
        Refused: 422 for another choice.
    """
    if publicity not in Club.PlayersShown.values:
        raise Refused(status=422, code="field", sentence=_("Choose nicknames, initials or nobody."), at="publicity")
    fresh = lock_club(club.pk)
    if fresh.players_shown != publicity:
        fresh.players_shown = publicity
        fresh.save(update_fields=["players_shown"])
        data: audit.Data = {"fields": ["players_shown"]}
        audit.write(What.CLUB_CHANGED, club=fresh, actor=actor, about=f"club:{fresh.pk}", data=data)
    others = Player.objects.filter(club=club, user=None, anonymised_at=None)
    players = list(others.exclude(publicity__in=[publicity, Player.Publicity.PSEUDONYM]))
    for player in players:
        player_change(player=player, actor=actor, changes={"publicity": publicity})
    return len(players)


@transaction.atomic
def guests_join(*, club: Club, evening: Evening, actor: User | None) -> list[Player]:
    """Make regular players of all guests who played on an evening of the club; return them."""
    lock_club(club.pk)
    return [player_change(player=guest, actor=actor, changes={"guest": False}) for guest in guests_of(evening)]


def guests_of(evening: Evening) -> list[Player]:
    """Return the guests who played on an evening, by name. One query."""
    played = ResultRow.objects.filter(evening=evening, player=OuterRef("pk"))
    guests = Player.objects.filter(Exists(played), club=evening.club_id, guest=True, anonymised_at=None, main=None)
    return list(guests.order_by("nickname"))


def newest_with_guests(club: Club) -> Evening | None:
    """Return the newest evening that guests played on. One query."""
    played = ResultRow.objects.filter(
        evening=OuterRef("pk"), player__club=club, player__guest=True, player__anonymised_at=None, player__main=None
    )
    return Evening.nights.filter(Exists(played), club=club).order_by("-held_on", "-number").first()


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
    if "guest" in changed:
        guests_changed(fresh.club_id)
    return fresh


def player_called(club_id: int, nickname: str) -> Player | None:
    """Return the player of the club with this nickname, in whatever capitals.

    Databases compare capitals differently, so they are compared here.
    """
    names = Player.objects.filter(club=club_id).order_by("pk").values_list("pk", "nickname")
    player_id = next((pk for pk, name in names if name.casefold() == nickname.casefold()), None)
    return Player.objects.select_related("main").get(pk=player_id) if player_id is not None else None


def free_nickname(club_id: int, nickname: str) -> str:
    """Return the nickname, or the same with the first number behind it that makes it a name of its own in the club. The
    caller holds the club's lock."""
    for number in count(1):
        ending = f" {number}" if number > 1 else ""
        wanted = nickname[: MAX_NICKNAME - len(ending)] + ending
        try:
            check_name(club_id, wanted, "nickname")
        except Refused:
            continue
        return wanted
    raise AssertionError("numbers have no end")


def check_name(club_id: int, name: str, field: str, but: int = 0) -> None:
    """Refuse a name that another player of the club has, as nickname or public name, or that looks like such a name.
    `but` is the player who gets it. The caller holds the club's lock.

    Raises:
        NameTaken: 422, for the same name in whatever capitals.
        Refused: 422, with the other name.
    """
    others = Player.objects.filter(club=club_id).exclude(pk=but).values_list("nickname", "pseudonym")
    names = [other for pair in others for other in pair if other]
    if name.casefold() in {other.casefold() for other in names}:
        raise NameTaken(field)
    wanted = looks(name)
    for other in names:
        if not wanted.isdisjoint(looks(other)):
            sentence = _("This name looks like that of %(other)s. Choose another one.") % {"other": other}
            raise Refused(status=422, code="player", sentence=sentence, at=field)


def _check_room(club: Club) -> None:
    """Check the number of players that the operator of the server has set, if one is set."""
    if club.most_players is None or Player.objects.filter(club=club, active=True).count() < club.most_players:
        return
    sentence = _("On this server the club has room for %(n)d players. Take somebody out of the roster first.")
    raise Refused(status=409, code="quota", sentence=sentence % {"n": club.most_players})


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
    # Names of before a check stay as they are.
    for field in ("nickname", "pseudonym"):
        if field in changed and getattr(player, field):
            check_name(player.club_id, getattr(player, field), field, but=player.pk)
