"""Sentences for people: one for each clause of the rulebook that a hand can break, and a hand in one line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..engine_bridge import Result
from ..errors import Refused

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

SENTENCES: dict[str, _StrPromise] = {
    "R1": gettext_lazy("The hand is not complete, or has a field that no hand has."),
    "R2": gettext_lazy("A card is named twice, or there is no such card in this game."),
    "R3": gettext_lazy("A seat is named twice, has two roles, or is not at this table."),
    "R4": gettext_lazy("There is no such house rule, or it cannot take this value."),
    "R5": gettext_lazy("The tricks do not add up: four in all, and only for those who play."),
    "R6": gettext_lazy("The amounts written down differ from what the rules give."),
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

UNKNOWN_CLAUSE = gettext_lazy("The rules do not allow this hand.")


def clause_of(refused: Refused) -> str:
    """The clause that a refusal is about; empty for any other."""
    return refused.code if refused.code[:1] in "CKR" and refused.code[1:2].isdigit() else ""


def sentence(clause: str) -> str:
    """The sentence of a clause, in the language of the reader."""
    return str(SENTENCES.get(clause, UNKNOWN_CLAUSE))


def refusal(error: Mapping[str, Any]) -> Refused:
    """Return the engine's error object as `Refused` (422)."""
    clause = str(error["clause"])
    return Refused(
        status=422,
        code=clause,
        sentence=sentence(clause),
        at=str(error["at"]),
        details={"message": error["message"]},
    )


def summary(result: Result, names: Mapping[int, str]) -> str:
    """A hand in one line: 'Beni chratzt, Anna and Doris metcho; Doris pays 2.40'."""
    if result["outcome"] == "passed_out":
        return _("all weiter") if result.get("muss") is False else _("nobody declared")
    declarer = names[result["declarer"]]
    joiners = ", ".join(names[seat] for seat in result["joiners"])
    if not joiners and result.get("muss") is False:
        return _("%(declarer)s plays, nobody joins") % {"declarer": declarer}
    if not joiners:
        return _("%(declarer)s chratzt, nobody joins") % {"declarer": declarer}
    if result.get("muss"):
        roles = _("Muss, %(declarer)s dealt") % {"declarer": declarer}
    elif result.get("muss") is False:
        roles = _("%(declarer)s plays, mit %(joiners)s") % {"declarer": declarer, "joiners": joiners}
    else:
        roles = _("%(declarer)s chratzt, metcho %(joiners)s") % {"declarer": declarer, "joiners": joiners}
    failed = ", ".join(names[line["seat"]] for line in result["lines"] if line["kind"] == "penalty")
    if failed:
        return _("%(sentence)s; failed: %(failed)s") % {"sentence": roles, "failed": failed}
    return _("%(sentence)s; all made it") % {"sentence": roles}
