"""Screens of the pages that everybody has without an account: the pot splitter, and what a hand is worth."""

from playwright.sync_api import Page

from tests.screens.screen import Screen
from tests.screens.taps import pot_asked, rules_unfolded

FOUR = "/calculator/?p=Anna&p=Beni&p=Carlo&p=Doris&dealer=4"
CALCULATOR = (
    Screen("calculator-setup", "calculator", "/calculator/", "visitor"),
    Screen("calculator-rules", "calculator", "/calculator/", "visitor", rules_unfolded),
    Screen("calculator-refused", "calculator", "/calculator/?p=Anna&p=Anna&dealer=1&pot=viel", "visitor"),
    Screen("calculator", "calculator", FOUR, "visitor", whole=False),
    Screen("calculator-entered", "calculator", FOUR, "visitor", pot_asked, whole=False),
    Screen("calculator-after", "calculator", f"{FOUR}&h=d0-j12-m01&h=x&h=d1", "visitor"),
    Screen("calculator-kratzen", "calculator", f"{FOUR}&game=kratzen", "visitor", whole=False),
    Screen("calculator-kratzen-after", "calculator", f"{FOUR}&game=kratzen&h=c-d3-j012-t01112032", "visitor"),
)

HELD = "/hand-worth/?trump=s&c=As&c=9s&c=Kh&c=7d&players=4"


def unfolded(page: Page) -> None:
    page.tap("#all-seats summary")
    page.tap("#model summary")


HAND_WORTH = (
    Screen("hand-worth-empty", "hand-worth", "/hand-worth/", "visitor"),
    Screen("hand-worth", "hand-worth", HELD, "visitor"),
    Screen("hand-worth-unfolded", "hand-worth", f"{HELD}&after=1&stage=after&faces=swiss", "visitor", unfolded),
    Screen(
        "hand-worth-kratzen",
        "hand-worth",
        "/hand-worth/?game=kratzen&faces=german&trump=h&c=W&c=9h&c=Kd&c=7d&after=0",
        "visitor",
    ),
)
