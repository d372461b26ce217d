"""Taking one's own data along, and letting a player be forgotten."""

from __future__ import annotations

from typing import Any

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.models import Player
from league.privacy import forgetting, taking

from .authentication import key_of
from .base import ApiView, Op, Who, for_all
from .bodies import Body
from .players import PLAYER, PlayerAnswer, PlayerView
from .problems import Problem


class MyData(ApiView):
    """All that is kept of a person."""

    ops = {
        "GET": Op(
            Who.PERSON,
            _("Your own data as a zip: JSON, and a CSV of each part"),
            media="application/zip",
            about=_("In a browser, or by a key for all clubs with the scopes `money` and `manage`."),
            refusals=(403,),
        )
    }

    def get(self, request: Request) -> HttpResponseBase:
        key = key_of(request)
        if key is not None and not (for_all(key) and "money" in key.scopes):
            raise PermissionDenied
        if request.method == "HEAD":
            return StreamingHttpResponse((), content_type="application/zip")
        answer = StreamingHttpResponse(taking.take(self.person), content_type="application/zip")
        answer["Content-Disposition"] = 'attachment; filename="chratzete-my-data.zip"'
        return answer


class ForgetBody(Body):
    """The player's nickname once more, since it cannot be undone."""

    nickname = serializers.CharField(max_length=40)


class PlayerForget(PlayerView):
    """Letting a player be forgotten."""

    ops = {
        "POST": Op(
            Right.PEOPLE,
            _("Forget a player: the name goes for good, every sum stays"),
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
            said = _t("This is not the name of the player.")
            raise Problem(422, "nickname", said, errors=[{"at": "nickname", "code": "nickname", "detail": said}])
        forgetting.player_forget(player=found, actor=self.person)
        forgotten: Any = Player.objects.get(pk=found.pk)
        return self.told(forgotten)
