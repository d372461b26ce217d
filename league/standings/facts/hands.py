"""The hands of some evenings, read once, and the facts of the hands of one evening: decisions and feats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from ...models import Feat, HouseRules
from ...played_games import GAMES
from ..recorded_hands import recorded, rows
from .situations import DEALER, NO_SEAT, Situation, packed, pot_class

MILLIONTHS = 1_000_000
CHUNK = 100
"""The number of evenings that are read at once."""


class Hand(NamedTuple):
    """A hand as its record has it. `dealer` is a seat, or `NO_SEAT` where facts of dealers do not count."""

    evening_id: int
    source: object
    table: int
    number: int
    pot_minor: int
    dealer: int
    has_declarer: bool = True


class Played(NamedTuple):
    """A player's result row of a hand; `person` is the main player of a merged one. Truth values are 0 and 1."""

    evening_id: int
    source: object
    seat: int
    person: int
    role: str
    made: int | None
    blind: int
    passed_out: int
    muss: int
    susi: int
    pot_won_minor: int


class Best(NamedTuple):
    """A feat of an evening (`league.models.Feat`)."""

    player_id: int
    kind: str
    value: int
    in_antes: int
    table: int
    hand: int


class Facts(NamedTuple):
    """The facts of the hands of an evening: hands by player and situation, and the feats."""

    decisions: Counter[tuple[int, int]]
    feats: Sequence[Best]


def facts_of(evenings: Sequence[int], rules: Mapping[int, HouseRules]) -> Iterator[tuple[int, Facts]]:
    """Yield each of these evenings with the facts of its hands. `rules`: the house rules of each evening. Two queries
    for
    each hundred evenings."""
    for first in range(0, len(evenings), CHUNK):
        some = evenings[first : first + CHUNK]
        hands, played = _hands(some), _played(some)
        for evening in some:
            yield evening, _facts(hands.get(evening, []), played.get(evening, {}), rules[evening])


def _hands(evenings: Sequence[int]) -> dict[int, list[Hand]]:
    """Return the hands of each evening in order. The row of seat 0 stands for the hand."""
    port = recorded()
    hand_rows = rows(
        f"""SELECT hand.evening_id, hand.source, {port.TABLE}, {port.NUMBER}, {port.POT},
               {port.DEALER}, evening.game
        FROM league_resultrow hand {port.JOIN} JOIN league_evening evening ON evening.id = hand.evening_id
        WHERE hand.evening_id IN ({_listed(evenings)}) AND hand.seat = 0 AND hand.role <> 'share'
        ORDER BY hand.evening_id, {port.TABLE}, {port.NUMBER}"""
    )
    return {evening: [_hand(*row) for row in some] for evening, some in groupby(hand_rows, key=lambda row: int(row[0]))}


def _hand(evening_id: int, source: object, table: int, number: int, pot_minor: int, dealer: int, game: str) -> Hand:
    known = GAMES[game]
    seat = dealer if known.dealer_is_counted else NO_SEAT
    return Hand(evening_id, source, table, number, pot_minor, seat, known.has_declarer)


def _played(evenings: Sequence[int]) -> dict[int, dict[object, list[Played]]]:
    """Return the result rows by evening and hand."""
    by_evening: dict[int, dict[object, list[Played]]] = {}
    for row in rows(
        f"""SELECT r.evening_id, r.source, r.seat, COALESCE(player.main_id, player.id), r.role,
               CASE WHEN r.made IS NULL THEN NULL WHEN r.made THEN 1 ELSE 0 END,
               CASE WHEN r.blind = '' THEN 0 ELSE 1 END, CASE WHEN r.passed_out THEN 1 ELSE 0 END,
               CASE WHEN r.muss THEN 1 ELSE 0 END, CASE WHEN r.susi THEN 1 ELSE 0 END, r.pot_won_minor
        FROM league_resultrow r JOIN league_player player ON player.id = r.player_id
        WHERE r.evening_id IN ({_listed(evenings)}) AND r.role <> 'share'"""
    ):
        played = Played(*row)
        by_evening.setdefault(played.evening_id, {}).setdefault(played.source, []).append(played)
    return by_evening


def _listed(keys: Iterable[int]) -> str:
    return ", ".join(map(str, keys)) or "NULL"


def _facts(hands: Sequence[Hand], played: Mapping[object, Sequence[Played]], rules: HouseRules) -> Facts:
    """Return the facts of the hands of one evening, which are in the order of their tables and numbers."""
    ante = max(1, recorded().ante_minor(rules))
    decisions: Counter[tuple[int, int]] = Counter()
    pots: dict[int, Hand] = {}
    susi: dict[int, Hand] = {}
    runs = _Runs()
    for hand in hands:
        at_table = played.get(hand.source, ())
        _count_decisions(decisions, hand, at_table, pot_class(hand.pot_minor, ante))
        for row in at_table:
            if row.pot_won_minor > 0 and hand.pot_minor > (pots[row.person].pot_minor if row.person in pots else -1):
                pots[row.person] = hand
            if row.susi:
                susi[row.person] = hand
            if row.made is not None:
                runs.add(row.person, hand, made=row.made == 1)
    feats = [
        *(
            Best(who, Feat.Kind.POT, hand.pot_minor, hand.pot_minor * MILLIONTHS // ante, hand.table, hand.number)
            for who, hand in pots.items()
        ),
        *(Best(who, Feat.Kind.RUN, length, 0, hand.table, hand.number) for who, (length, hand) in runs.best.items()),
        *(Best(who, Feat.Kind.SUSI, 1, 0, hand.table, hand.number) for who, hand in susi.items()),
    ]
    return Facts(decisions, feats)


def _count_decisions(decisions: Counter[tuple[int, int]], hand: Hand, at_table: Sequence[Played], pot: int) -> None:
    """Count each player's decision in a hand; nobody decides in a Muss."""
    seats = len(at_table)
    joiners = sum(played.role == "joiner" for played in at_table)
    declared = next((played for played in at_table if played.role == "declarer"), None)
    for played in at_table:
        if played.muss:
            continue
        seat = NO_SEAT if hand.dealer == NO_SEAT else (played.seat - hand.dealer) % seats or DEALER
        last = hand.dealer != NO_SEAT and declared is not None and played.seat == (declared.seat - 1) % seats
        made = None if played.made is None else played.made == 1
        free = hand.dealer != NO_SEAT and _is_free(played, declared, hand.dealer, seats)
        may_join = not (hand.has_declarer and played.passed_out)
        known = Situation(played.role, made, played.blind == 1, seat, pot, joiners, may_join, last, free)
        decisions[played.person, packed(known)] += 1


def _is_free(played: Played, declared: Played | None, dealer: int, seats: int) -> bool:
    """Return True if nobody had declared before this player's turn. The dealer speaks last, but blind before all."""
    if declared is None or played.seat == declared.seat:
        return True
    turn, end = ((each.seat - dealer - 1) % seats for each in (played, declared))
    return not declared.blind and turn < end


class _Runs:
    """The longest run of goals of each player, with its first hand; of equal ones the first."""

    def __init__(self) -> None:
        self.best: dict[int, tuple[int, Hand]] = {}
        self._running: dict[int, tuple[int, Hand]] = {}

    def add(self, person: int, hand: Hand, *, made: bool) -> None:
        """Add the next hand in which a player had a goal. Walkovers have none and interrupt no run."""
        if not made:
            self._running.pop(person, None)
            return
        length, first = self._running.get(person, (0, hand))
        self._running[person] = (length + 1, first)
        if length + 1 > self.best.get(person, (0, hand))[0]:
            self.best[person] = (length + 1, first)
