"""A back-test of pairs: predictions of the next evening by the rating, and by the rank of last season.

Each evening is predicted from those before it: for every two players who were there and who both have a rank of last
season, the chance that one ends ahead of the other. Judged by log loss (0.693 is a coin) and by the share of pairs in
which the stronger one by prediction ended ahead. The data: leagues at random with known strengths, and the clubs of a
database.
"""

import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from bench.measure import Row
from league.standings.facts.rating_model import BEGINNER, BETA, SURE, Skill, after, chance

SEED = 20261123
LEAGUES, SEASONS, EVENINGS, HANDS, PLAYERS = 40, 4, 20, 30, 12
THERE = 0.55
"""The part of the evenings at which a player is there."""
STRENGTH, DRIFT, LUCK = 0.12, 0.03, 1.0
"""Standard deviations of what a player gets in a hand: between players, between seasons, between hands."""
MOST = 0.99


class Past(NamedTuple):
    """An evening: its season, the result of each player, the same for each of its hands, and the true strengths, if
    they are
    known."""

    season: int
    got: Mapping[int, int]
    hands: Sequence[Mapping[int, int]] = ()
    true: Mapping[int, float] = {}


class Tally:
    """Predictions of one kind and the outcomes."""

    def __init__(self) -> None:
        self.loss = 0.0
        self.right = 0.0
        self.pairs = 0
        self.ranked = 0
        self.ranked_right = 0

    def add(self, chance_of_ahead: float, ahead: bool) -> None:
        sure = min(MOST, max(1 - MOST, chance_of_ahead))
        self.loss -= math.log(sure if ahead else 1 - sure)
        self.right += 0.5 if chance_of_ahead == 0.5 else (chance_of_ahead > 0.5) == ahead
        self.pairs += 1

    def add_rank(self, better: int, ahead: bool) -> None:
        """Predict from ranks: the better one (`better` above 0: the first) is ahead as often as it was so far, at least
        half of the time; it begins with 6 of 10."""
        was = max(0.5, (self.ranked_right + 6) / (self.ranked + 10))
        self.add(0.5 if not better else was if better > 0 else 1 - was, ahead)
        if better:
            self.ranked += 1
            self.ranked_right += (better > 0) == ahead

    def __str__(self) -> str:
        if not self.pairs:
            return "no pairs"
        return f"log loss {self.loss / self.pairs:.4f}, {100 * self.right / self.pairs:.1f} % right"


class Judged(NamedTuple):
    """The tallies of a back-test, over the same pairs; `inside`: for each player with a known true strength, True if it
    was within the band at the end."""

    by_evening: Tally
    by_hand: Tally
    last_season: Tally
    true: Tally
    inside: list[bool]


def rows() -> Iterator[Row]:
    """Yield the row of leagues at random."""
    judged = Judged(Tally(), Tally(), Tally(), Tally(), [])
    dice = random.Random(SEED)
    for _league in range(LEAGUES):
        judge(league(dice), judged)
    yield _row(f"rating against last season's rank: {LEAGUES} leagues at random", judged)
    yield Row(
        "rating by evening against rating by hand, the same leagues",
        str(judged.by_evening),
        str(judged.by_hand),
        judged.by_evening.loss / judged.by_hand.loss,
        None,
        1,
        True,
    )
    yield Row(
        "rating against true strengths, the same leagues",
        str(judged.by_evening),
        str(judged.true),
        judged.by_evening.loss / judged.true.loss,
        None,
        1.02,
        True,
    )
    part = sum(judged.inside) / len(judged.inside)
    yield Row("true strengths within the band of 95 %, the same leagues", "", "", part, None, 0.93, False, "of 1")


def of_database(name: str) -> Iterator[Row]:
    """Yield a row for the clubs of the database in use, if they have two seasons."""
    judged = Judged(Tally(), Tally(), Tally(), Tally(), [])
    for evenings in stored().values():
        judge(evenings, judged)
    if judged.by_evening.pairs:
        yield _row(f"rating against last season's rank: {name}", judged)


def _row(what: str, judged: Judged) -> Row:
    ours, theirs = judged.by_evening, judged.last_season
    return Row(f"{what}, {ours.pairs:,} pairs", str(ours), str(theirs), ours.loss / theirs.loss, None, 1, True)


def league(dice: random.Random) -> Iterator[Past]:
    """Yield the evenings of a league at random."""
    strengths = {player: dice.gauss(0, STRENGTH) for player in range(PLAYERS)}
    for season in range(SEASONS):
        strengths = {player: strength + dice.gauss(0, DRIFT) for player, strength in strengths.items()}
        for _evening in range(EVENINGS):
            there = [player for player in strengths if dice.random() < THERE]
            hands = [
                {player: round(1000 * (strengths[player] + dice.gauss(0, LUCK))) for player in there}
                for _hand in range(HANDS)
            ]
            got = {player: sum(hand[player] for hand in hands) for player in there}
            yield Past(season, got, hands, dict(strengths))


def stored() -> dict[int, list[Past]]:
    """Return the evenings of each club of a database, with the result of each player in each hand."""
    from league.models import EveningScore, ResultRow
    from league.standings.facts.ratings import nights

    by_club: dict[int, list[Past]] = {}
    for club in EveningScore.objects.order_by().values_list("season__club", flat=True).distinct():
        hands: dict[int, dict[object, dict[int, int]]] = {}
        rows = ResultRow.objects.filter(season__club=club, season__in_chips=False).exclude(role="share")
        for evening, source, player, change in rows.values_list("evening", "source", "player", "change_minor"):
            hands.setdefault(evening, {}).setdefault(source, {})[player] = change
        by_club[club] = [
            Past(season, match, list(hands.get(evening, {}).values()))
            for (_day, evening, season), match in nights(club)
        ]
    return by_club


def judge(evenings: Iterable[Past], judged: Judged) -> None:
    """Predict each evening from those before it, then learn from it."""
    by_evening: dict[int, Skill] = {}
    by_hand: dict[int, Skill] = {}
    ranks: dict[int, int] = {}
    totals: dict[int, int] = {}
    season, last = None, None
    for past in evenings:
        if past.season != season:
            ranks = _ranks(totals)
            totals, season = {}, past.season
        known = sorted(player for player in past.got if player in ranks)
        for nth, person in enumerate(known):
            for other in known[nth + 1 :]:
                if past.got[person] != past.got[other]:
                    _predict(judged, past, (person, other), by_evening, by_hand, ranks)
        by_evening |= after(past.got, by_evening)
        for hand in past.hands:
            by_hand |= after(hand, by_hand)
        for player, got in past.got.items():
            totals[player] = totals.get(player, 0) + got
        last = past
    if last is not None and last.true:
        judged.inside.extend(_inside(by_evening, last))


def _inside(skills: Mapping[int, Skill], last: Past) -> Iterator[bool]:
    """Yield True for each player whose true strength is within the band; both are centred on the league's means."""
    unit = math.sqrt(len(last.hands)) / LUCK * BETA * 1000
    true = {player: last.true[player] * unit for player in skills}
    apart = sum(skills[player].mu - true[player] for player in skills) / len(skills)
    for player, skill in skills.items():
        yield abs(skill.mu - true[player] - apart) <= SURE * skill.sigma


def _predict(
    judged: Judged,
    past: Past,
    pair: tuple[int, int],
    by_evening: Mapping[int, Skill],
    by_hand: Mapping[int, Skill],
    ranks: Mapping[int, int],
) -> None:
    player, other = pair
    ahead = past.got[player] > past.got[other]
    judged.by_evening.add(chance(by_evening.get(player, BEGINNER), by_evening.get(other, BEGINNER)), ahead)
    judged.by_hand.add(_chance_by_hand(by_hand, player, other, len(past.hands) or 1), ahead)
    judged.last_season.add_rank(ranks[other] - ranks[player], ahead)
    if past.true:
        apart = (past.true[player] - past.true[other]) * math.sqrt(len(past.hands) / 2) / LUCK
        judged.true.add((1 + math.erf(apart / math.sqrt(2))) / 2, ahead)


def _chance_by_hand(skills: Mapping[int, Skill], player: int, other: int, hands: int) -> float:
    """Return the chance over an evening of so many hands: the luck of the hands evens out."""
    mine, its = skills.get(player, BEGINNER), skills.get(other, BEGINNER)
    spread = math.sqrt(2 * BETA**2 / hands + (mine.sigma**2 + its.sigma**2) / 1000**2)
    return (1 + math.erf((mine.mu - its.mu) / 1000 / spread / math.sqrt(2))) / 2


def _ranks(totals: Mapping[int, int]) -> dict[int, int]:
    return {player: 1 + sum(other > got for other in totals.values()) for player, got in totals.items()}
