"""Pages of a phone that show too much at a time: controls of the first screen, and actions beside the main button."""

from __future__ import annotations

from playwright.sync_api import Page

from .conftest import PHONE

TALL = PHONE | {"height": 740}
MOST_CONTROLS = 12
"""The most controls that a reader sees on the first screen of a main page."""
MOST_ACTIONS = 3
"""The most actions that a page shows beside its main button; the others are behind ⋯ or in a fold."""
# The links of one table or list are one control. Nothing behind the bar at the foot is seen. A page so short that its
# end is on the first screen is not crowded by it.
CONTROLS = """() => {
  const bar = document.querySelector(".club-bar");
  const end = bar ? bar.getBoundingClientRect().top : window.innerHeight;
  const listOf = (node) => {
    const list = node.closest("table, ul, ol, dl");
    return list?.parentElement.closest("table, ul, ol, dl") ? listOf(list.parentElement) : list ?? node;
  };
  const isShown = (node) => node.checkVisibility({ visibilityProperty: true })
    // A club to practise has a strip above the page.
    && !node.closest(".skip, .colophon, .practice") && (node.getBoundingClientRect().top < end || bar?.contains(node));
  const found = [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
    .filter((node) => node.type !== "hidden" && isShown(node));
  return [...new Set(found.map((node) => listOf(node)))].map((node) => node.textContent.trim().slice(0, 20));
}"""
# What a list or a table offers in its rows belongs to them; a group of buttons is one action, and so are buttons with
# the same words.
ACTIONS = """() => {
  const words = (button) => {
    const copy = button.cloneNode(true);
    for (const hidden of copy.querySelectorAll(".visually-hidden, kbd")) hidden.remove();
    return copy.textContent.replace(/\\d+/g, "").trim();
  };
  const found = [...document.querySelectorAll("main .btn.quiet")]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }))
    .filter((node) => !node.closest("li, tr, dl, dialog, [popover]"))
    .map((node) => node.closest("[role=group], .pencil-line, .notice, .row-of") ?? node);
  return [...new Set([...new Set(found)].map(words))];
}"""


def too_many_controls(page: Page) -> list[str]:
    """Return the controls of the first screen of a page as one fault, if they are too many."""
    page.set_viewport_size(TALL)
    shown: list[str] = page.evaluate(CONTROLS)
    page.set_viewport_size(PHONE)
    return [f"{len(shown)} controls: {' | '.join(shown)}"] if len(shown) > MOST_CONTROLS else []


def too_many_actions(page: Page) -> list[str]:
    shown: list[str] = page.evaluate(ACTIONS)
    return [f"{len(shown)} actions: {' | '.join(shown)}"] if len(shown) > MOST_ACTIONS else []
