"""The difference finder: it searches for the single mistake that explains counted coins other than those of the
records.

The hands are replayed with one plausible mistake corrected at a time. A correction that gives the counted coins is a
guess; the likeliest guesses come first. Nothing is read from the database here.

`COSTS` ranks mistakes by likelihood: the lower, the likelier. The hands played since then make it less likely, by `AGE`
times the binary logarithm of their number (people notice a mistake soon). A mistake in a neighbour's row is likelier,
by `NEIGHBOUR`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log2
from typing import Any

from ... import engine_bridge
from ...errors import Refused
from ...game.mistakes import Forgotten
from ...models import Table
from ...offered import game_of
from .. import replay
from ..edits import Change, Edit, PutIn, TakeOut
from ..replay import Entry, Played, State

MOST = 10
"""The largest number of guesses."""
MOST_OTHERS = 12
"""The largest number of other guesses that one line names."""

COSTS = {
    "ante_missing": 0.8,
    "ante_twice": 1.4,
    "twice": 0.6,
    "made": 1.0,
    "tricks": 1.0,
    "penalty_unpaid": 1.6,
    "penalty_once": 1.7,
    "payout_left": 2.0,
    "payout_twice": 2.4,
    "halves": 1.6,
    "joined": 1.5,
    "not_joined": 1.6,
    "instead": 1.8,
    "roles": 1.9,
    "declarer": 2.1,
    "rows": 1.7,
    "swapped": 1.5,
    "blind": 2.6,
    "seven": 1.8,
    "passed": 2.8,
    "walkover": 2.2,
    "forgotten": 2.2,
    "forgotten_muss": 2.2,
    "out": 3.2,
    "absent": 3.0,
}
AGE = 0.45
NEIGHBOUR = -0.5


@dataclass(frozen=True)
class Counted:
    """The coins that somebody counted, in Rappen: in the pot, and the gains of players at this table (`gains`).
    `antes_in`: the antes of the next hand are already paid."""

    pot_minor: int | None = None
    gains: Mapping[int, int] = field(default_factory=dict)
    antes_in: bool = True


@dataclass(frozen=True)
class Guess:
    """A mistake that explains the counted coins. `kind` is a key of `COSTS`, `players` are those concerned, `edit`
    corrects it (None if the records are right), `others` are the same mistake about other players or hands."""

    kind: str
    number: int
    players: tuple[int, ...]
    cost: float
    edit: Edit | None = None
    amount_minor: int = 0
    made: bool | None = None
    others: tuple[Guess, ...] = ()


@dataclass(frozen=True)
class Sums:
    """The coins in the pot, and the gains of the counted players, in Rappen."""

    pot_minor: int
    gains: tuple[int, ...]


class Search:
    """The hands of a table, the counted coins, and the sums with one hand changed. `seated` are the players of the next
    hand."""

    def __init__(
        self, table: Table, entries: Sequence[Entry], seated: Sequence[int], counted: Counted, *, keep: bool
    ) -> None:
        self.table, self.entries, self.seated = table, list(entries), tuple(seated)
        self.game, self.rules = game_of(table.evening.game), table.evening.house_rules.values
        self.counted, self.keep = counted, keep
        self.counted_players = tuple(sorted(counted.gains))
        # The hands as recorded, each with the state before it.
        self.states: list[State] = []
        self.played: list[Played] = []
        state = replay.beginning(table)
        for number, entry in enumerate(self.entries, start=1):
            self.states.append(state)
            self.played.append(replay.play_one(table, entry, state, number))
            state = replay.after(self.played[-1])
        self.last = state
        self._keeping = [replace(entry, keeps_dealer=keep) for entry in self.entries]
        self._tails: dict[tuple[int, State, int], Sums | None] = {}
        self.recorded = self._tail(0, replay.beginning(table), 0)

    def due(self) -> Sums:
        """The sums by the records."""
        if self.recorded is None:
            raise LookupError("a stored hand no longer replays")
        return self.recorded

    def gap(self) -> Sums:
        """The counted sums less those by the records; 0 where nothing was counted."""
        due = self.due()
        pot = 0 if self.counted.pot_minor is None else self.counted.pot_minor - due.pot_minor
        return Sums(
            pot, tuple(self.counted.gains[p] - was for p, was in zip(self.counted_players, due.gains, strict=True))
        )

    def fits(self, sums: Sums | None) -> bool:
        """True if these sums are the counted ones."""
        if sums is None:
            return False
        pot = self.counted.pot_minor is None or sums.pot_minor == self.counted.pot_minor
        return pot and sums.gains == tuple(self.counted.gains[player] for player in self.counted_players)

    def with_change(self, place: int, entry: Entry) -> Sums | None:
        """The sums with another hand at `place` (from 0); None if that hand or a later one is impossible."""
        return self._with(place, entry, place + 1)

    def with_forgotten(self, place: int, entry: Entry) -> Sums | None:
        """The sums with one more hand before the one at `place`."""
        return self._with(place, entry, place)

    def without(self, place: int) -> Sums | None:
        """The sums without the hand at `place`. Coins that came into the pot before it stay there."""
        return self._add(
            self._before(place), self._tail(place + 1, self.states[place], self.entries[place].moved_minor)
        )

    def muss_of(self, place: int, entry: Entry) -> int | None:
        """The dealer's seat if everybody had to play a hand of these players before the one at `place`; else None."""
        state = self.states[place] if place < len(self.states) else self.last
        try:
            start = replay.start_of(self.table, entry, state, place + 1)
        except Refused:
            return None
        return start.dealer if engine_bridge.due(start).muss is True else None

    def _with(self, place: int, entry: Entry, onward: int) -> Sums | None:
        try:
            played = replay.play_one(
                self.table, entry, self.states[place] if place < len(self.states) else self.last, 0
            )
        except Refused:
            return None
        rest = self._tail(onward, replay.after(played), 0 if onward > place else -self._moved(place))
        return self._add(self._before(place), self._add(self._of(played), rest))

    def _moved(self, place: int) -> int:
        return self.entries[place].moved_minor if place < len(self.entries) else self.table.moved_minor

    def _of(self, played: Played) -> Sums:
        return Sums(0, tuple(played.change_of(player) for player in self.counted_players))

    def _before(self, place: int) -> Sums:
        played = self.played[:place]
        return Sums(0, tuple(sum(hand.change_of(player) for hand in played) for player in self.counted_players))

    @staticmethod
    def _add(sums: Sums, two: Sums | None) -> Sums | None:
        if two is None:
            return None
        return Sums(two.pot_minor, tuple(a + b for a, b in zip(sums.gains, two.gains, strict=True)))

    def _tail(self, place: int, state: State, more: int) -> Sums | None:
        """The sums of the hands from `place` on after `state`, with `more` coins before the first of them.

        Many mistakes lead to the same state soon, so each state is replayed from once only.
        """
        way: list[tuple[tuple[int, State, int], Sums]] = []
        tail: Sums | None = None
        while True:
            key = (place, state, more)
            if key in self._tails:
                tail = self._tails[key]
                break
            if place == len(self.entries):
                tail = self._tails[key] = self._end(state, more)
                break
            entry = self._keeping[place]
            try:
                played = replay.play_one(
                    self.table, replace(entry, moved_minor=entry.moved_minor + more), state, place + 1
                )
            except Refused:
                self._tails[key] = None
                break
            way.append((key, self._of(played)))
            place, state, more = place + 1, replay.after(played), 0
        for key, own in reversed(way):
            tail = self._tails[key] = self._add(own, tail)
        return tail

    def _end(self, state: State, more: int) -> Sums | None:
        """The sums before the next hand; with its antes if they were counted."""
        table = self.table
        named = table.dealer_id if table.dealer_set or self.keep else None
        entry = Entry(
            self.seated, {}, moved_minor=table.moved_minor + more, dealt_id=named, keeps_dealer=named is not None
        )
        try:
            start = replay.start_of(table, replay.placed(entry, state), state, len(self.entries) + 1)
        except Refused:
            return None
        if not self.counted.antes_in:
            return Sums(start.pot_before, tuple(0 for _player in self.counted_players))
        due = engine_bridge.due(start)
        antes = dict(zip(self.seated, due.antes, strict=True))
        return Sums(due.pot, tuple(-antes.get(player, 0) for player in self.counted_players))


def find(search: Search, most: int = MOST) -> list[Guess]:
    """The likeliest mistakes that explain the counted coins; empty without a difference or an explanation."""
    gap = search.gap()
    if gap.pot_minor == 0 and not any(gap.gains):
        return []
    guesses = [*_hands(search), *_coins(search, gap)]
    likeliest = sorted(guesses, key=lambda guess: (guess.cost, -guess.number, guess.players))
    return _alike(guess for guess in likeliest if _is_explained(search, guess))[:most]


def _is_explained(search: Search, guess: Guess) -> bool:
    """Return True if the correction, replayed from the first hand on, gives the counted coins."""
    if guess.edit is None:
        return True
    try:
        again = Search(search.table, guess.edit.apply(search.entries), search.seated, search.counted, keep=search.keep)
    except Refused:
        return False
    return search.fits(again.due())


def _alike(guesses: Iterable[Guess]) -> list[Guess]:
    """Put guesses into one if they differ only in their players, or in the place of a forgotten hand."""
    kept: dict[tuple[Any, ...], Guess] = {}
    for guess in guesses:
        about = guess.players[:1] if guess.kind == "instead" else ()
        # One hand more or less gives the same sums at many places.
        anywhere = guess.kind in ("forgotten", "forgotten_muss", "out")
        where = len(guess.players) - MOST if anywhere else guess.number
        alike = (guess.kind, where, guess.made, guess.amount_minor, about)
        first = kept.get(alike)
        if first is None:
            kept[alike] = guess
        elif len(first.others) < MOST_OTHERS:
            kept[alike] = replace(first, others=(*first.others, guess))
    return list(kept.values())


def _cost(search: Search, kind: str, number: int, near: bool = False) -> float:
    return COSTS[kind] + AGE * log2(1 + max(0, len(search.entries) - number)) + (NEIGHBOUR if near else 0)


def _hands(search: Search) -> Iterator[Guess]:
    """Hands that were recorded wrongly, twice, or not at all."""
    for place, (entry, played) in enumerate(zip(search.entries, search.played, strict=True)):
        number = place + 1
        for idea in search.game.records.mistakes.ideas(played.record, played.result):
            players = tuple(player for seat, player in enumerate(entry.players) if seat != idea.gone)
            dealer = entry.dealer_id if entry.dealer_id in players else None
            new = replace(entry, players=players, sent=idea.sent, dealer_id=dealer, number=0)
            if search.fits(search.with_change(place, new)):
                yield Guess(
                    kind=idea.kind,
                    number=number,
                    players=tuple(entry.players[seat] for seat in idea.seats),
                    cost=_cost(search, idea.kind, number, idea.near),
                    edit=Change(number, players, idea.sent, None, search.keep),
                    made=idea.made,
                )
        if search.fits(search.without(place)):
            kind = "twice" if place and _same(entry, search.entries[place - 1]) else "out"
            yield Guess(kind, number, (), _cost(search, kind, number), TakeOut(number, search.keep))
    for place in range(len(search.entries) + 1):
        yield from _forgotten(search, place)


def _same(entry: Entry, two: Entry) -> bool:
    return entry.players == two.players and dict(entry.sent) == dict(two.sent)


def _forgotten(search: Search, place: int) -> Iterator[Guess]:
    players = search.entries[place].players if place < len(search.entries) else search.seated
    counted_seats = [seat for seat, player in enumerate(players) if player in search.counted_players]
    dealer = search.entries[place].dealer_id if place < len(search.entries) else None
    base = Entry(players, {}, dealer if dealer in players else None, search._moved(place))
    muss_of = search.muss_of(place, base)
    forgotten = Forgotten(search.rules, len(players), counted_seats, muss_of)
    for sent, seats, made in search.game.records.mistakes.short_hands(forgotten):
        if search.fits(search.with_forgotten(place, replace(base, sent=sent))):
            yield Guess(
                kind="forgotten" if muss_of is None else "forgotten_muss",
                number=place + 1,
                players=tuple(players[seat] for seat in seats),
                cost=_cost(search, "forgotten" if muss_of is None else "forgotten_muss", place + 1),
                edit=PutIn(place + 1, players, sent, None, None, search.keep),
                made=made,
            )


# --- The records are right, the coins are wrong ----------------------------------------------------------


def _coins(search: Search, gap: Sums) -> Iterator[Guess]:
    """Coins that were moved wrongly: they explain the gap, and there is no hand to correct."""
    for kind, number, player, into_pot in _slips(search):
        gains = tuple(-into_pot if counted == player else 0 for counted in search.counted_players)
        pot_fits = search.counted.pot_minor is None or into_pot == gap.pot_minor
        if (pot_fits and gains == gap.gains) or (kind == "halves" and _halves(search, number, gap)):
            yield Guess(kind, number, (player,), _cost(search, kind, number), amount_minor=abs(into_pot))
    yield from _antes(search, gap)


def _slips(search: Search) -> Iterator[tuple[str, int, int, int]]:
    """Mistakes with coins after each hand: kind, hand, player, and the Rappen that the pot has too many."""
    for place, played in enumerate(search.played):
        players, number = played.entry.players, place + 1
        for line in played.result["lines"]:
            player, amount = players[line["seat"]], int(line["amount"])
            if line["kind"] == "penalty":
                yield "penalty_unpaid", number, player, amount
                if line["seat"] == played.result["declarer"]:
                    yield "penalty_once", number, player, amount // 2
            elif line["kind"] == "payout":
                yield "payout_left", number, player, amount
                yield "payout_twice", number, player, -amount
        declarer = played.result["declarer"]
        if search.counted_players and declarer is not None and players[declarer] in search.counted_players:
            yield "halves", number, players[declarer], 0


def _halves(search: Search, number: int, gap: Sums) -> bool:
    """Return True if the declarer, who shared the pot with others, took half of it instead of two thirds."""
    played = search.played[number - 1]
    won = {line["seat"]: int(line["amount"]) for line in played.result["lines"] if line["kind"] == "payout"}
    declarer = played.result["declarer"]
    if declarer not in won or len(won) < 2 or gap.pot_minor:
        return False
    missing = sum(won.values()) // 2 - won[declarer]
    player = played.entry.players[declarer]
    return all(
        had == (missing if counted == player else 0)
        for counted, had in zip(search.counted_players, gap.gains, strict=True)
    )


def _antes(search: Search, gap: Sums) -> Iterator[Guess]:
    """Antes that were not paid, or paid twice. The coins do not show for which hand, so it is the last one."""
    number = len(search.entries) + (1 if search.counted.antes_in else 0)
    if not search.played:
        return
    ante = int(engine_bridge.house_rules(search.game.name, search.rules)[search.game.ante_rule])
    concerned = [player for player, had in zip(search.counted_players, gap.gains, strict=True) if had]
    size = gap.pot_minor if search.counted.pot_minor is not None else -sum(gap.gains)
    many, rest = divmod(abs(size), ante)
    if rest or not 1 <= many <= len(search.seated) or (concerned and [-size] != [had for had in gap.gains if had]):
        return
    kind = "ante_missing" if size < 0 else "ante_twice"
    yield Guess(kind, number, tuple(concerned), COSTS[kind] + 0.4 * (many - 1), amount_minor=abs(size))
