"""What a game says and asks for on the pages on which a hand is entered."""

from __future__ import annotations

from collections.abc import Sequence

from django import template

from .. import errors
from ..game.screen import Screen
from ..hands.preview import PreviewLine
from ..offered import game_of

register = template.Library()


@register.filter
def screen_of(game: str) -> Screen:
    """How a hand of this game is entered."""
    return game_of(game).screen


@register.simple_tag
def say(sentence: object, **values: object) -> str:
    """A sentence of a game; `%(dealer)s` or `{name}` in it is replaced by the value of this name."""
    text = str(sentence)
    for name, value in values.items():
        text = text.replace(f"%({name})s", str(value)).replace(f"{{{name}}}", str(value))
    return text


@register.filter
def pays_out(lines: Sequence[PreviewLine]) -> bool:
    """True if somebody takes coins from the pot."""
    return any(line.kind == "payout" for line in lines)


@register.filter
def is_clause(code: str) -> bool:
    """True for the code of a refusal that is a clause of a rulebook, such as `K3.4`."""
    return errors.is_clause(code)
