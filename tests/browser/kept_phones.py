"""Phones that the tests of a process use one after the other: such a phone has the static files already.

A new phone would load some sixty files, and begin a process. Between two tests everything else is removed from a phone:
tabs, routes, cookies, stored data, permissions.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from playwright.sync_api import BrowserContext

STORED = "local_storage,indexeddb,cache_storage,service_workers"
OWN_CLOCK = "() => !('__pwClock' in globalThis)"


class KeptPhone:
    """A phone with one tab that stays, which shows an empty page without scripts: with it stays the process."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context, self.address = context, address
        self.tab = context.new_page()
        self.tab.goto("/healthz")
        self.tools = context.new_cdp_session(self.tab)

    def clean(self) -> bool:
        """Make the phone a new one for the next test; return False if that is not possible.

        A test's clock cannot be taken out of a phone.
        """
        for page in self.context.pages:
            if page is not self.tab:
                page.close()
        self.context.unroute_all()
        self.context.set_offline(False)
        self.context.clear_cookies()
        self.context.clear_permissions()
        self.tools.send("Storage.clearDataForOrigin", {"origin": self.address, "storageTypes": STORED})
        return bool(self.tab.evaluate(OWN_CLOCK))


class KeptPhones:
    """The phones of a process. `make` returns a new one."""

    def __init__(self, make: Callable[[], BrowserContext], address: str) -> None:
        self.make, self.address = make, address
        self.free: list[KeptPhone] = []

    @contextlib.contextmanager
    def one(self) -> Iterator[BrowserContext]:
        """Give a phone that nobody else has."""
        phone = self.free.pop() if self.free else KeptPhone(self.make(), self.address)
        try:
            yield phone.context
        finally:
            if phone.clean():
                self.free.append(phone)
            else:
                phone.context.close()

    def close(self) -> None:
        for phone in self.free:
            phone.context.close()
