"""Kratzen: how a hand is entered at the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_lazy as _

from .. import engine_bridge
from ..engine_bridge import Start
from ..game import goals
from ..game.cut_form import Cutting, Stored, cutting_fields
from ..game.hand_form import HandForm
from ..game.screen import Screen, Sentences
from .hand import game_type_of, is_siebenermuss
from .hand_form import SCHLAGEN, KratzenForm, cuts_of, shown_of

SENTENCES: Final = Sentences(
    tap_first=_("Tap who plays, then who says mit."),
    who=_("Who plays"),
    nobody=_("All weiter"),
    nobody_next=_("all weiter"),
    passed=_("All weiter: the pot stays, %(dealer)s deals."),
    passed_line=_("All weiter."),
    passed_story=_("all weiter"),
    passed_hand=_("All said weiter: the pot stays."),
    alone=_("Nobody joins."),
    too_many=_("There are only four tricks: take back what is too many."),
    next_antes=_("Pot with antes, %(dealer)s deals"),
    next_muss=_("Next a Muss, %(dealer)s deals"),
    pack=_("%(dealer)s has the pack; who deals speaks first."),
    pack_muss=_("Muss: %(dealer)s has the pack, all play."),
    deals_free=_("{name} deals and speaks first."),
    deals_muss=_("Muss: {name} deals, all play."),
    saved_pack=_("{name} pays in for the pack"),
    saved_free=_("The next hand is free; {dealer} has the pack."),
    saved_muss=_("The next hand is a Muss; {dealer} has the pack."),
)


@dataclass(frozen=True)
class KratzenCutting(Cutting):
    """Beside the cuts the call, and True if a seven made a Siebenermuss (`sevens` is the house rule for that)."""

    call: str
    seven: bool
    sevens: str


def cutting(start: Start, names: Sequence[str], form: HandForm | None, stored: Stored | None) -> KratzenCutting:
    """The parts of an entry that follow the cuts, and the call."""
    shown, call, seven = "", SCHLAGEN, False
    if isinstance(form, KratzenForm):
        shown, call, seven = form.shown(), form.call(), form.seven_entered
    elif stored is not None:
        shown = shown_of(stored.record["cuts"])
        call = game_type_of(stored.record, stored.result) or SCHLAGEN
        seven = is_siebenermuss(stored.record, stored.result)
    rules, muss = engine_bridge.house_rules(start.game, start.rules), engine_bridge.due(start).muss
    pack = str(SENTENCES.pack_muss if muss else SENTENCES.pack)
    deals = str(SENTENCES.deals_muss if muss else SENTENCES.deals_free)
    if seven:
        deals = str(_("Siebenermuss: {name} deals, all play."))
    fields = cutting_fields(start, names, shown, cuts_of(shown), unit=rules["unit"], pack=pack, deals=deals)
    if not shown and not seven:
        fields["turn_sentence"] = fields["pack_sentence"]
    return KratzenCutting(**fields, call=call, seven=seven, sevens=str(rules["seven_muss"]))


SCREEN: Final = Screen(
    templates="games/kratzen",
    form=lambda data, start: KratzenForm(data, start=start),
    sentences=SENTENCES,
    tricks=goals.TRICKS,
    always_counts=True,
    divided_rule="remainder",
    cutting=cutting,
)
