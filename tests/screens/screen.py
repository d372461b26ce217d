"""One screen: its address, its reader, and the actions before the picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from playwright.sync_api import BrowserContext, Page

World = dict[str, str]
"""The parameters of the screens' addresses, and the answers that were requested beforehand."""

Who = Literal["visitor", "member", "owner"]


# No route does this: with a route Chromium keeps no files, and loads them all again for each page.
WITHOUT_BEATS = """const send = window.fetch;
window.fetch = (address, more) => String(address).endsWith("/pencil/")
  ? Promise.resolve(new Response(null, { status: 204 })) : send(address, more);"""


def without_the_pencil(context: BrowserContext) -> None:
    """Let no page of this window take the pencil, so that the next window can record as well."""
    context.add_init_script(WITHOUT_BEATS)


@dataclass(frozen=True)
class Screen:
    """One picture.

    `address` gets its parameters from the world; `route` is the name of the URL, empty for a page at an address without
    one. `act` runs the actions. `whole` takes the page down to its end, not only the visible part.
    `session` names a session of the world, for users who cannot sign in here or have a second factor.
    `answer` names an answer of the world to show, for a page that is the answer to a write.
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
        """Open the address and run the actions. Raises AssertionError if the page answers with another status."""
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
