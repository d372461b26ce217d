"""Forgetting a person: all personal data is removed, and no balance changes. This cannot be undone.

Hands, ledger, standings and the chain of receipts refer to players and authors by key only, so they stay as they are.
Names are removed from the few tables that store them and from free text.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from .. import audit, keyset
from ..access.persons import lock_person, lock_players, players_of_account
from ..access.roles import is_last_owner
from ..audit import What
from ..errors import Refused
from ..large_files.services import drop_files
from ..locks import lock_club
from ..models import (
    Attendance,
    AttendanceLink,
    Club,
    FormerName,
    ImportColumns,
    Invitation,
    MessageChoice,
    OwnEntry,
    Player,
    PlayerLook,
    PlayerMessage,
    PushDevice,
    ReceiptName,
    ReceiptOpening,
    Reserve,
    Upload,
    User,
)
from ..roster.cup_lists import listed_forget
from ..web.page_versions import drop_kept_pages
from . import entrant_texts, forgotten_list, free_text


def replacement_name(player: Player) -> str:
    """Return the new nickname of a forgotten player: a number that no other player of the club has as a nickname."""
    name, more = f"№ {player.pk}", 0
    while Player.objects.filter(club=player.club_id, nickname__iexact=name).exclude(pk=player.pk).exists():
        more += 1
        name = f"№ {player.pk}.{more}"
    return name


@transaction.atomic
def player_forget(*, player: Player, actor: User | None) -> list[Player]:
    """Forget a player and all players of the same person. The account stays, if there is one.

    Raises:
        Refused: 409 for a player who is already forgotten.
    """
    if Player.objects.filter(pk=player.pk, anonymised_at__isnull=False).exists():
        sentence = _("This player was already forgotten.")
        raise Refused(status=409, code="forgotten", sentence=sentence)
    entrant_texts.lock_tournaments([player.club])
    lock_club(player.club_id)
    players = lock_person(player)
    _drop_files([player.club])
    return _forget(players, all_names_of(players), actor)


def all_names_of(players: Iterable[Player]) -> set[str]:
    """Return every name that these players have or had, including their names in receipts."""
    players = list(players)
    names = {name for player in players for name in (player.nickname, player.pseudonym) if name}
    for model in (FormerName, ReceiptName):
        names |= set(model._default_manager.filter(player__in=players).values_list("name", flat=True))
    return names


def _forget(players: list[Player], names: set[str], actor: User | None) -> list[Player]:
    players = [player for player in players if player.anonymised_at is None]
    clubs = {player.club_id: player.club for player in players}
    ReceiptName.objects.filter(player__in=players).delete()
    ReceiptOpening.objects.filter(player__in=players).delete()
    FormerName.objects.filter(player__in=players).delete()
    Invitation.objects.filter(player__in=players).delete()
    PlayerLook.objects.filter(player__in=players).delete()
    Attendance.objects.filter(player__in=players).delete()
    AttendanceLink.objects.filter(player__in=players).delete()
    Reserve.objects.filter(player__in=players).delete()
    listed_forget(players)
    MessageChoice.objects.filter(player__in=players).delete()
    PlayerMessage.objects.filter(player__in=players).delete()
    PushDevice.objects.filter(player__in=players).delete()
    free_text.empty_texts(names=names, clubs=clubs.values())
    entrant_texts.empty(players=players, names=names, clubs=clubs.values())
    _empty_admin_log(Player, players)
    drop_kept_pages()
    for player in players:
        player.nickname, player.pseudonym = replacement_name(player), ""
        player.publicity = Player.Publicity.INITIALS
        player.user, player.active, player.anonymised_at = None, False, timezone.now()
        player.save()
        audit.write(What.PLAYER_FORGOTTEN, club=player.club, actor=actor, about=f"player:{player.pk}")
    forgotten_list.note(players)
    return players


def _drop_files(clubs: Iterable[Club]) -> None:
    """Remove all files of these clubs: any of them may have the name, also that of an account without a player."""
    clubs = list(clubs)
    Upload.objects.filter(club__in=clubs).delete()
    # The stored choices for sheets have hashes of their titles, and these are names.
    ImportColumns.objects.filter(club__in=clubs, heading="").delete()
    for club in clubs:
        drop_files(club)


@transaction.atomic
def person_forget(*, user: User, actor: User | None, last_owner: bool = False) -> User:
    """Forget an account with all its players: nobody can sign in with it any more, and no row identifies the person.
    `last_owner`: also the last owner of a club, which has none afterwards.

    Raises:
        Refused: 409 for the last owner of a club, and for an account that is already forgotten.
    """
    # Lock clubs before people, as a change of role does: in the other order the two could deadlock.
    clubs = list(Club.objects.filter(memberships__user=user).order_by("pk"))
    entrant_texts.lock_tournaments([*clubs, *Club.objects.filter(players__in=players_of_account(user))])
    for club in clubs:
        lock_club(club.pk)
    locked = User.objects.select_for_update().get(pk=user.pk)
    if locked.forgotten:
        raise Refused(status=409, code="forgotten", sentence=_("This account was already deleted."))
    for club in clubs:
        if not last_owner and is_last_owner(club, locked):
            sentence = _("You are the last owner of %(club)s. Make somebody else an owner first.")
            raise Refused(status=409, code="last-owner", sentence=sentence % {"club": club.name}, at=club.slug)
    own = lock_players(players_of_account(locked))
    all_clubs = {club.pk: club for club in (*clubs, *(player.club for player in own))}
    names = all_names_of(own) | {locked.email, locked.get_full_name(), locked.first_name, locked.last_name}
    if own:
        _forget(own, names, actor)
    _drop_files(all_clubs.values())
    audit.write_for_person(What.PERSON_FORGOTTEN, person=locked, actor=actor)
    free_text.empty_texts(names=names, clubs=all_clubs.values(), user=locked)
    entrant_texts.empty(players=own, names=names, clubs=all_clubs.values())
    _end_sessions(locked)
    drop_kept_pages()
    _empty_admin_log(User, [locked])
    _delete_owned_rows(locked)
    _empty_account(locked)
    forgotten_list.note([locked])
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


def _delete_owned_rows(user: User) -> None:
    """Delete roles, API keys, mail addresses, factors, sessions, pencils: all rows that cascade with the account, and
    own entries with its mail address.

    Rows with `PROTECT` stay; they store only the account's key.
    """
    OwnEntry.objects.filter(mail__iexact=user.email).delete()
    for relation in User._meta.related_objects:
        if relation.on_delete is models.CASCADE:
            relation.related_model._default_manager.filter(**{relation.field.name: user}).delete()


def _end_sessions(user: User) -> None:
    for session in keyset.each(Session.objects.all()):
        if session.get_decoded().get("_auth_user_id") == str(user.pk):
            session.delete()


def _empty_admin_log(model: type[models.Model], rows: Iterable[models.Model]) -> None:
    """Remove the names that the admin's own log stores for these rows."""
    keys = [str(row.pk) for row in rows]
    kind = ContentType.objects.get_for_model(model)
    LogEntry.objects.filter(content_type=kind, object_id__in=keys).update(object_repr="")
