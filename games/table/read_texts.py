"""The texts for writes of another phone: lists of writes in words (`static/js/night/describe.js`, `read_bundle.js`)."""

from __future__ import annotations

from django.utils.translation import gettext as _


def read_texts() -> dict[str, str]:
    """The texts by name, in the language of the reader; `{name}` is filled in by the script."""
    return _writes() | _states() | _problems() | _page_texts()


def _writes() -> dict[str, str]:
    return {
        "read.begin": _("The evening begins"),
        "read.correct": _("Corrections"),
        "read.dealer": _("{name} deals"),
        "read.hand": _("Hand {number}"),
        "read.leave-out": _("Left out"),
        "read.oder": _("plays oder"),
        "read.schlagen": "schlägt",
        "read.seats": _("Seating"),
        "read.somebody": _("somebody"),
        "read.title": _("{what} · {club}"),
        "read.weiter-oder": _("plays weiter-oder"),
    }


def _states() -> dict[str, str]:
    return {
        "read.after": _("It follows something that cannot be read, and is not taken over."),
        "read.here": _("Already on this phone"),
        "read.other": _("Another story of this table: it is kept beside that of this phone until you choose."),
        "read.same": _("The same hand is on this phone already"),
        "read.stored": _("Already stored"),
        "read.stuck": _("This does not follow what this phone knows of the table. The server decides when it arrives."),
        "read.unreadable": _("This line cannot be read. It stays on the other phone."),
    }


def _problems() -> dict[str, str]:
    return {
        "read.club": _("This was recorded in another club ({club}). Open its page to take it over."),
        "read.kind": _("This is no file and no QR code of hands that wait."),
        "read.many": _("This file is too large. A night has a few hundred hands at most."),
        "read.missing": _("{read} of {parts} parts are read; part {missing} is missing."),
        "read.missing-several": _("{read} of {parts} parts are read; parts {missing} are missing."),
        "read.newer": _("This was recorded with a newer version. Open this page with a network first."),
        "read.not-kept": _("Taken over, but it is only on this screen: do not close the page before it is sent."),
    }


def _page_texts() -> dict[str, str]:
    return {
        "read.chosen": _("It is chosen: this phone goes on from these hands, and they are sent in their order."),
        "read.from": _("Recorded by {names}, handed over on {when}"),
        "read.from-nobody": _("Handed over on {when}"),
        "read.line": _("Line {n}"),
        "read.mine-stored": _("Stored"),
        "read.mine-waits": _("On this phone"),
        "read.missing-mine": _("not on this phone"),
        "read.missing-theirs": _("not on the other phone"),
        "read.missing-unknown": _("stored, but this phone does not know it"),
        "read.handed-goes": _("Hands of this phone that go: {n}. The club's log names each."),
        "read.handed-holds": _("Let those of the other phone count"),
        "read.handed-sure": _("Really: only those of the other phone"),
        "read.own-goes": _("Hands of the other phone that go: {n}. The club's log names each."),
        "read.own-holds": _("Let those of this phone count"),
        "read.own-sure": _("Really: only those of this phone"),
        "read.other-waits": _(
            "Recorded on another phone, beside other hands of this table. “See both” leads to the choice of what"
            " counts."
        ),
        "read.sums": _("What the evening comes to"),
        "read.sums-these": _("What these hands come to"),
        "read.take": _("Take over {n} entries"),
        "read.take-both": _("Keep both, then choose"),
        "read.take-one": _("Take over one entry"),
        "read.taken": _("{n} entries are on this phone and are sent in their order."),
        "read.taken-both": _("Both are on this phone. With a network, “See both” leads to the choice."),
        "read.taken-choose": _("Both are on this phone. Choose below what counts, now or later."),
        "read.taken-one": _("One entry is on this phone and is sent."),
        "read.theirs": _("On the other phone"),
        "read.was": _("on the other phone hand {number}"),
    }
