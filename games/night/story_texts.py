"""The texts of the page of two stories (`static/js/night/stories.js`), in the language of the reader."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from ..table.night_texts import night_texts


def story_texts(currency: str) -> dict[str, str]:
    """All texts of the page by their names; amounts are written in this currency."""
    return {**night_texts(currency), **_choices(), **_changes(), **_hands(), **_why(), **_done()}


def _choices() -> dict[str, str]:
    return {
        "stories.after": _("Mine after theirs"),
        "stories.after-more": _("Hands {numbers} are added."),
        "stories.after-one": _("Hand {numbers} is added."),
        "stories.after-none": _("No hand is added."),
        "stories.alone": _("Theirs alone"),
        "stories.alone-more": _("{n} hands of this phone go; the club's log names each."),
        "stories.alone-one": _("The hand of this phone goes; the club's log names it."),
        "stories.alone-none": _("Nothing of this phone is lost: it is the same."),
        "stories.corrected": _("Mine as corrections"),
        "stories.corrected-more": _("Hands {numbers} are corrected."),
        "stories.corrected-one": _("Hand {numbers} is corrected."),
        "stories.corrected-none": _("No stored hand changes."),
        "stories.save-after": _("Add mine after theirs"),
        "stories.save-alone": _("Keep theirs alone"),
        "stories.save-corrected": _("Correct theirs by mine"),
        "stories.save-same": _("On to hand {number}"),
        "stories.pot": _("Then in the pot: {pot}. {name} deals."),
        "stories.left": _("left out"),
    }


def _changes() -> dict[str, str]:
    return {
        "stories.come": _("{names} comes"),
        "stories.leave": _("{names} leaves"),
        "stories.order": _("Order of play: {names}"),
        "stories.dealer": _("{names} deals"),
        "stories.pause": _("Pause"),
        "stories.resume": _("Continue"),
        "stories.undone": _("Hand {number} was undone"),
        "stories.corrected-by": _("{what} by {name}, {time}"),
    }


def _hands() -> dict[str, str]:
    return {
        "stories.hand": _("Hand {number}"),
        "stories.here": _("On this phone"),
        "stories.here-number": _("On this phone, as hand {number}"),
        "stories.by": _("By {name}, {time}"),
        "stories.stored-at": _("Stored at {time}"),
        "stories.missing-here": _("not on this phone"),
        "stories.missing-there": _("not stored"),
        "stories.same": _("the same"),
        "stories.same-more": _("{n} hands are the same"),
        "stories.was": _("on this phone hand {number}"),
        "stories.declares-oder": _("plays oder"),
        "stories.declares-weiter-oder": _("plays weiter-oder"),
        "stories.declares-muss": "Muss",
        "stories.declares-siebenermuss": "Siebenermuss",
        "stories.declares-blind": _("blind"),
        "stories.declares-double": _("double blind"),
        "stories.nobody-joins": _("nobody joins"),
        "stories.failed": _("failed"),
        "stories.no-coins": _("the pot stays"),
        "stories.somebody": _("somebody"),
    }


def _why() -> dict[str, str]:
    return {
        "stories.why-closed": _("The evening is closed: no hand can be added."),
        "stories.why-dissolved": _("This table was joined to another one: no hand can be added here."),
        "stories.why-final": _("The evening is final. Only an owner of the club can reopen it."),
        "stories.why-hands": _("All hands of this round are played."),
        "stories.why-mine-impossible": _("Hand {number} of this phone is not possible there. {clause}"),
        "stories.why-theirs-impossible": _("Hand {number}, which stays, would not be possible any more. {clause}"),
        "stories.why-gone": _("Hand {number} stays on this phone: {names} does not sit at the table any more."),
        "stories.why-record": _("Hand {number} stays on this phone, it is not possible there. {clause}"),
        "stories.why-kept": _("Hand {number} stays on this phone."),
        "stories.note-other-seats": _("In hand {number} others sit, too; everybody keeps their role."),
        "stories.note-theirs-stay": _("Hands {numbers}, which only the others have, stay."),
        "stories.moved-on": _("Somebody has recorded at this table meanwhile. This is how it is now."),
        "stories.lead": _("Without a network this phone recorded its own story. Nothing is lost: choose what counts."),
        "stories.lead-same": _("Both phones recorded the same. Nothing counts twice."),
        "stories.lead-nothing": _("Nothing of this table waits on this phone."),
    }


def _done() -> dict[str, str]:
    return {
        "stories.item-correct": _("Correct hands {numbers}"),
        "stories.item-leave-out": _("Left out: {what}"),
        "stories.item-change": _("Seats: {what}"),
        "stories.title": _("{club}, table {table}: {what}"),
        "stories.sends": _("Chosen: {what}. It is being sent …"),
        "stories.only-here": _("Chosen: {what}. It is only on this screen: do not close the page before it is sent."),
        "stories.waits": _("Chosen: {what}. It waits on this phone until there is a network."),
        "stories.sign-in": _("Chosen: {what}. Sign in, and it is sent."),
        "stories.done": pgettext("choice", "Stored: {what}."),
        "stories.kept": _("These hands stay on this phone: {numbers}."),
    }
