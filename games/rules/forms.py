"""The forms of a club's house rules, by game, and the refusal of values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import engine_bridge
from ..errors import Refused
from ..game.rule_form import RulesForm
from ..offered import GAMES, game_of

FORMS: dict[str, type[RulesForm]] = {name: game.texts.contract.form for name, game in GAMES.items()}


def refusal(game: str, fault: engine_bridge.Fault, values: Mapping[str, Any], currency: str) -> Refused:
    """The refusal of R4, with a sentence that names the right amount."""
    form = game_of(game).texts.contract.form
    sentence = form.refusal(fault.at.removeprefix("rules."), values, currency)
    return Refused(status=422, code="R4", sentence=sentence, at=fault.at)
