"""Chratze: how a hand is entered at the table."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ..game import goals
from ..game.screen import Screen, Sentences
from .hand_form import ChratzeForm

SCREEN: Final = Screen(
    templates="games/chratze",
    form=lambda data, start: ChratzeForm(data, seats=start.seats),
    sentences=Sentences(
        tap_first=_("Tap who says chratze, then who says metcho."),
        who=_("Who says chratze"),
        nobody=_("Nobody declares"),
        nobody_next=pgettext_lazy("declares", "nobody"),
        passed=_("Nobody declares: the pot stays, %(dealer)s deals."),
        passed_line=_("Nobody declares."),
        passed_story=_("nobody declares"),
        passed_hand=_("Nobody declared: the pot stays."),
        alone=_("Nobody joins."),
        too_many=_("There are only four tricks: take back what is too many."),
        declarer="chratzt",
        joiner="metcho",
        next_antes=_("Pot with antes, %(dealer)s deals"),
    ),
    tricks=goals.TRICKS,
    always_counts=False,
    divided_rule="rounding",
)
