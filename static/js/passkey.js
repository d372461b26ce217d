// Passkeys: a form with `data-passkey` asks the browser for a passkey and sends the answer.

function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

function text(buffer) {
  const plain = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Decode the server's options, which have bytes as base64 text; browsers before 2025 cannot do this themselves. */
function decoded(sent) {
  const options = structuredClone(sent.publicKey);
  options.challenge = bytes(options.challenge);
  if (options.user) options.user.id = bytes(options.user.id);
  for (const list of [options.allowCredentials, options.excludeCredentials]) {
    for (const each of list ?? []) each.id = bytes(each.id);
  }
  return options;
}

/** Encode a credential as JSON data, with its bytes as base64 text. */
function encoded(credential) {
  const { response } = credential;
  const fields = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (response[name]) fields[name] = text(response[name]);
  }
  if (response.getTransports) fields.transports = response.getTransports();
  return {
    id: credential.id,
    rawId: text(credential.rawId),
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: fields,
  };
}

async function createPasskey(form) {
  const options = decoded(JSON.parse(document.getElementById("js_data").textContent).creation_options);
  const passwordless = form.elements.passwordless?.checked ?? false;
  options.authenticatorSelection.residentKey = passwordless ? "required" : "discouraged";
  options.authenticatorSelection.requireResidentKey = passwordless;
  if (passwordless) options.authenticatorSelection.userVerification = "required";
  return navigator.credentials.create({ publicKey: options });
}

async function getPasskey(form) {
  const element = document.getElementById("js_data");
  if (element) {
    return navigator.credentials.get({ publicKey: decoded(JSON.parse(element.textContent).request_options) });
  }
  const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(String(answer.status));
  const sent = await answer.json();
  return navigator.credentials.get({ publicKey: decoded(sent.request_options) });
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
        const credential = await (form.dataset.passkey === "make" ? createPasskey(form) : getPasskey(form));
        form.elements.credential.value = JSON.stringify(encoded(credential));
        form.submit();
      } catch {
        // The person cancelled, or this device has no such passkey.
        fault.hidden = false;
      }
    });
  }
}
