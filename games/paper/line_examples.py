"""Examples of typed lines, with the names of the players at the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from ..game.paper_line import Example
from ..offered import game_of


def examples(game: str, names: Sequence[str], words: Sequence[str], rules: Mapping[str, Any]) -> list[Example]:
    """Lines with their meaning; `words` are the short names by seat, at least two of them."""
    paper = game_of(game).records.paper
    line = paper.pair(words[1], words[0])
    return [
        *paper.examples(names, words, rules),
        (f"{line} =2.40", _("the pot on the sheet after this hand; if it differs, nothing is stored")),
        (f"12. {line}", _("the number on the sheet; a line left out is noticed")),
    ]
