"""What a person says about a chance. `static/js/hand_worth/sentences.js` makes the same sentences of the same texts."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from ..engine_bridge import Chances
from ..offered import GAMES


def texts() -> Mapping[str, str]:
    """Return the texts of all sentences, by their keys."""
    return {
        "one-never": _("In 100 such hands you hardly ever make a trick."),
        "one-once": _("In 100 such hands you make a trick about once."),
        "one-times": _("In 100 such hands you make a trick about {n} times."),
        "one-always": _("In 100 such hands you make a trick almost every time."),
        "two-never": _("In 100 such hands you hardly ever make two tricks."),
        "two-once": _("In 100 such hands you make two tricks about once."),
        "two-times": _("In 100 such hands you make two tricks about {n} times."),
        "two-always": _("In 100 such hands you make two tricks almost every time."),
        "share-some": _("{word} breaks even if you take {n} of 100 Rappen of the pot each time that you make it."),
        "share-none": _("{word} loses in the long run: even the whole pot, each time that you make it, is too little."),
        "share-any": _("{word} loses hardly ever."),
        **{
            f"word-{name}-{role}": str(word)
            for name, game in GAMES.items()
            if (known := game.texts.hand_worth)
            for role, word in (("declares", known.declaring), ("joins", known.joining))
        },
    }


def times_of(chance: int) -> int:
    """Return how often in a hundred, from ten-thousandths."""
    return (chance + 50) // 100


def _kind_of(times: int) -> str:
    return {0: "never", 1: "once", 100: "always"}.get(times, "times")


def sentences(known: Mapping[str, str], game: str, chances: Chances, *, declares: bool) -> list[str]:
    """Return the sentences of an answer: the one about the goal first, then that of the break-even."""
    one_trick, two = (
        known[f"{name}-{_kind_of(times_of(chance))}"].replace("{n}", str(times_of(chance)))
        for name, chance in zip(("one", "two"), chances, strict=True)
    )
    share = chances.share_to_break_even(game, declares=declares)
    kind = "none" if share is None else "some" if share else "any"
    word = known[f"word-{game}-{'declares' if declares else 'joins'}"]
    even = known[f"share-{kind}"].replace("{word}", word).replace("{n}", str(share))
    return [*((two, one_trick) if declares else (one_trick, two)), even]
