// The snapshot with which a page begins: that of the server, or that of an evening which was begun on this phone.
import { kept } from "../browser_storage.js";
import * as outbox from "../outbox.js";
import { begun } from "./present.js";

/** The storage key of the sentence about an evening that has just arrived, for the page of its table. */
export const ARRIVED = "chratzete.arrived";

/**
 * The result of an evening that was begun on this phone, by its key: {page, table, ids} with the ids of its guests;
 * null before it arrived.
 */
export const arrivedAt = (key) => kept.read(localStorage, `chratzete.begun.${key}`);

/** The key in the address of the page of an evening that was begun on this phone. */
export const keyOfPage = () => decodeURIComponent(window.location.hash.slice(1));

const json = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

/** The item of the evening of this page, or null. */
export async function beginItem() {
  const key = keyOfPage();
  return (await outbox.all()).find((item) => item.key === key && item.write?.kind === "begin") ?? null;
}

/** The snapshot of the page; null on the page of an evening that does not wait on this phone. */
export async function pageSnapshot() {
  const snapshot = json("night-snapshot");
  if (snapshot) return snapshot;
  const night = json("night-club");
  const item = night && (await beginItem());
  return item ? begun(item.night ?? night, item.write) : null;
}
