"""The pot splitter for Zwicken."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy

from ..engine_bridge import Record
from ..game.splitter import POT_LIMIT, Francs, SetupRule, Splitter, choice, parts_of, tricks_code, tricks_in
from .hand_form import cuts_of, shown_of

PART: Final = re.compile(r"c[A7Bx]{0,40}|p[0-5]{0,6}|t(?:[0-5][0-3]){1,6}|l[0-5]")


def encode(record: Mapping[str, Any]) -> str:
    """Write a tally as a short code: `cAB-p013-t0213-l1` (the cuts, who plays, tricks by seat, who lost the seven)."""
    parts = ["c" + shown_of(record["cuts"])] if "cuts" in record else []
    if "players" in record:
        parts.append("p" + "".join(map(str, record["players"])))
    if "tricks" in record:
        parts.append(tricks_code(record["tricks"]))
    if record.get("seven_lost") is not None:
        parts.append(f"l{record['seven_lost']}")
    return "-".join(parts)


def decode(code: str) -> Record | None:
    """Read a tally from a short code; None where it is no code. The engine checks the hand after that."""
    parts = parts_of(code, PART)
    if parts is None:
        return None
    record: Record = {"cuts": cuts_of(parts["c"])} if "c" in parts else {}
    if "p" in parts:
        record["players"] = [int(seat) for seat in parts["p"]]
    if "t" in parts:
        record["tricks"] = tricks_in(parts["t"])
    if "l" in parts:
        record["seven_lost"] = int(parts["l"])
    return record


def _yes_no(label: Any) -> Callable[[], forms.Field]:
    return lambda: choice(label, [("yes", gettext_lazy("yes")), ("no", gettext_lazy("no"))])


SPLITTER: Final = Splitter(
    rules={
        "pot_limit": POT_LIMIT,
        # Other games have these names for other amounts, and the entry has them for what happened in a hand.
        "z_stake": SetupRule(lambda: Francs(gettext_lazy("Stake"), "0.30"), "stake"),
        "z_coin": SetupRule(lambda: Francs(gettext_lazy("Smallest coin"), "0.10"), "coin"),
        "z_bete": SetupRule(
            lambda: choice(
                gettext_lazy("Bête"),
                [("pot", gettext_lazy("is the whole pot")), ("stake", gettext_lazy("is one stake"))],
            ),
            "bete",
        ),
        "z_cut_moves": SetupRule(
            _yes_no(gettext_lazy("The cut moves the deal")), "cut_moves", lambda chosen: chosen == "yes"
        ),
        "z_seven": SetupRule(_yes_no(gettext_lazy("Belli is a trump")), "seven", lambda chosen: chosen == "yes"),
        "z_seven_lost": SetupRule(
            lambda: choice(
                gettext_lazy("Belli lost"),
                [("stake", gettext_lazy("costs one stake")), ("off", gettext_lazy("costs nothing"))],
            ),
            "seven_lost",
        ),
        "z_nobody": SetupRule(
            lambda: choice(
                gettext_lazy("Nobody plays"),
                [("dealer", gettext_lazy("the dealer takes the pot")), ("stays", gettext_lazy("the pot stays"))],
            ),
            "nobody",
        ),
    },
    shown=("z_stake", "z_coin", "z_bete", "z_cut_moves", "z_seven", "z_seven_lost", "z_nobody"),
    encode=encode,
    decode=decode,
    who_plays=gettext_lazy("Three to six play Zwicken; name them in the order of play."),
    refused={
        "rules.stake": gettext_lazy("The stake is a multiple of three of the smallest coins."),
        "rules.pot_limit": gettext_lazy("The limit of the pot is not below three of the smallest coins."),
    },
)
