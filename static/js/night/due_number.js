// The number of the next hand of a table, while a hand is entered: others may record meanwhile.
import { outdated } from "./entry_problems.js";

export class DueNumber {
  /** `data`: the texts and numbers of the form. */
  constructor(data) {
    this.data = data;
    // The next hand, where the present moved on while a hand was entered, and the number of stored hands then.
    this.next = 0;
    this.stored = 0;
    this.wasPolled = false;
  }

  /** A poll has shown that the table moved on or back. */
  polled() {
    this.wasPolled = true;
  }

  /** The present has this next hand by now; `stored`: the number of stored hands. */
  movedOn(number, stored) {
    this.next = number;
    this.stored = stored;
  }

  /** The number of the next hand by the last answer of the server. */
  get answered() {
    return Number(document.querySelector("#pencil")?.dataset.number ?? this.data.number);
  }

  /** The number of the next hand, by the last answer of the server, or by this phone. */
  get number() {
    // The hand before this one may be stored later than the last poll was, or wait on this phone.
    const known = this.wasPolled && !("ahead" in this.data) ? 0 : Number(this.data.number);
    return Math.max(this.answered, known, this.next);
  }

  /** The reason why a hand of this number cannot be saved, or null. */
  problemOf(number) {
    return outdated(number, this.number, number > Math.max(this.stored, this.answered - 1));
  }
}
