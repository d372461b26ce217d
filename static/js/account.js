// Passkeys, and the button that shows a new password while it is typed. The pages work without scripts, too.
import { passkeys } from "./passkey.js";

passkeys();
for (const input of document.querySelectorAll("input[autocomplete='new-password']")) {
  const box = document.createElement("div");
  box.className = "secret";
  input.replaceWith(box);
  const { show, hide } = document.getElementById("main").dataset;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = show;
  button.setAttribute("aria-controls", input.id);
  button.addEventListener("click", () => {
    const hidden = input.type === "password";
    input.type = hidden ? "text" : "password";
    button.textContent = hidden ? hide : show;
    input.focus();
  });
  box.append(input, button);
}
