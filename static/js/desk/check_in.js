// Check-in: two letters or a number find a person.
import { element } from "../dom.js";
import { desk } from "./screen.js";

const MOST_MATCHES = 8;

/** A text to compare with, without accents. */
export const plain = (text) => text.toLocaleLowerCase().normalize("NFD").replace(/\p{M}/gu, "").trim();

function matching(typed) {
  const people = JSON.parse(document.querySelector("#desk-names")?.textContent || "[]");
  const wanted = plain(typed);
  if (!wanted) return [];
  if (/^\d+$/.test(wanted))
    return people.filter(([number]) => String(number).startsWith(wanted)).sort(([a], [b]) => a - b);
  const begins = ([, name]) =>
    plain(name)
      .split(/\s+/)
      .some((word) => word.startsWith(wanted)) || plain(name).startsWith(wanted);
  return people
    .filter(begins)
    .sort((a, b) => Number(a[2]) - Number(b[2]) || Number(a[3]) - Number(b[3]) || a[1].localeCompare(b[1]));
}

/** List the people who fit the typed text. */
export function suggest(field) {
  const list = document.querySelector("#who-list");
  const people = matching(field.value).slice(0, MOST_MATCHES);
  list.replaceChildren(
    ...people.map(([number, name, here], index) => {
      const there = here ? element("span", "gain small", desk().dataset.sayHere) : null;
      const option = element("li", "", element("span", "num soft", number), element("span", "", name), there);
      option.id = `who-${number}`;
      option.dataset.number = number;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", String(index === 0));
      return option;
    }),
  );
  list.hidden = people.length === 0;
  field.setAttribute("aria-expanded", String(people.length > 0));
  if (people.length) field.setAttribute("aria-activedescendant", `who-${people[0][0]}`);
  else field.removeAttribute("aria-activedescendant");
}

/** Choose the next person of the list, or the one before. */
export function move(field, by) {
  const all = [...document.querySelectorAll("#who-list li")];
  if (!all.length) return;
  const current = all.findIndex((option) => option.getAttribute("aria-selected") === "true");
  const to = (current + by + all.length) % all.length;
  for (const [index, option] of all.entries()) option.setAttribute("aria-selected", String(index === to));
  field.setAttribute("aria-activedescendant", all[to].id);
}

/** Send the person who is chosen in the list. A number is sent as it is typed: a badge's code is one. */
export function choose(field) {
  const chosen = document.querySelector('#who-list li[aria-selected="true"]');
  if (chosen && !/^\d+$/.test(field.value.trim())) field.value = chosen.dataset.number;
  if (field.value.trim()) field.form.requestSubmit();
}
