"""Read an evening of the pot splitter from its address, and write it into one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from .. import engine_bridge
from ..engine_bridge import Record, Result, Start
from ..errors import FormProblem
from ..hands import clause_sentences
from ..table.kratzen_form import cuts_of, shown_of
from .forms import RULES, SHARED_RULES, SetupForm

MOST_HANDS = 150
"""With more hands the address would be longer than servers accept."""


LONGEST_NAME = 40


HIGHEST_POT_MINOR = 10**9


PART = re.compile(r"x|s|d[0-6]|b[12]|c[A7Wx]{0,40}|g[sow]|j[0-6]{1,6}|m[0-6]{0,7}|t(?:[0-6][0-4]){1,7}")


BLINDS = {"1": "blind", "2": "double"}


CALLS = {"s": "schlagen", "o": "oder", "w": "weiter-oder"}


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
    game, dealer = form.chosen_game(), int(form.cleaned_data["dealer"] or 1) - 1
    least, most = engine_bridge.SEATS[game]
    if not least <= len(names) <= most:
        sentence = _("Two to seven play Chratze, three to six Kratzen; name them in the order of play.")
        return FormProblem(sentence, at="p")
    if len({name.casefold() for name in names}) < len(names):
        return FormProblem(_("Two players have the same name."), at="p")
    if dealer >= len(names):
        return FormProblem(_("Nobody sits at the seat that deals first."), at="dealer")
    rules, pot = form.rules(), min(form.cleaned_data["pot"] or 0, HIGHEST_POT_MINOR)
    try:
        coin = engine_bridge.house_rules(game, rules)["coin"]
    except engine_bridge.Fault as fault:
        return FormProblem(_rule_refused(fault.at), code=fault.clause, at=fault.at)
    if game == engine_bridge.KRATZEN and pot % coin:
        return FormProblem(_("The pot must be in whole coins."), at="pot")
    in_rules = {name for names_of in RULES.values() for name in names_of} | set(SHARED_RULES)
    settings = [(name, str(form.data.get(name, "")).strip()) for name in form.fields]
    settings = [(name, text) for name, text in settings if text and (name not in in_rules or _rule(name) in rules)]
    start = Start(1, game, rules, len(names), dealer, 1, pot)
    return _with_hands(Evening(names, settings, start), query.getlist("h")[:MOST_HANDS])


def _rule(name: str) -> str:
    return "blind" if name == "blinds" else name


def _rule_refused(at: str) -> str:
    return {
        "rules.rounding": _("Two thirds are rounded up to a multiple of the smallest coin."),
        "rules.pot_limit": _("The limit of the pot is not below the stake, in Kratzen not below eight coins."),
        "rules.split_over": _("A pot is halved from eight coins on."),
        "rules.unit": _("The unit is a multiple of the smallest coin, two at least."),
    }.get(at, clause_sentences.sentence("R4"))


def _with_hands(evening: Evening, codes: Sequence[str]) -> Evening:
    """Replay the hands one after the other, as far as the rules allow them."""
    start = evening.start
    hands: list[PlayedHand] = []
    for code in codes:
        decoded = decode(code)
        record = {**start.fields(), **(decoded or {})}
        result = None if decoded is None else engine_bridge.replay(record)
        if result is None or not result["ok"]:
            return replace(evening, start=start, hands=hands, left_out=start.number)
        hands.append(PlayedHand(code, start, record, result))
        start = start.after(result)
    return replace(evening, start=start, hands=hands)


def encode(record: Mapping[str, Any]) -> str:
    """Write a tally as a short code: `d0-j12-m01` (declarer, joiners, who made it), `d4-b1-j2-t4123` (blind;
    tricks by seat), `x` (passed out); in Kratzen also the cuts, a Siebenermuss and the call: `cA7-s-d1-go`."""
    parts = []
    if "cuts" in record:
        parts.append("c" + shown_of(record["cuts"]))
    if record.get("seven"):
        parts.append("s")
    if record["declarer"] is None:
        return "-".join([*parts, "x"])
    parts.append(f"d{record['declarer']}")
    for letter, name, words in (("b", "blind", BLINDS), ("g", "game_type", CALLS)):
        parts += [letter + code for code, word in words.items() if record.get(name) == word]
    if record.get("joiners"):
        parts.append("j" + "".join(map(str, record["joiners"])))
    if "made" in record:
        parts.append("m" + "".join(map(str, record["made"])))
    if "tricks" in record:
        parts.append("t" + "".join(f"{seat}{count}" for seat, count in record["tricks"].items()))
    return "-".join(parts)


def decode(code: str) -> Record | None:
    """Read a tally from a short code; None where it is no code. The engine checks the hand after that."""
    parts = code.split("-")
    found = {part[0]: part[1:] for part in parts if PART.fullmatch(part)}
    if len(found) < len(parts) or ("x" in found) is ("d" in found):
        return None
    record: Record = {"declarer": int(found["d"]) if "d" in found else None}
    if "c" in found:
        record["cuts"] = cuts_of(found["c"])
    if "s" in found:
        record["seven"] = True
    for letter, name, words in (("b", "blind", BLINDS), ("g", "game_type", CALLS)):
        if letter in found:
            record[name] = words[found[letter]]
    for letter, name in (("j", "joiners"), ("m", "made")):
        if letter in found:
            record[name] = [int(seat) for seat in found[letter]]
    if "t" in found:
        record["tricks"] = {found["t"][n]: int(found["t"][n + 1]) for n in range(0, len(found["t"]), 2)}
    return record
