// Forms with a preview: what they would change is shown again after each change of a field. Until then nothing can be
// stored.
//
// Without this script a button shows the preview. The server stores only what it has shown in any case.

/** Follow one form: its preview, and the line that says in short what the preview shows. */
function follow(form) {
  const preview = form.querySelector("[data-preview]");
  const bar = form.querySelector(".preview-bar");
  const line = bar.querySelector("a");

  // The number of changes so far, and of those that the request on its way includes.
  let changes = 0;
  let sent = 0;

  /** Turn storing off while the preview is older than the fields. */
  function mark() {
    const outdated = sent !== changes;
    for (const button of preview.querySelectorAll("[data-store]")) button.disabled = outdated;
    preview.setAttribute("aria-busy", String(outdated));
  }

  /** Say in one line what the preview shows: the table itself is not read out after each change. */
  function say(text) {
    line.textContent = text;
    line.hidden = text === "";
    bar.classList.toggle("on", text !== "");
  }

  form.addEventListener("input", () => {
    changes += 1;
    mark();
  });
  form.addEventListener("htmx:beforeRequest", () => {
    sent = changes;
  });
  form.addEventListener("htmx:afterSwap", () => {
    mark();
    say(preview.querySelector("[data-summary]")?.dataset.summary ?? "");
  });
  for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
    form.addEventListener(name, () => {
      sent = -1;
      mark();
      say(form.dataset.sayUnseen);
    });
  }
}

for (const form of document.querySelectorAll("form[data-previews]")) follow(form);
