"""Sentences for the clauses of Chratze that a hand can break."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

CLAUSES: Final[dict[str, str | _StrPromise]] = {
    "C1.1": gettext_lazy("Chratze is for two to seven players."),
    "C1.2": gettext_lazy("This card is not in the pack of 36."),
    "C2.2": gettext_lazy("Everybody is dealt four cards, and one card is turned."),
    "C2.4": gettext_lazy("The turned cards do not fit: after a round without a declarer the next one is turned."),
    "C2.5": gettext_lazy("The deal number does not fit: after so many deals without a declarer the next player deals."),
    "C3.1": gettext_lazy("The seat after the dealer speaks first, then all in order: chratze or weg."),
    "C3.2": gettext_lazy("Only one player can chratze in a hand."),
    "C3.3": gettext_lazy("Everybody else is asked once, and only after somebody said chratze: metcho or weg."),
    "C3.4": gettext_lazy("Only the dealer can play blind, and only where the house rules allow it."),
    "C3.5": gettext_lazy("Only the dealer can play double blind, and only where the house rules allow it."),
    "C3.6": gettext_lazy(
        "The last player asked must say metcho when nobody else has: these are your house rules (Susi)."
    ),
    "C4.1": gettext_lazy("Those who play exchange once each, in order, and only cards they hold."),
    "C4.2": gettext_lazy(
        "Up to three cards are exchanged one for one; for all four there are five, and one is dropped."
    ),
    "C4.3": gettext_lazy("A blind hand is filled to four cards only."),
    "C4.4": gettext_lazy("Cards are drawn from the stock, and the stock must have enough."),
    "C4.5": gettext_lazy("Only whoever holds the six of trumps may take the turned card, once, before the first lead."),
    "C4.6": gettext_lazy("Everybody who plays starts with four cards."),
    "C5.1": gettext_lazy("This card is out of turn or not in the player's hand."),
    "C5.2": gettext_lazy("The suit led must be followed."),
    "C5.3": gettext_lazy("Whoever cannot follow suit must play a trump."),
    "C6.3": gettext_lazy("Nobody joined, so there is no exchange and no play."),
}
