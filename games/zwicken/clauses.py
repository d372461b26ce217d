"""Sentences for the clauses of Zwicken that a hand can break."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

CLAUSES: Final[dict[str, str | _StrPromise]] = {
    "Z1.1": gettext_lazy("Zwicken is for three to six players."),
    "Z1.2": gettext_lazy("This card is not in the pack of 32."),
    "Z2.3": gettext_lazy(
        "An ace or a seven at the cut moves the deal, Belli by two seats; only where the house rules say so."
    ),
    "Z2.4": gettext_lazy("The cutting goes on until a card without effect is shown; that one ends it."),
    "Z3.1": gettext_lazy("Everybody is dealt three cards, and one card is turned."),
    "Z4.1": gettext_lazy("In a forced hand everybody plays, and nobody speaks."),
    "Z4.2": gettext_lazy("Everybody speaks once, from the dealer's left: mit or weg."),
    "Z4.3": gettext_lazy("Nobody else plays, so there is no exchange and no play."),
    "Z5.1": gettext_lazy("Those who play exchange once each, in order: one to three cards, as many as the stock has."),
    "Z6.1": gettext_lazy("This card is out of turn or not in the player's hand."),
    "Z6.2": gettext_lazy("The suit led must be followed; Belli is a trump."),
    "Z6.3": gettext_lazy("Whoever cannot follow suit must play a trump."),
    "Z6.4": gettext_lazy("The highest card on the table must be beaten if possible."),
    "Z7.3": gettext_lazy(
        "Only a player of this hand without all the tricks can lose Belli, and only where that costs something."
    ),
}
