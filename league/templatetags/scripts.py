"""The tag of a page's script."""

from __future__ import annotations

from functools import lru_cache

from django import template
from django.conf import settings
from django.template.context import Context
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from ..static_sources import loaded_with

register = template.Library()


@register.simple_tag(takes_context=True)
def script(context: Context, name: str) -> SafeString:
    """A script, after links to all scripts that it imports and that no earlier script of the page imports.

    A browser requests them at once. Without the links it would find an import only in the script that has it: a page
    of six layers would wait six times for a slow network. What is seen first, styles and font, has precedence.
    """
    earlier: tuple[str, ...] = context.render_context.get("scripts", ())  # type: ignore[assignment]
    context.render_context["scripts"] = (*earlier, name)
    return _linked(name, earlier) if settings.DEBUG else _linked_at_start(name, earlier)


@lru_cache(maxsize=256)
def _linked_at_start(name: str, earlier: tuple[str, ...]) -> SafeString:
    return _linked(name, earlier)


def _linked(name: str, earlier: tuple[str, ...]) -> SafeString:
    named = {each for one in earlier for each in (one, *loaded_with(one))}
    new = ((static(each),) for each in loaded_with(name) if each not in named)
    links = format_html_join("", '<link rel="modulepreload" fetchpriority="low" href="{}">', new)
    return format_html('{}<script type="module" src="{}"></script>', links, static(name))
