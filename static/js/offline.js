// The page without a network: lists the kept pages and waiting writes, and reloads by itself when the server answers.
import { element, meta } from "./dom.js";
import * as store from "./outbox_store.js";

const PAGES = "chratzete-pages-";
const LOOK_MS = 10000;
const main = document.querySelector("#main");
const part = (name) => main.querySelector(`[data-${name}]`);
const version = meta("app-version");

/**
 * The kept pages of this version: [path, name], by name.
 * @returns {Promise<[path: string, name: string][]>}
 */
async function keptPages() {
  if (!window.caches) return [];
  const cache = await caches.open(PAGES + version);
  const pages = await Promise.all(
    (await cache.keys()).map(async (request) => {
      const page = await cache.match(request, { ignoreVary: true });
      return /** @type {[string, string]} */ ([
        new URL(request.url).pathname,
        decodeURIComponent(page?.headers.get("Keep") ?? ""),
      ]);
    }),
  );
  return pages.filter(([, name]) => name).sort((a, b) => a[1].localeCompare(b[1]));
}

function link([path, name]) {
  const to = element("a", "", name);
  to.href = path;
  return element("li", "", to);
}

function line(item) {
  // An evening that began on this phone goes on at its own page.
  const own = item.page && item.write;
  const title = own ? element("a", "", item.title) : element("b", "", item.title);
  if (title instanceof HTMLAnchorElement) title.href = item.page;
  const by = item.who && part("by").dataset.by.replace("{name}", item.who);
  const summary = [item.summary, by].filter(Boolean).join("\n");
  return element("li", "", element("p", "", title), element("p", "soft", summary));
}

async function show() {
  const pages = await keptPages();
  part("kept").hidden = pages.length === 0;
  part("none").hidden = pages.length > 0;
  part("kept")
    .querySelector("ul")
    .replaceChildren(...pages.map(link));
  const items = await store.all();
  part("waits").hidden = items.length === 0;
  part("waits")
    .querySelector("ol")
    .replaceChildren(...items.map(line));
}

/** Load the requested page, if the server answers. At its own address this page is the requested one. */
async function look() {
  if (document.hidden || !navigator.onLine || window.location.pathname === main.dataset.here) return;
  const answer = await fetch(main.dataset.alive, { cache: "no-store" }).catch(() => null);
  if (answer?.ok) window.location.reload();
}

part("again").addEventListener("click", (event) => {
  event.preventDefault();
  if (window.location.pathname === main.dataset.here) window.location.assign("/");
  else window.location.reload();
});
window.addEventListener("online", look);
document.addEventListener("visibilitychange", look);
setInterval(look, LOOK_MS);
show();
