"""Invitations: a link lets one person into a club, once and within a week. Only the SHA-256 of its token is stored.

A lost link cannot be shown again: the owner withdraws the invitation and creates another one.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league import audit
from league.access import Right, rights_of
from league.access.persons import lock_person, tied_to_another_account
from league.audit import What
from league.locks import lock_club
from league.models import Club, Invitation, Membership, Player, Role, User

VALID_FOR = timedelta(days=7)
RANK = {Role.MEMBER.value: 0, Role.RECORDER.value: 1, Role.TREASURER.value: 2, Role.OWNER.value: 3}
"""A person who is already in the club keeps the higher of two roles."""


class InvitationError(Exception):
    """An invitation cannot be created or accepted; the text is a sentence for people."""


class InvitationGone(InvitationError):
    """The invitation was accepted or withdrawn, has expired, or does not exist."""


@dataclass(frozen=True)
class NewInvitation:
    """A new invitation with its `token`, which is not stored: the answer shows it once."""

    invitation: Invitation
    token: str


def digest_of(token: str) -> str:
    """Return the stored form of a token. A token is 32 random bytes, so that a fast hash without salt is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


# --- Reading -----------------------------------------------------------------------------------------------


def usable_invitations(club: Club) -> QuerySet[Invitation]:
    """Return a club's invitations that can still be accepted, newest first, with their players. One query."""
    return _usable().filter(club=club).select_related("player", "author")


def invitation_of(digest: str) -> Invitation | None:
    """Return the invitation with this digest, with club and player, also if it cannot be accepted any more."""
    return Invitation.objects.filter(digest=digest).select_related("club", "player").first()


# --- Writing -----------------------------------------------------------------------------------------------


@transaction.atomic
def invitation_create(
    *, club: Club, author: User, role: str = Role.MEMBER, player: Player | None = None, note: str = ""
) -> NewInvitation:
    """Create an invitation to a club, for a player or for nobody yet. The caller's gate checks `Right.PEOPLE`.

    Raises:
        InvitationError: the player is in another club, is tied to an account, is merged or forgotten, or the role is
            unknown.
    """
    if role not in Role.values:
        raise InvitationError(_("There is no such role."))
    if player is not None:
        lock_club(club.pk)
        _check_claimable(club, player, None)
        # One link per player: the person with the second link would find the player taken.
        club.invitations.filter(player=player, used_at=None, revoked_at=None).update(revoked_at=timezone.now())
    token = secrets.token_urlsafe(32)
    invitation = Invitation.objects.create(
        club=club,
        role=role,
        player=player,
        note=note.strip(),
        digest=digest_of(token),
        author=author,
        expires_at=timezone.now() + VALID_FOR,
    )
    data = {"role": str(role), "player": player.pk if player else None}
    audit.write(What.INVITED, club=club, actor=author, about=f"invitation:{invitation.pk}", data=data)
    return NewInvitation(invitation, token)


def _check_claimable(club: Club, player: Player, user: User | None) -> None:
    """Check that the player and all players of the same person have no other account, and lock them.

    The caller holds the club's lock.
    """
    player = Player.objects.get(pk=player.pk)
    if player.club_id != club.pk:
        raise InvitationError(_("There is no such player in this club."))
    if player.anonymised_at is not None:
        raise InvitationError(_("This player was forgotten; no account can be linked any more."))
    if player.main_id is not None:
        raise InvitationError(_("%(player)s counts for another player. Choose that one.") % {"player": player.nickname})
    taken = tied_to_another_account(lock_person(player), user)
    if taken is not None:
        raise InvitationError(_("%(player)s already has an account.") % {"player": taken.nickname})


@transaction.atomic
def invitation_revoke(*, invitation: Invitation, author: User) -> bool:
    """Withdraw an invitation. Return False if it was already accepted, withdrawn or expired."""
    now = timezone.now()
    usable = Invitation.objects.filter(pk=invitation.pk, used_at=None, revoked_at=None, expires_at__gt=now)
    if not usable.update(revoked_at=now):
        return False
    audit.write(
        What.INVITATION_REVOKED, club=invitation.club, actor=author, about=f"invitation:{invitation.pk}", data={}
    )
    return True


@transaction.atomic
def invitation_accept(*, digest: str, user: User) -> Membership:
    """Add the user to the club and tie the invitation's player to the user. Of several requests at once one succeeds.

    A person who is already in the club keeps the higher of both roles. The same person may repeat the request.

    Raises:
        InvitationGone: it was accepted by or is reserved for another account, was withdrawn, expired, does not exist.
        InvitationError: the player got another account meanwhile; the invitation stays usable.
    """
    invitation = invitation_of(digest)
    if invitation is None:
        raise InvitationGone(_("This invitation does not exist. Check that the link is complete."))
    club = invitation.club
    # Every change of a role locks the club, so that the roles that are read below stay valid.
    lock_club(club.pk)
    if not _mark_as_used(invitation, user):
        own = Membership.objects.filter(club=club, user=user).first()
        if own and Invitation.objects.filter(pk=invitation.pk, used_by=user).exists():
            return own
        raise InvitationGone(gone_because(Invitation.objects.get(pk=invitation.pk), user))
    membership, new = Membership.objects.get_or_create(club=club, user=user, defaults={"role": invitation.role})
    about = f"user:{user.pk}"
    audit.write(
        What.INVITATION_USED,
        club=club,
        actor=user,
        about=f"invitation:{invitation.pk}",
        data={"role": invitation.role, "player": invitation.player_id},
    )
    if not new and RANK[membership.role] < RANK[invitation.role]:
        membership.role = invitation.role
        membership.save(update_fields=["role"])
        new = True
    if new:
        audit.write(What.ROLE_GIVEN, club=club, actor=user, about=about, data={"role": membership.role})
    if invitation.player is not None:
        _claim(club, invitation.player, user)
    return membership


@transaction.atomic
def invitation_reserve(*, invitation: Invitation, user: User) -> None:
    """Reserve the invitation for the account that is created with it, in the transaction that creates the account.

    An invitation creates one account only; one conditional UPDATE decides.

    Raises:
        InvitationGone: another account was created with it, or it cannot be accepted any more.
    """
    if not _usable().filter(pk=invitation.pk, taken_by=None).update(taken_by=user):
        raise InvitationGone(no_sign_up_because(Invitation.objects.get(pk=invitation.pk)))


def _mark_as_used(invitation: Invitation, user: User) -> bool:
    """Return True if this request is the one that uses the invitation; one conditional UPDATE decides."""
    free = Q(taken_by=None) | Q(taken_by=user)
    return bool(_usable().filter(free, pk=invitation.pk).update(used_at=timezone.now(), used_by=user))


def _usable() -> QuerySet[Invitation]:
    """Return the invitations that can still be accepted."""
    valid = Q(used_at=None, revoked_at=None, expires_at__gt=timezone.now())
    return Invitation.objects.filter(valid, _author_may_invite())


def _author_may_invite() -> Exists:
    """A condition: the author still has the right to invite. Without it a removed owner could return by an old link."""
    may = [role for role in Role.values if Right.PEOPLE in rights_of(role)]
    return Exists(Membership.objects.filter(club=OuterRef("club"), user=OuterRef("author"), role__in=may))


def _claim(club: Club, player: Player, user: User) -> None:
    # An exception rolls back the transaction, so that the invitation stays usable.
    _check_claimable(club, player, user)
    Player.objects.filter(pk=player.pk).update(user=user)
    audit.write(What.PLAYER_CLAIMED, club=club, actor=user, about=f"player:{player.pk}", data={"user": user.pk})


def gone_because(invitation: Invitation, user: User | None = None) -> str:
    """Return the reason why the invitation cannot be accepted, by anyone or by this user, as a sentence; empty if it
    can.

    For a visitor a reserved invitation counts as usable, as the visitor may own the account.
    """
    if invitation.used_at is not None:
        return _("This invitation has been accepted. Ask the owner of the club for another.")
    if invitation.revoked_at is not None:
        return _("This invitation was withdrawn. Ask the owner of the club for another.")
    if invitation.expires_at <= timezone.now():
        return _("This invitation was valid for seven days and has expired. Ask the owner of the club for another.")
    if not Invitation.objects.filter(_author_may_invite(), pk=invitation.pk).exists():
        return _("Whoever invited you is no longer an owner of the club. Ask its owner for another.")
    return _reserved() if user is not None and invitation.taken_by_id not in (None, user.pk) else ""


def no_sign_up_because(invitation: Invitation) -> str:
    """Return the reason why no account can be created with the invitation, as a sentence; empty if one can."""
    return gone_because(invitation) or ("" if invitation.taken_by_id is None else _reserved())


def _reserved() -> str:
    return _("This invitation belongs to the account that was created with it. Ask the owner of the club for another.")
