"""The texts of the scripts of the table screen: the scripts have no language, so the page brings all texts.

A name is `<module>.<what>`; a plural has two names. `static/js/night/texts.js` replaces `{name}` in a text.
"""

from __future__ import annotations

import re

from django.utils.translation import gettext as _

from league.money import price_pattern

from .. import offered
from ..hands import clause_sentences
from ..hands.effect_lines import effect_texts
from ..seating.sheet_texts import sheet_texts
from .read_texts import read_texts

CLAUSES = (
    *("R1", "R2", "R3", "R4", "R5", "R6", "C1.1", "C2.5", "C3.2", "C3.4", "C3.5", "C3.6", "C6.3"),
    *("K1.1", "K3.1", "K3.2", "K3.4", "K4.2", "K5.1", "K5.2", "K5.3", "K5.4", "K5.5", "K5.6", "K8.2"),
    *("Z1.1", "Z2.3", "Z2.4", "Z4.1", "Z7.3"),
)
"""The clauses that a record without cards can break."""


def night_texts(currency: str) -> dict[str, str]:
    """All texts by their names, in the language of the reader; amounts are written in this currency."""
    return {
        **_begun(),
        **_clauses(),
        **_effects(),
        **_entry(),
        **_needs(),
        **_preview(currency),
        **read_texts(),
        **_saved(),
        **said_texts(),
        **_screen(),
        **_seats(),
        **_waiting(),
    }


# Each module of static/js/night has one block; the blocks and their texts are sorted by name.


def _begun() -> dict[str, str]:
    """`begun_evening.js`: the page of an evening begun on the phone, after its arrival."""
    return {
        "begun.number": _("The evening has arrived: it is number {number}."),
        "begun.pot": _("{amount} are in the pot from the last evening, not {known} as this device knew."),
    }


def _clauses() -> dict[str, str]:
    """The sentence of each clause (`games.hands.clause_sentences`)."""
    sentences = {f"clause.{clause}": clause_sentences.sentence(clause) for clause in CLAUSES}
    return sentences | {"clause.unknown": str(clause_sentences.UNKNOWN_CLAUSE)}


def _effects() -> dict[str, str]:
    """The house rules that changed the amounts of a hand (`games.hands.effect_lines`)."""
    return {f"effect.{name}": _open(text) for name, text in effect_texts().items()}


def _entry() -> dict[str, str]:
    """`table.js` and `entry_problems.js`: sentences about the entry of a hand."""
    return {
        "entry.declarer-two-tricks": _(
            "Beside a declarer with two tricks at most two can have made one: there are four in all."
        ),
        "entry.four-tricks": _("There are four tricks: at most four joiners can have made one."),
        "entry.moved-on": _open(_("This table has moved on: hand %(due)d is next. Reload the page.")),
        "entry.nobody-made": _("Somebody took the four tricks: if the declarer failed, a joiner has made it."),
        "entry.stored": _open(
            _("Hand %(number)d is already stored, hand %(due)d is next. Save shows yours beside the stored one.")
        ),
        "entry.waits": _("Hand {number} is recorded on this phone already and waits. Save puts yours beside it."),
    }


def _needs() -> dict[str, str]:
    """`needs_network.js`: actions that need a network."""
    return {
        "needs.close": _("Done"),
        "needs.evening": _("“{what}” waits until the evening has arrived on the server."),
        "needs.network": _("“{what}” waits for the network."),
        "needs.works": _("Hands are recorded without one, and so is who comes, goes, changes seats or deals."),
    }


def _preview(currency: str) -> dict[str, str]:
    """`preview.js`: the same sentences as `templates/games/table/_preview.html`."""
    return {
        "preview.all-made": _("All made it: nobody pays, the pot stays."),
        "preview.amount": _open(price_pattern("")),
        "preview.antes-again": _open(_("Everybody puts in %(amount)s again.")),
        "preview.clause": _open(_("Rule %(clause)s")),
        "preview.next": _open(_("Pot, %(dealer)s deals")),
        "preview.next-last": _("In the pot after the last hand"),
        "preview.pays": _("pays"),
        "preview.pays-cut": _("pays for the cut"),
        "preview.pays-seven": _("pays for Belli"),
        "preview.price": _open(price_pattern(currency)),
        "preview.susi": _open(_("Nobody joins; %(susi)s is the Susi.")),
        "preview.takes": _("takes"),
    }


def _saved() -> dict[str, str]:
    """`saved_screen.js`: the same sentences as `templates/games/table/paid.html` and `_coins.html`."""
    return {
        "saved.antes": _("Each puts in the ante"),
        "saved.antes-muss": _("Each puts in the ante, {dealer} twice"),
        "saved.evening-over": _("It was the last hand for all: nobody puts in an ante."),
        "saved.nothing": _("Nobody moves a coin"),
        "saved.only-here": _("Hand {number}: only on this screen"),
        "saved.page": _("{club}: hand {number} saved"),
        "saved.pays": _("{name} pays in"),
        "saved.pays-cut": _("{name} pays in for the cut"),
        "saved.pays-seven": _("{name} pays in for Belli"),
        "saved.round-over": _("It was the last hand of this round at this table: nobody puts in an ante."),
        "saved.susi": _open(_("%(susi)s is the Susi")),
        "saved.takes": _("{name} takes from the pot"),
        "saved.title": _open(_("Hand %(number)s saved")),
    }


def said_texts() -> dict[str, str]:
    """`say` of `texts.js`: the terms and the sentences of each game."""
    texts: dict[str, str] = {}
    for name, game in offered.GAMES.items():
        terms = {"declares": str(game.league.terms.declares), "joins": str(game.league.terms.joins)}
        sentences = terms | dict(game.screen.sentences.by_name())
        texts |= {f"say.{name}.{key}": _open(sentence) for key, sentence in sentences.items()}
    return texts


def _screen() -> dict[str, str]:
    """`screen.js`: the same sentences as `templates/games/table/table.html` and `_entry.html`."""
    return {
        "screen.before": _("Before:"),
        "screen.deal": _open(_("Deal %(n)s.")),
        "screen.deals": _open(_("%(dealer)s deals, %(forehand)s speaks first.")),
        "screen.ended": _("The last hand is played."),
        "screen.hand": _open(_("Hand %(number)s")),
        "screen.last-hand": _("Last hand for all."),
        "screen.paused": _("Pause; the next hand ends it."),
        "screen.save": _open(_("Save hand %(number)s")),
        "screen.tap-muss": _("Tap + for each trick."),
        "screen.title": _open(_("%(club)s, table %(table)s: hand %(number)s")),
    }


def _seats() -> dict[str, str]:
    """`seating_sheet.js` and `seat_change.js`: the same sentences as the seating page (`games.seating.sheet_texts`)."""
    return {name: _open(sentence) for name, sentence in sheet_texts().items()}


def _waiting() -> dict[str, str]:
    """`waiting_line.js` and `table_night.js`: writes that wait on the phone."""
    return {
        "waiting.all-sent": _("All hands are on the server"),
        "waiting.behind": _("It is kept on this phone, and goes to the server once this is settled: {what}."),
        "waiting.being-sent": _("Being sent"),
        "waiting.cancel": _("tap to cancel"),
        "waiting.changing": _("You change hand {number}"),
        "waiting.differs": _("The server counts hand {number} otherwise"),
        "waiting.do-not-close": _("do not close the page"),
        "waiting.entry": _("{n} entry waits on the phone"),
        "waiting.entry-many": _("{n} entries wait on the phone"),
        "waiting.halted": _("{what} was not accepted"),
        "waiting.hand": _("{n} hand waits on the phone"),
        "waiting.hand-many": _("{n} hands wait on the phone"),
        "waiting.keeps-nothing": _("this browser keeps nothing"),
        "waiting.kept-here": _("hands are kept on the phone"),
        "waiting.later": _("{before}. Now: {after}."),
        "waiting.later-stuck": _(
            "It does not fit any more: nothing from here on can be sent until it is changed or discarded."
        ),
        "waiting.look": _("look"),
        "waiting.no-network": _("No network"),
        "waiting.only-entry": _("{n} entry is only on this screen"),
        "waiting.only-entry-many": _("{n} entries are only on this screen"),
        "waiting.only-hand": _("{n} hand is only on this screen"),
        "waiting.only-hand-many": _("{n} hands are only on this screen"),
        "waiting.pot": _("pot {pot}"),
        "waiting.pot-stays": _("the pot stays"),
        "waiting.signed-out": _("Signed out"),
        "waiting.state-differs": _("counted otherwise"),
        "waiting.state-only-here": _("only on this screen"),
        "waiting.state-refused": _("not accepted"),
        "waiting.state-sending": _("being sent"),
        "waiting.state-sign-in": _("sign in"),
        "waiting.state-waits": _("waits"),
        "waiting.stored": _("Hand {number} is stored by now"),
        "waiting.stuck": _("It does not fit what was recorded before it. Change or discard it."),
        "waiting.sum": "{name} {amount}",
        "waiting.sure": _("Really discard"),
        "waiting.taken": _("The server has another hand under this number. Both are shown once this one is sent."),
        "waiting.title": _("Waits on this phone"),
        "waiting.title-only-here": _("Only on this screen"),
        "waiting.under-way": _("{what} is just being sent. Try again once it has an answer."),
        "waiting.two": _("Two stories from hand {number} on"),
        "waiting.why-offline": _("It is kept on this phone and goes to the server by itself once there is a network."),
        "waiting.why-online": _("It is kept on this phone until the server has taken it."),
        "waiting.why-only-here": _(
            "This browser keeps nothing: it is lost if the page is closed before it is sent. Keep a copy."
        ),
        "waiting.why-sign-in": _("It is kept on this phone. Sign in, and it goes to the server."),
    }


def _open(text: str) -> str:
    """A text with places for a script: `%(name)s` becomes `{name}`."""
    return re.sub(r"%\((\w+)\)[sd]", r"{\1}", text)
