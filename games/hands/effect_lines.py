"""The house rules that changed the amounts of a hand, in words: 'played for 3.05', 'reduced: limit 6.00'."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from league.models import Evening
from league.money import format_money

from .. import engine_bridge, offered

POT_RULES = ("half", "limit")


@dataclass(frozen=True)
class EffectLine:
    """A house rule that changed the amounts of a hand, as a short text. `rule` is the key of its rule on the page of
    the house rules (`games.rules.contracts`), `effect` the same in numbers."""

    sentence: str
    rule: str
    effect: engine_bridge.Effect


def effect_lines(record: Mapping[str, Any], result: Mapping[str, Any], names: Sequence[str]) -> tuple[EffectLine, ...]:
    """The house rules that changed the amounts of this hand, in the order in which they apply; `names` are by seat."""
    divided = offered.game_of(record["game"]).screen.divided_rule
    return tuple(
        EffectLine(_sentence(effect, names), "pot" if effect.kind in POT_RULES else divided, effect)
        for effect in engine_bridge.effects(record, result)
    )


def rules_url(evening: Evening) -> str:
    """The page of the house rules that hold for this evening."""
    where = reverse("rules", kwargs={"club": evening.club.slug})
    return f"{where}?game={evening.game}&version={evening.house_rules.version}"


def effect_texts() -> dict[str, str]:
    """The text of each kind of effect, with `%(amount)s` and `%(name)s`; `stays`: a remainder that nobody got."""
    return {
        "half": _("played for %(amount)s"),
        "limit": _("reduced: limit %(amount)s"),
        "remainder": _("remainder %(amount)s to %(name)s"),
        "rounding": _("two thirds rounded to %(amount)s"),
        "stays": _("remainder %(amount)s stays"),
    }


def _sentence(effect: engine_bridge.Effect, names: Sequence[str]) -> str:
    stays = effect.kind == "remainder" and effect.seat is None
    name = "" if effect.seat is None else names[effect.seat]
    text = effect_texts()["stays" if stays else effect.kind]
    return text % {"amount": format_money(effect.amount), "name": name}
