"""Count standings, statistics and balances of a season in SQL, from result rows and transfers.

A count takes the postings that wait (`UncountedPosting`) and counts their effects on evenings and sums. It begins from
scratch if the season was never counted, or if its ledger mark was raised by anything else than these postings: points
or another setting changed, players were merged, rows were rebuilt. If a season has a formula, the formula ranks
the players at the end (`formula/counting.py`).
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from copy import copy
from itertools import dropwhile
from typing import Any, TypeAlias

from django.db import OperationalError, connection, transaction
from django.db.models import Model
from django.utils import timezone

from .. import news
from ..models import Balance, Evening, EveningScore, Season, SeasonCount, Standing, Webhook
from ..webhooks.queue import Data, enqueue
from . import counting_sql as sql
from .facts.counting import count_facts, mark_uncounted
from .formula.counting import forget_teams, rank_by_formula, ranked_columns
from .formula.inputs import stored_formula
from .formula.progress import Position, Progress, Stamp, keep, unchanged

SERIALIZATION_FAILURE = "40001"
AT_ONCE = 500
"""The waiting postings that one statement names."""

Values: TypeAlias = "dict[str, Any]"


def _locked(season: Season) -> SeasonCount | None:
    skips = connection.features.has_select_for_update_skip_locked
    return SeasonCount.objects.select_for_update(skip_locked=skips).filter(pk=season.pk).first()


def count_season(season_id: int) -> bool:
    """Count a season if its ledger mark is above its counted mark, then its facts (decisions, feats, ratings). Returns
    True
    if the standings were counted now.

    Safe to run twice and at once: one counts, the other returns. If it is killed, the old count and mark stay.
    """
    counted = count_standings(season_id)
    if counted is None:
        return False
    count_facts(season_id)
    return counted


def count_standings(season_id: int) -> bool | None:
    """Count the standings and balances of a season if its ledger mark is above its counted mark. Returns True if they
    were counted now, None if another worker counted them meanwhile."""
    try:
        return _count_once(season_id)
    except OperationalError as fault:
        if getattr(fault.__cause__, "sqlstate", None) != SERIALIZATION_FAILURE:
            raise
        # Another worker counted the season between our snapshot and our lock; it checks the marks after its commit.
        return None


def _count_once(season_id: int) -> bool:
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        if connection.vendor == "postgresql" and outermost:
            # All statements must read the same hands, or a standing could be counted from two states.
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        season = Season.every.filter(pk=season_id).first()
        count = _claim(season) if season else None
        if count is None or season is None or count.counted_mark >= season.ledger_mark:
            return False
        started = time.monotonic()
        before, progress = (count.counted_mark, count.counted_at), None
        if season.in_chips:
            # A tournament ranks by its result rows. Without counted rows no sum of money can include chips.
            pass
        elif _is_known(season, count):
            progress = count_waiting(season, stamp=before)
        else:
            progress = recount(season)
        _execute([sql.DELETE_WAITING], {"season": season.pk})
        count.counted_mark = season.ledger_mark
        count.counted_at = timezone.now()
        count.took_ms = round((time.monotonic() - started) * 1000)
        count.save()
        news.tell(f"count:{season.pk}")
        keep(season.pk, progress, now=(count.counted_mark, count.counted_at))
        subject = f"season:{season.pk}:{count.counted_mark}"
        data: Data = {"season": season.slug, "mark": count.counted_mark}
        if not season.in_chips:
            enqueue(Webhook.Event.COUNTED, club_id=season.club_id, subject=subject, data=data)
    return True


def _claim(season: Season) -> SeasonCount | None:
    """The season's count, locked; None while another worker counts it."""
    count = _locked(season)
    if count is None and not SeasonCount.objects.filter(pk=season.pk).exists():
        SeasonCount.objects.bulk_create([SeasonCount(season=season)], ignore_conflicts=True)
        count = _locked(season)
    return count


def _is_known(season: Season, count: SeasonCount) -> bool:
    """Return True if the waiting postings are all that raised the season's mark since it was counted."""
    ((number, first),) = _read(sql.WAITING_MARKS, {"season": season.pk})
    if count.counted_at is None or number != season.ledger_mark - count.counted_mark:
        return False
    return first is not None and first > count.counted_mark


def recount(season: Season) -> Progress | None:
    """Count the season's evenings, standings and balances from scratch. The caller holds the transaction. Returns how
    far its formula ranked it."""
    _without_compiling()
    one_game = sql.ONE_GAME if season.games else ""
    values = {**_values(season), "before": None}
    scores = _evening_scores(season, counted=one_game, later="", earlier="", earlier_awards="", took_part="0")
    _replace(EveningScore, ("evening_id", "player_id"), scores, values, ranked=ranked_columns(stored_formula(season)))
    Standing.objects.filter(season=season)._raw_delete(using=connection.alias)
    _execute([sql.STANDINGS], values)
    _replace(Balance, ("account_id",), sql.BALANCES, values)
    mark_uncounted(season, None)
    if not season.has_formula:
        forget_teams(season)
    return rank_by_formula(season)


def evening_scores(season: Season) -> list[tuple[Any, ...]]:
    """Return the scores of all evenings, counted from scratch by the points and games of this season, which need not be
    stored: evening, date, number, player, hands, points, amount; in the order of the evenings. Stores nothing. Two
    queries; reads all result rows of the season."""
    plain = copy(season)
    plain.best_evenings, plain.ranking = None, Season.Ranking.POINTS
    one_game = sql.ONE_GAME if season.games else ""
    scores = _evening_scores(plain, counted=one_game, later="", earlier="", earlier_awards="", took_part="0")
    with transaction.atomic(), connection.cursor() as cursor:
        _without_compiling()
        cursor.execute(sql.SCORES_IN_ORDER.format(scores=scores), {**_values(plain), "before": None})
        return list(cursor.fetchall())


def _replace(
    model: type[Model], keys: Sequence[str], query: str, values: Values, *, ranked: Collection[str] = ()
) -> None:
    """Replace the season's rows of a model by those of a query; write only those that differ. The columns that are
    `ranked` by a formula stay as they are in known rows."""
    columns = [field.attname for field in model._meta.concrete_fields if field.attname not in ("id", "season_id")]
    compared = [column for column in columns if column not in ranked]
    parts = {
        "table": model._meta.db_table,
        "columns": ", ".join(columns),
        "compared": ", ".join(compared),
        "keys": ", ".join(keys),
        "changes": ", ".join(f"{column} = excluded.{column}" for column in compared if column not in keys),
    }
    computed = sql.COMPUTED.format(query=query)
    _execute([computed, sql.GONE.format(**parts), sql.DIFFERENT.format(**parts), sql.FORGOTTEN], values)


def count_waiting(season: Season, *, stamp: Stamp | None = None) -> Progress | None:
    """Count the effects of the uncounted postings: scores of their evenings, running sums after these and later
    evenings, standings, balances. The caller holds the transaction. `stamp`: the count before. Returns how far
    its formula ranked it; if nothing changed, how far the count before did."""
    _without_compiling()
    waiting = [posting for (posting,) in _read(sql.WAITING, {"season": season.pk})]
    changed: set[int] = set()
    for first_one in range(0, len(waiting), AT_ONCE):
        postings = waiting[first_one : first_one + AT_ONCE]
        _add_to_balances(season, postings)
        changed.update(_changed_evenings(season, postings))
    if not changed:
        return unchanged(season.pk, stamp)
    since = _since_the_first(season, changed)
    counted = [pk for pk, _position in since]
    first = since[0][1]
    kept = [pk for pk in counted if pk not in changed]
    lists = {"changed": _listed(sorted(changed)), "kept": _listed(kept)}
    scores = _evening_scores(
        season,
        counted=f" AND evening_id IN ({lists['changed']})",
        later=sql.LATER.format(**lists),
        earlier=sql.EARLIER.format(counted=_listed(counted)),
        earlier_awards=sql.EARLIER_AWARDS.format(counted=_listed(counted)),
        took_part=sql.TOOK_PART.format(counted=_listed(counted)),
    )
    before = _newest_with_scores(season, 1, before=first)
    _execute(
        [
            sql.STANDINGS_PART.format(**lists, sign="-"),
            sql.NOT_KEPT.format(**lists),
            sql.IN_PLACE.format(scores=scores),
            sql.STANDINGS_PART.format(**lists, sign="+"),
            sql.NOBODY,
        ],
        {**_values(season), "before": before[0] if before else None},
    )
    newest, second, *_ = [*_newest_with_scores(season, 2), None, None]
    _execute([sql.STANDINGS_NOW], {"season": season.pk, "newest": newest, "second": second})
    mark_uncounted(season, changed)
    return rank_by_formula(season, stamp=stamp, changed=first)


def _named(postings: Sequence[Any]) -> tuple[str, Values]:
    """Return placeholders for postings, and their values. The keys are in the form that the database returns."""
    keys = {f"posting{nth}": key for nth, key in enumerate(postings)}
    return ", ".join(f"%({name})s" for name in keys), keys


def _add_to_balances(season: Season, postings: Sequence[Any]) -> None:
    """Add the transfers of these postings to the balances of their accounts."""
    named, keys = _named(postings)
    _execute([sql.NEW_BALANCES.format(postings=named)], {"season": season.pk, **keys})


def _changed_evenings(season: Season, postings: Sequence[Any]) -> set[int]:
    """Return the evenings whose result rows these postings may have changed: a payment changes balances only, and so
    does money that the kitty spends or gets."""
    named, keys = _named(postings)
    statement = sql.CHANGED_EVENINGS.format(postings=named, counted=sql.ONE_GAME if season.games else "")
    return {evening for (evening,) in _read(statement, {"games": season.games, **keys})}


def _since_the_first(season: Season, changed: Collection[int]) -> list[tuple[int, Position]]:
    """Return the season's evenings from the first changed one on, in their order."""
    rows = _read(sql.EVENINGS_SINCE.format(changed=_listed(sorted(changed))), {"season": season.pk})
    date_of = Evening._meta.get_field("held_on").to_python
    evenings = ((pk, (date_of(held_on), number)) for pk, held_on, number in rows)
    return list(dropwhile(lambda evening: evening[0] not in changed, evenings))


def _newest_with_scores(season: Season, number: int, *, before: Position | None = None) -> list[int]:
    """Return the newest evenings with scores, newest first; with `before`, of those before this position."""
    statement = sql.NEWEST_WITH_SCORES.format(earlier=sql.BEFORE if before else "")
    held_on, its_number = before or (None, None)
    values = {"season": season.pk, "held_on": held_on, "number": its_number, "limit": number}
    return [evening for (evening,) in _read(statement, values)]


def _listed(keys: Sequence[int]) -> str:
    """Return keys for `IN (…)`: with a list the database can estimate how many rows it will read."""
    return ", ".join(map(str, keys)) or "NULL"


def _evening_scores(season: Season, **parts: str) -> str:
    ((has_merged, has_imported),) = _read(sql.HAS_SEVERAL, {"season": season.pk, "club": season.club_id})
    best = season.best_evenings is not None
    return sql.EVENING_SCORES.format(
        counted=parts["counted"],
        imported=sql.IMPORTED.format(counted=parts["counted"]) if has_imported else "",
        persons=sql.MERGED if has_merged or has_imported else sql.EACH_ALONE,
        later=parts["later"],
        took_part=parts["took_part"],
        points_after=sql.BEST_ONLY.format(**parts) if best else sql.ALL_EVENINGS,
        best=sql.BEST_EVENINGS.format(earlier=parts["earlier"]) if best else "",
        ranked="points_after" if season.ranking == Season.Ranking.POINTS else "balance_after_minor",
    )


def _values(season: Season) -> Values:
    return {
        "season": season.pk,
        "games": season.games,
        "best": season.best_evenings,
        **points_of(season),
    }


def points_of(season: Season) -> Values:
    """Return the points of a season, as the statements name them."""
    return {
        "declared": season.points_declared,
        "declared_failed": season.points_declared_failed,
        "joined": season.points_joined,
        "joined_failed": season.points_joined_failed,
        "walkover": season.points_walkover,
    }


def _execute(statements: Sequence[str], values: Values) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement, values)


def _read(statement: str, values: Values) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def _without_compiling() -> None:
    """Turn just-in-time compilation off until the transaction ends: on PostgreSQL it would take fifty times as long as
    the statements themselves."""
    if connection.vendor == "postgresql":
        _execute(["SET LOCAL jit = off"], {})
