// Words of the games in a text: the first use of each has a dotted line, and a tap on any of them shows its meaning.
// The elements of the page stay as they are.
import { elementOf } from "./dom.js";

const SLOW_MS = 500;
const MOVED_PX = 10;
// A finger may hit the line above or below.
const REACH_PX = 12;
// These do something of their own when they are tapped, or explain a word.
const OTHER = "a, button, summary, label, input, select, textarea, svg, [data-word], .word-list";

const template = document.querySelector("#word-note");
/**
 * The key of each form of a word, and the pattern of the texts where it is meant ("" is any text).
 * @type {Record<string, [string, string]>}
 */
const terms = JSON.parse(template?.dataset.terms ?? "{}");
const wordOf = new Map(
  Object.entries(terms).map(([form, [key, where]]) => [
    form.toLowerCase(),
    { key, where: where ? new RegExp(where, "gu") : null },
  ]),
);
// In German a capital letter tells "das Muss" from "er muss".
const flags = document.documentElement.lang.startsWith("de") ? "gu" : "giu";
const WORDS = new RegExp(`(?<![\\p{L}-])(?:${Object.keys(terms).join("|")})(?![\\p{L}-])`, flags);

/** @type {HTMLElement | null} */
let note = null;
/** @type {Promise<Document> | null} */
let all = null;
let down = { x: 0, y: 0, at: -Infinity };

/**
 * Return true if a form that stands at a place of a text is the word of the game.
 * @param {Text} text
 * @param {number} index
 * @param {RegExp | null} where
 */
function isMeant(text, index, where) {
  if (!where) return true;
  // Beside other elements the text is a part of a sentence.
  const beside = text.parentNode?.childNodes.length === 1 ? "" : "…";
  const position = index + beside.length;
  const phrases = [...(beside + text.data + beside).matchAll(where)];
  return phrases.some((phrase) => phrase.index <= position && position < phrase.index + phrase[0].length);
}

/**
 * The words of a text, each with its place.
 * @param {Text} text
 */
function wordsOf(text) {
  return [...text.data.matchAll(WORDS)].flatMap((match) => {
    const word = wordOf.get(match[0].toLowerCase());
    if (!word || !isMeant(text, match.index, word.where)) return [];
    const range = document.createRange();
    range.setStart(text, match.index);
    range.setEnd(text, match.index + match[0].length);
    return [{ range, key: word.key }];
  });
}

/** Draw a line below the first use of each word. */
function mark() {
  const main = document.querySelector("main");
  if (!main || !window.CSS?.highlights) return;
  const marked = new Set(Array.from(main.querySelectorAll("button.word + [data-word]"), (each) => each.dataset.word));
  const lines = new Highlight();
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = /** @type {Text} */ (texts.currentNode);
    for (const { range, key } of wordsOf(text)) {
      if (marked.has(key) || text.parentElement?.closest(OTHER) || !text.parentElement?.checkVisibility()) continue;
      marked.add(key);
      lines.add(range);
    }
  }
  CSS.highlights.set("word", lines);
}

/**
 * The key of the word at a point; "" if there is none.
 * @param {Element} element
 * @param {number} x
 * @param {number} y
 */
function wordAt(element, x, y) {
  const isHit = (box) =>
    x >= box.left - REACH_PX && x <= box.right + REACH_PX && y >= box.top - REACH_PX && y <= box.bottom + REACH_PX;
  const texts = [...element.childNodes].filter((node) => node instanceof Text);
  const word = texts.flatMap(wordsOf).find(({ range }) => [...range.getClientRects()].some(isHit));
  return word?.key ?? "";
}

/** The page of all words, read once. */
async function pageOfWords() {
  const answer = await fetch(template?.content.querySelector("a")?.getAttribute("href") ?? "");
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/** @param {string} key */
async function show(key) {
  all ??= pageOfWords();
  const page = await all.catch(() => null);
  if (!page) all = null;
  const explained = page?.getElementById(key) ?? document.querySelector(`dl [data-word="${key}"]`);
  if (!explained) return;
  if (!note) {
    note = elementOf("#word-note");
    document.body.append(note);
  }
  const [term, meaning, link] = note.children;
  term.textContent = explained.querySelector("dt")?.textContent ?? "";
  meaning.textContent = explained.querySelector("dd")?.textContent ?? "";
  /** @type {HTMLAnchorElement} */ (link).hash = key;
  note.showPopover();
}

document.addEventListener("pointerdown", (event) => {
  down = { x: event.clientX, y: event.clientY, at: event.timeStamp };
});
document.addEventListener("pointerup", (event) => {
  const { clientX: x, clientY: y, target, timeStamp } = event;
  if (timeStamp - down.at > SLOW_MS || Math.hypot(x - down.x, y - down.y) > MOVED_PX) return;
  if (!template || !(target instanceof Element) || !target.closest("main") || target.closest(OTHER)) return;
  const key = wordAt(target, x, y);
  // The browser closes open sheets at the end of a tap: the next one opens after it.
  if (key) setTimeout(show, 0, key);
});
if (template) mark();
