"""API of the personal data export, and of forgetting a player."""

from __future__ import annotations

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.privacy import forgetting, personal_data_export

from .authentication import key_of
from .bodies import Body
from .permissions import Audience, is_for_all_clubs
from .players import PlayerAnswer, PlayerMixin
from .problems import Problem
from .views import ApiView, ClubView

ZIP = {(200, "application/zip"): OpenApiTypes.STR}


class MyDataView(ApiView):
    """The personal data export."""

    rights = {"get": Audience.PERSON}
    refusals = (403,)

    @extend_schema(
        operation_id="myData_read",
        summary=_("Your own data as a zip: JSON, and a CSV of each part"),
        description=_("In a browser, or by a key for all clubs with the scopes `money` and `manage`."),
        responses=ZIP,
    )
    def get(self, request: Request) -> HttpResponseBase:
        key = key_of(request)
        if key is not None and not (is_for_all_clubs(key) and "money" in key.scopes):
            raise PermissionDenied
        if request.method == "HEAD":
            return StreamingHttpResponse((), content_type="application/zip")
        answer = StreamingHttpResponse(personal_data_export.logged_archive(self.person), content_type="application/zip")
        answer["Content-Disposition"] = 'attachment; filename="chratzete-my-data.zip"'
        return answer


class ForgetBody(Body):
    """The player's nickname, as a confirmation: forgetting cannot be undone."""

    nickname = serializers.CharField(max_length=40)


class PlayerForgetView(PlayerMixin, ClubView):
    """The forgetting of a player."""

    rights = {"post": Right.PEOPLE}
    bodies = {"post": ForgetBody}
    refusals = (409,)
    serializer_class = PlayerAnswer

    @extend_schema(
        operation_id="playerForget_post",
        summary=_("Forget a player: the name is deleted for good, all sums stay"),
        responses={200: PlayerAnswer},
    )
    def post(self, request: Request, club: str, player: int) -> Response:
        chosen_player, sent = self.player(), self.sent()
        if chosen_player.anonymised_at is None and sent["nickname"].casefold() != chosen_player.nickname.casefold():
            sentence = gettext("This is not the name of the player.")
            raise Problem(
                422, "nickname", sentence, errors=[{"at": "nickname", "code": "nickname", "detail": sentence}]
            )
        forgetting.player_forget(player=chosen_player, actor=self.person)
        return self.answer(self.player())
