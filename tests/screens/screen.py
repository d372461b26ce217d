"""One screen: where it is, who looks, and what is done there before it is looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Literal

from playwright.sync_api import Page

World = dict[str, str]
"""What the addresses of the screens are filled with, and the answers that were made beforehand."""

Who = Literal["visitor", "member", "owner"]


@dataclass(frozen=True)
class Screen:
    """One picture.

    `address` is filled from the world; `route` is the name in the addresses, empty for a page that answers where there
    is none. `act` does what a hand would do. `whole` takes the page down to its end, not only what a window shows.
    `session` names a session of the world to look with, for people who cannot sign in here, or have a second factor.
    `answer` names an answer of the world that is shown then, for a page that only comes after something was stored.
    """

    name: str
    route: str
    address: str
    who: Who = "owner"
    act: Callable[[Page], None] | None = None
    whole: bool = True
    status: int = 200
    session: str = ""
    answer: str = ""

    def open(self, page: Page, world: World) -> None:
        """Go there and do what is done there. Raises AssertionError where the page answers with another status."""
        # Who only looks takes no pencil: the next browser finds the entry as well.
        page.route("**/pencil/", lambda route: route.fulfill(status=HTTPStatus.NO_CONTENT))
        if self.session:
            page.goto("/healthz")
            page.context.add_cookies([{"name": "sessionid", "value": world[self.session], "url": page.url}])
        answer = page.goto(self.address.format(**world))
        got = answer.status if answer else 0
        assert got == self.status, f"{self.name}: {got} instead of {self.status}"
        if self.answer:
            self._answer(page, world)
        if self.act:
            self.act(page)
        page.wait_for_load_state("load")
        page.evaluate("document.fonts.ready.then(() => null)")

    def _answer(self, page: Page, world: World) -> None:
        language = str(page.evaluate("document.documentElement.lang")).partition("-")[0]
        body, policy = world[f"{self.answer}_{language}"], world["answers_policy"]
        headers = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy}
        page.route("**/answered/", lambda route: route.fulfill(headers=headers, body=body))
        page.goto("/answered/")
