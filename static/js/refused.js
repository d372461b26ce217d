// Hands that the server refused: looked at once more, or settled beside the one that was stored.
import * as outbox from "./outbox.js";

/** Somebody wants to see why a hand was refused: it is asked once more, and the answer is shown. */
export async function look(show) {
  const key = /^#waits-(.+)$/.exec(window.location.hash)?.[1];
  if (!key) return;
  window.history.replaceState(null, "", window.location.pathname);
  const item = (await outbox.all()).find((one) => one.key === key);
  if (!item) return;
  const outcome = await outbox.send(item);
  if (outcome.kind === outbox.STORED || outcome.kind === outbox.SIGN_IN) window.location.assign(outcome.url);
  else if (outcome.kind === outbox.REFUSED) show(outcome.page);
}

/** The number is taken: one's own entry is thrown away, or it becomes the next hand and waits for somebody who writes it. */
export async function settle(versus) {
  const { key, next, players, title, muss } = versus.dataset;
  const item = (await outbox.all()).find((one) => one.key === key);
  const drop = document.querySelector("[data-drop]");
  const again = document.querySelector("[data-again]");
  // Entered for other seats, or for a Muss where the next hand is none, it says something else.
  again.hidden = item?.players !== players || new URLSearchParams(item.body).has("muss") !== Boolean(muss);
  drop.addEventListener("click", async (event) => {
    event.preventDefault();
    await outbox.discard(key);
    window.location.assign(drop.href);
  });
  again.addEventListener("click", async () => {
    const number = Number(next);
    const renewed = outbox.newKey();
    await outbox.renew(key, { key: renewed, number, title, body: bodyAs(item, renewed, versus.dataset) });
    window.location.assign(drop.href);
  });
}

/** What is sent of a hand that becomes another one; in Kratzen with who has the pack then. */
function bodyAs(item, key, { next, pack, muss }) {
  const body = new URLSearchParams(item.body);
  body.set("key", key);
  body.set("number", next);
  if (pack) {
    body.set("pack", pack);
    body.delete("muss");
    if (muss) body.set("muss", "1");
  }
  return body.toString();
}
