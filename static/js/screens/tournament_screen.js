import "../outbox_bar.js";
import "../app.js";
import "../tournament_clock.js";
import "../tournament_screen.js";
import "../awake.js";
