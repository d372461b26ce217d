"""Formulas that card clubs use, as a beginning for one's own."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from .parts import Formula

_USUAL = ("evenings_won", "best_night")


@dataclass(frozen=True)
class Preset:
    """A formula with a name and a sentence."""

    key: str
    name: Promise
    about: Promise
    formula: Formula


PRESETS: tuple[Preset, ...] = (
    Preset("sum", _("Plain sum"), _("All points of all evenings are added up."), Formula(ties=_USUAL)),
    Preset(
        "best",
        _("Best 8 of 12"),
        _("Twelve evenings, of which everybody's eight best count."),
        Formula(best=8, best_of=12, ties=_USUAL),
    ),
    Preset(
        "best_minimum",
        _("Best 8, at least 5"),
        _("The eight best evenings count; whoever played fewer than five is not ranked."),
        Formula(best=8, attendance_minimum=5, ties=_USUAL),
    ),
    Preset(
        "rising",
        _("Rising minimum"),
        _("Five evenings are the minimum; every two more drop the worst one."),
        Formula(attendance_minimum=5, drop_one_more_every=2, ties=_USUAL),
    ),
    Preset(
        "average_hand",
        _("Average per hand"),
        _("Points per hand, from 100 hands on."),
        Formula(counts="average_hand", hands_minimum=100, ties=("hands",)),
    ),
    Preset(
        "average_evening",
        _("Average per evening"),
        _("Points per evening, from five evenings on."),
        Formula(counts="average_evening", attendance_minimum=5, ties=("evenings",)),
    ),
    Preset(
        "places",
        _("Places of the night"),
        _("The first of an evening gets 10 points, the second 8, then 6, 5, 4, 3, 2, 1."),
        Formula(counts="places", places=(10, 8, 6, 5, 4, 3, 2, 1), ties=("evenings_won", "evenings")),
    ),
    Preset(
        "rounds",
        _("Four rounds, the worst dropped"),
        _("Of four rounds the worst does not count; a missed round has 0 points and can be the dropped one."),
        Formula(drop=1, absences="zero", ties=(*_USUAL, "head_to_head")),
    ),
)
BY_KEY = {preset.key: preset for preset in PRESETS}
