"""The players of a club: the roster, who counts for whom, and a player's season."""

from __future__ import annotations

from typing import Any

import django_filters
from django.db import transaction
from django.http import Http404
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from league import selectors
from league.access import ClubAccess, Right
from league.models import NightScore, Player, PlayerMerge, Season, Standing
from league.roster import merging
from league.roster import services as roster

from .base import ClubView, Op
from .bodies import Body, Patch
from .problems import wrong_field
from .standings import LINE, StandingAnswer, shown_standing

PLAYER = {
    "id": 3,
    "name": "Anna",
    "guest": False,
    "active": True,
    "mine": True,
    "counts_for": None,
    "forgotten": False,
    "publicity": "initials",
    "pseudonym": "",
}
TRUE_FALSE = [("true", "true"), ("false", "false")]


class FlagFilter(django_filters.ChoiceFilter):  # type: ignore[misc]
    """true or false."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=TRUE_FALSE, **kwargs)

    def filter(self, qs: Any, value: str | None) -> Any:
        return super().filter(qs, {"true": True, "false": False}.get(value or "", value))


class PlayerAnswer(serializers.Serializer[Any]):
    """A player as the asker may call it. `counts_for` is the player for whom this one's hands count. How the player is
    shown in public is for those who may change it, null for others."""

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
    """What can be changed; `guest` by those alone who keep the roster."""

    nickname = serializers.CharField(max_length=roster.MAX_NICKNAME)
    active = serializers.BooleanField()
    publicity = serializers.ChoiceField(choices=Player.Publicity.choices)
    pseudonym = serializers.CharField(max_length=roster.MAX_NICKNAME, allow_blank=True)
    guest = serializers.BooleanField()


class PlayerFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Which players."""

    active = FlagFilter(label=_("In the roster, or out of it."))
    guest = FlagFilter(label=_("Guests, or not."))

    class Meta:
        model = Player
        fields = ["active", "guest"]


class PlayerView(ClubView):
    """An address of one player."""

    def player(self) -> Player:
        """The player of the address. Raises Http404."""
        found = Player.objects.filter(club=self.access.club, pk=self.kwargs["player"]).first()
        if found is None:
            raise Http404
        return found


class Players(ClubView):
    """The players of a club."""

    ops = {
        "GET": Op(
            Right.READ,
            _("The players of a club"),
            answer=PlayerAnswer,
            paged=True,
            filters=PlayerFilter,
            example=PLAYER,
        ),
        "POST": Op(
            Right.ROSTER,
            _("Add a player"),
            answer=PlayerAnswer,
            status=201,
            body=PlayerBody,
            example=PLAYER,
            body_example={"nickname": "Anna", "guest": False},
        ),
    }

    def get(self, request: Request, club: str) -> Response:
        return self.told_page(Player.objects.filter(club=self.access.club), ["pk"])

    def post(self, request: Request, club: str) -> Response:
        player = roster.player_add(club=self.access.club, actor=self.person, **self.sent())
        return self.told(player, Location=f"{request.path}/{player.pk}")


class PlayerHome(PlayerView):
    """A player."""

    ops = {
        "GET": Op(Right.READ, _("A player"), answer=PlayerAnswer, example=PLAYER),
        "PATCH": Op(
            Right.ROSTER,
            _("Change a player, or take one out of the roster"),
            answer=PlayerAnswer,
            body=PlayerChange,
            own=True,
            match=True,
            refusals=(409,),
            example=PLAYER,
            body_example={"active": False},
        ),
    }

    def get(self, request: Request, club: str, player: int) -> Response:
        return self.told(self.player())

    @transaction.atomic
    def patch(self, request: Request, club: str, player: int) -> Response:
        known, changes = self.player(), self.sent()
        locked = Player.objects.select_for_update().get(pk=known.pk)
        self.check_match(locked, PlayerAnswer)
        if not self.access.may(Right.ROSTER) and not set(changes) <= set(roster.OWN):
            raise PermissionDenied
        return self.told(roster.player_change(player=locked, actor=self.person, changes=changes))


class MergeAnswer(serializers.Serializer[Any]):
    """That two players are one person from then on (`joined`), or are not."""

    id = serializers.UUIDField()
    player = serializers.IntegerField(source="player_id")
    main = serializers.IntegerField(source="main_id")
    joined = serializers.BooleanField()
    reason = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField(source="created_at")


class ReasonBody(Body):
    """Why."""

    reason = serializers.CharField(max_length=merging.MAX_REASON)


class MergeBody(ReasonBody):
    """For whom the player counts from now on."""

    main = serializers.IntegerField(min_value=1, max_value=2**53)


MERGE = {
    "id": "5b0e7a52-94b1-4a55-a6cf-5f27ad0a0c0e",
    "player": 9,
    "main": 3,
    "joined": True,
    "reason": "Änni is Anna",
    "at": "2026-11-20T22:10:00+01:00",
}


class PlayerMerges(PlayerView):
    """Who counts for whom."""

    ops = {
        "GET": Op(
            Right.PEOPLE, _("For whom a player counted, and since when"), answer=MergeAnswer, paged=True, example=MERGE
        ),
        "POST": Op(
            Right.PEOPLE,
            _("Two players are one person: this one counts for the other"),
            answer=MergeAnswer,
            status=201,
            body=MergeBody,
            refusals=(409,),
            example=MERGE,
            body_example={"main": 3, "reason": "Änni is Anna"},
        ),
    }

    def get(self, request: Request, club: str, player: int) -> Response:
        return self.told_page(PlayerMerge.objects.filter(player=self.player()), ["created_at", "pk"])

    def post(self, request: Request, club: str, player: int) -> Response:
        one, sent = self.player(), self.sent()
        main = Player.objects.filter(club=self.access.club, pk=sent["main"]).first()
        if main is None:
            raise Http404
        made = merging.players_merge(
            club=self.access.club, player=one, main=main, reason=sent["reason"], actor=self.person
        )
        return self.told(made)


def _balance(told: serializers.Serializer[Any], value: int | None) -> int | None:
    """A balance for who may see amounts: a key without `money` may not."""
    access: ClubAccess = told.context["view"].access
    return value if access.sees_money() else None


class MergeLine(serializers.Serializer[Any]):
    """A line of a season's standings. The balance is null where it is not for the asker, and in points alone."""

    rank = serializers.IntegerField()
    points = serializers.IntegerField()
    balance_minor = serializers.SerializerMethodField()
    hands = serializers.IntegerField()

    def get_balance_minor(self, line: merging.Line) -> int | None:
        return _balance(self, line.balance_minor)


class MergeChange(serializers.Serializer[Any]):
    """Somebody whose line is another one afterwards; null where there is none."""

    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField(source="nickname")
    before = MergeLine(allow_null=True)
    after = MergeLine(allow_null=True)


class MergeSeason(serializers.Serializer[Any]):
    """A season that counts otherwise afterwards."""

    season = serializers.CharField(source="season.slug")
    changes = MergeChange(many=True)


class MergePreviewAnswer(serializers.Serializer[Any]):
    """What taking two for one person would change. Balances over all seasons with amounts: of the one who goes, of the
    one who stays, and of that one afterwards; null where they are not for the asker."""

    player = serializers.IntegerField(source="player.pk")
    main = serializers.IntegerField(source="main.pk")
    player_minor = serializers.SerializerMethodField()
    main_minor = serializers.SerializerMethodField()
    after_minor = serializers.SerializerMethodField()
    seasons = MergeSeason(many=True)

    def get_player_minor(self, seen: merging.Preview) -> int | None:
        return _balance(self, seen.player_minor)

    def get_main_minor(self, seen: merging.Preview) -> int | None:
        return _balance(self, seen.main_minor)

    def get_after_minor(self, seen: merging.Preview) -> int | None:
        return _balance(self, seen.after_minor)


class MergePreview(PlayerView):
    """What it would change that two players are one person."""

    ops = {
        "GET": Op(
            Right.PEOPLE,
            _("What would change if two players were one person"),
            answer=MergePreviewAnswer,
            query={"main": {"type": "integer", "minimum": 1, "description": _("Who stays: a player's id.")}},
            refusals=(409,),
            example={
                "player": 9,
                "main": 3,
                "player_minor": -120,
                "main_minor": 1240,
                "after_minor": 1120,
                "seasons": [{"season": "2026", "changes": []}],
            },
        )
    }

    def get(self, request: Request, club: str, player: int) -> Response:
        one, wanted = self.player(), self.whole("main", most=10**9 - 1)
        if wanted is None:
            raise wrong_field("main", "required", _t("Say who stays."))
        main = Player.objects.filter(club=self.access.club, pk=wanted).first()
        if main is None:
            raise Http404
        return self.told(merging.merge_preview(club=self.access.club, player=one, main=main))


class PlayerPart(PlayerView):
    """Taking two apart again."""

    ops = {
        "POST": Op(
            Right.PEOPLE,
            _("They are two after all: this player counts for itself again"),
            answer=MergeAnswer,
            status=201,
            body=ReasonBody,
            refusals=(409,),
            example={**MERGE, "joined": False},
            body_example={"reason": "Two cousins"},
        ),
    }

    def post(self, request: Request, club: str, player: int) -> Response:
        one, sent = self.player(), self.sent()
        parted = merging.players_part(club=self.access.club, player=one, reason=sent["reason"], actor=self.person)
        return self.told(parted)


class NightAnswer(serializers.Serializer[Any]):
    """A player's evening as counted. Of one that the player missed `hands` is 0."""

    evening = serializers.IntegerField(source="evening_id")
    number = serializers.IntegerField(source="evening.number")
    held_on = serializers.DateField(source="evening.held_on")
    hands = serializers.IntegerField()
    points = serializers.IntegerField()
    points_after = serializers.IntegerField()
    rank_after = serializers.IntegerField()
    change_minor = serializers.SerializerMethodField()
    balance_after_minor = serializers.SerializerMethodField()

    def _amount(self, night: NightScore, value: int) -> int | None:
        seen: ClubAccess = self.context["view"].seen
        return value if seen.sees_money(night.player_id) else None

    def get_change_minor(self, night: NightScore) -> int | None:
        return self._amount(night, night.change_minor)

    def get_balance_after_minor(self, night: NightScore) -> int | None:
        return self._amount(night, night.balance_after_minor)


class PlayerSeasonAnswer(serializers.Serializer[Any]):
    """A player's line in a season's standings (null: no hand yet) and each evening of it."""

    standing = StandingAnswer(allow_null=True)
    nights = NightAnswer(many=True)


class PlayerSeason(PlayerView):
    """A player's season."""

    seen: ClubAccess
    ops = {
        "GET": Op(
            Right.READ,
            _("A player's season: statistics and every evening"),
            answer=PlayerSeasonAnswer,
            example={
                "standing": LINE,
                "nights": [
                    {
                        "evening": 12,
                        "number": 1,
                        "held_on": "2026-10-02",
                        "hands": 31,
                        "points": 14,
                        "points_after": 14,
                        "rank_after": 2,
                        "change_minor": 350,
                        "balance_after_minor": 350,
                    }
                ],
            },
        )
    }

    def get(self, request: Request, club: str, player: int, season: str) -> Response:
        found = self.player()
        chosen = Season.objects.filter(club=self.access.club, slug=season).first()
        if chosen is None:
            raise Http404(_t("There is no such season."))
        self.seen = self.access.within(chosen)
        line = Standing.objects.filter(season=chosen, player=found).select_related("player").first()
        told = {
            "standing": shown_standing(line, self.seen) if line else None,
            "nights": selectors.player_nights(found, chosen),
        }
        return self.told(told)
