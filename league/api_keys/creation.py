"""Creating an API key in a request: the second factor that a superuser needs, and the mail to the owner."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.core.context import request_context
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from ..accounts.admin_second_factor import second_factor_used
from ..accounts.mails import KEY_CREATED
from ..errors import Refused
from ..models import ApiToken, User
from . import services


def key_request(request: HttpRequest, *, by: ApiToken | None = None, **wanted: Any) -> services.NewKey:
    """Create an API key with `services.key_create`, and send its owner a mail.

    Raises:
        Refused: as `key_create` does; 403 for a superuser's key with the scope `manage`, if the superuser used no
            second factor in this session.
    """
    user = wanted["user"]
    manages = ApiToken.Scope.MANAGE.value in wanted["scopes"]
    if by is None and user.is_superuser and manages and not second_factor_used(request):
        sentence = _("A key of yours to manage with needs a second factor that you showed in this session.")
        raise Refused(status=403, code="second_factor", sentence=sentence, at="scopes")
    new = services.key_create(by=by, **wanted)
    transaction.on_commit(lambda: _send_mail(request, user, new.key))
    return new


def _send_mail(request: HttpRequest, user: User, key: ApiToken) -> None:
    with request_context(request):
        get_adapter().send_notification_mail(KEY_CREATED, user, {"key": key.name})
