"""Pictures of cards. They are hidden from screen readers; `card_name` gives the text beside them."""

from __future__ import annotations

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from ..cards import card_names

register = template.Library()


@register.simple_tag
def card(name: str, faces: str, css: str = "") -> SafeString:
    """The picture of a card (or `back`) of a pack, with the letters of the page's language."""
    sprite = static(f"cards/{card_names.pack_file(faces, get_language())}.svg")
    return format_html('<svg class="playing {}" aria-hidden="true"><use href="{}#{}"/></svg>', css, sprite, name)


@register.simple_tag
def card_name(name: str, faces: str) -> str:
    """The name of the card."""
    return card_names.card_name(name, faces)


@register.simple_tag
def suit_name(suit: str, faces: str) -> str:
    """The name of a suit, from its letter."""
    return card_names.suit_name(suit, faces)
