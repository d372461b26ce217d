"""Zwicken: how a hand is entered at the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_lazy as _

from .. import engine_bridge
from ..engine_bridge import Start
from ..game.cut_form import Cutting, Stored, cutting_fields
from ..game.hand_form import HandForm
from ..game.screen import Screen, Sentences
from .hand_form import TRICKS, ZwickenForm, cuts_of, shown_of

SENTENCES: Final = Sentences(
    tap_first=_("Tap who says mit."),
    who=_("Who says mit"),
    nobody=_("Nobody plays"),
    nobody_next=_("nobody plays"),
    passed=_("Nobody plays: the pot stays, then %(dealer)s deals."),
    passed_paid=_("Nobody plays, then %(dealer)s deals."),
    passed_line=_("Nobody plays."),
    passed_story=_("nobody plays"),
    passed_hand=_("Nobody played."),
    alone=_("Nobody else plays."),
    too_many=_("There are only three tricks: take back what is too many."),
    next_antes=_("Pot with the stake, %(dealer)s deals"),
    next_muss=_("Next a forced hand, %(dealer)s deals"),
    all_play=_("all play"),
    pack=_("%(dealer)s has the pack; who deals speaks last."),
    pack_muss=_("Forced hand: %(dealer)s has the pack, all play."),
    deals_free=_("{name} deals and speaks last."),
    deals_muss=_("Forced hand: {name} deals, all play."),
    saved_pack=_("{name} puts in the stake"),
    saved_free=_("The next hand is free; {dealer} has the pack."),
    saved_muss=_("The next hand is a forced hand; {dealer} has the pack."),
)


@dataclass(frozen=True)
class ZwickenCutting(Cutting):
    """Beside the cuts the seat that lost Belli, or None, and the house rules: `moves`, the cut moves the deal; `jumps`,
    Belli moves it by two; `pays`, who loses Belli pays."""

    seven_lost: int | None
    moves: bool
    jumps: bool
    pays: bool


def cutting(start: Start, names: Sequence[str], form: HandForm | None, stored: Stored | None) -> ZwickenCutting:
    """The parts of an entry that follow the cuts, and who lost Belli."""
    shown, lost = "", None
    if isinstance(form, ZwickenForm):
        shown, lost = form.shown(), form.seven_lost()
    elif stored is not None:
        shown = shown_of(stored.record.get("cuts", []))
        lost = next((line["seat"] for line in stored.result["lines"] if line["kind"] == "seven"), None)
    rules, muss = engine_bridge.house_rules(start.game, start.rules), engine_bridge.due(start).muss
    pack = str(SENTENCES.pack_muss if muss else SENTENCES.pack)
    deals = str(SENTENCES.deals_muss if muss else SENTENCES.deals_free)
    cuts = cuts_of(shown) if shown else []
    fields = cutting_fields(start, names, shown, cuts, unit=rules["stake"], pack=pack, deals=deals)
    if not shown:
        fields["turn_sentence"] = fields["pack_sentence"]
    return ZwickenCutting(
        **fields,
        seven_lost=lost,
        moves=rules["cut_moves"],
        jumps=rules["seven"],
        pays=rules["seven"] and rules["seven_lost"] == "stake",
    )


SCREEN: Final = Screen(
    templates="games/zwicken",
    form=lambda data, start: ZwickenForm(data, start=start),
    sentences=SENTENCES,
    tricks=TRICKS,
    always_counts=True,
    divided_rule="stake",
    cutting=cutting,
)
