/** The account that the page was made for; "" if nobody is signed in. */
export const account = () => document.querySelector("#outbox")?.dataset.user ?? "";
