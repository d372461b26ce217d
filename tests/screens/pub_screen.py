"""The pub screen on the screens: of the demo's club tonight, of a club with long names and amounts, and by its link."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from league.models import Club, User
from league.pub_screen.link import link_renew, token_of
from tests.screens.screen import Screen, World


def build(club: Club, owner: User) -> World:
    """Make the link of a club; return its parameter."""
    return {"pub_screen_token": token_of(link_renew(club=club, actor=owner))}


def turned(times: int) -> Callable[[Page], None]:
    """Turn the pages, and stop there."""

    def act(page: Page) -> None:
        for _ in range(times):
            page.keyboard.press("ArrowRight")
        page.keyboard.press(" ")

    return act


PUB_SCREEN = (
    Screen("pub-screen", "club-screen", "/c/roessli/screen/", "visitor"),
    Screen("pub-screen-evening", "club-screen", "/c/roessli/screen/", "visitor", turned(1)),
    Screen("pub-screen-standings", "club-screen", "/c/roessli/screen/", act=turned(2)),
    Screen("pub-screen-records", "club-screen", "/c/roessli/screen/", act=turned(3)),
    Screen("pub-screen-long", "club-screen", "/c/krone/screen/"),
    Screen("pub-screen-empty", "club-screen", "/c/ochsen/screen/"),
    Screen("pub-screen-by-link", "screen-link", "/screen/{pub_screen_token}/", "visitor", turned(2)),
    Screen("pub-screen-link", "club-screen-link", "/c/krone/screen/link/"),
    Screen("pub-screen-link-none", "club-screen-link", "/c/ochsen/screen/link/"),
)
