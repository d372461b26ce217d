"""Count the luck of final evenings and store it.

An evening is measured by what was known before it: by the hands of the club's earlier evenings, and by those of all
clubs before its month. So its numbers are what somebody could have said beforehand, and the same when they are counted
again. An evening that changes takes all later ones of its club with it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import structlog
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from ..access.persons import main_players
from ..features.table import LUCK
from ..locks import lock_club
from ..models import (
    Club,
    Evening,
    HouseRules,
    LuckOfAllClubs,
    LuckOfEvening,
    LuckOfPlayer,
    LuckToCount,
    ResultRow,
    SeasonFacts,
)
from ..standings.luck_queue import forget_from
from ..standings.recorded_hands import recorded
from .evening import Hand, Night, Past, night_of
from .rates import Rates
from .recorded import hands_of
from .situations import Counts, Tally, packed, unpacked

log = structlog.get_logger(__name__)

NEWEST = 2000
"""So many evenings of all clubs make up their shares, the newest before a month."""
PUT_OFF = timedelta(minutes=10)
"""The pause of a club after a failure, so that it keeps no other one waiting."""
TURN_SECONDS = 30.0
"""After this time a task begins no further evening."""


@dataclass(frozen=True)
class Due:
    """An evening that is final: its key, its day, its season."""

    evening_id: int
    held_on: date
    season_id: int


def waiting() -> QuerySet[LuckToCount]:
    """Return the clubs that are due, the oldest request first."""
    return LuckToCount.objects.filter(due_at__lte=timezone.now()).order_by("due_at", "club")


def count_waiting() -> int:
    """Count the luck of clubs that are due, for `TURN_SECONDS`. Returns the number of evenings that were counted. What
    fails is logged and put off."""
    until, counted = time.monotonic() + TURN_SECONDS, 0
    for club_id in list(waiting().values_list("pk", flat=True)):
        if time.monotonic() > until:
            break
        try:
            counted += count_club(club_id, until)
        except Exception:
            log.exception("luck_failed", club=club_id)
            LuckToCount.objects.filter(pk=club_id).update(due_at=timezone.now() + PUT_OFF)
    return counted


def count_club(club_id: int, until: float | None = None) -> int:
    """Count the evenings of a club that are final and have no luck yet, in their order. Returns their number.

    Safe to run twice and at once: each evening is stored once, and only if nobody asked again meanwhile. If it is
    killed, or `until` is over, the club still waits.
    """
    asked = LuckToCount.objects.select_related("club").filter(pk=club_id).first()
    if asked is None:
        return 0
    if not LUCK.is_on(asked.club):
        _answered(asked, None)
        return 0
    due = _without_wrong(asked, _final(asked.club))
    counted, tally, past = 0, Tally(), Past()
    known = LuckOfEvening.objects.filter(club=asked.club).in_bulk()
    for entry in due:
        if entry.evening_id in known:
            row = known[entry.evening_id]
            tally.add_all(unpacked(row.outcomes))
            past.add(row.squares, row.sums)
            continue
        if until is not None and time.monotonic() > until:
            return counted
        made = _counted(asked.club, entry, tally, past)
        if not _stored(asked, entry, made):
            return counted
        tally.add_all(made.counts)
        past.add(made.night.squares, made.night.sums)
        counted += 1
    _answered(asked, _next_final(asked.club))
    return counted


def _evenings(club: Club) -> QuerySet[Evening]:
    """Return the closed evenings of a club whose game counts in their season."""
    counts = Q(season__games="") | Q(season__games=F("game"))
    return Evening.nights.filter(counts, club=club, state=Evening.State.CLOSED)


def _final(club: Club) -> list[Due]:
    is_final = Q(final_at=None) | Q(final_at__lte=timezone.now())
    evenings = _evenings(club).filter(is_final).order_by("held_on", "pk")
    return [Due(*row) for row in evenings.values_list("pk", "held_on", "season_id")]


def _next_final(club: Club) -> datetime | None:
    """Return when the next closed evening of the club becomes final."""
    later = _evenings(club).filter(final_at__gt=timezone.now()).order_by("final_at")
    return later.values_list("final_at", flat=True).first()


@transaction.atomic
def _without_wrong(asked: LuckToCount, due: Sequence[Due]) -> Sequence[Due]:
    """Delete the luck of all evenings from the first one on that is stored and not due, or due and not stored: what
    comes after it was counted without it, or with it. Returns what is due."""
    lock_club(asked.club_id)
    rows = LuckOfEvening.objects.filter(club=asked.club_id).order_by("held_on", "evening_id")
    stored = {row.evening_id: row for row in rows.defer("outcomes")}
    places = {entry.evening_id: (entry.held_on, entry.season_id) for entry in due}
    # An evening may have got another day.
    wrong = [row for row in stored.values() if places.get(row.evening_id) != (row.held_on, row.season_id)]
    uncounted = {*places} - {*stored} | {row.evening_id for row in wrong}
    missing = [(entry.held_on, entry.evening_id) for entry in due if entry.evening_id in uncounted]
    late = [row for row in stored.values() if missing and (row.held_on, row.evening_id) > min(missing)]
    gone = sorted([*wrong, *late], key=lambda row: (row.held_on, row.evening_id))
    if gone:
        forget_from(gone[0])
    return due


@dataclass(frozen=True)
class _Made:
    night: Night
    counts: Counts
    ante_minor: int


def _counted(club: Club, entry: Due, earlier: Tally, past: Past) -> _Made:
    """Return the luck of an evening by the hands of earlier ones. Stores nothing of it."""
    mains = main_players(club.pk)
    hands = hands_of(entry.evening_id, mains)
    rates = Rates(earlier.counts, all_clubs_before(entry.held_on.replace(day=1)))
    whole = [*hands, *_shares(entry.evening_id, mains)]
    night = night_of(whole, rates, f"luck of evening {entry.evening_id}", past)
    rules = HouseRules.objects.get(evenings=entry.evening_id)
    return _Made(night, counts_of(hands), max(1, recorded().ante_minor(rules)))


def counts_of(hands: Sequence[Hand]) -> Counts:
    """Return the outcomes of hands by situation."""
    tally = Tally()
    for hand in hands:
        if hand.situation is not None:
            tally.add(hand.situation, hand.outcome)
    return tally.counts


def _shares(evening_id: int, mains: dict[int, int]) -> Iterator[Hand]:
    """Yield the parts of pots that were divided when the evening ended, in which chance plays no part."""
    rows = ResultRow.objects.filter(evening=evening_id, role=ResultRow.Role.SHARE).order_by("source", "seat")
    for player, change in rows.values_list("player_id", "change_minor"):
        yield Hand(players=[mains.get(player, player)], changes=[change], is_share=True)


def all_clubs_before(month: date) -> Counts:
    """Return the outcomes of the newest evenings of all clubs before a month. Counted once and kept."""
    kept = LuckOfAllClubs.objects.filter(pk=month).first()
    if kept is None:
        tally = Tally()
        before = LuckOfEvening.objects.filter(held_on__lt=month, club__practice_until=None)
        for outcomes in before.order_by("-held_on", "-evening_id").values_list("outcomes", flat=True)[:NEWEST]:
            tally.add_all(unpacked(outcomes))
        LuckOfAllClubs.objects.bulk_create(
            [LuckOfAllClubs(month=month, outcomes=packed(tally.counts))], ignore_conflicts=True
        )
        kept = LuckOfAllClubs.objects.get(pk=month)
    return unpacked(kept.outcomes)


@transaction.atomic
def _stored(asked: LuckToCount, entry: Due, made: _Made) -> bool:
    """Store the luck of an evening, unless somebody asked again since: then its hands may have changed."""
    lock_club(asked.club_id)
    if not LuckToCount.objects.filter(pk=asked.pk, mark=asked.mark).exists():
        return False
    if LuckOfEvening.objects.filter(pk=entry.evening_id).exists():
        # Another worker had the same club.
        return False
    row = LuckOfEvening.objects.create(
        evening_id=entry.evening_id,
        club_id=asked.club_id,
        season_id=entry.season_id,
        held_on=entry.held_on,
        outcomes=packed(made.counts),
        pot_minor=made.night.pot_actual,
        pot_expected_minor=made.night.pot_expected,
        ante_minor=made.ante_minor,
        squares=made.night.squares,
        sums=made.night.sums,
    )
    LuckOfPlayer.objects.bulk_create(
        LuckOfPlayer(
            evening=row,
            season_id=entry.season_id,
            player_id=player,
            hands=night.hands,
            actual_minor=night.actual,
            expected_minor=night.expected,
            low_minor=night.low,
            high_minor=night.high,
            spread_minor=night.spread,
            calls={call: calls.packed() for call, calls in sorted(night.calls.items())},
        )
        for player, night in sorted(made.night.players.items())
    )
    # The pages of the season are outdated.
    SeasonFacts.objects.filter(season=entry.season_id).update(version=F("version") + 1)
    return True


def _answered(asked: LuckToCount, next_at: datetime | None) -> None:
    """Forget the request, or put it off until the next evening is final, unless somebody asked again."""
    same = LuckToCount.objects.filter(pk=asked.pk, mark=asked.mark)
    if next_at is None:
        same.delete()
    else:
        same.update(due_at=next_at)
