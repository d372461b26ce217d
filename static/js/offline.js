// The page without a network: lists the kept pages and waiting writes, and reloads by itself when the server answers.
import * as store from "./outbox_store.js";

const PAGES = "chratzete-pages-";
const LOOK_MS = 10000;
const main = document.querySelector("#main");
const part = (name) => main.querySelector(`[data-${name}]`);
const version = document.querySelector('meta[name="app-version"]').content;

/** The kept pages of this version: [path, name], by name. */
async function keptPages() {
  if (!window.caches) return [];
  const cache = await caches.open(PAGES + version);
  const found = await Promise.all((await cache.keys()).map(async (request) => {
    const page = await cache.match(request, { ignoreVary: true });
    return [new URL(request.url).pathname, decodeURIComponent(page?.headers.get("Keep") ?? "")];
  }));
  return found.filter(([, name]) => name).sort((a, b) => a[1].localeCompare(b[1]));
}

function link([path, name]) {
  const entry = document.createElement("li");
  const to = document.createElement("a");
  to.href = path;
  to.textContent = name;
  entry.append(to);
  return entry;
}

function line(item) {
  const entry = document.createElement("li");
  const title = document.createElement("p");
  const bold = document.createElement(item.page && item.write ? "a" : "b");
  // An evening that began on this phone goes on at its own page.
  if (item.page && item.write) bold.href = item.page;
  bold.textContent = item.title;
  title.append(bold);
  const summary = document.createElement("p");
  summary.className = "soft";
  summary.textContent = [item.summary, item.who && part("by").dataset.by.replace("{name}", item.who)].filter(Boolean).join("\n");
  entry.append(title, summary);
  return entry;
}

async function show() {
  const pages = await keptPages();
  part("kept").hidden = pages.length === 0;
  part("none").hidden = pages.length > 0;
  part("kept").querySelector("ul").replaceChildren(...pages.map(link));
  const items = await store.all();
  part("waits").hidden = items.length === 0;
  part("waits").querySelector("ol").replaceChildren(...items.map(line));
}

/** Load the requested page, if the server answers. At its own address this page is the requested one. */
async function look() {
  if (document.hidden || window.location.pathname === main.dataset.here) return;
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
