"""The secret link to the feeds of a private club, and of the plan of an unlisted one; and the gate of all feeds."""

from __future__ import annotations

from django.core import signing
from django.http import Http404, HttpRequest
from django.utils.crypto import constant_time_compare

from ...access import ClubAccess, admit, shown_club
from ...features.gate import check_on
from ...models import Club, Season

SALT = "league.reports.feeds"
PARAMETER = "key"


def key_of(club: Club) -> str:
    """Return the key in the links of a club. It is another one after each renewal (`feeds_mark`)."""
    return signing.Signer(salt=SALT).signature(f"{club.pk}:{club.feeds_mark or 0}")


def tail(club: Club) -> str:
    """Return the query string of a feed: empty for a listed club."""
    return "" if club.visibility == Club.Visibility.LISTED else f"?{PARAMETER}={key_of(club)}"


def has_key(request: HttpRequest, club: Club) -> bool:
    """Return True if the address has the key of the club."""
    key = request.GET.get(PARAMETER, "")
    return bool(key) and constant_time_compare(key, key_of(club))


def feed_club(request: HttpRequest, slug: str) -> ClubAccess:
    """Check the right to read a feed, and return the access of a visitor: the feed is the same for every subscriber.

    Raises:
        Http404: there is no such club, or it is private and the key is missing or was renewed.
    """
    club = Club.objects.filter(slug=slug).first()
    if club is not None and has_key(request, club):
        shown_club.set(club)
        check_on(club)
    else:
        admit(request.user, club)
    if club is None:
        raise Http404("no such club")
    return ClubAccess(club=club, role=None, player_ids=frozenset())


def feed_season(request: HttpRequest, slug: str, season: str) -> tuple[ClubAccess, Season]:
    """Do the same for a feed of a season; the access is within it."""
    access = feed_club(request, slug)
    chosen_season = Season.objects.select_related("count").filter(club=access.club, slug=season).first()
    if chosen_season is None:
        raise Http404("no such season")
    chosen_season.club = access.club
    return access.within(chosen_season), chosen_season
