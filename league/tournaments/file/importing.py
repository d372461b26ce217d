"""A tournament from its file: its preview, and its import in one transaction."""

from __future__ import annotations

import secrets
import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import DataError, IntegrityError, transaction
from django.utils.translation import gettext as _

from ... import audit, ledger
from ...audit import What
from ...errors import Refused
from ...ledger.idempotency import submit_once
from ...locks import lock_club
from ...models import (
    Club,
    Draw,
    Entrant,
    Evening,
    HouseRules,
    Player,
    Round,
    Season,
    Sheet,
    Submission,
    Substitution,
    Tournament,
    User,
)
from ...roster.look_alikes import looks
from .. import rounds, tables
from ..formats import Format
from ..services import check_days, check_sizes, free_slug
from .plain_values import fault
from .reading import Content, PlayedRound, RecordedTable


@dataclass(frozen=True)
class ImportedPerson:
    """A person of the file in this club: `player` is the nickname of the roster, empty for a new guest. `problem`: the
    reason why the name cannot be taken over."""

    nickname: str
    player: str = ""
    number: int | None = None
    problem: str = ""


@dataclass(frozen=True)
class Preview:
    """The preview of a file, with the people and their players. `same`: a tournament of this name and day that is here
    already."""

    content: Content
    sha256: str
    people: tuple[ImportedPerson, ...]
    same: Tournament | None
    hands: int
    sheets: int

    @property
    def state(self) -> str:
        """The state of the tournament in words."""
        return str(Tournament.State(self.content.basics["state"]).label)

    @property
    def known(self) -> list[ImportedPerson]:
        """The people who are players of this roster."""
        return [person for person in self.people if person.player and not person.problem]

    @property
    def new(self) -> list[ImportedPerson]:
        """The people who are added as guests."""
        return [person for person in self.people if not person.player and not person.problem]

    @property
    def problems(self) -> list[ImportedPerson]:
        """The people who prevent the import."""
        return [person for person in self.people if person.problem]


def preview(club: Club, content: Content, sha256: str) -> Preview:
    """Return the preview of an import of this content. Nothing is stored.

    Raises:
        Refused: 422 for an unknown game, a size of tables or a day that is not possible.
    """
    _check_basics(content)
    basics = content.basics
    same = Tournament.objects.filter(club=club, name=basics["name"], starts_on=basics["starts_on"]).first()
    return Preview(
        content=content,
        sha256=sha256,
        people=tuple(_imported_people(club, content)),
        same=same,
        hands=sum(len(table.hands) for played_round in content.rounds for table in played_round.tables),
        sheets=sum(len(played_round.sheets) for played_round in content.rounds),
    )


def _imported_people(club: Club, content: Content) -> list[ImportedPerson]:
    known, seen = _roster(club), _appearances(club)
    numbers = {entrant.nickname: entrant.number for entrant in content.entrants}
    imported_people: list[ImportedPerson] = []
    taken: dict[int, str] = {}
    for nickname in content.people:
        player = known.get(nickname.casefold())
        problem = ""
        if player is None:
            other = next((seen[look] for look in looks(nickname) if look in seen), "")
            if other:
                sentence = _("“%(name)s” looks like %(other)s of this club. Give one of them another nickname first.")
                problem = sentence % {"name": nickname, "other": other}
            seen |= dict.fromkeys(looks(nickname), nickname)
        elif nickname in numbers and taken.setdefault(player.pk, nickname) != nickname:
            sentence = _("%(name)s and %(other)s are the same player here.")
            problem = sentence % {"name": nickname, "other": taken[player.pk]}
        imported_people.append(
            ImportedPerson(nickname, player.nickname if player else "", numbers.get(nickname), problem)
        )
    return imported_people


def _appearances(club: Club) -> dict[str, str]:
    """The looks of the club's names, nicknames and other names → that name."""
    rows = Player.objects.filter(club=club).values_list("nickname", "pseudonym")
    return {look: name for pair in rows for name in pair if name for look in looks(name)}


def _roster(club: Club) -> dict[str, Player]:
    """The players by nickname without capitals; a merged one stands for the main one."""
    rows = Player.objects.filter(club=club, anonymised_at=None).select_related("main")
    return {row.nickname.casefold(): row.main or row for row in rows}


def tournament_import(
    *, club: Club, author: User | None, content: Content, sha256: str, key: uuid.UUID | None = None
) -> Tournament:
    """Store the tournament of a file, with a short name of its own. Clocks are stopped; a running tournament can go on.

    Raises:
        Refused: 422 for content that does not fit together, for a hand that breaks a clause, or for names that would
            make two people one.
    """
    _check_basics(content)

    def write(submission: Submission | None) -> Tournament:
        return _Import(club, author, content, submission).store()

    try:
        if key is not None:
            return submit_once(
                club_id=club.pk,
                key=key,
                body_hash=sha256,
                author=author,
                write=write,
                stored=lambda first: Tournament.objects.get(submission=first),
            )
        with transaction.atomic():
            return write(None)
    except (IntegrityError, DataError, ledger.LedgerFault, tables.TableBegun, UnicodeEncodeError) as broken:
        raise fault("content") from broken


def _check_basics(content: Content) -> None:
    check_sizes(Format.read(content.basics["format"]), content.basics["game"])
    check_days(content.basics["starts_on"], content.basics["ends_on"])


class _Import:
    """One import, while it is stored."""

    def __init__(self, club: Club, author: User | None, content: Content, submission: Submission | None) -> None:
        self.club, self.author, self.content, self.submission = club, author, content, submission
        self.players: dict[str, Player] = {}

    def store(self) -> Tournament:
        lock_club(self.club.pk)
        self._store_people()
        rules = self._rules()
        now = self._store_tournament(rules)
        self._store_entrants(now)
        draws = self._store_draws(now)
        for played_round in self.content.rounds:
            self._store_round(now, rules, played_round, draws[played_round.row["number"], played_round.draw])
        data: audit.Data = {"did": "imported"}
        audit.write(What.TOURNAMENT_CHANGED, club=self.club, actor=self.author, about=f"tournament:{now.pk}", data=data)
        return now

    def _store_people(self) -> None:
        problem = next(
            (
                imported_person.problem
                for imported_person in _imported_people(self.club, self.content)
                if imported_person.problem
            ),
            "",
        )
        if problem:
            raise Refused(status=422, code="nickname", sentence=problem, at="entrants")
        known = _roster(self.club)
        new = {name.casefold(): name for name in self.content.people if name.casefold() not in known}
        shown = self.club.players_shown
        guests = Player.objects.bulk_create(
            Player(club=self.club, nickname=nickname, guest=True, publicity=shown) for nickname in new.values()
        )
        for guest in guests:
            data: audit.Data = {"guest": True}
            audit.write(What.PLAYER_ADDED, club=self.club, actor=self.author, about=f"player:{guest.pk}", data=data)
            known[guest.nickname.casefold()] = guest
        self.players = {name: known[name.casefold()] for name in self.content.people}
        ledger.ensure_player_accounts(self.club.pk, [player.pk for player in self.players.values()])

    def _rules(self) -> HouseRules:
        """The rules of the file where a round has begun; else those of the club, as with a new tournament."""
        games, game = tables.of_games(), self.content.basics["game"]
        if not self.content.rounds:
            return games.house_rules(self.club.pk, game)
        return games.house_rules_with(self.club.pk, game, self.content.rules, author=self.author)

    def _store_tournament(self, rules: HouseRules) -> Tournament:
        basics = self.content.basics
        season = Season.every.create(
            club=self.club,
            slug=f"chips-{uuid.uuid4().hex}",
            name=basics["name"],
            starts_on=basics["starts_on"],
            points_only=True,
            in_chips=True,
        )
        return Tournament.objects.create(
            club=self.club,
            slug=free_slug(self.club, basics["name"]),
            house_rules=rules,
            season=season,
            opened_by=self.author,
            submission=self.submission,
            **{**basics, "lot_seed": basics["lot_seed"] or secrets.randbelow(10**9)},
        )

    def _store_entrants(self, now: Tournament) -> None:
        rows = Entrant.objects.bulk_create(
            Entrant(tournament=now, player=self.players[entrant.nickname], **entrant.row)
            for entrant in self.content.entrants
        )
        Substitution.objects.bulk_create(
            Substitution(
                entrant=row,
                left=self.players[left],
                came=self.players[came],
                from_round=first,
                author=self.author,
            )
            for row, entrant in zip(rows, self.content.entrants, strict=True)
            for left, came, first in entrant.substitutions
        )

    def _store_draws(self, now: Tournament) -> dict[tuple[int, int], Draw]:
        rows = Draw.objects.bulk_create(Draw(tournament=now, author=self.author, **draw) for draw in self.content.draws)
        return {(row.round, row.number): row for row in rows}

    def _store_round(self, now: Tournament, rules: HouseRules, played_round: PlayedRound, draw: Draw) -> None:
        evening = Evening.objects.create(
            club=self.club,
            season=now.season,
            number=played_round.row["number"],
            held_on=played_round.held_on,
            game=now.game,
            house_rules=rules,
            settling="end",
            opened_by=self.author,
        )
        tables.of_games().open(evening, self._seatings(played_round, draw))
        row = Round.objects.create(tournament=now, draw=draw, evening=evening, **played_round.row)
        self._check_sheets(played_round, draw)
        Sheet.objects.bulk_create(Sheet(round=row, author=self.author, **each) for each in played_round.sheets)
        records = [self._records(each) for each in played_round.tables]
        tables.of_games().replay_records(evening, records, author=self.author)
        if row.state == Round.State.FINISHED:
            evening.refresh_from_db()
            rounds.post(row, author=self.author)

    def _seatings(self, played_round: PlayedRound, draw: Draw) -> list[tables.Seating]:
        people = {each.number: each.in_round(played_round.row["number"]) for each in self.content.entrants}
        return [
            tables.Seating(table["number"], tuple(self.players[people[seat]].pk for seat in table["seats"]))
            for table in draw.plan["tables"]
        ]

    def _check_sheets(self, played_round: PlayedRound, draw: Draw) -> None:
        seats = {table["number"]: {str(seat) for seat in table["seats"]} for table in draw.plan["tables"]}
        seen: dict[int, int] = defaultdict(int)
        for sheet in played_round.sheets:
            table = sheet["table_number"]
            seen[table] += 1
            if seats.get(table) != set(sheet["chips"]) or sheet["number"] != seen[table]:
                raise fault(f"rounds[{played_round.row['number'] - 1}].sheets")

    def _records(self, recorded_table: RecordedTable) -> tables.TableRecords:
        def ids(names: Sequence[str]) -> tuple[int, ...]:
            return tuple(self.players[name].pk for name in names)

        if recorded_table.dealer not in recorded_table.players:
            raise fault("dealer")
        return tables.TableRecords(
            number=recorded_table.number,
            players=ids(recorded_table.players),
            dealer=self.players[recorded_table.dealer].pk,
            dealer_set=recorded_table.dealer_set,
            hands=tuple(self._hand(hand, ids(hand["players"])) for hand in recorded_table.hands),
        )

    def _hand(self, hand: Mapping[str, object], players: tuple[int, ...]) -> tables.HandRecord:
        record = hand["record"]
        assert isinstance(record, Mapping)
        moved = hand["moved"]
        return tables.HandRecord(
            players, record, dealer_set=hand["dealer_set"] is True, moved=moved if isinstance(moved, int) else 0
        )
