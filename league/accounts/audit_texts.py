"""The texts of the audit log about signing in, accounts and invitations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from ..audit import What, texts
from ..audit.object_names import ObjectNames
from ..models import User

SENTENCES = {
    "accounts": {
        What.SIGNED_IN: gettext_lazy("%(who)s signed in."),
        What.SIGN_IN_FAILED: gettext_lazy("Somebody failed to sign in as %(about)s."),
        What.SIGNED_OUT: gettext_lazy("%(who)s signed out."),
        What.PASSWORD_CHANGED: gettext_lazy("%(who)s set another password."),
        What.FACTOR_ADDED: gettext_lazy("%(who)s added a way to sign in (%(type)s)."),
        What.FACTOR_REMOVED: gettext_lazy("%(who)s removed a way to sign in (%(type)s)."),
        What.SESSIONS_ENDED: gettext_lazy("%(who)s signed out on other devices."),
    },
    "people": {
        What.INVITED: gettext_lazy("%(who)s invited somebody as %(role)s%(as_player)s."),
        What.INVITATION_USED: gettext_lazy("%(who)s accepted an invitation."),
        What.INVITATION_REVOKED: gettext_lazy("%(who)s withdrew an invitation."),
    },
}
VALUES = {
    "type": {
        "totp": pgettext_lazy("factor", "app with codes"),
        "webauthn": pgettext_lazy("factor", "passkey"),
        "recovery_codes": pgettext_lazy("factor", "recovery codes"),
    },
}


def register() -> None:
    """Register the texts."""
    texts.register(
        sentences=SENTENCES,
        values=VALUES,
        parts={"as_player": _as_player},
        readers={"user": _users},
        field_objects={"user": "user"},
    )


def _users(keys: Set[int]) -> Iterable[tuple[int, str]]:
    return ((user.pk, str(user)) for user in User.objects.filter(pk__in=keys))


def _as_player(data: Mapping[str, Any], names: ObjectNames) -> str:
    if not data.get("player"):
        return ""
    return _(" (the player %(name)s)") % {"name": names.name("player", data["player"])}
