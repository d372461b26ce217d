"""A back-test of the band of luck: each evening is measured by the evenings before it alone, as on a server, and of ten
sums of a player and an evening nine lie within the band of 90 %.

A band that is wide enough always holds: the rows say how wide it is, in antes and against the range in which nine of
ten sums of all evenings lie. The data: leagues at random, played card by card, and the clubs of a database.
"""

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from bench.measure import Row
from games import engine_bridge
from games.engine_bridge import Temper
from games.evening.luck_hands import hand_of
from games.offered import game_of
from league.luck.evening import Hand, Past, night_of
from league.luck.rates import Rates
from league.luck.services import counts_of
from league.luck.situations import Tally

SEED = 20261129
LEAGUES, EVENINGS, HANDS, PLAYERS = 12, 20, 40, 8
RULES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("chratze", {}),
    ("chratze", {"pot_limit": 600}),
    ("chratze", {"stake": 10, "coin": 5, "pot_limit": 400}),
    ("kratzen", {"pot_limit": 600}),
    ("zwicken", {"pot_limit": 900}),
)
LONG_EVENING = 60
LEAST, MOST = 0.86, 0.94
FEWEST = 20
"""A player with fewer hands in an evening gets no band."""


class Night(NamedTuple):
    """The sum of a player's evening with its band, in antes."""

    actual: float
    expected: float
    low: float
    high: float

    @property
    def inside(self) -> bool:
        return self.low <= self.actual <= self.high


def rows() -> Iterator[Row]:
    """Yield the rows of leagues at random, and the time of an evening."""
    for game in engine_bridge.GAMES:
        yield from _rows(f"{LEAGUES} leagues of {game} at random", leagues(game, LEAGUES))
        yield long_evening(game)


def long_evening(game: str) -> Row:
    """Measure the luck of an evening of sixty hands, as a worker computes it."""
    (hands,) = league(random.Random(SEED), game, {}, 1, LONG_EVENING)
    began = time.process_time()
    night_of(hands, Rates({}, {}), "evening")
    took = time.process_time() - began
    return Row(f"luck of {LONG_EVENING} hands of {game}", f"{took * 1000:.0f} ms of CPU", "", took, 0.3, 0.1, True, "s")


def of_database(name: str) -> Iterator[Row]:
    """Yield the rows of the clubs of the database in use."""
    yield from _rows(name, [night for club in stored() for night in judged(*club)])


def _rows(what: str, nights: Sequence[Night]) -> Iterator[Row]:
    part, wide, whole = judge(nights)
    title = f"sums of an evening within the band of 90 %: {what}, {len(nights):,} sums"
    shown = f"band {wide:.0f} antes wide"
    yield Row(title, shown, f"nine of ten sums: {whole:.0f}", part, LEAST, None, False, "of 1")
    yield Row(f"the same, no more than {MOST}", shown, "", part, MOST, None, True, "of 1")
    yield Row(f"width of the band against the sums: {what}", shown, "", wide / whole, 1.1, None, True)


def judge(nights: Sequence[Night]) -> tuple[float, float, float]:
    """Return the part of the sums that lies within the band, the mean width of the bands, and that of the range of nine
    of ten sums, in antes."""
    part = sum(night.inside for night in nights) / len(nights)
    wide = sum(night.high - night.low for night in nights) / len(nights)
    sums = sorted(night.actual for night in nights)
    return part, wide, sums[int(len(sums) * 0.95)] - sums[int(len(sums) * 0.05)]


def leagues(game: str, number: int, evenings: int = EVENINGS, hands: int = HANDS) -> list[Night]:
    """Return the sums of leagues at random."""
    dice = random.Random(f"{SEED} {game}")
    offered = [rules for name, rules in RULES if name == game]
    nights: list[Night] = []
    for nth in range(number):
        rules = offered[nth % len(offered)]
        effective = engine_bridge.house_rules(game, rules)
        nights += judged(league(dice, game, rules, evenings, hands), effective[game_of(game).ante_rule])
    return nights


def judged(evenings: Iterable[Sequence[Hand]], ante: int) -> Iterator[Night]:
    """Yield the sums of the evenings of a club with their bands, each by the evenings before it."""
    tally, past = Tally(), Past()
    for nth, hands in enumerate(evenings):
        night = night_of(hands, Rates(tally.counts, {}), f"back-test {nth}", past)
        for player in night.players.values():
            if player.hands >= FEWEST:
                yield Night(player.actual / ante, player.expected / ante, player.low / ante, player.high / ante)
        tally.add_all(counts_of(hands))
        past.add(night.squares, night.sums)


def league(dice: random.Random, game: str, rules: dict[str, Any], evenings: int, hands: int) -> Iterator[list[Hand]]:
    """Yield the evenings of a league at random, played card by card."""
    tempers = {player: Temper(dice.random(), dice.random()) for player in range(1, PLAYERS + 1)}
    for _evening in range(evenings):
        yield list(evening(dice, game, rules, tempers, hands))


def evening(
    dice: random.Random, game: str, rules: dict[str, Any], tempers: dict[int, Temper], hands: int
) -> Iterator[Hand]:
    """Yield the hands of an evening, which begins with an empty pot."""
    there = dice.sample(sorted(tempers), dice.randint(4, 6))
    dealer, number, pot = 0, 1, 0
    for _hand in range(hands):
        record = engine_bridge.play_hand(
            dice,
            game=game,
            rules=rules,
            seats=len(there),
            dealer=dealer,
            pot_before=pot,
            deal_number=number,
            players=[tempers[player] for player in there],
        )
        result = engine_bridge.replay(record)
        yield hand_of(record, result, there)
        dealer, number, pot = result["next"]["dealer"], result["next"]["deal_number"], result["pot_after"]


def stored() -> Iterator[tuple[list[list[Hand]], int]]:
    """Yield the evenings of each club of a database, in their order, and the club's ante."""
    from league.access.persons import main_players
    from league.luck.recorded import hands_of
    from league.models import Club, Evening
    from league.standings.recorded_hands import recorded

    for club in Club.objects.order_by("pk"):
        closed = Evening.nights.filter(club=club, state=Evening.State.CLOSED).order_by("held_on", "pk")
        evenings = list(closed.select_related("house_rules"))
        if evenings:
            mains = main_players(club.pk)
            yield (
                [hands_of(evening.pk, mains) for evening in evenings],
                recorded().ante_minor(evenings[-1].house_rules),
            )
