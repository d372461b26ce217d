"""API of a club's players: the roster, merges, and a player's season."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import django_filters
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import ClubAccess, Right
from league.errors import unknown_player
from league.locks import lock_club
from league.models import EveningScore, Player, PlayerMerge, Standing
from league.roster import merging
from league.roster import services as roster
from league.standings import selectors

from .bodies import Body, Patch
from .paging import PositionPagination
from .permissions import HasRightOrIsPlayer
from .problems import wrong_field
from .seasons import SeasonView
from .standings import StandingAnswer, shown_standing
from .views import ClubView, ClubViewSet

TRUE_FALSE = [("true", "true"), ("false", "false")]


class FlagFilter(django_filters.ChoiceFilter):  # type: ignore[misc]
    """true or false."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=TRUE_FALSE, **kwargs)

    def filter(self, qs: Any, value: str | None) -> Any:
        return super().filter(qs, {"true": True, "false": False}.get(value or "", value))


class PlayerAnswer(serializers.Serializer[Any]):
    """A player with the name that the reader may see. `counts_for` is the main player of a merged one. `publicity` and
    `pseudonym` are null for readers who may not change them."""

    id = serializers.IntegerField()
    name = serializers.SerializerMethodField()
    guest = serializers.BooleanField()
    active = serializers.BooleanField()
    mine = serializers.SerializerMethodField()
    counts_for = serializers.SerializerMethodField()
    forgotten = serializers.SerializerMethodField()
    publicity = serializers.SerializerMethodField()
    pseudonym = serializers.SerializerMethodField()

    @property
    def _access(self) -> ClubAccess:
        access: ClubAccess = self.context["view"].access
        return access

    def get_name(self, player: Player) -> str:
        return self._access.names.show(player.pk, player.nickname)

    def get_mine(self, player: Player) -> bool:
        return player.pk in self._access.player_ids

    def get_counts_for(self, player: Player) -> int | None:
        return player.main_id if self._access.role else None

    def get_forgotten(self, player: Player) -> bool:
        return player.anonymised_at is not None

    def get_publicity(self, player: Player) -> str | None:
        return player.publicity if self._access.may_own(Right.ROSTER, player.pk) else None

    def get_pseudonym(self, player: Player) -> str | None:
        return player.pseudonym if self._access.may_own(Right.ROSTER, player.pk) else None


class PlayerBody(Body):
    """A new player."""

    nickname = serializers.CharField(max_length=roster.MAX_NICKNAME)
    guest = serializers.BooleanField(default=False)


class PlayerChange(Patch):
    """The fields of a player that can be changed; `guest` only with the right `roster`."""

    nickname = serializers.CharField(max_length=roster.MAX_NICKNAME)
    active = serializers.BooleanField()
    publicity = serializers.ChoiceField(choices=Player.Publicity.choices)
    pseudonym = serializers.CharField(max_length=roster.MAX_NICKNAME, allow_blank=True)
    guest = serializers.BooleanField()


class PlayerFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Filters for players."""

    active = FlagFilter(label=_("In the roster, or not."))
    guest = FlagFilter(label=_("Guests, or not."))

    class Meta:
        model = Player
        fields = ["active", "guest"]


class PlayerMixin:
    """A view of one player (`<int:player>` in its address)."""

    access: ClubAccess
    kwargs: dict[str, Any]

    def player(self) -> Player:
        """Return the player that the address names. Raises Http404."""
        return get_object_or_404(Player, club=self.access.club, pk=self.kwargs["player"])

    def main_player(self, pk: int) -> Player:
        """Return the main player that a merge names. Raises Refused (404)."""
        player = Player.objects.filter(club=self.access.club, pk=pk).first()
        if player is None:
            raise unknown_player(pk, "main", status=404)
        return player


class PlayerViewSet(ListModelMixin, ClubViewSet):
    """The players of a club."""

    rights = {"list": Right.READ, "create": Right.ROSTER, "retrieve": Right.READ, "partial_update": Right.ROSTER}
    bodies = {"create": PlayerBody, "partial_update": PlayerChange}
    matched = ("partial_update",)
    refusals = (409,)
    serializer_class = PlayerAnswer
    filterset_class = PlayerFilter
    pagination_class = PositionPagination
    ordering = ("pk",)
    lookup_url_kwarg = "player"

    def get_permissions(self) -> Sequence[Any]:
        return [HasRightOrIsPlayer()] if self.action == "partial_update" else super().get_permissions()

    def get_queryset(self) -> QuerySet[Player]:
        return Player.objects.filter(club=self.access.club)

    @extend_schema(operation_id="players_list", summary=_("The players of a club"))
    def list(self, request: Request, club: str) -> Response:
        return super().list(request)

    @extend_schema(operation_id="players_post", summary=_("Add a player"))
    def create(self, request: Request, club: str) -> Response:
        player = roster.player_add(club=self.access.club, actor=self.person, **self.sent())
        return self.created(player, Location=f"{request.path}/{player.pk}")

    @extend_schema(operation_id="playerDetail_read", summary=_("A player"))
    def retrieve(self, request: Request, club: str, player: int) -> Response:
        return self.answer(self.get_object())

    @extend_schema(operation_id="playerDetail_change", summary=_("Change a player, or remove one from the roster"))
    def partial_update(self, request: Request, club: str, player: int) -> Response:
        known, changes = self.get_object(), self.sent()
        # The club before the player, as every writer does.
        lock_club(known.club_id)
        locked = Player.objects.select_for_update().get(pk=known.pk)
        self.check_match(locked, PlayerAnswer)
        if not self.access.may(Right.ROSTER) and not set(changes) <= set(roster.OWN):
            raise PermissionDenied
        return self.answer(roster.player_change(player=locked, actor=self.person, changes=changes))


class MergeAnswer(serializers.Serializer[Any]):
    """A merge (`merged`: two players are one person from then on) or an unmerge."""

    id = serializers.UUIDField()
    player = serializers.IntegerField(source="player_id")
    main = serializers.IntegerField(source="main_id")
    merged = serializers.BooleanField(source="joined")
    reason = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField(source="created_at")


class ReasonBody(Body):
    """The reason of an action."""

    reason = serializers.CharField(max_length=merging.MAX_REASON)


class MergeBody(ReasonBody):
    """The main player of a merge, with its reason."""

    main = serializers.IntegerField(min_value=1, max_value=2**53)


def _balance(serializer: serializers.Serializer[Any], value: int | None) -> int | None:
    """Return a balance, None for a reader who may not see amounts, such as a key without the scope `money`."""
    access: ClubAccess = serializer.context["view"].access
    return value if access.sees_money() else None


class MergeLine(serializers.Serializer[Any]):
    """A line of a season's standings. The balance is null if the reader may not see it, and in a season in points."""

    rank = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField()
    balance_minor = serializers.SerializerMethodField()
    hands = serializers.IntegerField()

    def get_balance_minor(self, line: merging.SeasonLine) -> int | None:
        return _balance(self, line.balance_minor)


class MergeChange(serializers.Serializer[Any]):
    """A player whose line changes; null where there is no line."""

    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField(source="nickname")
    before = MergeLine(allow_null=True)
    after = MergeLine(allow_null=True)


class MergeSeason(serializers.Serializer[Any]):
    """A season whose standings change."""

    season = serializers.CharField(source="season.slug")
    changes = MergeChange(many=True)


class MergePreviewAnswer(serializers.Serializer[Any]):
    """The preview of a merge. `along`: the players who count for the merged player and come along. Balances over all
    seasons with amounts: of the merged player with them, of the main player, and of the main player afterwards; null if
    the reader may not see them."""

    player = serializers.IntegerField(source="player.pk")
    main = serializers.IntegerField(source="main.pk")
    along = serializers.SerializerMethodField()
    player_minor = serializers.SerializerMethodField()
    main_minor = serializers.SerializerMethodField()
    after_minor = serializers.SerializerMethodField()
    seasons = MergeSeason(many=True)

    def get_along(self, preview: merging.Preview) -> list[int]:
        return [player.pk for player in preview.along]

    def get_player_minor(self, preview: merging.Preview) -> int | None:
        return _balance(self, preview.player_minor)

    def get_main_minor(self, preview: merging.Preview) -> int | None:
        return _balance(self, preview.main_minor)

    def get_after_minor(self, preview: merging.Preview) -> int | None:
        return _balance(self, preview.after_minor)


class PlayerMergeViewSet(PlayerMixin, ListModelMixin, ClubViewSet):
    """The merges of a player."""

    rights = {"list": Right.PEOPLE, "create": Right.PEOPLE, "unmerge": Right.PEOPLE}
    bodies = {"create": MergeBody, "unmerge": ReasonBody}
    refusals = (409,)
    serializer_class = MergeAnswer
    pagination_class = PositionPagination
    ordering = ("created_at", "pk")

    def get_queryset(self) -> QuerySet[PlayerMerge]:
        return PlayerMerge.objects.filter(player=self.player())

    @extend_schema(operation_id="playerMerges_list", summary=_("The merges of a player"))
    def list(self, request: Request, club: str, player: int) -> Response:
        return super().list(request)

    @extend_schema(
        operation_id="playerMerges_post", summary=_("Merge this player into another one: both are one person")
    )
    def create(self, request: Request, club: str, player: int) -> Response:
        chosen_player, sent = self.player(), self.sent()
        main = self.main_player(sent["main"])
        made = merging.players_merge(
            club=self.access.club, player=chosen_player, main=main, reason=sent["reason"], actor=self.person
        )
        return self.created(made)

    @extend_schema(
        operation_id="playerUnmerge_post",
        summary=_("Unmerge: this player counts for itself again"),
        responses={201: MergeAnswer},
    )
    def unmerge(self, request: Request, club: str, player: int) -> Response:
        chosen_player, sent = self.player(), self.sent()
        parted = merging.players_unmerge(
            club=self.access.club, player=chosen_player, reason=sent["reason"], actor=self.person
        )
        return self.created(parted)


class MergePreviewView(PlayerMixin, ClubView):
    """The preview of a merge."""

    rights = {"get": Right.PEOPLE}
    queries = {
        "get": {"main": {"type": "integer", "minimum": 1, "description": _("The main player's id."), "required": True}}
    }
    refusals = (409,)
    serializer_class = MergePreviewAnswer

    @extend_schema(operation_id="mergePreview_read", summary=_("Preview the changes by a merge"))
    def get(self, request: Request, club: str, player: int) -> Response:
        chosen_player, wanted = self.player(), self.whole_number("main", most=10**9 - 1)
        if wanted is None:
            raise wrong_field("main", "required", gettext("Name the main player."))
        main = self.main_player(wanted)
        return self.answer(merging.merge_preview(club=self.access.club, player=chosen_player, main=main))


class PlayerEveningAnswer(serializers.Serializer[Any]):
    """A player's evening as counted. `hands` is 0 if the player was absent."""

    evening = serializers.IntegerField(source="evening_id")
    number = serializers.IntegerField(source="evening.number")
    held_on = serializers.DateField(source="evening.held_on")
    backdated = serializers.BooleanField(help_text=_("True if the evening was added later, between others."))
    hands = serializers.IntegerField()
    points = serializers.IntegerField()
    points_after = serializers.IntegerField()
    rank_after = serializers.IntegerField(
        help_text=_("The place in the list after this evening; players whom the formula does not rank come last.")
    )
    imported = serializers.BooleanField(
        source="evening.is_imported", help_text=_("Whether the evening came from a file.")
    )
    change_minor = serializers.SerializerMethodField()
    balance_after_minor = serializers.SerializerMethodField()

    def _amount(self, score: EveningScore, value: int) -> int | None:
        access: ClubAccess = self.context["view"].access
        return value if access.sees_money(score.player_id) else None

    def get_change_minor(self, score: EveningScore) -> int | None:
        return self._amount(score, score.change_minor)

    def get_balance_after_minor(self, score: EveningScore) -> int | None:
        return self._amount(score, score.balance_after_minor)


class PlayerSeasonAnswer(serializers.Serializer[Any]):
    """A player's line in a season's standings (null: no hand yet) and each evening of it."""

    standing = StandingAnswer(allow_null=True)
    evenings = PlayerEveningAnswer(many=True)


class PlayerSeasonView(PlayerMixin, SeasonView):
    """A player's season."""

    rights = {"get": Right.READ}
    serializer_class = PlayerSeasonAnswer

    @extend_schema(operation_id="playerSeason_read", summary=_("A player's season: statistics and every evening"))
    def get(self, request: Request, club: str, player: int, season: str) -> Response:
        chosen_player = self.player()
        self.access, chosen = self.access_and_season()
        line = Standing.objects.filter(season=chosen, player=chosen_player).first()
        evenings = selectors.player_evenings(chosen_player, chosen)
        standing = _standing(line, chosen_player.nickname, self.access, evenings) if line else None
        return self.answer({"standing": standing, "evenings": evenings})


def _standing(line: Standing, nickname: str, access: ClubAccess, evenings: Sequence[EveningScore]) -> dict[str, Any]:
    imported = any(score.evening.is_imported and score.hands for score in evenings)
    return shown_standing(line, nickname, access, imported=imported)
