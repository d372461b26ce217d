"""A season with a formula, and random operations on it, for `test_counting_at_random.py`.

The runs change through formulas that together have every trait (`formula_traits.py`). A formula stays until a check
compared what was counted hand by hand under it. `compared` has the traits of all these formulas, `mattered` those
without which a ranking that was compared would have been another one.
"""

from __future__ import annotations

import random
import uuid
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q

from games.closing.services import evening_close
from games.errors import Refused
from league.ledger.season_mark import mark_for_recount
from league.models import Evening, Player, Posting, Season, SeasonAdjustment, SeasonAward, SeasonCount, Standing
from league.roster.services import player_change
from league.standings.formula import parts
from league.standings.formula import services as formulas
from league.standings.formula.team_services import stay_set, team_add
from league.standings.seasons import season_close, season_reopen

from .formula_traits import WITHOUT_EFFECT, Trait, Values, planned, traits_of
from .random_season import CHECKS, FIRST_DAY, NOTHING, STEPS, Operation, RandomSeason, fresh
from .stored_formula import decisive, differences

GAMES = [game for game in parts.GAMES if game]
PAID = Q(transfers__kind="paid")
"""A payment changes no score."""


class RandomFormula(RandomSeason):
    """The same with a formula, which changes; with penalties, guests, teams, points of tournaments, and the end of the
    season. Points and ranks must be those of the plain model, too."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.compared: set[Trait] = set()
        self.mattered: set[Trait] = set()
        self.checks = 0
        self.kept_up = False
        """The stored standings are those of a count of waiting postings, not of one from scratch."""
        self.plan = planned(seed, lambda: composed(self.rng, self.players))
        self.values = self.set_formula(self.plan.pop())
        self.teams = [team_add(season=self.season, name=name, actor=None) for name in ("Acorns", "Bells")]
        for player in self.players[:6]:
            stay_set(season=self.season, player=player, team=self.rng.choice(self.teams), since=FIRST_DAY, actor=None)

    def settings(self) -> list[Operation]:
        """Return the operations on the data of a ranking."""
        return [self.formula, self.adjust, self.undo_adjustment, self.guest, self.put]

    def seldom(self) -> list[Operation]:
        return [*super().seldom(), *self.settings(), self.award, self.end]

    def certain(self) -> list[tuple[int, Operation]]:
        return [*super().certain(), (self.rng.randint(1, STEPS // 2), self.award)]

    def count(self) -> None:
        """Count the season, and note how its ranking was counted."""
        season = Season.objects.get(pk=self.season.pk)
        waiting = Posting.objects.filter(uncounted__season=season)
        counted = SeasonCount.objects.filter(season=season, counted_at__isnull=False).first()
        if counted is None or waiting.count() < season.ledger_mark - counted.counted_mark:
            self.kept_up = False
        elif waiting.filter(evening__game__in=[season.games] if season.games else GAMES).exclude(PAID).exists():
            self.kept_up = True
        super().count()

    def check(self) -> list[str]:
        """Check standings that were counted hand by hand under this formula."""
        self.count()
        if not self.kept_up:
            self.counted_hand()
            self.count()
            assert self.kept_up
        problems = super().check() or differences(self.season)
        traits = traits_of(self.values)
        self.compared |= traits
        self.mattered |= decisive(self.season, traits - self.mattered - WITHOUT_EFFECT)
        self.checks += 1
        if not problems and len(self.plan) >= CHECKS - self.checks > 0:
            self.formula()
        return problems

    def counted_hand(self) -> None:
        """Enter a hand of a game that counts, on a new table if there is no open one."""
        hand, begin = self.hand, self.begin_evening
        if self.values["games"] == "kratzen":
            hand, begin = self.kratzen_hand, self.begin_kratzen
        if self.values["games"] == "zwicken":
            hand, begin = self.zwicken_hand, self.begin_zwicken
        while not self.do(hand):
            self.do(begin)

    def formula(self) -> object:
        """Take the next formula, if the present one was compared."""
        if not traits_of(self.values) <= self.compared:
            return NOTHING
        values = self.plan[-1] if self.plan else composed(self.rng, self.players)
        self.values = self.set_formula(values)
        self.plan = self.plan[:-1]
        return None

    def set_formula(self, values: Values) -> Values:
        formulas.formula_set(season=self.season, actor=None, values=values)
        self.count()
        return values

    def adjust(self) -> None:
        given: dict[str, Any] = {"player": self.rng.choice(self.players), "points": self.rng.choice((-3, -1, 2))}
        day = self.rng.choice((None, self.day()))
        formulas.adjustment_add(season=self.season, reason="x", actor=None, day=day, **given)

    def undo_adjustment(self) -> object:
        given = SeasonAdjustment.objects.filter(season=self.season, undone_at=None)
        known = list(given.order_by("pk").select_related("season"))
        return formulas.adjustment_undo(adjustment=self.rng.choice(known), actor=None) if known else NOTHING

    def guest(self) -> None:
        player = fresh(self.rng.choice(self.players))
        player_change(player=player, actor=None, changes={"guest": not player.guest})

    def put(self) -> None:
        team, day = self.rng.choice((*self.teams, None)), self.rng.randint(-1, 36)
        stay: dict[str, Any] = {"player": self.rng.choice(self.players), "since": FIRST_DAY + timedelta(days=day)}
        stay_set(season=self.season, team=team, actor=None, **stay)

    def award(self) -> None:
        """Give points of a tournament, as an evening without hands."""
        known = Evening.objects.filter(season=self.season).latest("number")
        fields = {name: getattr(known, name) for name in ("club", "season", "held_on", "game", "house_rules")}
        evening = Evening.objects.create(number=known.number + 1, state="closed", **fields)
        for place, player in enumerate(self.rng.sample(self.players, k=2), 1):
            SeasonAward.objects.create(
                season=self.season, evening=evening, player=player, place=place, points=9 // place
            )
        mark_for_recount(self.season.pk)

    def end(self) -> None:
        """Close the season, try changes of its final standings, and open it again."""
        for evening in Evening.objects.filter(season=self.season, state="open"):
            evening_close(evening=evening, author=None, key=uuid.uuid4(), pot="carry")
        season_close(season=self.season, actor=None)
        self.count()
        final = self.final_standings()
        for attempt in (*self.settings(), self.take_out, self.move, self.reopen, self.merge, self.unmerge, self.mark):
            try:
                with transaction.atomic():
                    attempt()
            except Refused:
                self.refused["in a closed season"] += 1
        self.count()
        assert self.final_standings() == final
        season_reopen(season=self.season, actor=None, reason="x")

    def final_standings(self) -> list[tuple[Any, ...]]:
        rows = Standing.objects.filter(season=self.season).order_by("player")
        return list(rows.values_list("player", "rank", "points", "counted_minor", "unranked", "evenings", "hands"))


def composed(rng: random.Random, players: list[Player]) -> dict[str, Any]:
    """Return a formula of parts that are drawn one by one; drawn again where the parts contradict each other."""
    while True:
        values = _drawn(rng, [player.pk for player in players])
        try:
            parts.read(values)
        except parts.FormulaFault:
            continue
        return values


MOST = {"attendance_bonus": 2, "attendance_minimum": 3, "hands_minimum": 8, "hands_minimum_evening": 2}
"""The largest number that is drawn; of other whole numbers 3."""


def _drawn(rng: random.Random, players: list[int]) -> dict[str, Any]:
    def some() -> bool:
        return rng.random() < 0.4

    # Without games those of the formula before would count.
    values: dict[str, Any] = {"counts": rng.choice(parts.CHOICES["counts"]), "games": ""}
    for name, options in parts.CHOICES.items():
        if name != "counts" and some():
            values[name] = rng.choice(options)
    for name, (least, _most) in parts.WHOLE.items():
        if some():
            values[name] = rng.randint(max(least, -2), MOST.get(name, 3))
    if values.get("absences") == "zero":
        # An absence of 0 points does something where evenings are dropped.
        values.setdefault("drop", 1)
    values |= {name: rng.random() < 0.6 for name in parts.SWITCHES}
    if values["counts"] == "places":
        values["places"] = sorted((rng.randint(-1, 3) for _ in range(rng.randint(1, 4))), reverse=True)
    if some():
        values["handicap"] = {str(rng.choice(players)): rng.randint(-2, 3) for _ in range(2)}
    ties = rng.sample(parts.TIES, k=rng.randint(0, 4))
    values["ties"] = sorted(ties, key=lambda tie: tie == "lot")
    if "lot" in ties:
        values["lot_seed"] = str(rng.randint(1, 999))
    return values
