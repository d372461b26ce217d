// Day and way of payments: the fields of the page fill those of each form. Without this script its button loads the
// page again.
const chooser = document.querySelector("[data-paid-day]");
if (chooser) {
  const fields = ["day", "way"].map((name) => chooser.elements[name]);
  chooser.querySelector("button").hidden = true;
  const fill = () => {
    for (const { name, value } of fields)
      for (const input of document.querySelectorAll(`input[type=hidden][name=${name}]`)) input.value = value;
  };
  chooser.addEventListener("input", fill);
  chooser.addEventListener("submit", (event) => event.preventDefault());
  // A browser that goes back to the page keeps what was typed.
  fill();
}
