"""Count the facts of a season's hands: decisions, feats and ratings, only for evenings that have changed.

The count of the season (`counting.py`) names the evenings whose hands it counted (`UncountedEvening`). Here their hands
are read, their old part is taken out of the sums, and their new part is put in. Hands are read before the
transaction that writes, so that the storing of a hand does not wait for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from django.db import connection, transaction
from django.db.models import F

from ...locks import lock_club
from ...models import (
    DecisionCount,
    Evening,
    EveningFacts,
    EveningScore,
    Feat,
    HouseRules,
    Season,
    SeasonFacts,
    UncountedEvening,
)
from .. import luck_queue
from .hands import Best, Facts, facts_of
from .ratings import METHOD, rate

COUNTED_AS = f"{METHOD}; situations 2"
"""Stored with the counts of a season: others are counted again. The number goes up with each change of `Situation`."""
TRIES = 3
BATCH = 500
ADD = """INSERT INTO league_decisioncount (season_id, player_id, situation, hands) VALUES {rows}
ON CONFLICT (season_id, player_id, situation) DO UPDATE SET hands = league_decisioncount.hands + excluded.hands"""


def mark_uncounted(season: Season, evenings: Iterable[int] | None) -> None:
    """Let the next count read the hands of these evenings; with None those of the whole season."""
    keys: Iterable[int | None] = [None] if evenings is None else evenings
    UncountedEvening.objects.bulk_create(UncountedEvening(season=season, evening_id=key) for key in keys)


def count_facts(season_id: int) -> bool:
    """Count the evenings of a season that wait. Returns True if there were any.

    Safe to run twice and at once: of two, one begins again. If it is killed, the evenings still wait.
    """
    for _try in range(TRIES):
        waiting = dict(UncountedEvening.objects.filter(season=season_id).values_list("pk", "evening_id"))
        if not waiting:
            return False
        SeasonFacts.objects.bulk_create([SeasonFacts(season_id=season_id)], ignore_conflicts=True)
        version = SeasonFacts.objects.get(season=season_id).version
        evenings = _evenings(season_id, set(waiting.values()))
        by_evening = dict(facts_of(evenings, _rules(evenings)))
        if _stored(season_id, version, by_evening, waiting):
            return True
    return True


def waiting_seasons() -> list[int]:
    """Return the seasons with evenings that wait, and those that were counted in another way."""
    for outdated in SeasonFacts.objects.exclude(method__in=("", COUNTED_AS)).select_related("season"):
        mark_uncounted(outdated.season, None)
    return list(UncountedEvening.objects.order_by("season").values_list("season", flat=True).distinct())


def differences(season: Season) -> Iterator[str]:
    """Yield each evening whose stored facts are not what its hands give, and a difference of the sums. An evening that
    waits is behind, not wrong."""
    outdated = SeasonFacts.objects.filter(season=season).exclude(method__in=("", COUNTED_AS))
    if UncountedEvening.objects.filter(season=season).exists() or outdated.exists():
        return
    evenings = _evenings(season.pk, {None})
    due = _counted(season, dict(facts_of(evenings, _rules(evenings))))
    stored = dict(EveningFacts.objects.filter(season=season).values_list("evening", "decisions"))
    feats: dict[int, set[Best]] = {}
    for evening, *columns in Feat.objects.filter(season=season).values_list("evening", *Best._fields):
        feats.setdefault(evening, set()).add(Best(*columns))
    total: Counter[tuple[int, int]] = Counter()
    for evening in sorted({*due, *stored, *feats}):
        facts = due.get(evening, Facts(Counter(), ()))
        total += facts.decisions
        kept = {(player, situation): hands for player, situation, hands in stored.get(evening, [])}
        if facts.decisions != kept or set(facts.feats) != feats.get(evening, set()):
            yield f"evening {evening}: its statistics or records are not what its hands give"
    sums = DecisionCount.objects.filter(season=season).values_list("player", "situation", "hands")
    if total != {(player, situation): hands for player, situation, hands in sums}:
        yield f"season {season}: its statistics are not the sum of its evenings"


def _evenings(season_id: int, named: set[int | None]) -> list[int]:
    """Return the evenings to count: those that were named, or all that have or had hands that count."""
    if None not in named:
        return sorted(key for key in named if key is not None)
    played = EveningScore.objects.filter(season=season_id, hands__gt=0).values_list("evening", flat=True)
    known = EveningFacts.objects.filter(season=season_id).values_list("evening", flat=True)
    return sorted({*played.distinct(), *known})


def _rules(evenings: Sequence[int]) -> dict[int, HouseRules]:
    pairs = Evening.objects.filter(pk__in=evenings).values_list("pk", "house_rules")
    of = dict(pairs)
    rules = HouseRules.objects.in_bulk(set(of.values()))
    return {evening: rules[key] for evening, key in of.items()}


@transaction.atomic
def _stored(season_id: int, version: int, by_evening: dict[int, Facts], waiting: Mapping[int, int | None]) -> bool:
    """Store the counted facts, unless another worker has stored some since the hands were read."""
    season = Season.every.get(pk=season_id)
    club = lock_club(season.club_id)
    facts = SeasonFacts.objects.select_for_update().get(season=season)
    if facts.version != version:
        return False
    counted, whole = _counted(season, by_evening), None in waiting.values()
    before = EveningFacts.objects.filter(evening__in=by_evening)
    change: Counter[tuple[int, int]] = Counter()
    if whole:
        # From scratch: all stored facts are replaced.
        before = EveningFacts.objects.filter(season=season)
        for model in (EveningFacts, DecisionCount):
            model.objects.filter(season=season)._raw_delete(using=connection.alias)
    for old in before.values_list("decisions", flat=True):
        change.subtract({(player, situation): hands for player, situation, hands in old})
    for evening_facts in counted.values():
        change.update(evening_facts.decisions)
    _add(season, change)
    Feat.objects.filter(evening__in=by_evening)._raw_delete(using=connection.alias)
    before._raw_delete(using=connection.alias)
    _store_evenings(season, counted)
    rated = rate(season.club_id, sorted(by_evening))
    # The pages of later seasons show ratings, too.
    SeasonFacts.objects.filter(season__in=rated - {season_id}).update(version=F("version") + 1)
    facts.version, facts.method = version + 1, COUNTED_AS
    facts.save()
    luck_queue.recounted(club, list(by_evening))
    UncountedEvening.objects.filter(pk__in=waiting)._raw_delete(using=connection.alias)
    return True


def _counted(season: Season, by_evening: dict[int, Facts]) -> dict[int, Facts]:
    """Leave out evenings of a game that does not count in the season, and those without a hand."""
    games = dict(Evening.objects.filter(pk__in=by_evening).values_list("pk", "game"))
    return {
        evening: facts
        for evening, facts in by_evening.items()
        if season.games in ("", games[evening]) and (facts.decisions or facts.feats)
    }


def _add(season: Season, change: Counter[tuple[int, int]]) -> None:
    """Add to the sums of the season, and delete those that come to 0: of players with less than before alone, as a
    search of the whole season would cost more than the sums of an evening."""
    rows = [(season.pk, player, situation, hands) for (player, situation), hands in change.items() if hands]
    with connection.cursor() as cursor:
        for first in range(0, len(rows), BATCH):
            some = rows[first : first + BATCH]
            values = [value for row in some for value in row]
            cursor.execute(ADD.format(rows=", ".join(["(%s, %s, %s, %s)"] * len(some))), values)
    less = {player for (player, _situation), hands in change.items() if hands < 0}
    if less:
        DecisionCount.objects.filter(season=season, player__in=less, hands=0)._raw_delete(using=connection.alias)


def _store_evenings(season: Season, counted: dict[int, Facts]) -> None:
    EveningFacts.objects.bulk_create(
        [
            EveningFacts(
                evening_id=evening,
                season=season,
                decisions=[[player, situation, hands] for (player, situation), hands in facts.decisions.items()],
            )
            for evening, facts in counted.items()
        ],
        BATCH,
    )
    Feat.objects.bulk_create(
        [
            Feat(season=season, evening_id=evening, **best._asdict())
            for evening, facts in counted.items()
            for best in facts.feats
        ],
        BATCH,
    )
