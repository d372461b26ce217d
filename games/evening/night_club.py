"""The data with which a phone begins evenings of a club without a network (docs/night.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from django.urls import reverse
from django.utils import timezone

from league.models import Club, HouseRules, Player, Season

from .. import engine_bridge

FORMAT = 1
MAX_ROSTER = 200
DEFAULTS = 1
"""The version of the house rules of a club that never set any (`house_rules.house_rules_of`)."""


HELP_OF_NIGHT = ("at-the-table", "mistakes", "without-network")
"""The help pages that a phone keeps for a night."""


def pages_of_night(slug: str) -> list[str]:
    """The addresses of the pages that a phone keeps for a night: the pages for evenings that begin on it, one for each
    game, the page that takes over the writes of another phone, and the help for it."""
    begun = [reverse("night-table", kwargs={"club": slug, "game": game}) for game in engine_bridge.GAMES]
    texts = [reverse("help-page", kwargs={"page": page}) for page in HELP_OF_NIGHT]
    return [*begun, reverse("night-read", kwargs={"club": slug}), *texts]


def night_club(
    club: Club,
    versions: Iterable[HouseRules],
    roster: Iterable[Player],
    seasons: Iterable[Season],
    box: Mapping[str, int],
) -> dict[str, Any]:
    """Return the data for beginning evenings of the club: games with house rules, box, seasons and roster.

    `versions` are all versions of the club's house rules, `roster` (the most recent players first) and `seasons`
    are shown in their order, `box` is the amount that an evening of each game would carry from the box into its pot, in
    Rappen.
    In the answer `rules` are all house rules of the version `rules_version`, and `made_at` is in ms since 1970.
    """
    newest = {
        house_rules.game: house_rules for house_rules in sorted(versions, key=lambda house_rules: house_rules.version)
    }
    games = {}
    for game in engine_bridge.GAMES:
        stored = newest.get(game)
        least, most = engine_bridge.SEATS[game]
        games[game] = {
            "rules": engine_bridge.house_rules(game, stored.values if stored else {}),
            "rules_version": stored.version if stored else DEFAULTS,
            "least": least,
            "most": most,
        }
    kwargs = {"club": club.slug}
    return {
        "format": FORMAT,
        "made_at": int(timezone.now().timestamp() * 1000),
        "club": {
            "slug": club.slug,
            "name": club.name,
            "currency": club.currency,
            "counts_tricks": club.counts_tricks,
        },
        "games": games,
        "box": dict(box),
        "seasons": [{"id": season.pk, "name": season.name, "points_only": season.points_only} for season in seasons],
        "roster": [{"player": player.pk, "name": player.nickname} for player in islice(roster, MAX_ROSTER)],
        "in_chips": False,
        "urls": {
            "night": f"{reverse('club', kwargs=kwargs)}night/",
            "new": reverse("evening-new", kwargs=kwargs),
            "club": reverse("club", kwargs=kwargs),
        },
    }
