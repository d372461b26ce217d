"""API of the personal data export, and of forgetting a player."""

from __future__ import annotations

from typing import Any

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.models import Player
from league.privacy import forgetting, personal_data_export

from .authentication import key_of
from .base import ApiView, Audience, Op, is_for_all_clubs
from .bodies import Body
from .players import PLAYER, PlayerAnswer, PlayerView
from .problems import Problem


class MyData(ApiView):
    """The personal data export."""

    ops = {
        "GET": Op(
            Audience.PERSON,
            _("Your own data as a zip: JSON, and a CSV of each part"),
            media="application/zip",
            about=_("In a browser, or by a key for all clubs with the scopes `money` and `manage`."),
            refusals=(403,),
        )
    }

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


class PlayerForget(PlayerView):
    """The forgetting of a player."""

    ops = {
        "POST": Op(
            Right.PEOPLE,
            _("Forget a player: the name is deleted for good, all sums stay"),
            answer=PlayerAnswer,
            body=ForgetBody,
            refusals=(409,),
            example={**PLAYER, "name": "№ 3", "active": False, "mine": False, "forgotten": True},
            body_example={"nickname": "Anna"},
        )
    }

    def post(self, request: Request, club: str, player: int) -> Response:
        found, sent = self.player(), self.sent()
        if found.anonymised_at is None and sent["nickname"].casefold() != found.nickname.casefold():
            sentence = gettext("This is not the name of the player.")
            raise Problem(
                422, "nickname", sentence, errors=[{"at": "nickname", "code": "nickname", "detail": sentence}]
            )
        forgetting.player_forget(player=found, actor=self.person)
        forgotten: Any = Player.objects.get(pk=found.pk)
        return self.answer(forgotten)
