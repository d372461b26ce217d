"""The form of a hand of Chratze. The rules are checked by the engine."""

from __future__ import annotations

from typing import ClassVar

from django.utils.translation import gettext as _

from ..errors import FormProblem
from ..game.hand_form import HandForm


class ChratzeForm(HandForm):
    """The roles, and who made it or the tricks."""

    last_may_be_alone: ClassVar[bool] = False

    def roles_problem(self) -> FormProblem | None:
        """Return the reason why there is not exactly one declarer, or None (C3.2)."""
        declarers = self.declarers()
        if not declarers:
            return FormProblem(_("Who said chratze? Tap that player first, or “Nobody declares”."), at="declarer")
        if len(declarers) > 1:
            return FormProblem(_("Only one player can chratze in a hand."), code="C3.2", at="declarer")
        return None
