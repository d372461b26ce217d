"""The tag of a screen's scripts."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ..static_sources import screen_script

register = template.Library()


@register.simple_tag
def script(screen: str) -> SafeString:
    """Return the tag of the one file with all scripts of a screen; under DEBUG that of its list of modules."""
    return format_html('<script type="module" src="{}"></script>', static(screen_script(screen, settings.BUNDLED)))
