// Elements: making them, finding them, and reading their forms.

/**
 * Make an element with a class and its content: texts or elements. null is left out.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} css
 * @param {...(string | Node | null)} content
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, css = "", ...content) {
  const made = document.createElement(name);
  if (css) made.className = css;
  made.append(...content.filter((part) => part !== null));
  return made;
}

/**
 * Make a button that submits no form.
 * @param {string} css
 * @param {...(string | Node)} content
 */
export function button(css, ...content) {
  const made = element("button", css, ...content);
  made.type = "button";
  return made;
}

/**
 * The content of a template, to be inserted.
 * @param {"#chip" | "#saved-screen" | "#seat-row" | "#sitter" | "#waits-for" | "#word-note"} selector
 * @returns {DocumentFragment}
 */
export function contentOf(selector) {
  const template = document.querySelector(selector);
  if (!template) throw new Error(`the page has no ${selector}`);
  return /** @type {DocumentFragment} */ (template.content.cloneNode(true));
}

/**
 * The one element of a template, to be inserted.
 * @param {"#chip" | "#saved-screen" | "#seat-row" | "#sitter" | "#waits-for" | "#word-note"} selector
 * @returns {HTMLElement}
 */
export const elementOf = (selector) => /** @type {HTMLElement} */ (contentOf(selector).firstElementChild);

/**
 * The element of an event, or the nearest one around it, that the selector names. null if there is none.
 * @template {string} S
 * @param {Event} event
 * @param {S} selector
 * @returns {Found<S> | null}
 */
export const closest = (event, selector) => (event.target instanceof Element ? event.target.closest(selector) : null);

/**
 * The fields of a form, as text.
 * @param {HTMLFormElement} form
 */
export function fieldsOf(form) {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") fields.append(name, value);
  return fields;
}

/**
 * The content of a `meta` element of the page; "" if it has none.
 * @param {string} name
 */
export const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.content ?? "";
