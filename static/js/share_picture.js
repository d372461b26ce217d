// Pictures to pass on: a tap opens the share sheet of the device with the file, or saves it. Without a script the link
// opens the picture.
import { closest } from "./dom.js";

const SHARED = "a[data-share-picture]";
/** @type {Map<string, Promise<File>>} */
const files = new Map();

/**
 * The file of a picture, fetched once.
 * @param {HTMLAnchorElement} link
 */
function fileOf(link) {
  const known = files.get(link.href);
  if (known) return known;
  const fetched = fetch(link.href).then(async (answer) => {
    if (!answer.ok) throw new Error(String(answer.status));
    return new File([await answer.blob()], link.dataset.sharePicture ?? "", { type: "image/png" });
  });
  files.set(link.href, fetched);
  fetched.catch(() => files.delete(link.href));
  return fetched;
}

/** @param {File} file */
function save(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  URL.revokeObjectURL(link.href);
}

// A browser lets a page share only for a short time after the tap: the picture is on its way when the finger goes down.
document.addEventListener("pointerdown", (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (closest(event, SHARED));
  if (link) fileOf(link).catch(() => null);
});

document.addEventListener("click", async (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (closest(event, SHARED));
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    const file = await fileOf(link);
    if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files: [file] }))
      await navigator.share({ files: [file] });
    else save(file);
  } catch (fault) {
    // The reader closed the share sheet. Else the picture itself, as without a script.
    if (!(fault instanceof DOMException && fault.name === "AbortError")) window.location.assign(link.href);
  }
});
