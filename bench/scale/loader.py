"""Fill an empty database with clubs: a few are counted by the product, the others are copies of these under new ids.

Every hand is a copy of one that the services stored, with its ledger entries, so that `verify` finds no difference.
Evenings are copied in the order of their days, those of all clubs together: the rows of one club lie as far apart
as on a server on which they were played. Left out: tournaments, corrections, disputes, imports, the kitty's entries.
"""

import datetime
import hashlib
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import psycopg
from django.core.management import call_command
from psycopg.sql import SQL, Identifier

from bench.carried_rows import SEQUENCES, without_indexes
from bench.databases import Database, close
from bench.scale import rows as read_rows
from bench.scale.blocks import FIRST_CLUB, FIRST_EVENING, PLACES, WINDOW_BITS, Block, CopiedIds, Places, Text, by_owner
from bench.scale.plan import Planned, firsts
from bench.scale.rows import Schema
from bench.scale.template import Kind, play
from league.models import Season
from league.standings.counting import count_season

YEAR_DAYS = 364
"""The days between two seasons: whole weeks."""
AT_ONCE = 1 << 20


class NotEmpty(Exception):
    """The database has clubs or users already."""


@dataclass
class Evening:
    """The texts of an evening by table, its day, and the contents of its receipts."""

    day: datetime.date
    texts: dict[str, Text]
    offsets: set[int]
    receipts: Text | None = None


@dataclass
class Template:
    """The texts of a club of one kind."""

    kind: Kind
    first_day: datetime.date
    club: dict[str, Text]
    season: dict[str, Text]
    evenings: list[Evening]


@dataclass
class Counted:
    """The texts of the counted rows of a club: by table those of the club's seasons, and those of each evening."""

    seasons: dict[str, Text]
    evenings: list[dict[str, Text]]


@dataclass
class Copy:
    """One club that is copied: its values, and the prefix of each of its evenings."""

    number: int
    planned: Planned
    prefixes: dict[int, int] = field(default_factory=dict)
    receipts: int = 0
    digest: str = ""

    @property
    def values(self) -> dict[str, str]:
        name = f"club-{self.number + 1}"
        return {"C": str(FIRST_CLUB + self.number), "G": name, "H": name.replace("-", " ").title()}


@dataclass(frozen=True)
class Night:
    """One evening of a copied club: its place among the club's evenings, oldest first."""

    day: datetime.date
    club: Copy
    at: int
    of: Evening
    year: int


class Loader:
    """Fills one database. `say` gets a line for each step."""

    def __init__(self, data: Database, *, seed: int, say: Callable[[str], None] = print) -> None:
        self.data, self.seed, self.say = data, seed, say
        self.today = datetime.date.today()  # noqa: DTZ011 - as the demo's
        self.templates: dict[Kind, Template] = {}
        self.counted: dict[tuple[Kind, int], Counted] = {}
        self.known = Schema()

    def load(self, clubs: Sequence[Planned]) -> None:
        """Fill the database. Raises NotEmpty."""
        self._prepare({club.kind for club in clubs})
        copies = [Copy(number, club) for number, club in enumerate(clubs)]
        nights = self._nights(copies)
        first = set(firsts(clubs).values())
        counting = [copy for copy in copies if copy.number in first]
        with self._connected() as there:
            self._copy(there, counting, [night for night in nights if night.club.number in first])
            _set_sequences(there)
        self._count(counting)
        rest = [copy for copy in copies if copy.number not in first]
        if rest:
            with self._connected() as there:
                self._read_counted(there, counting)
                again = list(without_indexes(there))
                self._copy(there, rest, [night for night in nights if night.club.number not in first])
                self.say("indexes")
                for statement in again:
                    there.execute(statement)
                _set_sequences(there)
        with psycopg.connect(self.data.url, autocommit=True) as there:
            self.say("vacuum")
            there.execute("VACUUM (FREEZE, ANALYZE)")
            there.execute("CHECKPOINT")

    # --- The templates ------------------------------------------------------------------------------------

    def _prepare(self, kinds: set[Kind]) -> None:
        """Migrate the database if need be, and play the templates in a copy of it."""
        self.data.use()
        call_command("migrate", interactive=False, verbosity=0)
        with psycopg.connect(self.data.url) as there:
            if there.execute("SELECT 1 FROM league_club UNION ALL SELECT 1 FROM league_user").fetchone():
                raise NotEmpty(f"the database {self.data.name} is not empty")
            self.known = read_rows.schema(there)
        played = Database(self.data.vendor, self.data.folder, f"{self.data.name}-played", self.data.server)
        played.create(template=self.data.name)
        try:
            played.use()
            for kind in sorted(kinds, key=lambda candidate: candidate.season_hands):
                self.say(f"playing {kind.season_hands} hands of a {kind.slug} club")
                club = play(kind, last_day=self.today - datetime.timedelta(days=1), seed=self.seed)
                with psycopg.connect(played.url) as there:
                    there.execute("SET timezone = 'UTC'")
                    self.templates[kind] = self._template(there, kind, club.pk)
        finally:
            close()
            with psycopg.connect(self.data.server, autocommit=True) as server:
                server.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(Identifier(played.name)))
            self.data.use()

    def _template(self, there: psycopg.Connection, kind: Kind, club: int) -> Template:
        of_club = by_owner(read_rows.read(there, read_rows.OF_CLUB, club))["0"]
        of_season = next(iter(by_owner(read_rows.read(there, read_rows.OF_SEASON, club)).values()))
        of_evenings = by_owner(read_rows.read(there, read_rows.OF_EVENING, club))
        ids = Places()
        for table, rows in of_club.items():
            ids.add(table, self._keys(table, rows))
        column = list(self.known.columns["league_evening"]).index("held_on")
        days = {owner: tables["league_evening"][0][column] for owner, tables in of_evenings.items()}
        owners = sorted(days, key=lambda owner: days[owner])
        for position, owner in enumerate(owners):
            ids.evenings[owner] = position
            for table, rows in of_evenings[owner].items():
                ids.add(table, self._keys(table, rows), owner)
        evenings = [self._evening(ids, owner, days[owner], of_evenings[owner]) for owner in owners]
        block = Block(self.known, ids)
        texts = [
            {table: Text(block.text(table, rows)) for table, rows in some.items()} for some in (of_club, of_season)
        ]
        return Template(kind, evenings[0].day, *texts, evenings)

    def _evening(self, ids: Places, owner: str, day: str, tables: dict[str, list[list[str]]]) -> Evening:
        block = Block(self.known, ids, own=owner, day=day)
        for table, rows in tables.items():
            block.note(table, rows)
        block.order()
        texts = {table: Text(block.text(table, rows)) for table, rows in tables.items()}
        offsets = {int(name[1:]) for text in texts.values() for name in text.names if name[0] == "D"}
        receipts = tables.get("league_receipt")
        content = list(self.known.columns["league_receipt"]).index("content")
        sealed = Text(block.receipt(receipts[0][content])) if receipts else None
        return Evening(datetime.date.fromisoformat(day), texts, offsets, sealed)

    def _keys(self, table: str, rows: Iterable[list[str]]) -> list[str]:
        column = list(self.known.columns[table]).index(self.known.keys[table])
        return [row[column] for row in rows]

    # --- The copies ---------------------------------------------------------------------------------------

    def _nights(self, copies: Sequence[Copy]) -> list[Night]:
        """Return all evenings in the order of their days, each with its prefix."""
        nights = []
        for copy in copies:
            made = self.templates[copy.planned.kind]
            for year in range(copy.planned.seasons):
                back = datetime.timedelta(days=YEAR_DAYS * (copy.planned.seasons - 1 - year) + copy.planned.earlier)
                for index, evening in enumerate(made.evenings):
                    place = year * len(made.evenings) + index
                    nights.append(Night(evening.day - back, copy, place, evening, year))
        nights.sort(key=lambda night: (night.day, night.club.number))
        for prefix, night in enumerate(nights, FIRST_EVENING):
            night.club.prefixes[night.at] = prefix
        return nights

    def _copy(self, there: psycopg.Connection, copies: Sequence[Copy], nights: Sequence[Night]) -> None:
        of_club = [self.templates[copy.planned.kind] for copy in copies]
        counted = [self.counted.get((copy.planned.kind, copy.planned.seasons)) for copy in copies]
        for table in read_rows.OF_CLUB:
            lines = (made.club[table].filled(copy.values) for copy, made in zip(copies, of_club, strict=True))
            self._write(there, table, lines)
        self._write(there, "league_season", (line for copy in copies for line in self._seasons(copy)))
        for table in read_rows.OF_EVENING:
            if table == "league_receipt":
                self._write(there, table, map(self._receipt, nights))
            else:
                self._write(there, table, self._of_nights(table, nights))
        for table in read_rows.COUNTED_OF_SEASON:
            pairs = ((copy, of.seasons.get(table)) for copy, of in zip(copies, counted, strict=True) if of is not None)
            self._write(there, table, (text.filled(self._all_values(copy)) for copy, text in pairs if text is not None))
        for table in read_rows.COUNTED_OF_EVENING:
            self._write(there, table, self._counted_of_nights(table, nights))

    def _of_nights(self, table: str, nights: Sequence[Night]) -> Iterator[str]:
        for night in nights:
            text = night.of.texts.get(table)
            if text is not None:
                yield text.filled(self._values(night))

    def _counted_of_nights(self, table: str, nights: Sequence[Night]) -> Iterator[str]:
        for night in nights:
            of = self.counted.get((night.club.planned.kind, night.club.planned.seasons))
            text = of.evenings[night.at].get(table) if of is not None else None
            if text is not None:
                yield text.filled(self._values(night))

    def _values(self, night: Night) -> dict[str, str]:
        """Return the values of an evening's gaps."""
        prefix = night.club.prefixes[night.at]
        middle = datetime.datetime.combine(night.day, datetime.time(19), datetime.UTC)
        values = night.club.values | {
            "E": str(prefix),
            "S": self._season_id(night.club, night.year),
            "T": f"{int(middle.timestamp() * 1000) >> WINDOW_BITS:05x}",
            "R": hashlib.md5(b"%d" % prefix, usedforsecurity=False).hexdigest()[:8],
            "N": f"{prefix:06x}",
        }
        for days in night.of.offsets | {0}:
            values[f"D{days}"] = str(night.day + datetime.timedelta(days=days))
        return values

    def _receipt(self, night: Night) -> str:
        """Return the row of an evening's receipt: it seals the one before it of its club."""
        sealed, copy = night.of.receipts, night.club
        if sealed is None:
            return ""
        values = self._values(night)
        copy.receipts += 1
        copy.digest = hashlib.sha256((copy.digest + sealed.filled(values)).encode()).hexdigest()
        return night.of.texts["league_receipt"].filled(values | {"K": str(copy.receipts), "X": copy.digest})

    def _seasons(self, copy: Copy) -> Iterator[str]:
        made = self.templates[copy.planned.kind]
        for year in range(copy.planned.seasons):
            back = YEAR_DAYS * (copy.planned.seasons - 1 - year) + copy.planned.earlier
            begun = made.first_day - datetime.timedelta(days=back)
            more = {"S": self._season_id(copy, year), "B": str(begun), "Y": f"{begun.year}-{year + 1}"}
            yield made.season["league_season"].filled(copy.values | more)

    def _season_id(self, copy: Copy, year: int) -> str:
        return f"{FIRST_CLUB + copy.number}{year:0{PLACES}d}"

    def _all_values(self, copy: Copy) -> dict[str, str]:
        return copy.values | {f"E{position}": str(prefix) for position, prefix in copy.prefixes.items()}

    def _write(self, there: psycopg.Connection, table: str, lines: Iterable[str]) -> None:
        begun, size = time.perf_counter(), 0
        waiting: list[str] = []
        with read_rows.write_into(there, table, list(self.known.columns[table])) as copy:
            for line in lines:
                waiting.append(line)
                size += len(line)
                if size > AT_ONCE:
                    copy.write("".join(waiting))
                    waiting, size = [], 0
            copy.write("".join(waiting))
        if (took := time.perf_counter() - begun) > 1:
            self.say(f"  {table}: {took:.0f} s")

    # --- The counts ---------------------------------------------------------------------------------------

    def _count(self, copies: Sequence[Copy]) -> None:
        """Let the product count the first clubs."""
        self.data.use()
        seasons = Season.objects.filter(club__in=[_club_id(copy) for copy in copies])
        self.say(f"counting {len(seasons)} seasons")
        for season in seasons.order_by("pk"):
            if not count_season(season.pk):
                raise RuntimeError(f"{season} was not counted")
        close()

    def _read_counted(self, there: psycopg.Connection, copies: Sequence[Copy]) -> None:
        for copy in copies:
            club = _club_id(copy)
            order = [copy.prefixes[position] for position in range(len(copy.prefixes))]
            ids = CopiedIds(FIRST_CLUB + copy.number, order)
            whole = defaultdict(list)
            for table, _season, rows in read_rows.read(there, read_rows.COUNTED_OF_SEASON, club):
                whole[table] += rows
            block = Block(self.known, ids)
            seasons = {table: Text(block.text(table, rows)) for table, rows in whole.items()}
            evenings: list[dict[str, Text]] = [{} for _ in order]
            places = {prefix: position for position, prefix in enumerate(order)}
            days = {night: str(self._day(copy, position)) for position, night in enumerate(order)}
            for table, owner, rows in read_rows.read(there, read_rows.COUNTED_OF_EVENING, club):
                prefix = int(owner[:-PLACES])
                block = Block(self.known, ids, own=owner, day=days[prefix])
                evenings[places[prefix]][table] = Text(block.text(table, rows))
            self.counted[copy.planned.kind, copy.planned.seasons] = Counted(seasons, evenings)

    def _day(self, copy: Copy, position: int) -> datetime.date:
        evenings = self.templates[copy.planned.kind].evenings
        year, place = divmod(position, len(evenings))
        back = YEAR_DAYS * (copy.planned.seasons - 1 - year) + copy.planned.earlier
        return evenings[place].day - datetime.timedelta(days=back)

    def _connected(self) -> psycopg.Connection:
        close()
        there = psycopg.connect(self.data.url)
        there.execute("SET session_replication_role = replica")
        there.execute("SET timezone = 'UTC'")
        there.execute("SET maintenance_work_mem = '512MB'")
        there.execute("SET synchronous_commit = off")
        return there


def _club_id(copy: Copy) -> int:
    return (FIRST_CLUB + copy.number) * 10**PLACES


def _set_sequences(there: psycopg.Connection) -> None:
    for table, column, sequence in there.execute(SEQUENCES).fetchall():
        sql = SQL("SELECT setval(%s, COALESCE(MAX({}), 0) + 1, false) FROM {}")
        there.execute(sql.format(Identifier(column), Identifier(table)), [sequence])
