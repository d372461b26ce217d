"""Who is of a club, and as what. There is always an owner: the last one can neither leave nor become less.

Rights are read with every request (`league.access`), so that what is done here works at once, for pages and programs.
"""

from __future__ import annotations

from django.db import connection, transaction
from django.db.models import Case, IntegerField, Prefetch, QuerySet, Value, When
from django.utils.translation import gettext as _

from . import audit
from .audit import What
from .errors import Refused
from .models import ApiToken, Club, Membership, Player, Role, User
from .roster.person import lock_person, of_another


def people_of(club: Club) -> QuerySet[Membership]:
    """The people of a club with their players, those with the most rights first, then who came first. Two queries."""
    order = {role: place for place, role in enumerate((Role.OWNER, Role.TREASURER, Role.RECORDER, Role.MEMBER))}
    rank = Case(
        *(When(role=role, then=Value(place)) for role, place in order.items()),
        default=Value(9),
        output_field=IntegerField(),
    )
    own = Prefetch("user__players", Player.objects.filter(club=club).order_by("nickname"), to_attr="players_here")
    people = Membership.objects.filter(club=club).select_related("user").prefetch_related(own)
    return people.annotate(rank=rank).order_by("rank", "pk")


def is_last_owner(club: Club, user: User) -> bool:
    """Whether the club would have no owner without this person."""
    owners = Membership.objects.filter(club=club, role=Role.OWNER)
    return owners.filter(user=user).exists() and not owners.exclude(user=user).exists()


@transaction.atomic
def role_give(*, club: Club, user: User, role: str, actor: User | None) -> Membership:
    """Give somebody of the club another role. The role that the person has already changes nothing.

    Raises:
        Refused: 404 for somebody who is not of the club; 422 for a role that is none; 409 for the last owner.
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
    """Bring somebody into the club with a role, or give the role to who is of it. As `role_give`; anybody may be named:
    that this is for whoever runs the server is for the caller's gate."""
    lock_club(club.pk)
    membership, new = Membership.objects.get_or_create(club=club, user=user, defaults={"role": role})
    if not new:
        return role_give(club=club, user=user, role=role, actor=actor)
    audit.write(What.ROLE_GIVEN, club=club, actor=actor, about=f"user:{user.pk}", data={"role": str(role)})
    return membership


@transaction.atomic
def role_take(*, club: Club, user: User, actor: User | None) -> None:
    """Somebody is no longer of the club, or leaves it. Their players stay, tied to nobody; keys for this club end.

    Raises:
        Refused: 404 for somebody who is not of the club; 409 for the last owner.
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
    """Say that a player is this person of the club; None: that nobody's account is tied to the player.

    Raises:
        Refused: 404 for a person or a player who is not of the club; 409 for a player who was forgotten, or who is
            somebody else's, as is any other player who counts for that one.
    """
    # Neither does the person leave meanwhile, nor is the player taken for one with another.
    lock_club(club.pk)
    found = Player.objects.filter(club=club, pk=player.pk).first()
    people = lock_person(found) if found else []
    locked = next((one for one in people if one.pk == player.pk), None)
    if locked is None:
        raise Refused(status=404, code="player", sentence=_("There is no such player in this club."), at="player")
    if user is not None:
        _membership(club, user)
    if locked.user_id == (user.pk if user else None):
        return locked
    if user is not None and locked.anonymised_at is not None:
        sentence = _("This player was forgotten; nobody can be it any more.")
        raise Refused(status=409, code="forgotten", sentence=sentence, at="player")
    if user is not None and locked.main_id is not None:
        said = _("%(player)s counts for another player. Choose that one.") % {"player": locked.nickname}
        raise Refused(status=409, code="merged", sentence=said, at="player")
    taken = of_another(people, user)
    if user is not None and taken is not None:
        said = _("%(player)s is somebody else already. Untie that account first.") % {"player": taken.nickname}
        raise Refused(status=409, code="tied", sentence=said, at="player")
    locked.user = user
    locked.save(update_fields=["user"])
    about, data = f"player:{locked.pk}", {"user": user.pk if user else None}
    audit.write(What.PLAYER_CLAIMED, club=club, actor=actor, about=about, data=data)
    return locked


def lock_club(club_id: int) -> None:
    """One at a time for what a club has once, its last owner among it. Who only names the club in a row does not
    wait."""
    rows = Club.objects.order_by()
    if connection.features.has_select_for_no_key_update:
        rows = rows.select_for_update(no_key=True)
    else:
        rows = rows.select_for_update()
    rows.get(pk=club_id)


def _membership(club: Club, user: User) -> Membership:
    found = Membership.objects.filter(club=club, user=user).first()
    if found is None:
        raise Refused(status=404, code="person", sentence=_("There is no such person in this club."), at="user")
    return found


def _check_not_last(club: Club, user: User) -> None:
    if is_last_owner(club, user):
        sentence = _("A club needs an owner, and this is its last one. Make somebody else an owner first.")
        raise Refused(status=409, code="last-owner", sentence=sentence)
