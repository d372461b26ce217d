"""Who is of a club and as what, who is invited, and what was done: for its owners."""

from __future__ import annotations

from typing import Any

import django_filters
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league import roles
from league.access import Right
from league.accounts import invitations
from league.audit import What
from league.models import AuditEntry, Invitation, Membership, Player, Role, User

from .base import ClubView, Op
from .bodies import Body, IdFilter, Patch
from .players import PlayerView
from .problems import Problem, told_as

IDS = {"min_value": 1, "max_value": 2**53}


@told_as(invitations.InvitationError)
def _of_invitation(fault: invitations.InvitationError) -> Problem:
    gone = isinstance(fault, invitations.InvitationGone)
    return Problem(409 if gone else 422, "invitation", str(fault))


class PersonAnswer(serializers.Serializer[Any]):
    """Somebody of the club."""

    id = serializers.IntegerField(source="user_id")
    name = serializers.CharField(source="user.get_full_name", allow_blank=True)
    email = serializers.EmailField(source="user.email")
    role = serializers.ChoiceField(choices=Role.choices)
    players = serializers.SerializerMethodField()

    def get_players(self, membership: Membership) -> list[int]:
        return [player.pk for player in getattr(membership.user, "players_here", [])]


class PeopleAnswer(serializers.Serializer[Any]):
    """Everybody of the club, those with the most rights first."""

    items = PersonAnswer(many=True)


class RoleBody(Patch):
    """Another role."""

    role = serializers.ChoiceField(choices=Role.choices)


PERSON = {"id": 7, "name": "Anna Muster", "email": "anna@example.org", "role": "recorder", "players": [3]}


class People(ClubView):
    """Who is of the club."""

    ops = {
        "GET": Op(Right.PEOPLE, _("Who is of the club, and as what"), answer=PeopleAnswer, example={"items": [PERSON]})
    }

    def get(self, request: Request, club: str) -> Response:
        return self.told({"items": roles.people_of(self.access.club)})


class Person(ClubView):
    """Somebody of the club."""

    ops = {
        "GET": Op(Right.PEOPLE, _("Somebody of the club"), answer=PersonAnswer, example=PERSON),
        "PATCH": Op(
            Right.PEOPLE,
            _("Give somebody another role"),
            answer=PersonAnswer,
            body=RoleBody,
            refusals=(409,),
            example=PERSON,
            body_example={"role": "treasurer"},
        ),
        "DELETE": Op(Right.PEOPLE, _("Somebody is no longer of the club"), status=204, refusals=(409,)),
    }

    def member(self) -> Membership:
        """The person of the address. Raises Http404."""
        found = roles.people_of(self.access.club).filter(user__pk=self.kwargs["person"]).first()
        if found is None:
            raise Http404
        return found

    def get(self, request: Request, club: str, person: int) -> Response:
        return self.told(self.member())

    def patch(self, request: Request, club: str, person: int) -> Response:
        user = self.member().user
        roles.role_give(club=self.access.club, user=user, role=self.sent()["role"], actor=self.person)
        return self.told(self.member())

    def delete(self, request: Request, club: str, person: int) -> Response:
        roles.role_take(club=self.access.club, user=self.member().user, actor=self.person)
        return self.done()


class TieBody(Body):
    """Whose account the player is tied to; null: nobody's."""

    person = serializers.IntegerField(allow_null=True, **IDS)  # type: ignore[arg-type]


class TieAnswer(serializers.Serializer[Any]):
    """A player with the person it is tied to."""

    player = serializers.IntegerField(source="pk")
    person = serializers.IntegerField(source="user_id", allow_null=True)


class PlayerTie(PlayerView):
    """Whose account a player is."""

    ops = {
        "GET": Op(Right.PEOPLE, _("Whose account a player is"), answer=TieAnswer, example={"player": 3, "person": 7}),
        "PUT": Op(
            Right.PEOPLE,
            _("Say whose account a player is"),
            answer=TieAnswer,
            body=TieBody,
            refusals=(409,),
            example={"player": 3, "person": 7},
            body_example={"person": 7},
        ),
    }

    def get(self, request: Request, club: str, player: int) -> Response:
        return self.told(self.player())

    def put(self, request: Request, club: str, player: int) -> Response:
        known, wanted = self.player(), self.sent()["person"]
        user = None
        if wanted is not None:
            user = User.objects.filter(pk=wanted, memberships__club=self.access.club).first()
            if user is None:
                raise Http404
        return self.told(roles.player_tie(club=self.access.club, player=known, user=user, actor=self.person))


class InvitationAnswer(serializers.Serializer[Any]):
    """An invitation that can still be taken up."""

    id = serializers.UUIDField()
    role = serializers.ChoiceField(choices=Role.choices)
    player = serializers.IntegerField(source="player_id", allow_null=True)
    note = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class NewInvitationAnswer(InvitationAnswer):
    """The same with its link, which is shown now and never again."""

    link = serializers.SerializerMethodField()

    def get_link(self, invitation: Invitation) -> str:
        view = self.context["view"]
        return str(view.request.build_absolute_uri(reverse("join", kwargs={"token": view.token})))


class InvitationBody(Body):
    """Whom to let in: as what, and as which player."""

    role = serializers.ChoiceField(choices=Role.choices, default=Role.MEMBER)
    player = serializers.IntegerField(allow_null=True, default=None, **IDS)  # type: ignore[arg-type]
    note = serializers.CharField(max_length=80, allow_blank=True, default="")


INVITATION = {
    "id": "3e0f0a0c-7a4e-4a56-8f5a-0d7b6a1c2e33",
    "role": "member",
    "player": 3,
    "note": "Anna",
    "created_at": "2026-11-20T18:00:00+01:00",
    "expires_at": "2026-11-27T18:00:00+01:00",
}


class Invitations(ClubView):
    """Who is invited."""

    token = ""
    ops = {
        "GET": Op(
            Right.PEOPLE, _("Invitations that are open"), answer=InvitationAnswer, paged=True, example=INVITATION
        ),
        "POST": Op(
            Right.PEOPLE,
            _("Invite somebody: the link lets one person in, once, within a week"),
            answer=NewInvitationAnswer,
            status=201,
            body=InvitationBody,
            refusals=(409,),
            example={**INVITATION, "link": "https://club.example/join/…"},
            body_example={"role": "member", "player": 3, "note": "Anna"},
        ),
    }

    def get(self, request: Request, club: str) -> Response:
        return self.told_page(invitations.invitations_open(self.access.club), ["-created_at", "pk"])

    def post(self, request: Request, club: str) -> Response:
        sent = self.sent()
        player = None
        if sent["player"] is not None:
            player = Player.objects.filter(club=self.access.club, pk=sent["player"]).first()
            if player is None:
                raise Http404
        made = invitations.invitation_create(
            club=self.access.club, author=self.person, role=sent["role"], player=player, note=sent["note"]
        )
        self.token = made.token
        return self.told(made.invitation, Location=f"{request.path}/{made.invitation.pk}")


class InvitationHome(ClubView):
    """An invitation."""

    ops = {"DELETE": Op(Right.PEOPLE, _("Take an invitation back"), status=204, refusals=(409,))}

    def delete(self, request: Request, club: str, invitation: Any) -> Response:
        found = Invitation.objects.filter(club=self.access.club, pk=invitation).select_related("club").first()
        if found is None:
            raise Http404
        if not invitations.invitation_revoke(invitation=found, author=self.person):
            raise Problem(409, "invitation", _t("It was taken up, taken back or ran out before."))
        return self.done()


class LogAnswer(serializers.Serializer[Any]):
    """A line of the log. `what` is a code, `about` names the thing (`player:12`), `data` codes, numbers and ids."""

    id = serializers.IntegerField(source="pk")
    at = serializers.DateTimeField()
    actor = serializers.IntegerField(source="actor_id", allow_null=True)
    key = serializers.CharField(source="token", allow_blank=True)
    what = serializers.CharField()
    about = serializers.CharField(allow_blank=True)
    data = serializers.DictField()  # type: ignore[assignment]


class LogFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Which lines."""

    what = django_filters.ChoiceFilter(choices=[(what.value, what.value) for what in What], label=_("What was done."))
    actor = IdFilter(field_name="actor", label=_("Who did it: a person's id."))

    class Meta:
        model = AuditEntry
        fields = ["what", "actor"]


class Log(ClubView):
    """The club's log."""

    ops = {
        "GET": Op(
            Right.SEE_LOG,
            _("What was done in the club, the newest first"),
            answer=LogAnswer,
            paged=True,
            filters=LogFilter,
            example={
                "id": 91,
                "at": "2026-11-20T18:00:00+01:00",
                "actor": 7,
                "key": "",
                "what": "role_given",
                "about": "user:9",
                "data": {"role": "recorder", "before": "member"},
            },
        )
    }

    def get(self, request: Request, club: str) -> Response:
        return self.told_page(AuditEntry.objects.filter(club=self.access.club), ["-pk"])
