// Passkeys: asks the browser for one and sends its answer with the form it stands in (`data-passkey`).

function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

function text(buffer) {
  const plain = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** What the server sends has its bytes as text; browsers from before 2025 cannot read that themselves. */
function options(told) {
  const read = structuredClone(told.publicKey);
  read.challenge = bytes(read.challenge);
  if (read.user) read.user.id = bytes(read.user.id);
  for (const list of [read.allowCredentials, read.excludeCredentials]) {
    for (const each of list ?? []) each.id = bytes(each.id);
  }
  return read;
}

function plain(credential) {
  const { response } = credential;
  const told = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (response[name]) told[name] = text(response[name]);
  }
  if (response.getTransports) told.transports = response.getTransports();
  return {
    id: credential.id,
    rawId: text(credential.rawId),
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: told,
  };
}

async function made(form) {
  const read = options(JSON.parse(document.getElementById("js_data").textContent).creation_options);
  const alone = form.elements.passwordless?.checked ?? false;
  read.authenticatorSelection.residentKey = alone ? "required" : "discouraged";
  read.authenticatorSelection.requireResidentKey = alone;
  if (alone) read.authenticatorSelection.userVerification = "required";
  return navigator.credentials.create({ publicKey: read });
}

async function shown(form) {
  let told = document.getElementById("js_data");
  if (told) {
    told = JSON.parse(told.textContent);
  } else {
    const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    told = await answer.json();
  }
  return navigator.credentials.get({ publicKey: options(told.request_options) });
}

/** Every form with `data-passkey` (`make`, `sign-in`, `show`) sends a passkey instead of itself. */
export function passkeys() {
  if (!window.PublicKeyCredential || !navigator.credentials) return;
  for (const form of document.querySelectorAll("form[data-passkey]")) {
    form.hidden = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const fault = form.querySelector("[data-fault]");
      fault.hidden = true;
      try {
        const credential = await (form.dataset.passkey === "make" ? made(form) : shown(form));
        form.elements.credential.value = JSON.stringify(plain(credential));
        form.submit();
      } catch {
        // Somebody changed their mind, or this device has no such passkey.
        fault.hidden = false;
      }
    });
  }
}
