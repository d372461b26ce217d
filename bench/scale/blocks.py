"""Rows as texts with gaps: one text for the rows of one table in one evening, season or club. To copy them, the gaps
are filled with the ids and days of the copy.

An id of a copy is a prefix, which is a gap, and the six digits of the row's place in its block. So ids of equal length
keep their order, and a text is filled without a look at its cells. The prefixes of clubs have seven digits, from
1,000,000 on; those of evenings begin below, so that ids of evenings are in the order of their days.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from operator import itemgetter
from typing import Any

from bench.scale.rows import NULL, Cells, Schema
from games.closing.receipts import canonical

PLACES = 6
FIRST_CLUB, FIRST_EVENING = 1_000_000, 1_000
GAP = re.compile("\x01([^\x02]*)\x02")
PLAYER = "7770007"
"""The digits in front of a player's place in the content of a receipt, until the text is cut at its gaps."""
EVENING_SECONDS = 4 * 3600
UUID_STEP_MS = 20_000
WINDOW_BITS = 28
"""The lowest bits of the milliseconds in an ordered id: those of 74 hours, which differ by the row alone."""


def gap(name: str) -> str:
    return f"\x01{name}\x02"


class Text:
    """A text with gaps."""

    def __init__(self, text: str) -> None:
        self.pieces = GAP.split(text)
        self.names = self.pieces[1::2]
        self.get = itemgetter(*self.names) if len(self.names) > 1 else None

    def filled(self, values: Mapping[str, str]) -> str:
        """Return the text with these values in its gaps."""
        if self.get is None:
            return "".join(self.pieces) if not self.names else self.pieces[0] + values[self.names[0]] + self.pieces[2]
        pieces = self.pieces.copy()
        pieces[1::2] = self.get(values)
        return "".join(pieces)


class Places:
    """The place of each id in its block: of a table's rows of the club, and of those of each evening."""

    def __init__(self) -> None:
        self.of_club: dict[tuple[str, str], int] = {}
        self.of_evening: dict[tuple[str, str], tuple[str, int]] = {}
        self.evenings: dict[str, int] = {}

    def add(self, table: str, ids: Iterable[str], evening: str | None = None) -> None:
        for place, key in enumerate(ids):
            if evening is None:
                self.of_club[table, key] = place
            else:
                self.of_evening[table, key] = (evening, place)

    def reference(self, table: str, key: str, own: str | None) -> str:
        """Return a row's id with its gap. `own` is the evening whose gap has no number. Raises LookupError."""
        if table == "league_season":
            return gap("S")
        if (table, key) in self.of_club:
            return f"{gap('C')}{self.of_club[table, key]:0{PLACES}d}"
        evening, place = self.of_evening[table, key]
        name = "E" if evening == own else f"E{self.evenings[evening]}"
        return f"{gap(name)}{place:0{PLACES}d}"


class CopiedIds:
    """The same for rows of a copied club: its ids are read as prefix and place."""

    def __init__(self, club: int, evenings: Sequence[int]) -> None:
        self.club, self.number = str(club), {str(prefix): position for position, prefix in enumerate(evenings)}

    def reference(self, table: str, key: str, own: str | None) -> str:
        prefix, place = key[:-PLACES], key[-PLACES:]
        if prefix == self.club:
            return f"{gap('C')}{place}"
        return f"{gap('E' if own is not None and prefix == own[:-PLACES] else f'E{self.number[prefix]}')}{place}"


Ids = Places | CopiedIds


class Block:
    """The rows of one owner that are turned into texts."""

    def __init__(self, known: Schema, ids: Ids, *, own: str | None = None, day: str = "") -> None:
        self.known, self.ids, self.own = known, ids, own
        self.day = date.fromisoformat(day) if day else None
        self.moments: dict[str, int] = {}
        self.uuids: dict[str, int] = {}
        self.closings: dict[str, str] = {}

    def note(self, table: str, rows: Iterable[Cells]) -> None:
        """Note the moments and ids by time of these rows: both become those of the evening, in the same order."""
        kinds = list(self.known.columns[table].items())
        for row in rows:
            for (name, kind), cell in zip(kinds, row, strict=True):
                if cell == NULL:
                    continue
                if kind.startswith("timestamp") and name != "final_at":
                    self.moments[cell] = 0
                elif kind == "uuid" and cell[14] == "7":
                    self.uuids[cell] = 0
            if table == "league_closing":
                cells = dict(zip(self.known.columns[table], row, strict=True))
                self.closings[cells["id"]] = cells["created_at"]

    def order(self) -> None:
        step = EVENING_SECONDS * 1000 // (len(self.moments) + 1)
        self.moments = {cell: (position + 1) * step for position, cell in enumerate(sorted(self.moments, key=_moment))}
        self.uuids = {cell: (position + 1) * UUID_STEP_MS for position, cell in enumerate(sorted(self.uuids))}

    def text(self, table: str, rows: Sequence[Cells]) -> str:
        """Return the lines of COPY."""
        columns = list(self.known.columns[table].items())
        return "".join(
            "\t".join(
                self._cell(table, name, kind, cell, position) for (name, kind), cell in zip(columns, row, strict=True)
            )
            + "\n"
            for position, row in enumerate(rows)
        )

    def _cell(self, table: str, name: str, kind: str, cell: str, position: int) -> str:
        if cell == NULL:
            return cell
        if kind == "uuid":
            return self.uuid(cell)
        target = self.known.foreign.get((table, name))
        if target is not None:
            return self.ids.reference(target, cell, self.own)
        if self.known.keys.get(table) == name and kind == "bigint":
            return self._key(table, cell, position)
        if (table, name) in SPECIAL:
            return SPECIAL[table, name](self, cell)
        if self.day is not None and kind == "date":
            return self.date(cell)
        if self.day is not None and kind.startswith("timestamp"):
            return self._final(cell) if name == "final_at" else self.moment(cell)
        return cell

    def _key(self, table: str, cell: str, position: int) -> str:
        if isinstance(self.ids, Places):
            return self.ids.reference(table, cell, self.own)
        # A counted row has an id that PostgreSQL gave.
        return f"{gap('E' if self.own is not None else 'C')}{position:0{PLACES}d}"

    def uuid(self, cell: str) -> str:
        if cell[14] != "7":
            return f"{gap('R')}{cell[8:30]}{gap('N')}"
        low = f"{self.uuids[cell]:07x}"
        return f"{gap('T')}{low[:3]}-{low[3:]}{cell[13:30]}{gap('N')}"

    def date(self, cell: str) -> str:
        if self.day is None:
            raise LookupError("a day in a block without one")
        return gap(f"D{(date.fromisoformat(cell) - self.day).days}")

    def moment(self, cell: str, *, separator: str = " ") -> str:
        seconds, ms = divmod(self.moments[cell], 1000)
        clock = f"{18 + seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
        # With a last digit, so that Python writes all six of them.
        return f"{gap('D0')}{separator}{clock}.{ms:03d}001+00{':00' if separator == 'T' else ''}"

    def _final(self, cell: str) -> str:
        return f"{self.date(cell[:10])}{cell[10:]}"

    def receipt(self, content: str) -> str:
        """Return the content of a receipt in the form over which its digest is computed."""
        receipt = json.loads(content.replace("\\\\", "\\"))
        where = receipt["evening"]
        receipt["club"] = {"slug": "\x01G\x02", "name": "\x01H\x02"}
        evening, day = str(where["id"]), where["held_on"]
        where |= {"id": "@evening", "season": "@season", "held_on": self.date(day)}
        closing = receipt["closing"]
        closed_at = self.moment(self.closings[closing["id"]], separator="T")
        closing |= {"id": self.uuid(closing["id"]), "at": closed_at}
        for table in receipt["tables"]:
            if any(happening["data"].keys() - {"amount"} for happening in table["happenings"]):
                raise LookupError("a happening whose data may name a row")
            for hand in table["hands"]:
                hand["players"] = [self._player(player) for player in hand["players"]]
        receipt["players"] = {str(self._player(player)): name for player, name in receipt["players"].items()}
        pot = receipt["pot"]
        pot |= {"present": sorted(self._player(player) for player in pot["present"])}
        pot["to"] = {self._label(name): amount for name, amount in pot["to"].items()}
        receipt["sums"] = {self._label(name): amount for name, amount in receipt["sums"].items()}
        for part in ("paid", "payments"):
            receipt[part] = [[self._label(payer), self._label(payee), amount] for payer, payee, amount in receipt[part]]
        text = re.sub(rf"{PLAYER}(?=\d{{{PLACES}}})", gap("C"), _gaps_again(canonical(receipt)))
        if "\\" in text:
            raise LookupError("a content that COPY would write in another way")
        text = text.replace('"@evening"', self.ids.reference("league_evening", evening, self.own))
        return text.replace('"@season"', gap("S"))

    def _player(self, key: int | str) -> int:
        return int(PLAYER + self.ids.reference("league_player", str(key), None)[-PLACES:])

    def _label(self, name: str) -> str:
        return f"p{self._player(name[1:])}" if name[0] == "p" and name[1:].isdecimal() else name


def _gaps_again(text: str) -> str:
    """JSON writes the ends of a gap as escapes."""
    return text.replace("\\u0001", "\x01").replace("\\u0002", "\x02")


def _moment(cell: str) -> datetime:
    return datetime.fromisoformat(cell + ":00")


def _decisions(block: Block, cell: str) -> str:
    return (
        json.dumps(
            [[PLAYER + str(player)[-PLACES:], situation, hands] for player, situation, hands in json.loads(cell)]
        )
        .replace(f'"{PLAYER}', gap("C"))
        .replace('", ', ", ")
    )


SPECIAL: dict[tuple[str, str], Any] = {
    ("league_club", "slug"): lambda _block, _cell: gap("G"),
    ("league_club", "name"): lambda _block, _cell: gap("H"),
    ("league_user", "email"): lambda _block, cell: f"{cell.partition('@')[0]}@{gap('G')}.example",
    ("league_season", "slug"): lambda _block, _cell: gap("Y"),
    ("league_season", "name"): lambda _block, _cell: f"Season {gap('Y')}",
    ("league_season", "starts_on"): lambda _block, _cell: gap("B"),
    ("league_auditentry", "about"): lambda block, cell: (
        "evening:" + block.ids.reference("league_evening", cell.partition(":")[2], block.own)
    ),
    ("league_receipt", "content"): lambda block, cell: block.receipt(cell),
    ("league_receipt", "number"): lambda _block, _cell: gap("K"),
    ("league_receipt", "digest"): lambda _block, _cell: gap("X"),
    ("league_eveningfacts", "decisions"): _decisions,
}
"""The cells that are no keys and differ in a copy."""


def by_owner(rows: Iterable[tuple[str, str, list[Cells]]]) -> dict[str, dict[str, list[Cells]]]:
    """Return the rows by owner and table."""
    tables_of: dict[str, dict[str, list[Cells]]] = defaultdict(dict)
    for table, owner, owned in rows:
        tables_of[owner][table] = owned
    return tables_of
