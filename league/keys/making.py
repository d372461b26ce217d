"""A new key as somebody asks for it: what a key of a server's needs, and the mail that tells of it."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.core.context import request_context
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from ..accounts.back_room import second_factor_used
from ..accounts.mails import KEY_MADE
from ..errors import Refused
from ..models import ApiToken, User
from . import services


def key_ask(request: HttpRequest, *, by: ApiToken | None = None, **asked: Any) -> services.Made:
    """Make a key as `services.key_make` does, and tell its owner by mail.

    Raises:
        Refused: as there; 403 for a key to manage with, of somebody who runs the server and showed no second factor in
            this session.
    """
    user = asked["user"]
    manages = ApiToken.Scope.MANAGE.value in asked["scopes"]
    if by is None and user.is_superuser and manages and not second_factor_used(request):
        sentence = _("A key of yours to manage with needs a second factor that you showed in this session.")
        raise Refused(status=403, code="second_factor", sentence=sentence, at="scopes")
    made = services.key_make(by=by, **asked)
    transaction.on_commit(lambda: _tell(request, user, made.key))
    return made


def _tell(request: HttpRequest, user: User, key: ApiToken) -> None:
    with request_context(request):
        get_adapter().send_notification_mail(KEY_MADE, user, {"key": key.name})
