"""API of a club's people, invitations and audit log, for its owners."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import django_filters
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right, roles
from league.accounts import invitations
from league.audit import What
from league.errors import Refused, unknown_player
from league.models import AuditEntry, Invitation, Membership, Player, Role, User

from .bodies import Body, Patch
from .filters import IdFilter
from .paging import PositionPagination
from .players import PlayerMixin
from .problems import Problem, problem_for
from .views import ClubViewSet

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


class PersonViewSet(ClubViewSet):
    """The people of a club."""

    rights = {
        "list": Right.PEOPLE,
        "retrieve": Right.PEOPLE,
        "partial_update": Right.PEOPLE,
        "destroy": Right.PEOPLE,
    }
    bodies = {"partial_update": RoleBody}
    refusals = (409,)
    serializer_class = PersonAnswer
    lookup_field = "user__pk"
    lookup_url_kwarg = "person"

    def get_queryset(self) -> QuerySet[Membership]:
        return roles.people_of(self.access.club)

    @extend_schema(
        operation_id="people_read", summary=_("The people of the club with their roles"), responses=PeopleAnswer
    )
    def list(self, request: Request, club: str) -> Response:
        return self.answer({"items": self.get_queryset()}, PeopleAnswer)

    @extend_schema(operation_id="person_read", summary=_("A person of the club"))
    def retrieve(self, request: Request, club: str, person: int) -> Response:
        return self.answer(self.get_object())

    @extend_schema(operation_id="person_change", summary=_("Change a person's role"))
    def partial_update(self, request: Request, club: str, person: int) -> Response:
        user = self.get_object().user
        roles.role_give(club=self.access.club, user=user, role=self.sent()["role"], actor=self.person)
        return self.answer(self.get_object())

    @extend_schema(operation_id="person_delete", summary=_("Remove a person from the club"))
    def destroy(self, request: Request, club: str, person: int) -> Response:
        roles.role_take(club=self.access.club, user=self.get_object().user, actor=self.person)
        return self.no_content()


class TieBody(Body):
    """The user to whom a player belongs; null for nobody."""

    person = serializers.IntegerField(allow_null=True, **IDS)  # type: ignore[arg-type]


class TieAnswer(serializers.Serializer[Any]):
    """A player with the user to whom it belongs."""

    player = serializers.IntegerField(source="pk")
    person = serializers.IntegerField(source="user_id", allow_null=True)


class PlayerTieViewSet(PlayerMixin, ClubViewSet):
    """The user to whom a player belongs."""

    rights = {"retrieve": Right.PEOPLE, "update": Right.PEOPLE}
    bodies = {"update": TieBody}
    refusals = (409,)
    serializer_class = TieAnswer

    @extend_schema(operation_id="playerTie_read", summary=_("The person to whom a player belongs"))
    def retrieve(self, request: Request, club: str, player: int) -> Response:
        return self.answer(self.player())

    @extend_schema(operation_id="playerTie_put", summary=_("Set the person to whom a player belongs"))
    def update(self, request: Request, club: str, player: int) -> Response:
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


class InvitationViewSet(ListModelMixin, ClubViewSet):
    """The invitations of a club."""

    secret_actions = ("list", "create")
    rights = {"list": Right.PEOPLE, "create": Right.PEOPLE, "destroy": Right.PEOPLE}
    bodies = {"create": InvitationBody}
    refusals = (409,)
    serializer_class = InvitationAnswer
    pagination_class = PositionPagination
    ordering = ("-created_at", "pk")
    lookup_url_kwarg = "invitation"
    lookup_value_converter = "uuid"
    token = ""

    def get_queryset(self) -> QuerySet[Invitation]:
        return invitations.usable_invitations(self.access.club)

    @extend_schema(operation_id="invitations_list", summary=_("Invitations that are open"))
    def list(self, request: Request, club: str) -> Response:
        return super().list(request)

    @extend_schema(
        operation_id="invitations_post",
        summary=_("Invite somebody: the link lets one person in, once, within a week"),
        responses=NewInvitationAnswer,
    )
    def create(self, request: Request, club: str) -> Response:
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
        return self.created(made.invitation, NewInvitationAnswer, Location=f"{request.path}/{made.invitation.pk}")

    @extend_schema(operation_id="invitationDetail_delete", summary=_("Withdraw an invitation"))
    def destroy(self, request: Request, club: str, invitation: UUID) -> Response:
        rows = Invitation.objects.select_related("club")
        chosen_invitation = get_object_or_404(rows, club=self.access.club, pk=invitation)
        if not invitations.invitation_revoke(invitation=chosen_invitation, author=self.person):
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


class LogViewSet(ListModelMixin, ClubViewSet):
    """The audit log of a club."""

    rights = {"list": Right.SEE_LOG}
    serializer_class = LogAnswer
    filterset_class = LogFilter
    pagination_class = PositionPagination
    ordering = ("-pk",)

    def get_queryset(self) -> QuerySet[AuditEntry]:
        return AuditEntry.objects.filter(club=self.access.club)

    @extend_schema(operation_id="log_list", summary=_("The audit log of the club, the newest line first"))
    def list(self, request: Request, club: str) -> Response:
        return super().list(request)
