// The subscription of a browser for messages by push, in the form in which the server takes it. Pages and the service
// worker use it.

/**
 * The bytes of base64url text.
 * @param {string} text
 */
export function bytesOf(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/**
 * Bytes as base64url text without padding.
 * @param {ArrayBuffer | null} buffer
 */
export function textOf(buffer) {
  const plain = String.fromCharCode(...new Uint8Array(buffer ?? new ArrayBuffer(0)));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * The fields of a subscription.
 * @param {PushSubscription} subscription
 * @returns {Record<string, string>}
 */
export const fieldsOf = (subscription) => ({
  endpoint: subscription.endpoint,
  p256dh: textOf(subscription.getKey("p256dh")),
  auth: textOf(subscription.getKey("auth")),
});

/**
 * Subscribe with the key of the server. A subscription with another key is ended first: the server cannot use it.
 * @param {PushManager} manager
 * @param {string} key
 */
export async function subscribe(manager, key) {
  const there = await manager.getSubscription();
  if (there && textOf(there.options.applicationServerKey) === key) return there;
  await there?.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) });
}
