"""Sentences for the clauses of Kratzen that a hand can break."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

CLAUSES: Final[dict[str, str | _StrPromise]] = {
    "K1.1": gettext_lazy("Kratzen is for three to six players."),
    "K1.2": gettext_lazy("This card is not in the pack of 33."),
    "K3.1": gettext_lazy("After an ace, a seven or the Weli the bottom card of the pack is shown, and no other."),
    "K3.2": gettext_lazy("A seven passes the pack to the right, an ace to the left; each card moves it once."),
    "K3.4": gettext_lazy("The cutting goes on until a card without effect is shown; that one ends it."),
    "K4.1": gettext_lazy("Everybody is dealt four cards; one is turned, another one if it is the Weli."),
    "K4.2": gettext_lazy(
        "After a seven everybody plays, the dealer declares, and there is no choice of game and no exchange; only where"
        " the house rules know the Siebenermuss."
    ),
    "K5.1": gettext_lazy("In a Muss the dealer declares, everybody else joins, and nobody speaks."),
    "K5.2": gettext_lazy("Everybody speaks once, the dealer first; the highest call plays, of equal ones the first."),
    "K5.3": gettext_lazy("With oder and weiter-oder cards of the stock are turned until one decides the new trump."),
    "K5.4": gettext_lazy("Nobody called, so there are no joiners, no exchange and no play."),
    "K5.5": gettext_lazy("The others answer once each, mit or ohne, from the declarer's left."),
    "K5.6": gettext_lazy("One player may answer last, and must join when nobody else has."),
    "K6.1": gettext_lazy("Those who play exchange once each, in order; in a Muss nobody does."),
    "K6.2": gettext_lazy("Up to three cards are exchanged one for one, or the whole hand for five."),
    "K6.3": gettext_lazy("Trumps may be laid open after five were drawn; each brings another card, the ace five."),
    "K6.4": gettext_lazy("Cards are drawn from the stock, and the stock must have enough."),
    "K6.5": gettext_lazy("Everybody who plays drops down to four cards."),
    "K7.1": gettext_lazy("This card is out of turn or not in the player's hand."),
    "K7.2": gettext_lazy("The suit led must be followed; the Weli is a trump."),
    "K7.3": gettext_lazy("Whoever cannot follow suit must play a trump."),
    "K7.4": gettext_lazy("The highest card on the table must be beaten if possible."),
    "K8.2": gettext_lazy("Nobody joined, so there is no exchange and no play."),
}
