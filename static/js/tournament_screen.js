// The big screen of a tournament: a new draw, or a new state of the round, begins with its first page.

import { turnPages } from "./screen_turns.js";

const round = () => document.querySelector("[data-tournament]").dataset.round;
let shown = round();

document.addEventListener("tournament-changed", () => {
  turnPages(round() !== shown);
  shown = round();
});
turnPages(true);
