"""The difference finder: the coins that were counted are not what the book says; which single mistake explains it?

The night is played through with one plausible mistake put right at a time. What comes to the coins that were counted is
a guess; the likeliest come first. Nothing is read from the database here.

How likely a mistake is stands in `COSTS`: the lower, the likelier. Each hand that was played since makes it less likely
by `AGE` times the binary logarithm (a mistake shows soon), and a neighbour's row more likely by `NEIGHBOUR`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log2
from typing import Any

from .. import recording
from ..errors import Refused
from ..models import Table
from . import program
from .edits import Change, Edit, PutIn, TakeOut
from .ideas import ideas, short_hands
from .program import Entry, Played, State

MOST = 10
"""How many guesses are worth reading."""
MOST_OTHERS = 12
"""How many more one of them may name in its line."""

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
    """What somebody counted, in Rappen: the coins in the pot, and by how much purses went up tonight at this table.
    `antes_in`: the antes of the next hand are paid already."""

    pot_minor: int | None = None
    purses: Mapping[int, int] = field(default_factory=dict)
    antes_in: bool = True


@dataclass(frozen=True)
class Guess:
    """A mistake that explains what was counted. `kind` is one of `COSTS`, `players` are those whom it is about, `edit`
    puts it right (None where only the coins went wrong), `others` are the same about somebody else."""

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
    """What would lie in the pot, and by how much the purses asked for would have changed (Rappen)."""

    pot_minor: int
    purses: tuple[int, ...]


class Night:
    """A table's hands, and what they come to with one of them changed. `seated` are the players of the next hand."""

    def __init__(
        self, table: Table, entries: Sequence[Entry], seated: Sequence[int], counted: Counted, *, keep: bool
    ) -> None:
        self.table, self.entries, self.seated = table, list(entries), tuple(seated)
        self.counted, self.keep = counted, keep
        self.asked = tuple(sorted(counted.purses))
        # The hands as they stand: each with the state before it.
        self.states: list[State] = []
        self.played: list[Played] = []
        state = program.beginning(table)
        for number, entry in enumerate(self.entries, start=1):
            self.states.append(state)
            self.played.append(program.play_one(table, entry, state, number))
            state = program.after(self.played[-1])
        self.last = state
        self._held = [replace(entry, holds=keep) for entry in self.entries]
        self._tails: dict[tuple[int, State, int], Sums | None] = {}
        self.book = self._tail(0, program.beginning(table), 0)

    def due(self) -> Sums:
        """What should have been counted."""
        if self.book is None:
            raise LookupError("a stored hand no longer replays")
        return self.book

    def gap(self) -> Sums:
        """What was counted, less what should have been; 0 where nobody counted."""
        due = self.due()
        pot = 0 if self.counted.pot_minor is None else self.counted.pot_minor - due.pot_minor
        return Sums(pot, tuple(self.counted.purses[p] - was for p, was in zip(self.asked, due.purses, strict=True)))

    def fits(self, sums: Sums | None) -> bool:
        """Whether these sums are what was counted."""
        if sums is None:
            return False
        pot = self.counted.pot_minor is None or sums.pot_minor == self.counted.pot_minor
        return pot and sums.purses == tuple(self.counted.purses[player] for player in self.asked)

    def with_change(self, place: int, entry: Entry) -> Sums | None:
        """The sums with another hand at `place` (from 0); None where that or a later hand is impossible."""
        return self._with(place, entry, place + 1)

    def with_forgotten(self, place: int, entry: Entry) -> Sums | None:
        """The sums with one hand more before that at `place`."""
        return self._with(place, entry, place)

    def without(self, place: int) -> Sums | None:
        """The sums without the hand at `place`. What came into the pot before it stays there."""
        return self._add(
            self._before(place), self._tail(place + 1, self.states[place], self.entries[place].moved_minor)
        )

    def muss_of(self, place: int, entry: Entry) -> int | None:
        """The dealer's seat, where a hand of these players before that at `place` would be a Muss."""
        state = self.states[place] if place < len(self.states) else self.last
        try:
            start = program.start_of(self.table, entry, state, place + 1)
        except Refused:
            return None
        return start.dealer if recording.due(start).muss is True else None

    def _with(self, place: int, entry: Entry, onward: int) -> Sums | None:
        try:
            played = program.play_one(
                self.table, entry, self.states[place] if place < len(self.states) else self.last, 0
            )
        except Refused:
            return None
        rest = self._tail(onward, program.after(played), 0 if onward > place else -self._moved(place))
        return self._add(self._before(place), self._add(self._of(played), rest))

    def _moved(self, place: int) -> int:
        return self.entries[place].moved_minor if place < len(self.entries) else self.table.moved_minor

    def _of(self, played: Played) -> Sums:
        return Sums(0, tuple(played.change_of(player) for player in self.asked))

    def _before(self, place: int) -> Sums:
        played = self.played[:place]
        return Sums(0, tuple(sum(one.change_of(player) for one in played) for player in self.asked))

    @staticmethod
    def _add(one: Sums, two: Sums | None) -> Sums | None:
        if two is None:
            return None
        return Sums(two.pot_minor, tuple(a + b for a, b in zip(one.purses, two.purses, strict=True)))

    def _tail(self, place: int, state: State, more: int) -> Sums | None:
        """What the hands from `place` on come to after `state`, with `more` coins before the first of them.

        Many mistakes leave the same pot, and after a hand without penalties nothing is left of most: each state is
        played on from once.
        """
        way: list[tuple[tuple[int, State, int], Sums]] = []
        found: Sums | None = None
        while True:
            at = (place, state, more)
            if at in self._tails:
                found = self._tails[at]
                break
            if place == len(self.entries):
                found = self._tails[at] = self._end(state, more)
                break
            entry = self._held[place]
            try:
                played = program.play_one(
                    self.table, replace(entry, moved_minor=entry.moved_minor + more), state, place + 1
                )
            except Refused:
                self._tails[at] = None
                break
            way.append((at, self._of(played)))
            place, state, more = place + 1, program.after(played), 0
        for at, own in reversed(way):
            found = self._tails[at] = self._add(own, found)
        return found

    def _end(self, state: State, more: int) -> Sums | None:
        """The pot before the next hand, with its antes where they were counted, and what they cost."""
        table = self.table
        named = table.dealer_id if table.dealer_set or self.keep else None
        entry = Entry(self.seated, {}, moved_minor=table.moved_minor + more, dealt_id=named, holds=named is not None)
        try:
            start = program.start_of(table, program.placed(entry, state), state, len(self.entries) + 1)
        except Refused:
            return None
        if not self.counted.antes_in:
            return Sums(start.pot_before, tuple(0 for _player in self.asked))
        due = recording.due(start)
        antes = dict(zip(self.seated, due.antes, strict=True))
        return Sums(due.pot, tuple(-antes.get(player, 0) for player in self.asked))


def find(night: Night, most: int = MOST) -> list[Guess]:
    """The likeliest mistakes that explain what was counted; empty where nothing differs, or nothing explains it."""
    gap = night.gap()
    if gap.pot_minor == 0 and not any(gap.purses):
        return []
    guesses = [*_hands(night), *_coins(night, gap)]
    likeliest = sorted(guesses, key=lambda guess: (guess.cost, -guess.number, guess.players))
    return _alike(guess for guess in likeliest if _holds(night, guess))[:most]


def _holds(night: Night, guess: Guess) -> bool:
    """Whether the correction itself, played from the first hand on, explains what was counted."""
    if guess.edit is None:
        return True
    try:
        again = Night(night.table, guess.edit.apply(night.entries), night.seated, night.counted, keep=night.keep)
    except Refused:
        return False
    return night.fits(again.due())


def _alike(guesses: Iterable[Guess]) -> list[Guess]:
    """One guess where several differ only in whom they are about, or where a hand was forgotten."""
    kept: dict[tuple[Any, ...], Guess] = {}
    for guess in guesses:
        about = guess.players[:1] if guess.kind == "instead" else ()
        # A hand more or less comes to the same at many places of the night.
        anywhere = guess.kind in ("forgotten", "forgotten_muss", "out")
        where = len(guess.players) - MOST if anywhere else guess.number
        alike = (guess.kind, where, guess.made, guess.amount_minor, about)
        first = kept.get(alike)
        if first is None:
            kept[alike] = guess
        elif len(first.others) < MOST_OTHERS:
            kept[alike] = replace(first, others=(*first.others, guess))
    return list(kept.values())


def _cost(night: Night, kind: str, number: int, near: bool = False) -> float:
    return COSTS[kind] + AGE * log2(1 + max(0, len(night.entries) - number)) + (NEIGHBOUR if near else 0)


def _hands(night: Night) -> Iterator[Guess]:
    """Hands that were written down wrongly, twice, or not at all."""
    for place, (entry, played) in enumerate(zip(night.entries, night.played, strict=True)):
        number = place + 1
        for idea in ideas(entry, played):
            players = entry.players if idea.players is None else idea.players
            dealer = entry.dealer_id if entry.dealer_id in players else None
            new = replace(entry, players=players, sent=idea.sent, dealer_id=dealer, number=0)
            if night.fits(night.with_change(place, new)):
                yield Guess(
                    kind=idea.kind,
                    number=number,
                    players=tuple(entry.players[seat] for seat in idea.seats),
                    cost=_cost(night, idea.kind, number, idea.near),
                    edit=Change(number, players, idea.sent, None, night.keep),
                    made=idea.made,
                )
        if night.fits(night.without(place)):
            kind = "twice" if place and _same(entry, night.entries[place - 1]) else "out"
            yield Guess(kind, number, (), _cost(night, kind, number), TakeOut(number, night.keep))
    for place in range(len(night.entries) + 1):
        yield from _forgotten(night, place)


def _same(one: Entry, two: Entry) -> bool:
    return one.players == two.players and dict(one.sent) == dict(two.sent)


def _forgotten(night: Night, place: int) -> Iterator[Guess]:
    players = night.entries[place].players if place < len(night.entries) else night.seated
    asked = [seat for seat, player in enumerate(players) if player in night.asked]
    dealer = night.entries[place].dealer_id if place < len(night.entries) else None
    base = Entry(players, {}, dealer if dealer in players else None, night._moved(place))
    muss_of = night.muss_of(place, base)
    for sent, seats, made in short_hands(night.table.evening.game, len(players), asked, muss_of):
        if night.fits(night.with_forgotten(place, replace(base, sent=sent))):
            yield Guess(
                kind="forgotten" if muss_of is None else "forgotten_muss",
                number=place + 1,
                players=tuple(players[seat] for seat in seats),
                cost=_cost(night, "forgotten" if muss_of is None else "forgotten_muss", place + 1),
                edit=PutIn(place + 1, players, sent, None, None, night.keep),
                made=made,
            )


# --- The book is right, the coins are not ----------------------------------------------------------------


def _coins(night: Night, gap: Sums) -> Iterator[Guess]:
    """Coins that did not move as they should have: they explain the gap, and there is nothing to put right."""
    for kind, number, player, into_pot in _slips(night):
        purses = tuple(-into_pot if asked == player else 0 for asked in night.asked)
        pot_fits = night.counted.pot_minor is None or into_pot == gap.pot_minor
        if (pot_fits and purses == gap.purses) or (kind == "halves" and _halves(night, number, gap)):
            yield Guess(kind, number, (player,), _cost(night, kind, number), amount_minor=abs(into_pot))
    yield from _antes(night, gap)


def _slips(night: Night) -> Iterator[tuple[str, int, int, int]]:
    """What may go wrong with coins after each hand: kind, hand, player, and the Rappen that the pot has too many."""
    for place, played in enumerate(night.played):
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
        if night.asked and declarer is not None and players[declarer] in night.asked:
            yield "halves", number, players[declarer], 0


def _halves(night: Night, number: int, gap: Sums) -> bool:
    """Whether the declarer, who shared the pot with others, took half of it instead of two thirds."""
    played = night.played[number - 1]
    won = {line["seat"]: int(line["amount"]) for line in played.result["lines"] if line["kind"] == "payout"}
    declarer = played.result["declarer"]
    if declarer not in won or len(won) < 2 or gap.pot_minor:
        return False
    missing = sum(won.values()) // 2 - won[declarer]
    player = played.entry.players[declarer]
    return all(had == (missing if asked == player else 0) for asked, had in zip(night.asked, gap.purses, strict=True))


def _antes(night: Night, gap: Sums) -> Iterator[Guess]:
    """Antes that somebody forgot to pay, or paid twice: which hand it was, the coins do not say."""
    number = len(night.entries) + (1 if night.counted.antes_in else 0)
    if not night.played:
        return
    rules = recording.house_rules(night.table.evening.game, night.table.evening.house_rules.values)
    ante = int(rules["unit" if night.table.evening.game == recording.KRATZEN else "stake"])
    asked = [player for player, had in zip(night.asked, gap.purses, strict=True) if had]
    size = gap.pot_minor if night.counted.pot_minor is not None else -sum(gap.purses)
    many, rest = divmod(abs(size), ante)
    if rest or not 1 <= many <= len(night.seated) or (asked and [-size] != [had for had in gap.purses if had]):
        return
    kind = "ante_missing" if size < 0 else "ante_twice"
    yield Guess(kind, number, tuple(asked), COSTS[kind] + 0.4 * (many - 1), amount_minor=abs(size))
