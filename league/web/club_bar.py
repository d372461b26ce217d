"""The bar of a club: the four places of its pages, the same on each page, with the mark at the place of the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ..access import ClubAccess, Right


class Place(StrEnum):
    """A place of the bar; the value is the name of the route that it leads to."""

    TODAY = "club"
    STANDINGS = "club-standings"
    PAYMENTS = "debts"
    CLUB = "club-pages"


TITLES: Mapping[Place, tuple[Promise, Right]] = {
    # Translators: in the bar of a club: what is on now.
    Place.TODAY: (pgettext_lazy("bar", "Today"), Right.READ),
    Place.STANDINGS: (_("Standings"), Right.READ),
    Place.PAYMENTS: (_("Payments"), Right.SEE_RULES),
    Place.CLUB: (_("Club"), Right.READ),
}
"""The places in their order, each with its title and the right that it needs."""

ROUTES: Mapping[Place, tuple[str, ...]] = {
    Place.TODAY: (
        *("club", "evening", "evening-record", "evening-report", "evening-close", "evening-cash-out", "evening-last"),
        *("evening-reopen", "payments-mark", "receipts", "evening-corrections", "hand-history", "hand-through"),
        *("hand-dispute", "club-disputes", "table-seats", "table-difference", "season-plan", "planned-evening"),
        *("sheet-code", "planned-coming", "club-reserves"),
    ),
    Place.STANDINGS: (
        *("club-standings", "season", "season-sum", "season-team", "season-records", "season-chances"),
        "season-luck",
        *("season-champions", "season-statistics", "season-report", "player", "player-year"),
    ),
    Place.PAYMENTS: (
        *("debts", "debts-paid", "treasury", "treasury-report", "treasury-year", "treasury-ledger", "treasury-undo"),
        *("treasury-statements", "treasury-billing", "treasury-balances", "treasury-bank", "treasurer-list"),
        *("bills-send", "bill-mine", "player-statement", "member-fees", "member-fee-new", "member-fee"),
        "member-fee-undo",
    ),
    Place.CLUB: (
        *(
            "club-pages",
            "club-features",
            "club-people",
            "club-roster",
            "player-edit",
            "player-coming",
            "player-merge",
            "player-forget",
            "club-leave",
        ),
        *("club-seasons", "season-new", "season-edit", "season-formula", "season-formula-versions"),
        *("season-adjustments", "season-close", "season-teams", "club-settings", "club-window", "club-logo"),
        *("club-at-table", "club-visibility", "own-messages"),
        *("club-faces", "club-log", "club-privacy", "club-files", "club-handouts", "club-feeds", "club-feeds-renew"),
        *("club-screen-link", "club-records", "club-champions", "club-year", "rules", "rules-change", "rules-replay"),
        *("imports", "import-columns", "import-names", "import-preview", "import", "webhooks", "webhook"),
        *("webhook-replay", "tournaments", "tournament", "tournament-new", "tournament-import"),
        *("cups", "cup", "cup-new", "cup-join", "cup-ours", "cup-run", "cup-rules", "cup-invitation", "cup-leave"),
    ),
}
"""The routes of each place."""

WITHOUT_BAR = frozenset(
    {
        # The table, and the tasks beside it, have their own bar at the foot of the screen.
        *(
            "table",
            "table-night",
            "table-stories",
            "night-table",
            "night-read",
            "hand-paid",
            "hand-cards",
            "hand-paste",
        ),
        *("hand-type", "hand-edit", "hand-insert", "hand-out", "hand-move", "hand-void", "table-seating"),
        "evening-new",
        # Screens on a wall, and pages inside other pages.
        *("club-screen", "tournament-screen", "tournament-clock", "standings-embed"),
        # The desk of a tournament, and the phones and sheets in its hall.
        *("tournament-desk", "tournament-setup", "tournament-entrants", "tournament-check-in", "tournament-entrant"),
        *("tournament-draw", "tournament-round", "tournament-sheet", "tournament-papers", "tournament-seat"),
        *("tournament-seat-find", "tournament-own-name", "tournament-own-entry", "tournament-own-entries"),
    }
)
"""The routes of a club whose pages have no bar."""

PLACE_OF = {route: place for place, routes in ROUTES.items() for route in routes}


@dataclass(frozen=True)
class BarLink:
    """A link of the bar. `current` is the value of `aria-current`: the page itself, a page of this place, or none."""

    href: str
    text: Promise
    current: str


def club_bar(access: ClubAccess, route: str) -> list[BarLink]:
    """Return the links of the bar on the page of this route; none on a page without a bar. No query."""
    here = PLACE_OF.get(route)
    if here is None:
        return []
    where = {"club": access.club.slug}
    return [
        BarLink(reverse(place, kwargs=where), title, _current(place, here, route))
        for place, (title, right) in TITLES.items()
        if access.may(right)
    ]


def _current(place: Place, here: Place, route: str) -> str:
    if place is not here:
        return ""
    return "page" if place == route else "true"
