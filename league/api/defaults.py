"""Classes that the settings name. Django REST framework imports them while its own views load: import no view here."""

from __future__ import annotations

from typing import Any

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.permissions import BasePermission
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class OnlyJSON(BaseContentNegotiation):
    """Every answer is JSON, whatever the request accepts."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        kind = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if kind == parser.media_type), None)

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type


class Nobody(BasePermission):
    """The default of every view: closed until the view declares its audience."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return False
