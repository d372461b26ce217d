"""Read an evening of the pot splitter from its address, and write it into one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from .. import engine_bridge
from ..engine_bridge import Record, Result, Start
from ..errors import FormProblem
from ..hands import clause_sentences
from ..offered import game_of
from .forms import RULES, SetupForm

MOST_HANDS = 150
"""With more hands the address would be longer than servers accept."""


LONGEST_NAME = 40


HIGHEST_POT_MINOR = 10**9


@dataclass(frozen=True)
class PlayedHand:
    """A hand of the evening: its code, its start, its complete record, and its result."""

    code: str
    start: Start
    record: Record
    result: Result


@dataclass(frozen=True)
class Evening:
    """The evening of an address; `settings` are its fields beside players and hands. `left_out` is the number of the
    first hand that the rules do not allow."""

    names: list[str]
    settings: list[tuple[str, str]]
    start: Start
    hands: list[PlayedHand] = field(default_factory=list)
    left_out: int | None = None

    def balances(self) -> list[int]:
        """The balance of each seat so far, in Rappen."""
        return [sum(hand.result["deltas"][seat] for hand in self.hands) for seat in range(len(self.names))]

    def fields(self, codes: Sequence[str] | None = None) -> list[tuple[str, str]]:
        """The fields of the address; `codes` replace those of the hands played."""
        hands = [hand.code for hand in self.hands] if codes is None else codes
        return [*(("p", name) for name in self.names), *self.settings, *(("h", code) for code in hands)]

    def address(self, codes: Sequence[str] | None = None) -> str:
        """The address of the evening."""
        return f"{reverse('calculator')}?{urlencode(self.fields(codes))}"


def evening_of(query: QueryDict) -> Evening | FormProblem | None:
    """The evening of an address, the problem that makes it none, or None for an address without players."""
    names = [" ".join(name.split())[:LONGEST_NAME] for name in query.getlist("p")]
    names = [name for name in names if name and name.isprintable()]
    if not names:
        return None
    form = SetupForm(query)
    if not form.is_valid():
        name, errors = next(iter(form.errors.items()))
        return FormProblem(f"{form.fields[name].label}: {errors[0]}", at=name)
    game, splitter, dealer = form.chosen_game(), form.splitter(), int(form.cleaned_data["dealer"] or 1) - 1
    least, most = engine_bridge.SEATS[game]
    if not least <= len(names) <= most:
        return FormProblem(str(splitter.who_plays), at="p")
    if len({name.casefold() for name in names}) < len(names):
        return FormProblem(_("Two players have the same name."), at="p")
    if dealer >= len(names):
        return FormProblem(_("Nobody sits at the seat that deals first."), at="dealer")
    rules, pot = form.rules(), min(form.cleaned_data["pot"] or 0, HIGHEST_POT_MINOR)
    try:
        coin = engine_bridge.house_rules(game, rules)["coin"]
    except engine_bridge.Fault as fault:
        return FormProblem(
            str(splitter.refused.get(fault.at, clause_sentences.sentence("R4"))), code=fault.clause, at=fault.at
        )
    if splitter.whole_coins and pot % coin:
        return FormProblem(_("The pot must be in whole coins."), at="pot")
    kept = form.kept()
    settings = [(name, str(form.data.get(name, "")).strip()) for name in form.fields]
    settings = [(name, text) for name, text in settings if text and (name not in RULES or name in kept)]
    start = Start(1, game, rules, len(names), dealer, 1, pot)
    return _with_hands(Evening(names, settings, start), query.getlist("h")[:MOST_HANDS])


def _with_hands(evening: Evening, codes: Sequence[str]) -> Evening:
    """Replay the hands one after the other, as far as the rules allow them."""
    start, splitter = evening.start, game_of(evening.start.game).records.splitter
    hands: list[PlayedHand] = []
    for code in codes:
        decoded = splitter.decode(code)
        record = {**start.fields(), **(decoded or {})}
        result = None if decoded is None else engine_bridge.replay(record)
        if result is None or not result["ok"]:
            return replace(evening, start=start, hands=hands, left_out=start.number)
        hands.append(PlayedHand(code, start, record, result))
        start = start.after(result)
    return replace(evening, start=start, hands=hands)
