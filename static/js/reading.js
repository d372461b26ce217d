// Reading pages: ages count on by themselves, and a poll that brought nothing new changes nothing.

const SIZES = [1, 60, 3600, 86400];
const LIMITS = [60, 3600, 86400, Infinity];

export function age(seconds, patterns) {
  const step = LIMITS.findIndex((limit) => seconds < limit);
  return patterns[step].replace("{n}", String(Math.floor(seconds / SIZES[step])));
}

// The server says how old a count is; from then on only this page's own clock counts, right or wrong as it may be set.
const since = new WeakMap();

function tick() {
  const now = performance.now() / 1000;
  for (const time of document.querySelectorAll("time[data-age]")) {
    if (!since.has(time)) since.set(time, now - Number(time.dataset.age));
    const text = age(Math.max(0, now - since.get(time)), time.dataset.patterns.split("|"));
    if (time.textContent !== text) time.textContent = text;
  }
}

tick();
setInterval(tick, 1000);

document.addEventListener("htmx:beforeRequest", (event) => {
  // Nobody looks: nothing is asked. The next tick after the return asks again.
  if (document.hidden && event.target.hasAttribute("data-poll")) event.preventDefault();
});

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.xhr.status === 304) event.detail.shouldSwap = false;
  // What the reader opened stays open in the new piece.
  else if (event.detail.shouldSwap) open = [...document.querySelectorAll("details[open][id]")].map((details) => details.id);
});

let open = [];

document.addEventListener("htmx:afterSwap", () => {
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  open = [];
  tick();
});
