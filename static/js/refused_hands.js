// Hands that the server refused: their reason is shown again. A hand that an older version of the table screen saved as
// a form gets a page as its answer; the conflict with the stored hand is settled there.
import * as outbox from "./outbox.js";

/**
 * The key of the refused hand that this page is asked to show, or "". The address loses it, so that a reload asks for
 * nothing.
 */
export function askedFor() {
  const key = /^#waits-(.+)$/.exec(window.location.hash)?.[1] ?? "";
  if (key) window.history.replaceState(null, "", window.location.pathname);
  return key;
}

/** Show the reason of a refused form: send it once more, and show the answer. A write is shown by its table screen
 * (night/save_hand.js). */
export async function look(show, key) {
  const item = key && (await outbox.all()).find((candidate) => candidate.key === key);
  if (!item || item.write) return;
  const outcome = await outbox.send(item);
  if (outcome.kind === outbox.STORED || outcome.kind === outbox.SIGN_IN) window.location.assign(outcome.url);
  else if (outcome.kind === outbox.REFUSED) show(outcome.page);
}

/**
 * Another tab has sent the hand of this page, and only that tab has the answer: load the page again, and look at the
 * hand.
 */
export function showAgain(key) {
  window.location.hash = `waits-${key}`;
  window.location.reload();
}

/** The number of the hand is taken: discard the entry, or make it the next hand, which waits in the outbox. */
export async function settle(versus) {
  const { key, next, players, title, muss } = versus.dataset;
  const item = (await outbox.all()).find((candidate) => candidate.key === key);
  const drop = document.querySelector("[data-drop]");
  const again = document.querySelector("[data-again]");
  // An entry for other seats, or for a Muss where the next hand is none, cannot become the next hand.
  again.hidden = item?.players !== players || new URLSearchParams(item.body).has("muss") !== Boolean(muss);
  drop.addEventListener("click", async (event) => {
    event.preventDefault();
    await outbox.discard(key);
    window.location.assign(drop.href);
  });
  again.addEventListener("click", async () => {
    const number = Number(next);
    const renewed = outbox.newKey();
    const lasting = await outbox.renew(key, {
      key: renewed,
      number,
      title,
      body: bodyAs(item, renewed, versus.dataset),
    });
    // Else this page has to stay open: the line about waiting items says so, and its list sends the hand.
    if (lasting) window.location.assign(drop.href);
    else again.hidden = true;
  });
}

/** The request of a hand that becomes another one; in a game with cuts with the seat that has the pack then. */
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
