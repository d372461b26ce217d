// The states of an item of the outbox, and the outcomes of its request.
export const WAITING = "waiting";
export const SIGN_IN = "sign-in";
export const REFUSED = "refused";
// Not sent automatically: a person takes the pencil and saves it, or sends it from the list.
export const HELD = "held";
export const STORED = "stored";
// The outcome of an item that is no longer in the outbox once it could be sent: a person discarded or changed it.
export const GONE = "gone";
