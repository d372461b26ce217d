// The sheet of a table: the chips of each seat, and their sum.

const whole = (text) => {
  const tidy = text
    .trim()
    .replace(/[−–]/g, "-")
    .replace(/['’\s]/g, "");
  return /^[+-]?\d+$/.test(tidy) ? Number(tidy) : tidy === "" ? 0 : NaN;
};

/** Show the sum of the chips, which is 0 if the sheet is right. */
export function addUp(form) {
  const out = form.querySelector("[data-sum]");
  const fields = [...form.querySelectorAll("[data-chips]")];
  const sum = fields.reduce((total, field) => total + whole(field.value), 0);
  const filled = fields.filter((field) => field.name !== "pot").every((field) => field.value.trim() !== "");
  const count = Math.abs(sum).toLocaleString("de-CH");
  let text = Number.isNaN(sum)
    ? "?"
    : sum > 0
      ? form.dataset.sayMany.replace("{n}", count)
      : sum < 0
        ? form.dataset.sayFew.replace("{n}", count)
        : "0";
  if (sum === 0 && filled) text = `✓ ${form.dataset.sayRight}`;
  out.textContent = text;
  out.classList.toggle("loss", sum !== 0);
  out.classList.toggle("gain", sum === 0 && filled);
}

/** Enter goes to the next field that is empty; from the last one it stores the sheet. */
export function enterInSheet(event, field) {
  const fields = [...field.form.querySelectorAll("[data-chips]")];
  const next = fields[fields.indexOf(field) + 1];
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.select();
}

/** Give a field the other sign. */
export function flipSign(field) {
  field.value = /^[-−]/.test(field.value.trim())
    ? field.value.trim().slice(1)
    : `-${field.value.trim().replace(/^\+/, "")}`;
  addUp(field.form);
  field.focus();
}
