// The sheet of a table card: shows the difference to zero during typing. The server checks it again.
const form = document.querySelector("[data-sheet]");
const said = form?.querySelector("[data-sum]");

function amount(field) {
  const text = field.value.trim().replace(/['’]/g, "").replace(/[−–]/g, "-");
  return /^[+-]?\d{1,10}$/.test(text) ? Number(text) : null;
}

function total() {
  let sum = 0;
  for (const field of form.querySelectorAll("input[name^=chips-]")) {
    const value = amount(field);
    if (value === null) return null;
    const minus = form.querySelector(`input[name="sign-${field.name.slice(6)}"][value=minus]`).checked;
    sum += minus ? -Math.abs(value) : value;
  }
  const pot = form.querySelector("#pot");
  const left = pot.value.trim() ? amount(pot) : 0;
  return left === null ? null : sum + left;
}

function say() {
  const sum = total();
  said.hidden = sum === null;
  if (sum === null) return;
  said.classList.toggle("fits", sum === 0);
  const text = sum === 0 ? said.dataset.fits : sum > 0 ? said.dataset.more : said.dataset.less;
  said.textContent = text.replace("{n}", String(Math.abs(sum)));
}

if (form) {
  form.addEventListener("input", say);
  say();
}
