// Entering card by card: no more cards than are asked for, and the choice of blind without a button. The server decides the rest.

document.addEventListener("change", (event) => {
  const set = event.target.closest("fieldset[data-most]");
  if (set) {
    const most = Number(set.dataset.most);
    const ticked = [...set.querySelectorAll("input:checked")];
    // One too many: the one ticked before gives way where a single card is asked for, else the new one does.
    if (ticked.length > most) (most === 1 ? ticked.find((box) => box !== event.target) : event.target).checked = false;
  }
  if ("blind" in event.target.dataset) event.target.form.querySelector("[data-set-blind]").click();
});

document.addEventListener("click", (event) => {
  // A card that is dealt already says why when it is tapped; a legal answer never gets here.
  const no = event.target.closest("span.no[title]");
  if (no) document.querySelector("#why")?.replaceChildren(no.title);
});

document.addEventListener("submit", (event) => {
  const once = event.target.closest("form[data-once]");
  if (!once) return;
  if (once.dataset.sent) event.preventDefault();
  once.dataset.sent = "1";
});
window.addEventListener("pageshow", (event) => { if (event.persisted) window.location.reload(); });
