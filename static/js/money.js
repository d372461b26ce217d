// Amounts as the server writes them (league/money.py): whole Rappen as francs, or whole chips; ’ between the thousands.

const CHIPS = document.body.classList.contains("in-chips");
const AMOUNT = CHIPS ? /[\d’]+/ : /[\d’]+\.\d\d/;

/** Format whole Rappen from 0 up: 123450 → "1’234.50"; chips: "123’450". */
export function money(minor) {
  if (CHIPS) return String(minor).replace(/\B(?=(\d{3})+$)/g, "’");
  const francs = String(Math.floor(minor / 100)).replace(/\B(?=(\d{3})+$)/g, "’");
  return `${francs}.${String(minor % 100).padStart(2, "0")}`;
}

/** The sign of a change: "" for 0. */
export const sign = (minor) => (minor > 0 ? "+" : minor < 0 ? "−" : "");

/** Format a change: +1.60, −3.20, 0.00. */
export function gain(minor) {
  return `${sign(minor)}${money(Math.abs(minor))}`;
}

/** Replace the amount of an element; the currency beside it stays. */
export function showAmount(element, minor) {
  for (const node of element.childNodes) {
    if (node.nodeType === Node.TEXT_NODE && /\d/.test(node.data)) node.data = node.data.replace(AMOUNT, money(minor));
  }
}
