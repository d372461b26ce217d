"""The pot splitter for Kratzen."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from ..game.declared_codes import POT_LIMIT_REFUSED, WHO_PLAYS, DeclaredCodes
from ..game.splitter import COIN, POT_LIMIT, Francs, SetupRule, Splitter, choice
from .hand_form import CALLS, cuts_of, shown_of

CODES: Final = DeclaredCodes({("g", "game_type"): {call[0]: call for call in CALLS}}, shown_of, cuts_of)

SPLITTER: Final = Splitter(
    rules={
        "coin": COIN,
        "pot_limit": POT_LIMIT,
        "unit": SetupRule(lambda: Francs(gettext_lazy("Unit"), "0.10")),
        "split_over": SetupRule(
            lambda: Francs(gettext_lazy("Half of the pot is played for above"), gettext_lazy("never"))
        ),
        "remainder": SetupRule(
            lambda: choice(
                gettext_lazy("Remainder"),
                [("pot", gettext_lazy("stays in the pot")), ("declarer", gettext_lazy("goes to the declarer"))],
            )
        ),
        "seven_muss": SetupRule(
            lambda: choice(
                "Siebenermuss",
                [
                    ("deal", gettext_lazy("when the turned card is a seven")),
                    ("any", gettext_lazy("when the turned card or the new trump is a seven")),
                    ("off", gettext_lazy("is not known")),
                ],
            )
        ),
    },
    shown=("unit", "remainder", "seven_muss", "split_over"),
    encode=CODES.encode,
    decode=CODES.decode,
    who_plays=WHO_PLAYS,
    refused={
        "rules.pot_limit": POT_LIMIT_REFUSED,
        "rules.split_over": gettext_lazy("A pot is halved from eight coins on."),
        "rules.unit": gettext_lazy("The unit is a multiple of the smallest coin, two at least."),
    },
    whole_coins=True,
)
