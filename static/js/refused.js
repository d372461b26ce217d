// Hands that the server refused: looked at once more, or settled beside the one that was stored.
import { kept } from "./kept.js";
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

/** The number is taken: one's own entry is thrown away, or it becomes the entry of the next hand. */
export async function settle(versus) {
  const { key, table, next, players } = versus.dataset;
  const item = (await outbox.all()).find((one) => one.key === key);
  const drop = document.querySelector("[data-drop]");
  const again = document.querySelector("[data-again]");
  again.hidden = item?.players !== players;
  drop.addEventListener("click", async (event) => {
    event.preventDefault();
    await outbox.discard(key);
    window.location.assign(drop.href);
  });
  again.addEventListener("click", async () => {
    kept.write(sessionStorage, `chratzete.draft.${table}.${next}`, { state: item.state, key: outbox.newKey(), players });
    await outbox.discard(key);
    window.location.assign(drop.href);
  });
}
