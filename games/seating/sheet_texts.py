"""The texts of the sheet in which seats change without a network (`static/js/night/seating_sheet.js`).

The sentences are those of `preview.py`, `changes.py` and the seating page. `%(name)s` is filled in by the script.
"""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import pgettext


def sheet_texts() -> dict[str, str]:
    """The texts by name, in the language of the reader."""
    return _heads() | _lines() | _people() | _refusals()


def _heads() -> dict[str, str]:
    """The title of a change, the label of its button (`do`), and the way to undo it (`back`)."""
    return {
        "seats.come": _("%(name)s comes and sits after %(after)s"),
        "seats.come-back": _("Was that a mistake? Then let %(name)s leave again."),
        "seats.come-do": _("%(name)s sits down"),
        "seats.dealer": _("%(name)s deals instead of %(before)s"),
        "seats.dealer-back": _("If that was wrong, name %(before)s as the dealer again."),
        "seats.dealer-do": _("%(name)s deals"),
        "seats.leave": _("%(name)s leaves"),
        "seats.leave-back": _("If that was wrong, let %(name)s come again, to the same place."),
        "seats.leave-back-dealer": _(
            "If that was wrong, let %(name)s come again, to the same place, and name the dealer."
        ),
        "seats.leave-do": pgettext("button", "%(name)s leaves"),
        "seats.order": _("New order of play: %(order)s"),
        "seats.order-back": _("If that was wrong, put them back in the order from before."),
        "seats.order-do": _("They sit like this"),
        "seats.order-pair": _("%(one)s and %(other)s change seats"),
        "seats.pause": _("Pause"),
        "seats.pause-back": _("“Continue” ends it; so does the next hand."),
        "seats.pause-do": _("Pause from now on"),
        "seats.resume": _("Continue"),
        "seats.resume-back": _("If that was wrong, begin the pause again."),
        "seats.resume-do": _("Continue"),
    }


def _lines() -> dict[str, str]:
    """The consequences for pot, dealer and next hand."""
    return {
        "seats.deal": _("Deal %(n)s."),
        "seats.dealer-after-leave": _("%(name)s deals hand %(number)d, since %(before)s goes."),
        "seats.dealer-as-before": _("%(name)s deals hand %(number)d, as before."),
        "seats.dealer-named": _(
            "%(name)s deals hand %(number)d instead of %(before)s. From there it continues in order."
        ),
        "seats.deals-hand": _("%(dealer)s deals hand %(number)s."),
        "seats.each-ante": _("Each of the %(n)d pays %(amount)s; %(pot)s are played for."),
        "seats.first-deal-again": _("It is a first deal again."),
        "seats.label-dealer": _("Dealer"),
        "seats.label-next": _("Next hand"),
        "seats.label-pot": _("Pot without antes"),
        "seats.muss": _("Muss: everybody plays."),
        "seats.no-ante": _("Nobody pays an ante; %(pot)s are played for."),
        "seats.no-muss": _("No Muss."),
        "seats.other-antes": _("Antes: %(each)s; %(pot)s are played for."),
        "seats.pot-as-before": _("It holds %(amount)s, as before."),
        "seats.speaks-first": _("%(name)s speaks first."),
        "seats.still-deal": _("It is still deal %(n)d."),
    }


def _people() -> dict[str, str]:
    """The consequences for a player who comes or leaves, and the labels of the arrows of a line."""
    return {
        "seats.ante-back": _("An ante already paid for the next hand, %(amount)s, is taken back."),
        "seats.down": _("%(name)s: one place down"),
        "seats.new-guest": _("Is new and comes as a guest."),
        "seats.pays-ante": _("Pays nothing for the hands before; %(amount)s with the next one."),
        "seats.pays-no-ante": _("Pays nothing for the hands before, and no ante for the next one."),
        "seats.place": _("{name}: place {n}"),
        "seats.sum-stands": _("What was paid in stays in the pot. Tonight's sum, %(amount)s, stands."),
        "seats.up": _("%(name)s: one place up"),
    }


def _refusals() -> dict[str, str]:
    """The reasons why a change cannot be stored, by the code of the refusal."""
    return {
        "seats.refused-closed": _("This evening is closed."),
        "seats.refused-dissolved": _("This table was joined to another one; the evening continues there."),
        "seats.refused-few": _(
            "There would be %(count)d at table %(number)d; %(game)s is for %(least)d to %(most)d. Let somebody else"
            " come first, join the tables, or end the evening."
        ),
        "seats.refused-halted": _(
            "Something before this was refused at the table. Settle that first; then the seats can change again."
        ),
        "seats.refused-here": _("{name} is already there."),
        "seats.refused-many": _(
            "There would be %(count)d at table %(number)d; %(game)s is for %(least)d to %(most)d. Divide the table"
            " first, or let somebody leave."
        ),
        "seats.refused-name": _("A guest needs a nickname of at most %(max)d characters."),
        "seats.refused-round": _("The draw says who sits where."),
        "seats.refused-same-dealer": _("This player already deals the next hand."),
        "seats.refused-same-order": _("They already sit like that."),
        "seats.refused-seating": _("This player does not sit at this table. Reload the page."),
    }
