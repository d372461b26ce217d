"""Evenings that the engine's simple player plays card by card, stored by the services of the table."""

from __future__ import annotations

import random
import uuid
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from django.utils import timezone

from league.models import Closing, Evening, Player, Season, User

from .. import engine_bridge
from ..closing.services import evening_close, payments_mark
from ..engine_bridge import Temper
from ..evening.services import carried_amount, evening_start
from ..hands import chain as chains
from ..hands.services import hand_enter
from ..models import Table

PEOPLE = {
    "Anna": Temper(0.80, 0.55),
    "Beni": Temper(0.85, 0.45),
    "Carlo": Temper(0.35, 0.80),
    "Doris": Temper(0.95, 0.50),
    "Emil": Temper(0.60, 0.35),
    "Franziska": Temper(0.55, 0.65),
}
"""Invented people, and how boldly each plays."""


def evening_play(
    rng: random.Random,
    *,
    season: Season,
    people: Sequence[tuple[Player, Temper]],
    recorder: User,
    held_on: date,
    game: str,
    hands: int,
) -> Table:
    """Play an evening of `hands` hands with these players, and leave it open. The caller holds the transaction."""
    seating = [f"p{player.pk}" for player, _temper in people]
    table = evening_start(
        club=season.club,
        season=season,
        author=recorder,
        seating=seating,
        first_dealer=rng.choice(seating),
        held_on=held_on,
        game=game,
        carry=carried_amount(season.club, game) > 0,
    )
    tempers = [temper for _player, temper in people]
    seated = chains.seating(table)
    for _ in range(hands):
        _hand(rng, table, seated, tempers, recorder)
    return table


def evening_end(rng: random.Random, pot: str, table: Table, recorder: User, *, paid_on: date | None) -> None:
    """Close an evening; `paid_on` is the day on which its payments were made, None if they are outstanding."""
    evening = table.evening
    evening_close(
        evening=evening,
        author=recorder,
        key=_key(rng),
        pot=pot,
        present=chains.seating(table) if pot == Closing.Pot.SHARE else (),
    )
    if paid_on:
        payments_mark(evening=evening, author=recorder, key=_key(rng), paid=True, day=paid_on)
    # The evening ended on its own day, not on the day on which it is stored.
    ended = timezone.make_aware(datetime.combine(evening.held_on, time(23)))
    Evening.objects.filter(pk=evening.pk).update(final_at=ended + timedelta(hours=evening.club.correction_hours))


def _key(rng: random.Random) -> uuid.UUID:
    return uuid.UUID(int=rng.getrandbits(128), version=4)


def _hand(rng: random.Random, table: Table, seated: tuple[int, ...], tempers: list[Temper], recorder: User) -> None:
    # Nobody else writes: the table need not be locked to be read.
    table.refresh_from_db(fields=chains.CHAIN_COLUMNS)
    start = chains.read(table, seated).start
    record = engine_bridge.play_hand(
        rng,
        game=start.game,
        rules=start.rules,
        seats=start.seats,
        dealer=start.dealer,
        pot_before=start.pot_before,
        deal_number=start.deal_number,
        players=tempers,
    )
    hand_enter(
        table=table,
        author=recorder,
        key=_key(rng),
        body={"number": start.number, "players": list(seated), "record": record},
    )
