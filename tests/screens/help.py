"""The help pages, and the pictures in them."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.screens.night_seats import begun
from tests.screens.screen import Screen
from tests.screens.taps import entered, opened, players_chosen

HELP = (
    Screen("help", "help", "/help/", "visitor"),
    Screen("help-first-evening", "help-page", "/help/first-evening/", "visitor"),
    Screen("help-at-the-table", "help-page", "/help/at-the-table/", "visitor"),
    Screen("help-payments", "help-page", "/help/payments/"),
    Screen("help-words", "help-words", "/help/words/", "visitor"),
    Screen("handout", "help-handout", "/help/handout/", "visitor"),
    Screen("handouts", "club-handouts", "/c/roessli/handouts/"),
    Screen("handouts-kratzen", "club-handouts", "/c/roessli/handouts/?game=kratzen"),
    Screen(
        "closed-word",
        "evening-close",
        "/c/krone/e/{corrected_evening}/close/",
        act=opened("word-provisional"),
        whole=False,
    ),
)


def _chosen_from_the_top(page: Page) -> None:
    players_chosen(page)
    page.evaluate("window.scrollTo(0, 0)")


TABLE, EVENING, SEASON = "/c/roessli/t/{roessli_table}/", "/c/roessli/e/{roessli_evening}/", "/c/roessli/s/"
PICTURES = (
    Screen("first-evening", "evening-new", "/c/roessli/e/new/", act=_chosen_from_the_top, whole=False),
    Screen("at-the-table", "table", TABLE, act=entered, whole=False),
    Screen("evening-over", "evening-close", EVENING + "close/", whole=False),
    Screen("mistakes", "table-difference", TABLE + "difference/?pot=1.00", whole=False),
    Screen("without-network", "night-table", "/c/roessli/e/new/", act=begun, whole=False),
    Screen("standings", "season", SEASON + "{roessli_season}/", "visitor", whole=False),
    Screen("payments", "debts", "/c/sternen/debts/", whole=False),
    Screen("tournament-day", "tournament-desk", "/c/krone/tournaments/playing/desk/", whole=False),
    Screen("season-end", "season-champions", SEASON + "{closed_season}/champions/", "visitor", whole=False),
    Screen("who-sees-what", "player-edit", "/c/roessli/p/{roessli_player}/edit/", whole=False),
    Screen("players", "receipt", "/r/{receipt}/", "visitor", whole=False),
)
"""The picture of each help page, by its name (`scripts/screenshots.py --for-help`)."""
