"""The difference finder: mistakes are planted in sample evenings, and their corrections must be among the guesses."""

from __future__ import annotations

import math
import os
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from games import engine_bridge
from games.corrections import replay
from games.corrections.finder.search import Counted, Guess, Search, find
from games.corrections.replay import Entry
from games.errors import Refused
from games.models import Table
from games.offered import game_of
from league.models import Evening, HouseRules
from tests.factories import FAILED, MADE, PASSED_OUT, WALKOVER

from .zwicken_mistakes import ZWICKEN_MISTAKES

Mistake = Callable[[random.Random, list[Entry], int], list[Entry] | None]
NIGHTS = int(os.environ.get("FINDER_NIGHTS", "5"))
"""Sample evenings for each kind of mistake; the rates in docs/corrections.md were measured with 40."""


def table_of(game: str = "chratze", seats: int = 5, **rules: Any) -> Table:
    """A table that is not stored."""
    evening = Evening(game=game, house_rules=HouseRules(values=rules))
    return Table(evening=evening, first_dealer_id=seats, dealer_id=seats, moved_minor=0)


def sample_evening(rng: random.Random, hands: int, table: Table, seats: int = 5) -> list[Entry]:
    """An evening as a club records it: hands of simple players as tallies, some with tricks."""
    players = tuple(range(1, seats + 1))
    tempers = [engine_bridge.Temper(rng.uniform(0.4, 0.9), rng.uniform(0.2, 0.8)) for _ in players]
    state, entries = replay.beginning(table), []
    counting = rng.random() < 0.4
    for number in range(1, hands + 1):
        start = replay.start_of(table, Entry(players, {}), state, number)
        hand = engine_bridge.play_hand(
            rng,
            game=start.game,
            rules=start.rules,
            seats=seats,
            dealer=start.dealer,
            pot_before=start.pot_before,
            deal_number=start.deal_number,
            players=tempers,
        )
        result = engine_bridge.replay({**hand, **start.fields()})
        sent = game_of(start.game).records.mistakes.tally_of({**hand, **start.fields()}, result)
        if start.game == "chratze" and "tricks" in sent and not counting:
            made = [
                s
                for s in (sent["declarer"], *sent["joiners"])
                if engine_bridge.made_goal({"game": start.game}, result, s)
            ]
            sent = {name: value for name, value in sent.items() if name != "tricks"} | {"made": sorted(made)}
        entries.append(Entry(players, sent, number=number))
        state = replay.after(replay.play_one(table, entries[-1], state, number))
    return entries


# --- Mistakes of recorders ------------------------------------------------------------------------------------


def changed(entries: list[Entry], place: int, sent: dict[str, Any]) -> list[Entry]:
    return [*entries[:place], replace(entries[place], sent=sent), *entries[place + 1 :]]


def made_wrong(rng: random.Random, entries: list[Entry], place: int) -> list[Entry] | None:
    sent = dict(entries[place].sent)
    if "made" not in sent:
        return None
    return changed(entries, place, sent | {"made": sorted({*sent["made"]} ^ {rng.choice(active(sent))})})


def tricks_wrong(rng: random.Random, entries: list[Entry], place: int) -> list[Entry] | None:
    sent = dict(entries[place].sent)
    if "tricks" not in sent:
        return None
    tricks = {int(seat): count for seat, count in sent["tricks"].items()}
    giver = rng.choice(list(tricks))
    taker = rng.choice([seat for seat in active(sent) if seat != giver])
    tricks[giver] -= 1
    tricks[taker] = tricks.get(taker, 0) + 1
    return changed(entries, place, sent | {"tricks": {str(s): n for s, n in tricks.items() if n}})


def with_tricks(sent: dict[str, Any], joiners: list[int], tricks: dict[int, int]) -> dict[str, Any]:
    counted = {str(seat): count for seat, count in sorted(tricks.items()) if count}
    return sent | {"joiners": sorted(joiners), "tricks": counted}


def counted_joiner_forgotten(rng: random.Random, entries: list[Entry], place: int) -> list[Entry] | None:
    """A joiner with one trick or none is forgotten in a free hand; the trick is given to another player."""
    sent = dict(entries[place].sent)
    if "game_type" not in sent or len(sent["joiners"]) < 2:
        return None
    tricks = {int(seat): count for seat, count in sent["tricks"].items()}
    gone = rng.choice(sent["joiners"])
    rest = [seat for seat in sent["joiners"] if seat != gone]
    won = tricks.pop(gone, 0)
    if won > 1:
        return None
    taker = rng.choice([sent["declarer"], *rest])
    return changed(entries, place, with_tricks(sent, rest, tricks | {taker: tricks.get(taker, 0) + won}))


def counted_joiner_too_many(rng: random.Random, entries: list[Entry], place: int) -> list[Entry] | None:
    """A player who was out is entered as a joiner without a trick."""
    sent = dict(entries[place].sent)
    idle = [seat for seat in range(len(entries[place].players)) if seat not in active(sent)]
    if not sent.get("joiners") or not idle:
        return None
    return changed(entries, place, sent | {"joiners": sorted([*sent["joiners"], rng.choice(idle)])})


def counted_roles_mixed_up(rng: random.Random, entries: list[Entry], place: int) -> list[Entry] | None:
    """Declarer and joiner of a free hand are exchanged; each keeps the tricks."""
    sent = dict(entries[place].sent)
    if "game_type" not in sent or not sent["joiners"]:
        return None
    joiner = rng.choice(sent["joiners"])
    joiners = sorted([sent["declarer"], *(seat for seat in sent["joiners"] if seat != joiner)])
    return changed(entries, place, sent | {"declarer": joiner, "joiners": joiners})


def is_muss(sent: dict[str, Any]) -> bool:
    return sent["declarer"] is not None and "game_type" not in sent


def plain_cut(sent: dict[str, Any]) -> bool:
    return [len(cut) for cut in sent["cuts"]] == [1] and not sent.get("seven")


def short_forgotten(rng: random.Random, entries: list[Entry], place: int) -> list[Entry] | None:
    """A free hand without payments for the cut and with at most one joiner."""
    sent = entries[place].sent
    if is_muss(sent) or not plain_cut(sent) or len(sent.get("joiners") or ()) > 1:
        return None
    return [*entries[:place], *entries[place + 1 :]] if sent.get("game_type", "schlagen") == "schlagen" else None


def muss_forgotten(rng: random.Random, entries: list[Entry], place: int) -> list[Entry] | None:
    sent = entries[place].sent
    return [*entries[:place], *entries[place + 1 :]] if is_muss(sent) and plain_cut(sent) else None


def joiner_forgotten(rng: random.Random, entries: list[Entry], place: int) -> list[Entry] | None:
    sent = dict(entries[place].sent)
    if len(sent.get("joiners") or []) < 2 or "made" not in sent:
        return None
    gone = rng.choice(sent["joiners"])
    made = [seat for seat in sent["made"] if seat != gone]
    return changed(entries, place, sent | {"joiners": [s for s in sent["joiners"] if s != gone], "made": made})


def joiner_too_many(rng: random.Random, entries: list[Entry], place: int) -> list[Entry] | None:
    sent = dict(entries[place].sent)
    idle = [seat for seat in range(len(entries[place].players)) if seat not in active(sent)]
    if not sent.get("joiners") or not idle or "made" not in sent:
        return None
    more = rng.choice(idle)
    made = sorted([*sent["made"], more]) if rng.random() < 0.5 else sent["made"]
    return changed(entries, place, sent | {"joiners": sorted([*sent["joiners"], more]), "made": made})


def neighbours_row(rng: random.Random, entries: list[Entry], place: int) -> list[Entry] | None:
    sent = dict(entries[place].sent)
    if not sent.get("joiners"):
        return None
    seats = len(entries[place].players)
    pairs = [(seat, (seat + by) % seats) for seat in active(sent) for by in (1, -1)]
    free = [(seat, row) for seat, row in pairs if row not in active(sent)]
    if not free:
        return None
    seat, row = rng.choice(free)
    return changed(entries, place, renamed(sent, {seat: row}))


def roles_mixed_up(rng: random.Random, entries: list[Entry], place: int) -> list[Entry] | None:
    sent = dict(entries[place].sent)
    if not sent.get("joiners") or "made" not in sent:
        return None
    joiner = rng.choice(sent["joiners"])
    joiners = sorted([sent["declarer"], *(s for s in sent["joiners"] if s != joiner)])
    return changed(entries, place, sent | {"declarer": joiner, "joiners": joiners})


def forgotten(rng: random.Random, entries: list[Entry], place: int) -> list[Entry] | None:
    if entries[place].sent.get("joiners"):
        return None
    return [*entries[:place], *entries[place + 1 :]]


def entered_twice(rng: random.Random, entries: list[Entry], place: int) -> list[Entry] | None:
    return [*entries[: place + 1], *entries[place:]]


def passed_for_walkover(rng: random.Random, entries: list[Entry], place: int) -> list[Entry] | None:
    sent = entries[place].sent
    if sent["declarer"] is None or sent.get("joiners"):
        return None
    return changed(entries, place, {"declarer": None})


def active(sent: dict[str, Any]) -> list[int]:
    return [] if sent["declarer"] is None else [sent["declarer"], *(sent.get("joiners") or [])]


def renamed(sent: dict[str, Any], to: dict[int, int]) -> dict[str, Any]:
    new = sent | {"declarer": to.get(sent["declarer"], sent["declarer"])}
    new["joiners"] = sorted(to.get(seat, seat) for seat in sent["joiners"])
    if "made" in sent:
        new["made"] = sorted(to.get(seat, seat) for seat in sent["made"])
    if "tricks" in sent:
        new["tricks"] = {str(to.get(int(seat), int(seat))): count for seat, count in sent["tricks"].items()}
    return new


MISTAKES: dict[str, Mistake] = {
    "who made it": made_wrong,
    "tricks": tricks_wrong,
    "a joiner forgotten": joiner_forgotten,
    "a joiner too many": joiner_too_many,
    "the row beside": neighbours_row,
    "declarer and joiner mixed up": roles_mixed_up,
    "a hand forgotten": forgotten,
    "a hand entered twice": entered_twice,
    "passed out for a walkover": passed_for_walkover,
}
KRATZEN_MISTAKES: dict[str, Mistake] = {
    "tricks": tricks_wrong,
    "a joiner forgotten": counted_joiner_forgotten,
    "a joiner too many": counted_joiner_too_many,
    "the row beside": neighbours_row,
    "declarer and joiner mixed up": counted_roles_mixed_up,
    "a free hand forgotten": short_forgotten,
    "a Muss forgotten": muss_forgotten,
    "a hand entered twice": entered_twice,
}
FORGOTTEN = {"a free hand forgotten": "forgotten", "a Muss forgotten": "forgotten_muss"}
"""The kinds of guesses about forgotten hands of Kratzen. Who took its tricks follows from the coins of one player in
part only: the right line is the one that says that such a hand was forgotten."""
OF_GAME = {"chratze": MISTAKES, "kratzen": KRATZEN_MISTAKES, "zwicken": ZWICKEN_MISTAKES}
SEATS = {"chratze": 5, "kratzen": 4, "zwicken": 4}


def count(table: Table, played: list[Entry], written: list[Entry], counted_player: int | None) -> Counted | None:
    """The coins counted after `played`, where `written` was recorded; None if they agree."""
    seated = played[-1].players
    asked = {} if counted_player is None else {counted_player: 0}
    both = Counted(pot_minor=0, gains=asked)
    true, book = (Search(table, each, seated, both, keep=False).due() for each in (played, written))
    return None if true == book else Counted(true.pot_minor, dict(zip(asked, true.gains, strict=True)))


def plant(
    rng: random.Random, mistake: Mistake, hands: int, latest: int, with_gain: bool, game: str = "chratze"
) -> tuple[Table, list[Entry], list[Entry], Counted]:
    """A table, its hands as played, its hands as recorded with one mistake in the last `latest` of them, and the
    counted coins: the pot, and with `with_gain` the gain of a player."""
    while True:
        table = table_of(game, SEATS[game])
        played = sample_evening(rng, hands, table, SEATS[game])
        place = len(played) - 1 - rng.randrange(latest)
        written = mistake(rng, played, place)
        if written is None:
            continue
        whose = rng.choice(played[place].players) if with_gain else None
        try:
            replay.play(table, written)
        except Refused:
            # Such a hand could not have been saved.
            continue
        counted = count(table, played, written, whose)
        if counted is not None:
            return table, played, written, counted


def rank(guesses: list[Guess], table: Table, played: list[Entry], written: list[Entry]) -> int:
    """The rank of the guess that corrects the mistake; 0 if there is none."""
    book = [hand.result["lines"] for hand in replay.play(table, played)]
    for place, guess in enumerate(guesses, start=1):
        for each in (guess, *guess.others):
            if each.edit and [hand.result["lines"] for hand in replay.play(table, each.edit.apply(written))] == book:
                return place
    return 0


def ranks(
    name: str, nights: int, hands: int = 30, latest: int = 10, with_gain: bool = True, game: str = "chratze"
) -> list[int]:
    """The rank of each planted mistake among the guesses; 0 if it is not there."""
    rng = random.Random(f"{name} {hands} {latest}" + (f" {game}" if game != "chratze" else ""))
    places = []
    for _ in range(nights):
        table, played, written, counted = plant(rng, OF_GAME[game][name], hands, latest, with_gain, game)
        guesses = find(Search(table, written, played[-1].players, counted, keep=False))
        kinds = [guess.kind for guess in guesses]
        if game == "kratzen" and name in FORGOTTEN:
            places.append(kinds.index(FORGOTTEN[name]) + 1 if FORGOTTEN[name] in kinds else 0)
        else:
            places.append(rank(guesses, table, played, written))
    return places


@pytest.mark.rest
@pytest.mark.parametrize("name", MISTAKES)
def test_a_planted_mistake_is_among_the_first_guesses(name: str) -> None:
    places = ranks(name, NIGHTS)
    assert sum(place > 0 for place in places) >= 0.9 * len(places) - 1, places


@pytest.mark.rest
@pytest.mark.parametrize("name", KRATZEN_MISTAKES)
def test_a_mistake_planted_in_an_evening_of_kratzen_is_among_the_first_guesses(name: str) -> None:
    places = ranks(name, NIGHTS, hands=20, game="kratzen")
    assert sum(place > 0 for place in places) >= 0.9 * len(places) - 1, places


@pytest.mark.rest
@pytest.mark.parametrize("name", ZWICKEN_MISTAKES)
def test_a_mistake_planted_in_an_evening_of_zwicken_is_among_the_first_guesses(name: str) -> None:
    places = ranks(name, NIGHTS, hands=20, game="zwicken")
    assert sum(place > 0 for place in places) >= 0.9 * len(places) - 1, places


def test_every_game_has_mistakes_to_find() -> None:
    assert set(OF_GAME) == set(SEATS) == set(engine_bridge.GAMES)


@pytest.mark.parametrize("muss", [True, False], ids=["a Muss", "a free hand"])
@pytest.mark.parametrize("with_gain", [True, False], ids=["pot and a gain", "the pot alone"])
def test_a_hand_of_kratzen_that_was_forgotten_is_among_the_guesses(muss: bool, with_gain: bool) -> None:
    rng = random.Random(f"kratzen {muss} {with_gain}")
    counts = []
    while len(counts) < NIGHTS:
        table = table_of("kratzen", seats=4)
        played = sample_evening(rng, 14, table, seats=4)
        forget = muss_forgotten if muss else short_forgotten
        places = [place for place in range(4, 14) if forget(rng, played, place)]
        if not places:
            continue
        place = rng.choice(places)
        written = [*played[:place], *played[place + 1 :]]
        try:
            replay.play(table, written)
        except Refused:
            continue
        counted = count(table, played, written, rng.choice(played[place].players) if with_gain else None)
        if counted is None:
            continue
        search = Search(table, written, played[-1].players, counted, keep=False)
        kind = "forgotten_muss" if muss else "forgotten"
        counts.append([guess.kind for guess in find(search)].count(kind))
    assert sum(many > 0 for many in counts) >= 0.9 * len(counts) - 1, counts


def test_nothing_is_guessed_where_the_coins_agree() -> None:
    table = table_of()
    entries = [Entry((1, 2, 3, 4, 5), sent, number=n) for n, sent in enumerate([MADE, FAILED], start=1)]
    right = Search(table, entries, (1, 2, 3, 4, 5), Counted(pot_minor=0), keep=False).due()
    assert find(Search(table, entries, (1, 2, 3, 4, 5), Counted(pot_minor=right.pot_minor), keep=False)) == []


def test_a_missing_ante_comes_first() -> None:
    table = table_of()
    players = (1, 2, 3, 4, 5)
    entries = [Entry(players, sent, number=n) for n, sent in enumerate([MADE, FAILED, WALKOVER, PASSED_OUT], start=1)]
    due = Search(table, entries, players, Counted(pot_minor=0), keep=False).due().pot_minor
    best = find(Search(table, entries, players, Counted(pot_minor=due - 20), keep=False))[0]
    assert (best.kind, best.number, best.amount_minor, best.edit) == ("ante_missing", 5, 20, None)


LONG = 60
"""Hands of a long evening."""


class TooMany(Exception):
    """More hands were replayed than a test waits for."""


def hands_played(monkeypatch: pytest.MonkeyPatch, *, forgetful: bool = False, most: float = math.inf) -> int:
    """The number of hands replayed until a mistake in a long evening is found; it stops after `most`."""
    table, played, written, counted = plant(random.Random(5), made_wrong, LONG, LONG, True)
    many = 0
    play_one = replay.play_one

    def counting(*args: Any) -> replay.Played:
        nonlocal many
        many += 1
        if many > most:
            raise TooMany
        return play_one(*args)

    with monkeypatch.context() as patched:
        patched.setattr(replay, "play_one", counting)
        search = Search(table, written, played[-1].players, counted, keep=False)
        if forgetful:
            search._tails = NothingKept()
        assert find(search)
    return many


class NothingKept(dict[Any, Any]):
    """A cache that stores nothing."""

    def __setitem__(self, key: Any, sums: Any) -> None:
        pass


def test_a_state_that_was_replayed_from_is_not_replayed_from_again(monkeypatch: pytest.MonkeyPatch) -> None:
    # There are about a hundred ideas for each hand; replaying the rest of the evening for each is 30 times as much.
    assert hands_played(monkeypatch) <= 120 * LONG


@pytest.mark.rest
def test_a_finder_without_a_cache_replays_many_times_as_much(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooMany):
        hands_played(monkeypatch, forgetful=True, most=10 * 120 * LONG)
