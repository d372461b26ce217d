"""The clubs that are copied: the engine's simple player plays one season of each kind, stored by the services."""

import random
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db import transaction
from django.utils import timezone

from games import engine_bridge
from games.closing.services import evening_close, payments_mark
from games.engine_bridge import Temper
from games.evening.house_rules import house_rules_set
from games.evening.services import carried_amount, evening_start
from games.hands import chain as chains
from games.hands.services import hand_enter, hand_void_last
from games.hands.tables import table_create
from games.models import Table
from league import ledger
from league.features.table import ALL
from league.models import Closing, Club, Evening, Membership, Player, Role, Season, User

ROLES = (Role.OWNER, Role.TREASURER, Role.RECORDER, Role.MEMBER)
NAMES = ("Anna", "Beni", "Carlo", "Doris", "Emil", "Franz", "Gritli", "Hans", "Ida", "Jakob")
DOMAIN = "example"
SEATS = 5
UNPAID = 2
"""The newest evenings of a season, whose payments are outstanding."""
VOIDED = 5
"""A hand at the first table of every so many evenings is voided and entered again."""


@dataclass(frozen=True)
class Kind:
    """A kind of club by the size of one season. Every table has `hands` hands."""

    slug: str
    players: int
    evenings: int
    tables: int
    hands: int
    days_apart: int
    pot: str = Closing.Pot.CARRY

    @property
    def season_hands(self) -> int:
        return self.evenings * self.tables * self.hands


SMALL = Kind("small", 7, 10, 1, 15, 28)
MIDDLE = Kind("middle", 14, 15, 2, 20, 21, Closing.Pot.SHARE)
BIG = Kind("big", 36, 20, 5, 25, 14)
KINDS = (SMALL, MIDDLE, BIG)
TINY_KINDS = (
    Kind("small", 6, 2, 1, 3, 28),
    Kind("middle", 11, 3, 2, 3, 21, Closing.Pot.SHARE),
    Kind("big", 11, 3, 2, 5, 14),
)
"""The same for a test."""


@transaction.atomic
def play(kind: Kind, *, last_day: date, seed: int) -> Club:
    """Play one season of a club of this kind, whose last evening is on this day."""
    rng = random.Random(f"{seed} {kind.slug}")
    club = Club.objects.create(slug=kind.slug, name=kind.slug, place="Bern", features=list(ALL))
    people = {
        role: User.objects.create_user(f"{role}@{kind.slug}.{DOMAIN}", "scale", first_name=role) for role in ROLES
    }
    Membership.objects.bulk_create(Membership(club=club, user=user, role=role) for role, user in people.items())
    nicknames = [f"{NAMES[number % len(NAMES)]} {number // len(NAMES) + 1}" for number in range(kind.players)]
    players = [Player.objects.create(club=club, nickname=name, publicity="nickname") for name in nicknames]
    Player.objects.filter(pk=players[0].pk).update(user=people[Role.OWNER])
    ledger.ensure_player_accounts(club.pk, [player.pk for player in players])
    house_rules_set(club=club, game=engine_bridge.GAME, values={"pot_limit": 600}, author=people[Role.OWNER])
    days = [last_day - timedelta(days=kind.days_apart * left) for left in range(kind.evenings - 1, -1, -1)]
    season = Season.objects.create(club=club, slug="season", name="Season", starts_on=days[0])
    for index, day in enumerate(days):
        night = _Night(rng, kind, season, people[Role.RECORDER], day)
        night.play(players, voids=index % VOIDED == 0)
        night.end(paid_on=days[index + 1] if index < len(days) - UNPAID else None)
    return club


@dataclass
class _Night:
    rng: random.Random
    kind: Kind
    season: Season
    recorder: User
    day: date

    def play(self, players: Sequence[Player], *, voids: bool) -> None:
        present = self.rng.sample(list(players), self.kind.tables * SEATS)
        for number in range(1, self.kind.tables + 1):
            seated = present[(number - 1) * SEATS : number * SEATS]
            table = self._first_table(seated) if number == 1 else self._table(seated, number)
            sitting = chains.seating(table)
            for nth in range(self.kind.hands):
                self._hand(table, sitting)
                if voids and number == 1 and nth == 0:
                    hand_void_last(table=table, author=self.recorder, key=self._key(), number=1)
                    self._hand(table, sitting)

    def _first_table(self, seated: Sequence[Player]) -> Table:
        seating = [f"p{player.pk}" for player in seated]
        carry = carried_amount(self.season.club, engine_bridge.GAME) > 0
        table = evening_start(
            club=self.season.club,
            season=self.season,
            author=self.recorder,
            seating=seating,
            first_dealer=seating[0],
            held_on=self.day,
            key=self._key(),
            carry=carry,
        )
        self.evening = table.evening
        return table

    def _table(self, seated: Sequence[Player], number: int) -> Table:
        return table_create(evening=self.evening, players=seated, first_dealer=seated[0], number=number)

    def _hand(self, table: Table, seated: tuple[int, ...]) -> None:
        table.refresh_from_db(fields=chains.CHAIN_COLUMNS)
        start = chains.read(table, seated).start
        record = engine_bridge.play_hand(
            self.rng,
            game=start.game,
            rules=start.rules,
            seats=start.seats,
            dealer=start.dealer,
            pot_before=start.pot_before,
            deal_number=start.deal_number,
            players=[Temper(0.4 + 0.1 * (player % 6), 0.4 + 0.1 * (player % 5)) for player in seated],
        )
        body = {"number": start.number, "players": list(seated), "record": record}
        hand_enter(table=table, author=self.recorder, key=self._key(), body=body)

    def end(self, *, paid_on: date | None) -> None:
        evening = Evening.objects.get(pk=self.evening.pk)
        present = [player for table in evening.tables.all() for player in chains.seating(table)]
        share = self.kind.pot == Closing.Pot.SHARE
        evening_close(
            evening=evening,
            author=self.recorder,
            key=self._key(),
            pot=self.kind.pot,
            present=present if share else (),
        )
        if paid_on:
            payments_mark(evening=evening, author=self.recorder, key=self._key(), paid=True, day=paid_on)
        ended = timezone.make_aware(datetime.combine(self.day, time(23)))
        Evening.objects.filter(pk=evening.pk).update(final_at=ended + timedelta(hours=evening.club.correction_hours))

    def _key(self) -> uuid.UUID:
        return uuid.UUID(int=self.rng.getrandbits(128), version=4)
