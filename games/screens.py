"""What the recording pages show, put together from the table, the entry so far and what the engine says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.templatetags.league_tags import format_money

from .forms import HandForm, Problem, SeatEntry
from .preview import Preview
from .recording import Record
from .selectors import HandView, TableView

LONG_NAME = 13


@dataclass(frozen=True)
class Row:
    """A seat on the table screen: who, what is entered, and the balance of the night in Rappen."""

    seat: int
    nickname: str
    balance_minor: int
    deals: bool
    entry: SeatEntry
    marked: bool

    @property
    def long(self) -> bool:
        """Whether the name needs two lines beside its marks."""
        return len(self.nickname) > LONG_NAME


def rows(view: TableView, entries: Sequence[SeatEntry], marked: Sequence[int] = ()) -> list[Row]:
    """The seats in the order of play; `marked` are those that a refusal concerns."""
    return [
        Row(
            seat=seat.seat,
            nickname=seat.nickname,
            balance_minor=seat.balance_minor,
            deals=seat.deals,
            entry=entries[seat.seat] if seat.seat < len(entries) else SeatEntry(),
            marked=seat.seat in marked,
        )
        for seat in view.seats
    ]


def entries_of(hand: HandView) -> list[SeatEntry]:
    """A stored hand as the form would have it, to enter it again with a change."""
    active = [hand.declarer, *hand.joiners]
    return [
        SeatEntry(
            role="declarer" if seat == hand.declarer else "joiner" if seat in active else "out",
            made=seat not in hand.failed,
            tricks=hand.tricks[seat] if hand.tricks and hand.outcome == "played" and seat in active else None,
        )
        for seat in range(len(hand.names))
    ]


def concerned(at: str, form: HandForm) -> list[int]:
    """The seats whose rows a refusal marks: those in the place of the record that it names."""
    active = form.active()
    declarers = [seat for seat in active if form.entries()[seat].role == "declarer"]
    if at.startswith(("made", "tricks")):
        return active
    if at.startswith("joiners") and len(declarers) == 1 and len(active) == 1:
        # Susi: the last one asked, who sits before the declarer.
        return [(declarers[0] - 1) % form.seats]
    if at.startswith("joiners"):
        return [seat for seat in active if seat not in declarers]
    if at.startswith(("declarer", "blind")):
        return declarers
    return []


def why_not(preview: Preview, record: Record) -> Problem:
    """A refused preview in words. What the page can say more exactly than the clause, it does."""
    sentence = preview.sentence
    # An empty `made` counts as absent, and what is missed then is `tricks`.
    if preview.clause == "R5" and "made" in record:
        declarer, made = record["declarer"], record["made"]
        if declarer in made:
            sentence = _("Beside a declarer with two tricks at most two can have made one: there are four in all.")
        elif not made:
            sentence = _("Somebody took the four tricks: if the declarer failed, a joiner has made it.")
        else:
            sentence = _("There are four tricks: at most four joiners can have made one.")
    return Problem(sentence=sentence, code=preview.clause, at=preview.at)


def rules_in_words(rules: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Effective house rules of Chratze as pairs of a heading and a sentence."""
    return [
        (_("Stake"), _("%(amount)s each, every hand") % {"amount": format_money(rules["stake"])}),
        (
            _("Rounding"),
            _("the declarer's two thirds up to %(up)s; smallest coin %(coin)s")
            % {"up": format_money(rules["rounding"]), "coin": format_money(rules["coin"])},
        ),
        (_("Nobody declares"), no_taker(rules)),
        (_("Blind"), _blind(str(rules["blind"]))),
        (_("Susi"), _susi(str(rules["susi"]))),
        (
            _("Six of trumps"),
            _("takes the turned card") if rules["rob"] else _("stays where it is"),
        ),
        (
            _("Pot"),
            _("penalties lift it to %(amount)s at most") % {"amount": format_money(rules["pot_limit"])}
            if rules["pot_limit"]
            else _("has no limit"),
        ),
    ]


def no_taker(rules: Mapping[str, Any]) -> str:
    """What happens when nobody declares, in words (C2.4, C2.5)."""
    turns = int(rules["max_turns"])
    ante = _("with a new ante") if rules["ante_on_redeal"] else _("without a new ante")
    if rules["no_taker"] == "turn":
        said = ngettext(
            "one card is turned; then the same dealer deals again, %(ante)s",
            "up to %(n)d cards are turned; then the same dealer deals again, %(ante)s",
            turns,
        )
    else:
        said = ngettext(
            "the next player deals, %(ante)s",
            "the same dealer deals again, %(ante)s; after %(n)d deals the next one",
            turns,
        )
    return said % {"n": turns, "ante": ante}


def _blind(value: str) -> str:
    return {
        "none": _("not allowed"),
        "blind": _("the dealer may declare blind"),
        "both": _("the dealer may declare blind or double blind"),
    }[value]


def _susi(value: str) -> str:
    return {
        "off": _("nobody is called so"),
        "label": _("who is asked last and lets the pot go is called so"),
        "forced": _("who is asked last must join when nobody else has"),
    }[value]


@dataclass(frozen=True)
class HandLine:
    """A stored hand in the list of the night: the names with their part, and the coins that moved."""

    view: HandView
    declarer: str
    joiners: list[tuple[str, bool]]
    declarer_failed: bool
    coins: list[tuple[str, int]]


def hand_lines(hands: Sequence[HandView]) -> list[HandLine]:
    """The list of tonight's hands, in the order given. Coins are payouts and penalties, antes not among them."""
    return [
        HandLine(
            view=hand,
            declarer="" if hand.declarer is None else hand.names[hand.declarer],
            joiners=[(hand.names[seat], seat in hand.failed) for seat in hand.joiners],
            declarer_failed=hand.declarer in hand.failed,
            coins=[(hand.names[line["seat"]], line["amount"]) for line in hand.lines if line["kind"] != "ante"],
        )
        for hand in hands
    ]
