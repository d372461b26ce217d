"""Template tags of the help: the "?" that leads from a screen to its help page, and words with their meanings."""

from __future__ import annotations

import json
from typing import Any

from django import template

from ..game.words import Word
from ..help.pages import OF_ROUTE
from ..help.words import ALL, of_games

register = template.Library()


@register.inclusion_tag("games/help/_link.html", takes_context=True)
def help_link(context: template.Context) -> dict[str, Any]:
    """The "?" of the screen, nothing for a screen without a help page."""
    match = getattr(context.get("request"), "resolver_match", None)
    return {"help_page": OF_ROUTE.get(match.url_name) if match else None}


@register.inclusion_tag("games/help/_word.html")
def word(key: str, text: str = "") -> dict[str, Any]:
    """A word that shows its meaning when it is tapped, written as `text`. One use of a word on a page."""
    entry = ALL[key]
    return {"word": entry, "text": text or entry.term}


@register.inclusion_tag("games/help/_word_note.html")
def word_note() -> dict[str, Any]:
    """The sheet for a word that is tapped in a text, and the words that a script finds there."""
    terms = {form: [each.key, where] for each in ALL.values() for form, where in each.in_texts().items()}
    return {"terms": json.dumps(terms)}


@register.simple_tag
def words(keys: str = "", games: str | tuple[str, ...] = ()) -> list[Word]:
    """Return the words of a game or of several, and behind them those with these keys, which spaces separate."""
    named = (games,) if isinstance(games, str) else games
    return [*(of_games(named) if named else []), *(ALL[key] for key in keys.split())]
