"""API of a club's people, invitations and audit log, for its owners."""

from __future__ import annotations

from typing import Any

import django_filters
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right, roles
from league.accounts import invitations
from league.audit import What
from league.errors import Refused, unknown_player
from league.models import AuditEntry, Invitation, Membership, Player, Role, User

from .base import ClubView, Op
from .bodies import Body, IdFilter, Patch
from .players import PlayerView
from .problems import Problem, problem_for

IDS = {"min_value": 1, "max_value": 2**53}


@problem_for(invitations.InvitationError)
def _of_invitation(fault: invitations.InvitationError) -> Problem:
    gone = isinstance(fault, invitations.InvitationGone)
    return Problem(409 if gone else 422, "invitation", str(fault))


class PersonAnswer(serializers.Serializer[Any]):
    """A person of the club."""

    id = serializers.IntegerField(source="user_id")
    name = serializers.CharField(source="user.get_full_name", allow_blank=True)
    email = serializers.EmailField(source="user.email")
    role = serializers.ChoiceField(choices=Role.choices)
    players = serializers.SerializerMethodField()

    def get_players(self, membership: Membership) -> list[int]:
        return [player.pk for player in getattr(membership.user, "players_here", [])]


class PeopleAnswer(serializers.Serializer[Any]):
    """The people of the club, those with the most rights first."""

    items = PersonAnswer(many=True)


class RoleBody(Patch):
    """The new role of a person."""

    role = serializers.ChoiceField(choices=Role.choices)


PERSON = {"id": 7, "name": "Anna Muster", "email": "anna@example.org", "role": "recorder", "players": [3]}


class People(ClubView):
    """The people of a club."""

    ops = {
        "GET": Op(
            Right.PEOPLE, _("The people of the club with their roles"), answer=PeopleAnswer, example={"items": [PERSON]}
        )
    }

    def get(self, request: Request, club: str) -> Response:
        return self.answer({"items": roles.people_of(self.access.club)})


class Person(ClubView):
    """A person of a club."""

    ops = {
        "GET": Op(Right.PEOPLE, _("A person of the club"), answer=PersonAnswer, example=PERSON),
        "PATCH": Op(
            Right.PEOPLE,
            _("Change a person's role"),
            answer=PersonAnswer,
            body=RoleBody,
            refusals=(409,),
            example=PERSON,
            body_example={"role": "treasurer"},
        ),
        "DELETE": Op(Right.PEOPLE, _("Remove a person from the club"), status=204, refusals=(409,)),
    }

    def member(self) -> Membership:
        """Return the membership that the address names. Raises Http404."""
        found = roles.people_of(self.access.club).filter(user__pk=self.kwargs["person"]).first()
        if found is None:
            raise Http404
        return found

    def get(self, request: Request, club: str, person: int) -> Response:
        return self.answer(self.member())

    def patch(self, request: Request, club: str, person: int) -> Response:
        user = self.member().user
        roles.role_give(club=self.access.club, user=user, role=self.sent()["role"], actor=self.person)
        return self.answer(self.member())

    def delete(self, request: Request, club: str, person: int) -> Response:
        roles.role_take(club=self.access.club, user=self.member().user, actor=self.person)
        return self.no_content()


class TieBody(Body):
    """The user to whom a player belongs; null for nobody."""

    person = serializers.IntegerField(allow_null=True, **IDS)  # type: ignore[arg-type]


class TieAnswer(serializers.Serializer[Any]):
    """A player with the user to whom it belongs."""

    player = serializers.IntegerField(source="pk")
    person = serializers.IntegerField(source="user_id", allow_null=True)


class PlayerTie(PlayerView):
    """The user to whom a player belongs."""

    ops = {
        "GET": Op(
            Right.PEOPLE, _("The person to whom a player belongs"), answer=TieAnswer, example={"player": 3, "person": 7}
        ),
        "PUT": Op(
            Right.PEOPLE,
            _("Set the person to whom a player belongs"),
            answer=TieAnswer,
            body=TieBody,
            refusals=(409,),
            example={"player": 3, "person": 7},
            body_example={"person": 7},
        ),
    }

    def get(self, request: Request, club: str, player: int) -> Response:
        return self.answer(self.player())

    def put(self, request: Request, club: str, player: int) -> Response:
        known, wanted = self.player(), self.sent()["person"]
        user = None
        if wanted is not None:
            user = User.objects.filter(pk=wanted, memberships__club=self.access.club).first()
            if user is None:
                sentence = gettext("There is no such person in this club.")
                raise Refused(status=404, code="person", sentence=sentence, at="person")
        return self.answer(roles.player_tie(club=self.access.club, player=known, user=user, actor=self.person))


class InvitationAnswer(serializers.Serializer[Any]):
    """An invitation that can still be accepted."""

    id = serializers.UUIDField()
    role = serializers.ChoiceField(choices=Role.choices)
    player = serializers.IntegerField(source="player_id", allow_null=True)
    note = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class NewInvitationAnswer(InvitationAnswer):
    """An invitation with its link, which is shown only once."""

    link = serializers.SerializerMethodField()

    def get_link(self, invitation: Invitation) -> str:
        view = self.context["view"]
        return str(view.request.build_absolute_uri(reverse("join", kwargs={"token": view.token})))


class InvitationBody(Body):
    """A new invitation: the role, and the player."""

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
    """The invitations of a club."""

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
        return self.answer_page(invitations.usable_invitations(self.access.club), ["-created_at", "pk"])

    def post(self, request: Request, club: str) -> Response:
        sent = self.sent()
        player = None
        if sent["player"] is not None:
            player = Player.objects.filter(club=self.access.club, pk=sent["player"]).first()
            if player is None:
                raise unknown_player(sent["player"], "player", status=404)
        made = invitations.invitation_create(
            club=self.access.club, author=self.person, role=sent["role"], player=player, note=sent["note"]
        )
        self.token = made.token
        return self.answer(made.invitation, Location=f"{request.path}/{made.invitation.pk}")


class InvitationDetail(ClubView):
    """An invitation."""

    ops = {"DELETE": Op(Right.PEOPLE, _("Withdraw an invitation"), status=204, refusals=(409,))}

    def delete(self, request: Request, club: str, invitation: Any) -> Response:
        found = Invitation.objects.filter(club=self.access.club, pk=invitation).select_related("club").first()
        if found is None:
            raise Http404
        if not invitations.invitation_revoke(invitation=found, author=self.person):
            raise Problem(409, "invitation", gettext("It was accepted or withdrawn, or has expired."))
        return self.no_content()


class LogAnswer(serializers.Serializer[Any]):
    """A line of the audit log: a code, its subject (`player:12`), and `data` of codes, numbers and ids."""

    id = serializers.IntegerField(source="pk")
    at = serializers.DateTimeField()
    actor = serializers.IntegerField(source="actor_id", allow_null=True)
    key = serializers.CharField(source="token", allow_blank=True)
    what = serializers.CharField()
    about = serializers.CharField(allow_blank=True)
    data = serializers.DictField()  # type: ignore[assignment]


class LogFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Filters for lines of the audit log."""

    what = django_filters.ChoiceFilter(choices=[(what.value, what.value) for what in What], label=_("The action."))
    actor = IdFilter(field_name="actor", label=_("The actor: a person's id."))

    class Meta:
        model = AuditEntry
        fields = ["what", "actor"]


class Log(ClubView):
    """The audit log of a club."""

    ops = {
        "GET": Op(
            Right.SEE_LOG,
            _("The audit log of the club, the newest line first"),
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
        return self.answer_page(AuditEntry.objects.filter(club=self.access.club), ["-pk"])
