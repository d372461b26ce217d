"""The attributes of a part of a page whose news come by the event stream."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

SELDOM_SECONDS = 240
"""The pause between two polls while a stream is open, for news of which no message came."""


@register.simple_tag
def stream(seldom: int = SELDOM_SECONDS) -> SafeString:
    """Return the address of the stream, and the pause between polls beside it; nothing without a stream.

    A part that changes with time alone polls more often.
    """
    if not settings.STREAM:
        return SafeString()
    return format_html(' data-stream="{}" data-seldom="{}"', settings.STREAM_PATH, seldom)
