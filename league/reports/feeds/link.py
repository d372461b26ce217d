"""The secret link to the feeds of a private club, and the gate of all feeds."""

from __future__ import annotations

from django.core import signing
from django.http import Http404, HttpRequest
from django.utils.crypto import constant_time_compare

from ...access import ClubAccess, admit, shown_club
from ...models import Club, Season

SALT = "league.reports.feeds"
PARAMETER = "key"


def key_of(club: Club) -> str:
    """Return the key in the links of a club. It is another one after each renewal (`feeds_mark`)."""
    return signing.Signer(salt=SALT).signature(f"{club.pk}:{club.feeds_mark or 0}")


def tail(club: Club) -> str:
    """Return what is added to the address of a feed: nothing for a public club."""
    return "" if club.public else f"?{PARAMETER}={key_of(club)}"


def feed_club(request: HttpRequest, slug: str) -> ClubAccess:
    """Check who may read a feed, and return the access of a visitor: whoever subscribes, the feed is the same.

    Raises:
        Http404: there is no such club, or it is private and the key is missing or was renewed.
    """
    club = Club.objects.filter(slug=slug).first()
    key = request.GET.get(PARAMETER, "")
    if club is not None and key and constant_time_compare(key, key_of(club)):
        shown_club.set(club)
    else:
        admit(request.user, club)
    if club is None:
        raise Http404("no such club")
    return ClubAccess(club=club, role=None, player_ids=frozenset())


def feed_season(request: HttpRequest, slug: str, season: str) -> tuple[ClubAccess, Season]:
    """Do the same for a feed of a season; the access is within it."""
    access = feed_club(request, slug)
    found = Season.objects.select_related("count").filter(club=access.club, slug=season).first()
    if found is None:
        raise Http404("no such season")
    found.club = access.club
    return access.within(found), found
