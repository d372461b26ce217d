"""Cards as pictures. A picture says nothing to a screen reader; `card_name` beside it does."""

from __future__ import annotations

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games import steps

register = template.Library()


@register.simple_tag
def card(name: str, faces: str, css: str = "") -> SafeString:
    """The picture of a card (or `back`) of a pack."""
    sprite = static(f"cards/{faces}.svg")
    return format_html('<svg class="playing {}" aria-hidden="true"><use href="{}#{}"/></svg>', css, sprite, name)


@register.simple_tag
def card_name(name: str, faces: str) -> str:
    """The card in words."""
    return steps.card_name(name, faces)
