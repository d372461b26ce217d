"""Forgetting somebody: no personal value is left, and no balance is another one.

What was played stays, under a number: hands, ledger, standings and the chain of receipts name players and authors by
key alone. So the names go from the few rows that have them, and from the words that people wrote. There is no way back.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from .. import audit
from ..audit import What
from ..errors import Refused
from ..models import Club, FormerName, Invitation, Player, ReceiptName, User
from ..roles import is_last_owner, lock_club
from ..roster.person import lock_person, lock_players, players_alone_of
from . import words


def number_of(player: Player) -> str:
    """What a player who was forgotten is called: a number that nobody of the club has for a nickname."""
    name, more = f"№ {player.pk}", 0
    while Player.objects.filter(club=player.club_id, nickname__iexact=name).exclude(pk=player.pk).exists():
        more += 1
        name = f"№ {player.pk}.{more}"
    return name


@transaction.atomic
def player_forget(*, player: Player, actor: User | None) -> list[Player]:
    """Forget a player, and whoever is taken for one person with that one. The account, if there is one, stays.

    Raises:
        Refused: 409 for a player who was forgotten already.
    """
    if Player.objects.filter(pk=player.pk, anonymised_at__isnull=False).exists():
        sentence = _("This player was forgotten already.")
        raise Refused(status=409, code="forgotten", sentence=sentence)
    lock_club(player.club_id)
    people = lock_person(player)
    return _forget(people, known_as(people), actor)


def known_as(people: Iterable[Player]) -> set[str]:
    """Every name that these players have or had, and those under which they stand in receipts."""
    people = list(people)
    names = {name for one in people for name in (one.nickname, one.pseudonym) if name}
    for kept in (FormerName, ReceiptName):
        names |= set(kept._default_manager.filter(player__in=people).values_list("name", flat=True))
    return names


def _forget(people: list[Player], names: set[str], actor: User | None) -> list[Player]:
    people = [one for one in people if one.anonymised_at is None]
    clubs = {one.club_id: one.club for one in people}
    ReceiptName.objects.filter(player__in=people).delete()
    FormerName.objects.filter(player__in=people).delete()
    Invitation.objects.filter(player__in=people).delete()
    words.forget(names=names, clubs=clubs.values())
    _forget_in_admin(Player, people)
    for one in people:
        one.nickname, one.pseudonym, one.publicity = number_of(one), "", Player.Publicity.INITIALS
        one.user, one.active, one.anonymised_at = None, False, timezone.now()
        one.save()
        audit.write(What.PLAYER_FORGOTTEN, club=one.club, actor=actor, about=f"player:{one.pk}")
    return people


@transaction.atomic
def person_forget(*, user: User, actor: User | None) -> User:
    """Forget an account with all its players: nobody can sign in with it any more, and nothing of it says whose it was.

    Raises:
        Refused: 409 for the last owner of a club, and for an account that was forgotten already.
    """
    # Clubs before people, as whoever changes a role does it: the other way round two would wait for each other.
    clubs = list(Club.objects.filter(memberships__user=user).order_by("pk"))
    for club in clubs:
        lock_club(club.pk)
    locked = User.objects.select_for_update().get(pk=user.pk)
    if locked.forgotten:
        raise Refused(status=409, code="forgotten", sentence=_("This account was deleted already."))
    for club in clubs:
        if is_last_owner(club, locked):
            sentence = _("You are the last owner of %(club)s. Make somebody else an owner first.")
            raise Refused(status=409, code="last-owner", sentence=sentence % {"club": club.name}, at=club.slug)
    own = lock_players(players_alone_of(locked))
    everywhere = {club.pk: club for club in (*clubs, *(player.club for player in own))}
    names = known_as(own) | {locked.email, locked.get_full_name(), locked.first_name, locked.last_name}
    if own:
        _forget(own, names, actor)
    audit.write_for_person(What.PERSON_FORGOTTEN, person=locked, actor=actor)
    words.forget(names=names, clubs=everywhere.values(), user=locked)
    _end_sessions(locked)
    _forget_in_admin(User, [locked])
    _delete_what_is_its_own(locked)
    _empty_account(locked)
    return locked


def _empty_account(user: User) -> None:
    user.email = f"{user.pk}@{User.FORGOTTEN_AT}"
    user.first_name = user.last_name = ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    user.set_unusable_password()
    user.groups.clear()
    user.user_permissions.clear()
    user.save()


def _delete_what_is_its_own(user: User) -> None:
    """Roles, keys, mail addresses, second factors, sessions, pencils: whatever the database would delete with the
    account. What outlasts it (`PROTECT`) has the account's key alone."""
    for relation in User._meta.related_objects:
        if relation.on_delete is models.CASCADE:
            relation.related_model._default_manager.filter(**{relation.field.name: user}).delete()


def _end_sessions(user: User) -> None:
    for session in Session.objects.iterator(chunk_size=500):
        if session.get_decoded().get("_auth_user_id") == str(user.pk):
            session.delete()


def _forget_in_admin(model: type[models.Model], things: Iterable[models.Model]) -> None:
    """What the admin wrote down of its own deeds has names of things in it."""
    keys = [str(one.pk) for one in things]
    kind = ContentType.objects.get_for_model(model)
    LogEntry.objects.filter(content_type=kind, object_id__in=keys).update(object_repr="")
