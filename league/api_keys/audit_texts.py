"""The texts of the audit log about API keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy

from ..audit import What, texts
from ..audit.formats import strings
from ..audit.object_names import ObjectNames
from ..models import ApiToken

SENTENCES = {
    "programs": {
        What.TOKEN_MADE: gettext_lazy("%(who)s created a key for a program (%(scopes)s)."),
        What.TOKEN_REVOKED: gettext_lazy("%(who)s revoked a program's key."),
    },
}


def register() -> None:
    """Register the texts."""
    texts.register(sentences=SENTENCES, parts={"scopes": _scopes})


def _scopes(data: Mapping[str, Any], _names: ObjectNames) -> str:
    labels = dict(ApiToken.Scope.choices)
    return ", ".join(str(labels.get(scope, scope)) for scope in strings(data.get("scopes", ())))
