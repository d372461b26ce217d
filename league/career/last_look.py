"""What happened since a person last looked at the own page.

The browser keeps what the page said, in a cookie of that page alone, so that the service stores nobody's visits. Looks
within some hours are one visit: reloading the page loses nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from ..standings.nights import Night

COOKIE = "looked"
YEAR = 365 * 24 * 3600
VISIT = timedelta(hours=6)
SALT = "league.career.last_look"


@dataclass(frozen=True)
class Seen:
    """What the page said at one time: the sum of points, the rank in the newest season, the newest evening."""

    at: datetime
    points: int
    season_id: int
    rank: int
    newest: tuple[str, int]
    """Date and key of the newest evening."""

    def packed(self) -> list[Any]:
        """Return it as plain data."""
        return [self.at.isoformat(), self.points, self.season_id, self.rank, *self.newest]

    @classmethod
    def unpacked(cls, data: Sequence[Any]) -> Seen:
        """Read plain data. Raises ValueError or TypeError for anything else."""
        at, points, season_id, rank, held_on, evening_id = data
        return cls(datetime.fromisoformat(at), int(points), int(season_id), int(rank), (str(held_on), int(evening_id)))


@dataclass(frozen=True)
class News:
    """What is new: the evenings since then, their points, the ranks, and the points that corrections changed."""

    since: datetime
    evenings: Sequence[Night]
    points: int
    corrected: int
    rank: int
    rank_before: int | None

    @property
    def any(self) -> bool:
        """True if there is something to say."""
        return bool(self.evenings or self.corrected or self.rank_before)


def seen_now(now: datetime, nights: Sequence[Night], season_id: int, rank: int) -> Seen:
    """Return what the page says now. `nights` are those in which the player was present, in order."""
    return Seen(now, sum(night.points for night in nights), season_id, rank, _key(nights[-1]))


def _key(night: Night) -> tuple[str, int]:
    return night.held_on.isoformat(), night.evening_id


def news_since(before: Seen, now: Seen, nights: Sequence[Night]) -> News:
    """Return what changed between two looks."""
    new = [night for night in nights if _key(night) > before.newest]
    points = sum(night.points for night in new)
    moved = before.season_id == now.season_id and before.rank != now.rank
    return News(
        since=before.at,
        evenings=new,
        points=points,
        corrected=now.points - before.points - points,
        rank=now.rank,
        rank_before=before.rank if moved else None,
    )


def read(request: HttpRequest, now: Seen) -> tuple[Seen | None, list[Seen]]:
    """Return the look of the visit before this one (None: there was none), and the looks to keep: that one, and the
    first look of this visit."""
    kept = _kept(request)
    if not kept:
        return None, [now]
    if now.at - kept[-1].at > VISIT:
        return kept[-1], [kept[-1], now]
    return (kept[0] if len(kept) > 1 else None), kept


def _kept(request: HttpRequest) -> list[Seen]:
    try:
        data = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT)
        return [Seen.unpacked(one) for one in data][:2]
    except (signing.BadSignature, ValueError, TypeError):
        return []


def keep(response: HttpResponse, path: str, looks: Sequence[Seen]) -> None:
    """Let the browser keep the looks, for this page alone."""
    response.set_cookie(
        COOKIE,
        signing.dumps([one.packed() for one in looks], salt=SALT, compress=True),
        max_age=YEAR,
        path=path,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
