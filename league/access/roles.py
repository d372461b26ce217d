"""The people of a club and their roles. A club always has an owner: the last one can neither leave nor lose the role.

Roles are read with every request (`league.access`), so that a change works at once, for pages and API keys.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import Case, IntegerField, Prefetch, QuerySet, Value, When
from django.utils.translation import gettext as _

from .. import audit
from ..audit import What
from ..errors import Refused, unknown_player
from ..locks import lock_club
from ..models import ApiToken, Club, Membership, Player, Role, User
from .persons import lock_person, tied_to_another_account


def people_of(club: Club) -> QuerySet[Membership]:
    """Return the memberships of a club with users and players, most rights first, then the oldest. Two queries."""
    ranked = (Role.OWNER, Role.TREASURER, Role.RECORDER, Role.MEMBER)
    rank = Case(
        *(When(role=role, then=Value(place)) for place, role in enumerate(ranked)),
        default=Value(9),
        output_field=IntegerField(),
    )
    own = Prefetch("user__players", Player.objects.filter(club=club).order_by("nickname"), to_attr="players_here")
    people = Membership.objects.filter(club=club).select_related("user").prefetch_related(own)
    return people.annotate(rank=rank).order_by("rank", "pk")


def is_last_owner(club: Club, user: User) -> bool:
    """Return True if this person is the only owner of the club."""
    owners = Membership.objects.filter(club=club, role=Role.OWNER)
    return owners.filter(user=user).exists() and not owners.exclude(user=user).exists()


@transaction.atomic
def role_give(*, club: Club, user: User, role: str, actor: User | None) -> Membership:
    """Give a person of the club another role. The same role again changes nothing.

    Raises:
        Refused: 404 for a person who is not in the club; 422 for an unknown role; 409 for the last owner.
    """
    if role not in Role.values:
        raise Refused(status=422, code="role", sentence=_("There is no such role."), at="role")
    lock_club(club.pk)
    membership = _membership(club, user)
    if membership.role == role:
        return membership
    if membership.role == Role.OWNER:
        _check_not_last(club, user)
    before, membership.role = membership.role, role
    membership.save(update_fields=["role"])
    data = {"role": str(role), "before": str(before)}
    audit.write(What.ROLE_GIVEN, club=club, actor=actor, about=f"user:{user.pk}", data=data)
    return membership


@transaction.atomic
def role_set(*, club: Club, user: User, role: str, actor: User | None) -> Membership:
    """Add a user to the club with a role, or change the role of a member. Raises as `role_give` does.

    This adds any user without an invitation: the caller's gate admits superusers of the server only.
    """
    lock_club(club.pk)
    membership, new = Membership.objects.get_or_create(club=club, user=user, defaults={"role": role})
    if not new:
        return role_give(club=club, user=user, role=role, actor=actor)
    audit.write(What.ROLE_GIVEN, club=club, actor=actor, about=f"user:{user.pk}", data={"role": str(role)})
    return membership


@transaction.atomic
def role_take(*, club: Club, user: User, actor: User | None) -> None:
    """Take a person out of the club. Their players stay without an account; their API keys for this club end.

    Raises:
        Refused: 404 for a person who is not in the club; 409 for the last owner.
    """
    lock_club(club.pk)
    membership = _membership(club, user)
    _check_not_last(club, user)
    Player.objects.filter(club=club, user=user).update(user=None)
    ApiToken.objects.filter(club=club, user=user).delete()
    role = str(membership.role)
    membership.delete()
    audit.write(What.ROLE_TAKEN, club=club, actor=actor, about=f"user:{user.pk}", data={"role": role})


@transaction.atomic
def player_tie(*, club: Club, player: Player, user: User | None, actor: User | None) -> Player:
    """Tie a player to the account of a person of the club; None unties the player.

    Raises:
        Refused: 404 for a person or a player who is not in the club; 409 for a player who was forgotten, who is merged
            into another one, or whose person has another account.
    """
    # With the lock the person cannot leave and the player cannot be merged meanwhile.
    lock_club(club.pk)
    known = Player.objects.filter(club=club, pk=player.pk).first()
    players = lock_person(known) if known else []
    locked = next((candidate for candidate in players if candidate.pk == player.pk), None)
    if locked is None:
        raise unknown_player(player.pk, "player", status=404)
    if user is not None:
        _membership(club, user)
    if locked.user_id == (user.pk if user else None):
        return locked
    if user is not None and locked.anonymised_at is not None:
        sentence = _("This player was forgotten; no account can be linked any more.")
        raise Refused(status=409, code="forgotten", sentence=sentence, at="player")
    if user is not None and locked.main_id is not None:
        sentence = _("%(player)s counts for another player. Choose that one.") % {"player": locked.nickname}
        raise Refused(status=409, code="merged", sentence=sentence, at="player")
    taken = tied_to_another_account(players, user)
    if user is not None and taken is not None:
        values = {"player": taken.nickname}
        sentence = _("%(player)s is already linked to another account. Unlink that one first.") % values
        raise Refused(status=409, code="tied", sentence=sentence, at="player")
    locked.user = user
    locked.save(update_fields=["user"])
    about, data = f"player:{locked.pk}", {"user": user.pk if user else None}
    audit.write(What.PLAYER_CLAIMED, club=club, actor=actor, about=about, data=data)
    return locked


def _membership(club: Club, user: User) -> Membership:
    membership = Membership.objects.filter(club=club, user=user).first()
    if membership is None:
        raise Refused(status=404, code="person", sentence=_("There is no such person in this club."), at="user")
    return membership


def _check_not_last(club: Club, user: User) -> None:
    if is_last_owner(club, user):
        sentence = _("A club needs an owner, and this is the last one. Make somebody else an owner first.")
        raise Refused(status=409, code="last-owner", sentence=sentence)
