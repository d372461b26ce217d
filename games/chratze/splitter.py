"""The pot splitter for Chratze."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from ..game.declared_codes import POT_LIMIT_REFUSED, WHO_PLAYS, DeclaredCodes
from ..game.splitter import COIN, POT_LIMIT, Francs, SetupRule, Splitter, choice

CODES: Final = DeclaredCodes(words={("b", "blind"): {"1": "blind", "2": "double"}})

SPLITTER: Final = Splitter(
    rules={
        "stake": SetupRule(lambda: Francs(gettext_lazy("Stake"), "0.20")),
        "coin": COIN,
        "rounding": SetupRule(
            lambda: Francs(gettext_lazy("Two thirds are rounded up to"), gettext_lazy("the stake")),
        ),
        "pot_limit": POT_LIMIT,
        "no_taker": SetupRule(
            lambda: choice(
                gettext_lazy("Nobody declares"),
                [
                    ("turn", gettext_lazy("the next card is turned")),
                    ("redeal", gettext_lazy("the cards are dealt again")),
                ],
            )
        ),
        "max_turns": SetupRule(
            lambda: choice(gettext_lazy("Maximum turned cards"), [(str(n), str(n)) for n in (3, 1, 2, 4, 5, 6, 7, 8)]),
            read=int,
        ),
        "ante_on_redeal": SetupRule(
            lambda: choice(
                gettext_lazy("A new deal costs"),
                [("yes", gettext_lazy("a new ante")), ("no", gettext_lazy("nothing"))],
            ),
            read=lambda chosen: chosen == "yes",
        ),
        "blinds": SetupRule(
            lambda: choice(
                gettext_lazy("Blind"),
                [
                    ("both", gettext_lazy("blind or double blind")),
                    ("blind", gettext_lazy("blind only")),
                    ("none", gettext_lazy("not allowed")),
                ],
            ),
            rule="blind",
        ),
        "susi": SetupRule(
            lambda: choice(
                gettext_lazy("Susi"),
                [
                    ("label", gettext_lazy("is the Susi")),
                    ("forced", gettext_lazy("must join")),
                    ("off", gettext_lazy("nobody is the Susi")),
                ],
            )
        ),
    },
    shown=("stake", "rounding", "no_taker", "max_turns", "ante_on_redeal", "blinds", "susi"),
    encode=CODES.encode,
    decode=CODES.decode,
    who_plays=WHO_PLAYS,
    refused={
        "rules.rounding": gettext_lazy("Two thirds are rounded up to a multiple of the smallest coin."),
        "rules.pot_limit": POT_LIMIT_REFUSED,
    },
    # The rounding follows the stake unless it is entered.
    always_kept=("rounding",),
)
