"""The data that the scripts of the table screen need from the page without a network."""

from __future__ import annotations

from django import template
from django.utils.html import json_script
from django.utils.safestring import SafeString

from ..table.night_texts import night_texts as texts_of

register = template.Library()


@register.simple_tag
def night_texts(currency: str) -> SafeString:
    """All texts of the scripts, as the JSON block that `static/js/night/texts.js` reads."""
    return json_script(texts_of(currency), "night-texts")
