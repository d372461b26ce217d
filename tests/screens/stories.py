"""Screens of two stories: hands that another phone stored, beside those that wait on this one."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from .screen import Screen

Action = Callable[[Page], None]

# The phone has the first of the stored hands, too; it recorded the others otherwise, and one more.
WAITS = """async () => {
  const store = await import("/static/js/outbox_store.js");
  const outbox = await import("/static/js/outbox.js");
  const { newKey } = await import("/static/js/night/new_key.js");
  const story = JSON.parse(document.querySelector("#night-story").textContent);
  const { snapshot } = story;
  const stored = story.hands.filter((hand) => !hand.voided);
  const last = stored.at(-1);
  const other = ({ record }) => ({ ...(record.cuts && { cuts: record.cuts }), declarer: null });
  const won = (hand) => ({ declarer: 0, joiners: [1], made: [0, 1] });
  const differs = snapshot.evening.game === "kratzen" ? other : won;
  const records = [...stored.map((hand, at) => (at === 0 ? hand.record : differs(hand))), other(last)];
  const common = { format: 1, club: snapshot.club.slug, table: snapshot.table.id, at: Date.now() };
  const players = snapshot.seats.map((seat) => seat.player);
  const hands = records.map((record, at) => ({
    ...common, key: newKey(), kind: "hand", number: story.from + at, players, record,
    expected: { deltas: players.map(() => 0), pot_after: 0 },
  }));
  const come = { ...common, key: newKey(), kind: "come", guest: "Fritz", after: players.at(-1) };
  const comes = players.length < 6;
  const after = { ...hands.at(-1), players: comes ? [...players, come.key] : players };
  const writes = [...hands.slice(0, -1), ...(comes ? [come] : []), after];
  const items = writes.map((write) => {
    const title = `Spiel ${write.number}`;
    return outbox.itemOf(write, { url: snapshot.urls.night, title, summary: write.kind, number: write.number });
  });
  const status = (at) => (at === 0 ? outbox.REFUSED : outbox.WAITING);
  await store.put(items.map((item, at) => ({ ...item, status: status(at), why: "" })));
}"""


def waits(page: Page) -> None:
    """Put hands of this phone into its outbox, the first one refused; nothing is sent."""
    page.route("**/night/", lambda route: route.abort("internetdisconnected"))
    page.evaluate(WAITS)
    page.reload()
    page.wait_for_selector("[data-save]:visible")


def chosen(way: str, *further: Action) -> Action:
    """Choose the story that counts."""

    def act(page: Page) -> None:
        waits(page)
        page.tap(f"label[for=way-{way}]")
        for each in further:
            each(page)

    return act


def left_out(page: Page) -> None:
    page.locator(".tick").first.tap()


def saved(page: Page) -> None:
    page.tap("[data-save]")
    page.wait_for_selector("[data-on]:visible")
    page.wait_for_selector("[data-state=waits]")


def _stories(name: str, table: str, first: int, act: Action | None = waits) -> Screen:
    return Screen(name, "table-stories", f"/c/krone/t/{{{table}}}/stories/?from={first}", act=act)


STORIES = (
    _stories("stories", "five_table", 2),
    _stories("stories-alone", "five_table", 2, chosen("alone")),
    _stories("stories-corrected", "five_table", 2, chosen("corrected")),
    _stories("stories-left-out", "five_table", 2, chosen("after", left_out)),
    _stories("stories-waits", "five_table", 2, chosen("alone", saved)),
    _stories("stories-long", "long_table", 1),
    _stories("stories-kratzen", "four_table", 1),
    _stories("stories-nothing", "five_table", 2, None),
)
