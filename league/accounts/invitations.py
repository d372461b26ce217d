"""Invitations: a link lets one person into a club, once and within a week. Of the link only its SHA-256 is kept.

A link that is lost cannot be shown again: take the invitation back and make another.
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
from league.audit import What
from league.models import Club, Invitation, Membership, Player, Role, User
from league.roles import lock_club
from league.roster.person import lock_person, of_another

VALID_FOR = timedelta(days=7)
RANK = {Role.MEMBER.value: 0, Role.RECORDER.value: 1, Role.TREASURER.value: 2, Role.OWNER.value: 3}
"""Who is in a club already keeps the higher of two roles."""


class InvitationError(Exception):
    """An invitation cannot be made or taken up; the text is a sentence for people."""


class InvitationGone(InvitationError):
    """It was taken up, taken back, is too old, or never was."""


@dataclass(frozen=True)
class Made:
    """A new invitation with its `token`, which is nowhere else: the page that gets it shows it once."""

    invitation: Invitation
    token: str


def digest_of(token: str) -> str:
    """What is kept of a token. It is 32 random bytes, so that a fast hash without salt is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


# --- What there is -----------------------------------------------------------------------------------------


def invitations_open(club: Club) -> QuerySet[Invitation]:
    """A club's invitations that somebody can still take up, newest first, each with its player. One query."""
    return _still().filter(club=club).select_related("player", "author")


def invitation_of(digest: str) -> Invitation | None:
    """The invitation with this digest, with club and player, whatever became of it."""
    return Invitation.objects.filter(digest=digest).select_related("club", "player").first()


# --- What is done with them --------------------------------------------------------------------------------


@transaction.atomic
def invitation_create(
    *, club: Club, author: User, role: str = Role.MEMBER, player: Player | None = None, note: str = ""
) -> Made:
    """Invite somebody to `club`, as `player` where one is named. Who may is for the caller's gate (`Right.PEOPLE`).

    Raises:
        InvitationError: the player is of another club, already somebody's, out of the roster for good, or the role is
            unknown.
    """
    if role not in Role.values:
        raise InvitationError(_("There is no such role."))
    if player is not None:
        lock_club(club.pk)
        _check_claimable(club, player, None)
        # Two links for one player would let the second who comes find it taken.
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
    return Made(invitation, token)


def _check_claimable(club: Club, player: Player, user: User | None) -> None:
    """Locks all who are one person with the player: if one of them were another's, two accounts would be each other.
    The caller holds the club's lock."""
    player = Player.objects.get(pk=player.pk)
    if player.club_id != club.pk:
        raise InvitationError(_("There is no such player in this club."))
    if player.anonymised_at is not None:
        raise InvitationError(_("This player was forgotten; nobody can be it any more."))
    if player.main_id is not None:
        raise InvitationError(_("%(player)s counts for another player. Choose that one.") % {"player": player.nickname})
    taken = of_another(lock_person(player), user)
    if taken is not None:
        raise InvitationError(_("%(player)s has an account already.") % {"player": taken.nickname})


@transaction.atomic
def invitation_revoke(*, invitation: Invitation, author: User) -> bool:
    """Take an invitation back. False when it was too late: it has been taken up, taken back or ran out before."""
    now = timezone.now()
    still = Invitation.objects.filter(pk=invitation.pk, used_at=None, revoked_at=None, expires_at__gt=now)
    if not still.update(revoked_at=now):
        return False
    audit.write(
        What.INVITATION_REVOKED, club=invitation.club, actor=author, about=f"invitation:{invitation.pk}", data={}
    )
    return True


@transaction.atomic
def invitation_take_up(*, digest: str, user: User) -> Membership:
    """`user` joins the club and becomes the player named; of several at once the database lets one through.

    Who is of the club already keeps the higher of both roles. The same person may come twice.

    Raises:
        InvitationGone: somebody else was first or has it kept for them, it was taken back, it ran out, or it never was.
        InvitationError: the player got an account in another way since; the invitation stays open.
    """
    invitation = invitation_of(digest)
    if invitation is None:
        raise InvitationGone(_("This invitation does not exist. Look whether the link is whole."))
    club = invitation.club
    # With every other change of a role: what is read below is what stands.
    lock_club(club.pk)
    if not _take(invitation, user):
        mine = Membership.objects.filter(club=club, user=user).first()
        if mine and Invitation.objects.filter(pk=invitation.pk, used_by=user).exists():
            return mine
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
def invitation_keep(*, invitation: Invitation, user: User) -> None:
    """Keep the invitation for the account that is made by way of it, in one transaction with that: it makes no second
    one. One conditional UPDATE decides.

    Raises:
        InvitationGone: another account was made by way of it, or nobody can take it up any more.
    """
    if not _still().filter(pk=invitation.pk, taken_by=None).update(taken_by=user):
        raise InvitationGone(no_sign_up_because(Invitation.objects.get(pk=invitation.pk)))


def _take(invitation: Invitation, user: User) -> bool:
    """Whether this call is the one that gets the invitation: one conditional UPDATE decides, no look before it."""
    free = Q(taken_by=None) | Q(taken_by=user)
    return bool(_still().filter(free, pk=invitation.pk).update(used_at=timezone.now(), used_by=user))


def _still() -> QuerySet[Invitation]:
    """Those that somebody can still take up."""
    good = Q(used_at=None, revoked_at=None, expires_at__gt=timezone.now())
    return Invitation.objects.filter(good, _by_one_who_may())


def _by_one_who_may() -> Exists:
    """Whoever lost the right to invite has lost what was invited with it: else an old link would be a way back."""
    may = [role for role in Role.values if Right.PEOPLE in rights_of(role)]
    return Exists(Membership.objects.filter(club=OuterRef("club"), user=OuterRef("author"), role__in=may))


def _claim(club: Club, player: Player, user: User) -> None:
    # What is raised here rolls the whole back, so that the invitation is not lost.
    _check_claimable(club, player, user)
    Player.objects.filter(pk=player.pk).update(user=user)
    audit.write(What.PLAYER_CLAIMED, club=club, actor=user, about=f"player:{player.pk}", data={"user": user.pk})


def gone_because(invitation: Invitation, user: User | None = None) -> str:
    """Why nobody can take it up any more, or not this person, in one sentence; empty while somebody can. Of who is not
    signed in nobody knows whether the invitation is kept for them."""
    if invitation.used_at is not None:
        return _("This invitation has been taken up. Ask the owner of the club for another.")
    if invitation.revoked_at is not None:
        return _("This invitation was taken back. Ask the owner of the club for another.")
    if invitation.expires_at <= timezone.now():
        return _("This invitation was good for seven days, and these are over. Ask the owner of the club for another.")
    if not Invitation.objects.filter(_by_one_who_may(), pk=invitation.pk).exists():
        return _("Who invited is no owner of the club any more. Ask its owner for another.")
    return _kept() if user is not None and invitation.taken_by_id not in (None, user.pk) else ""


def no_sign_up_because(invitation: Invitation) -> str:
    """Why no account can be made by way of it, in one sentence; empty while one can."""
    return gone_because(invitation) or ("" if invitation.taken_by_id is None else _kept())


def _kept() -> str:
    return _("This invitation is kept for the account that was made with it. Ask the owner of the club for another.")
