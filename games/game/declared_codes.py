"""The codes of hands in the address of the pot splitter, for games in which a player declares and others join."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_lazy

from ..engine_bridge import Record
from .splitter import parts_of, tricks_code, tricks_in

PART = re.compile(r"x|s|d[0-6]|b[12]|c[A7Wx]{0,40}|g[sow]|j[0-6]{1,6}|m[0-6]{0,7}|t(?:[0-6][0-4]){1,7}")
WHO_PLAYS = gettext_lazy("Two to seven play Chratze, three to six Kratzen; name them in the order of play.")
POT_LIMIT_REFUSED = gettext_lazy("The limit of the pot is not below the stake, in Kratzen not below eight coins.")


@dataclass(frozen=True)
class DeclaredCodes:
    """Tallies as short codes: `d0-j12-m01` (declarer, joiners, who made it), `d4-b1-j2-t4123` (blind; tricks by seat),
    `x` (passed out); with cuts, a seven and a call also `cA7-s-d1-go`.

    `words` are the values of a field by their letter, by the letter of the field and its name. `shown_of` and `cuts_of`
    turn cuts into letters and back; None in a game without cuts.
    """

    words: Mapping[tuple[str, str], Mapping[str, str]] = field(default_factory=dict)
    shown_of: Callable[[Any], str] | None = None
    cuts_of: Callable[[str], Any] | None = None

    def encode(self, record: Mapping[str, Any]) -> str:
        """Write a tally as a code."""
        parts = []
        if "cuts" in record and self.shown_of is not None:
            parts.append("c" + self.shown_of(record["cuts"]))
        if record.get("seven"):
            parts.append("s")
        if record["declarer"] is None:
            return "-".join([*parts, "x"])
        parts.append(f"d{record['declarer']}")
        for (letter, name), words in self.words.items():
            parts += [letter + code for code, word in words.items() if record.get(name) == word]
        if record.get("joiners"):
            parts.append("j" + "".join(map(str, record["joiners"])))
        if "made" in record:
            parts.append("m" + "".join(map(str, record["made"])))
        if "tricks" in record:
            parts.append(tricks_code(record["tricks"]))
        return "-".join(parts)

    def decode(self, code: str) -> Record | None:
        """Read a tally from a code; None where it is no code. The engine checks the hand after that."""
        parts = parts_of(code, PART)
        if parts is None or ("x" in parts) is ("d" in parts):
            return None
        record: Record = {"declarer": int(parts["d"]) if "d" in parts else None}
        if "c" in parts:
            if self.cuts_of is None:
                return None
            record["cuts"] = self.cuts_of(parts["c"])
        if "s" in parts:
            record["seven"] = True
        for (letter, name), words in self.words.items():
            if letter in parts:
                record[name] = words[parts[letter]]
        for letter, name in (("j", "joiners"), ("m", "made")):
            if letter in parts:
                record[name] = [int(seat) for seat in parts[letter]]
        if "t" in parts:
            record["tricks"] = tricks_in(parts["t"])
        return record
